package bolt

import (
	"context"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"graphrest/cypher"
)

// Transaction runs the statements of one transaction.
type Transaction struct {
	driver    neo4j.ExplicitTransaction
	observers Observers
}

// RunStatement runs one statement and collects its rows.
func (t *Transaction) RunStatement(ctx context.Context, text cypher.Text, params map[string]any) (records []*neo4j.Record, err error) {
	began := time.Now()
	defer func() {
		t.observers.Notify(ctx, text, began, err)
		err = nameStatement(text, err)
	}()
	result, err := SendInTransaction(ctx, t.driver, text, params)
	if err != nil {
		return nil, err
	}
	return result.Collect(ctx)
}

// RunTransaction runs several statements in one transaction. Work may run more than once. An error of work rolls back.
func (c *Client) RunTransaction(ctx context.Context, work func(context.Context, *Transaction) error) error {
	ctx, cancel := c.WithQueryTimeout(ctx)
	defer cancel()
	return c.Retry(ctx, func() error {
		_, err := withSession(ctx, c, neo4j.AccessModeWrite, func(session neo4j.SessionWithContext) (struct{}, error) {
			return struct{}{}, c.transact(ctx, session, work)
		})
		return err
	})
}

func (c *Client) transact(ctx context.Context, session neo4j.SessionWithContext, work func(context.Context, *Transaction) error) error {
	tx, err := session.BeginTransaction(ctx, neo4j.WithTxTimeout(txTimeout(ctx)))
	if err != nil {
		return err
	}
	if err := work(ctx, &Transaction{driver: tx, observers: c.observers}); err != nil {
		_ = tx.Rollback(ctx) // work's error is what counts; a transaction that is not committed is rolled back anyway
		return err
	}
	if err := tx.Commit(ctx); err != nil {
		if !IsServerError(err) || mayHaveCommitted(err) {
			return unknownOutcome{err}
		}
		return err
	}
	return nil
}
