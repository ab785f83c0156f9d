package bolt

import (
	"context"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"graphrest/cypher"
)

// Stream runs a read statement and passes its records to each as they arrive, in bounded memory. It has no time limit, and is not retried.
// Cancellation of the context ends it, and so does an error of each.
func (c *Client) Stream(ctx context.Context, text cypher.Text, params map[string]any, each func(*neo4j.Record) error) error {
	return c.streamWith(ctx, text, params, each)
}

// StreamUntilDeadline is stream that the server ends shortly before the context's deadline.
func (c *Client) StreamUntilDeadline(ctx context.Context, text cypher.Text, params map[string]any, each func(*neo4j.Record) error) error {
	return c.streamWith(ctx, text, params, each, neo4j.WithTxTimeout(txTimeout(ctx)))
}

func (c *Client) streamWith(
	ctx context.Context, text cypher.Text, params map[string]any, each func(*neo4j.Record) error, limits ...func(*neo4j.TransactionConfig),
) error {
	_, err := withSession(ctx, c, neo4j.AccessModeRead, func(session neo4j.SessionWithContext) (struct{}, error) {
		result, err := SendStatement(ctx, session, text, params, limits...)
		if err != nil {
			return struct{}{}, err
		}
		var record *neo4j.Record
		for result.NextRecord(ctx, &record) {
			if err := each(record); err != nil {
				return struct{}{}, err
			}
		}
		return struct{}{}, result.Err()
	})
	if err != nil && ctx.Err() != nil {
		return ctx.Err() // the driver reports a cancelled caller as a lost connection
	}
	return err
}

// ReadRecords runs a read statement and passes its records to each one by one, until there are no more or each returns false. It pulls
// fetchSize records at a time; once each returns false, no more are read. After a transient failure it runs the
// statement again; begin is called before each run.
func (c *Client) ReadRecords(
	ctx context.Context, text cypher.Text, params map[string]any, fetchSize int, begin func(), each func(*neo4j.Record) bool,
) error {
	ctx, cancel := c.WithQueryTimeout(ctx)
	defer cancel()
	session := c.sessionConfig(ctx, neo4j.AccessModeRead)
	session.FetchSize = fetchSize
	return c.Retry(ctx, func() error {
		begin()
		return c.runRecords(ctx, session, text, params, each)
	})
}
