package neo4jjournal

import (
	"context"

	"graphrest/cypher"
	"graphrest/internal/audit"
	"graphrest/internal/bolt"
	"graphrest/internal/neo4jentity"
)

// PlanUndo plans the statements that bring a deleted node back with its edges: an undo runs them in one transaction, whose time is bounded.
func (u *undoer) PlanUndo(ctx context.Context) {
	ofEdges := map[string]any{"node": "", "element": "", "entity": "", "change_id": "", "limit": maxUndo + 1}
	_, _ = u.client.Read(ctx, cypher.JournalWith.Text(nil), ofEdges)
	ofEnds := map[string]any{"rows": [][]any{}, "managed": []string{}, "oldest": ""}
	_, _ = u.client.Read(ctx, cypher.JournalLast.Text(nil), ofEnds)
	for k, statements := range neo4jentity.StatementsOf {
		params, err := u.writes.Params(ctx, neo4jentity.RowWrite{Kind: k, Action: audit.Create})
		if err != nil {
			return
		}
		_, _ = u.client.Write(ctx, u.texts.TextOf(statements.Restore), neo4jentity.WithRows(params, bolt.BatchRows{}))
	}
	_, _ = u.client.Read(ctx, cypher.JournalMade.Text(nil), map[string]any{"request": "", "undo": "", "after": ""})
}
