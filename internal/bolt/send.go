package bolt

import (
	"context"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"graphrest/cypher"
)

// Every statement is sent by one of these two functions, so that each has its lists as its text takes them: see cypher.Text.WrapLists. A
// test of archtest rejects any other call.

// SendStatement sends a statement in a separate transaction.
func SendStatement(
	ctx context.Context, session neo4j.SessionWithContext, text cypher.Text, params map[string]any, limits ...func(*neo4j.TransactionConfig),
) (neo4j.ResultWithContext, error) {
	return session.Run(ctx, text.String(), text.WrapLists(params), limits...)
}

// SendInTransaction sends a statement in an open transaction.
func SendInTransaction(
	ctx context.Context, tx neo4j.ExplicitTransaction, text cypher.Text, params map[string]any,
) (neo4j.ResultWithContext, error) {
	return tx.Run(ctx, text.String(), text.WrapLists(params))
}
