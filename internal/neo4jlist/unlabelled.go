package neo4jlist

import (
	"context"

	"graphrest/cypher"
	"graphrest/internal/keyset"
)

// unlabelledOrder reads the nodes without labels in the database's own order. The database has no count of them.
type unlabelledOrder[T any] struct{ rows *listRows[T] }

func (o unlabelledOrder[T]) read(ctx context.Context, statement cypher.Statement, params map[string]any) ([]keyset.Entry[T], error) {
	return o.rows.entries(ctx, statement, cypher.Slots{"where": o.rows.texts.query.filter.whereByParameters()}, params, o.rows.typeOf(""))
}

// unlabelledWindows are how many numbers the windows have for each node of a page before all nodes are read.
var unlabelledWindows = [...]int64{2, 62}

func (o unlabelledOrder[T]) page(ctx context.Context, from keyset.Start, skip int64, limit int) ([]keyset.Entry[T], error) {
	_, after, ok := keyset.SplitElementID(from.Key)
	if !ok {
		return o.read(ctx, cypher.ListNodesUnlabelled, map[string]any{"after": int64(-1), "skip": skip, "limit": limit})
	}
	var found []keyset.Entry[T]
	for _, each := range unlabelledWindows {
		window := min(int64(limit)*each, maxWindow)
		some, err := o.read(ctx, cypher.ListNodesUnlabelledWindow, map[string]any{
			"from": after + 1, "to": after + window, "limit": limit - len(found),
		})
		found = append(found, some...)
		if err != nil || len(found) >= limit || keyset.PageEnds(ctx, len(found), keyset.RowsRead{}) {
			return found, err
		}
		after += window
	}
	rest, err := o.read(ctx, cypher.ListNodesUnlabelled, map[string]any{"after": after, "skip": 0, "limit": limit - len(found)})
	return append(found, rest...), err
}
