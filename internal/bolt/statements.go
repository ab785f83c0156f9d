package bolt

import (
	"context"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"graphrest/cypher"
	"graphrest/internal/graph"
)

// Read runs a read statement in one round trip and retries transient failures.
func (c *Client) Read(ctx context.Context, text cypher.Text, params map[string]any) ([]*neo4j.Record, error) {
	ctx, cancel := c.WithQueryTimeout(ctx)
	defer cancel()
	var records []*neo4j.Record
	err := c.Retry(ctx, func() (err error) {
		records, err = c.runOnce(ctx, neo4j.AccessModeRead, text, params)
		return err
	})
	return records, err
}

// Write runs a write statement in one round trip and its own transaction. It retries only if nothing was done: nothing was sent, or the
// server reported the failure. After a connection that was lost later, or a failure of the database meanwhile, the error is an
// unknownOutcome: the change may have been committed.
func (c *Client) Write(ctx context.Context, text cypher.Text, params map[string]any) ([]*neo4j.Record, error) {
	var records []*neo4j.Record
	err := c.WriteRecords(ctx, text, params, func() { records = nil }, func(r *neo4j.Record) { records = append(records, r) })
	return records, err
}

// RepeatWrite is RepeatUnknown of a statement that recognizes what it has written.
func (c *Client) RepeatWrite(ctx context.Context, text cypher.Text, params map[string]any) (records []*neo4j.Record, err error) {
	err = RepeatUnknown(func() error {
		records, err = c.Write(ctx, text, params)
		return err
	})
	return records, err
}

// WriteRecords is Write that passes each record to each as it arrives, so that not all of them need to be in memory at once. begin is
// called before each run of the statement.
func (c *Client) WriteRecords(
	ctx context.Context, text cypher.Text, params map[string]any, begin func(), each func(*neo4j.Record),
) error {
	ctx, cancel := c.WithQueryTimeout(ctx)
	defer cancel()
	return c.Retry(ctx, func() error {
		begin()
		session := c.sessionConfig(ctx, neo4j.AccessModeWrite)
		err := c.runRecords(ctx, session, text, params, func(r *neo4j.Record) bool { each(r); return true })
		if err != nil && mayHaveCommitted(err) {
			err = unknownOutcome{err}
		}
		return err
	})
}

// ReadLatest is read that sees the latest writes of all clients. A driver that routes sends a read to any server of a cluster, so the read
// uses a bookmark of the server that takes the writes. Sending the statement itself there would need write access mode, in which the server
// would not reject a statement that writes.
func (c *Client) ReadLatest(ctx context.Context, text cypher.Text, params map[string]any) ([]*neo4j.Record, error) {
	ctx, cancel := c.WithQueryTimeout(ctx)
	defer cancel()
	var latest graph.Bookmarks
	if c.routed {
		var err error
		if latest, err = c.latestBookmarks(ctx); err != nil {
			return nil, err
		}
	}
	return c.Read(graph.WithBookmarks(ctx, latest), text, params)
}

// latestBookmarks are bookmarks of everything committed by now, from the server that takes the writes.
func (c *Client) latestBookmarks(ctx context.Context) (graph.Bookmarks, error) {
	var mark graph.BookmarkRecorder
	err := c.Retry(ctx, func() error {
		_, err := c.runOnce(graph.WithBookmarkRecorder(ctx, &mark), neo4j.AccessModeWrite, cypher.Ping.Text(nil), nil)
		return err
	})
	return mark.Latest(), err
}

// runOnce runs a statement once, without retries.
func (c *Client) runOnce(
	ctx context.Context, mode neo4j.AccessMode, text cypher.Text, params map[string]any,
) (records []*neo4j.Record, err error) {
	err = c.runRecords(ctx, c.sessionConfig(ctx, mode), text, params, func(r *neo4j.Record) bool {
		records = append(records, r)
		return true
	})
	if err != nil {
		return nil, err
	}
	return records, nil
}

// runRecords runs a statement once, without retries, and passes on each record as it arrives, until each returns false.
func (c *Client) runRecords(
	ctx context.Context, config neo4j.SessionConfig, text cypher.Text, params map[string]any, each func(*neo4j.Record) bool,
) error {
	_, err := withConfiguredSession(ctx, c, config, func(session neo4j.SessionWithContext) (_ struct{}, err error) {
		began := time.Now()
		defer func() {
			recordTimeout(ctx, text, params, err)
			if now := time.Now(); err == nil {
				c.distance.record(now.Sub(began), now)
			}
			c.observers.Notify(ctx, text, began, err)
			err = nameStatement(text, err)
		}()
		result, err := SendStatement(ctx, session, text, params, neo4j.WithTxTimeout(txTimeout(ctx)))
		if err != nil {
			return struct{}{}, err
		}
		var record *neo4j.Record
		for count := 0; result.NextRecord(ctx, &record); count++ {
			if !each(record) {
				dropRest(ctx, result, config.FetchSize-count%max(config.FetchSize, 1)-1)
				return struct{}{}, nil
			}
		}
		return struct{}{}, result.Err()
	})
	return err
}

// dropRest ends a result of which no more records are wanted. The driver would read the rest of the batch that it pulled, whose records may
// be of any size, so it is made to close the connection if there is a rest: the server then ends the statement, and the pool opens another
// connection.
func dropRest(ctx context.Context, result neo4j.ResultWithContext, rest int) {
	if rest > 0 {
		ended, cancel := context.WithCancel(ctx)
		cancel()
		ctx = ended
	}
	_, _ = result.Consume(ctx) // the wanted records are there
}

// runWithoutSlot runs a statement once whose result does not matter, outside of the connections of requests: poolReserve holds some for
// this.
func (c *Client) runWithoutSlot(
	ctx context.Context, mode neo4j.AccessMode, text cypher.Text, limits ...func(*neo4j.TransactionConfig),
) error {
	session, err := c.openSession(ctx, neo4j.SessionConfig{DatabaseName: c.database, AccessMode: mode})
	if err != nil {
		return err
	}
	defer c.closeSession(ctx, session)
	result, err := SendStatement(ctx, session, text, nil, limits...)
	if err != nil {
		return err
	}
	_, err = result.Consume(ctx)
	return err
}
