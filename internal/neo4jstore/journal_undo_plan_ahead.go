package neo4jstore

import (
	"context"

	"graphrest/cypher"
	"graphrest/internal/audit"
	"graphrest/internal/bolt"
)

// planUndo plans the statements that bring a deleted node back with its edges: an undo runs them in one transaction, whose time is bounded.
func (u *undoer) planUndo(ctx context.Context) {
	_, _ = u.client.Read(ctx, cypher.JournalWith.Text(nil), map[string]any{"node": "", "entity": "", "change_id": "", "limit": maxUndo + 1})
	for k, statements := range statementsOf {
		params, err := u.writes.params(ctx, rowWrite{k: k, action: audit.Create})
		if err != nil {
			return
		}
		_, _ = u.client.Write(ctx, u.texts.textOf(statements.restore), withRows(params, bolt.BatchRows{}))
	}
	_, _ = u.client.Read(ctx, cypher.JournalMade.Text(nil), map[string]any{"request": "", "undo": "", "after": ""})
}
