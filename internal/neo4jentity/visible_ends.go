package neo4jentity

import (
	"context"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/bolt"
)

// manyEdges is the number of edges from which the labels of their ends cost more than the statement that makes it unnecessary to read
// them.
const manyEdges = 20_000

// EndsAreVisible reports whether no edge of a visible type begins or ends at internal data. A statement that follows, and reads many edges,
// then need not read the labels of their ends, which cost more than the edges. It does not notice an edge that another program connects
// with internal data while it runs: see ADR 0010. types are those that it reads, none for all, and sizes the numbers of edges by type, some
// seconds old: if the types have few edges, the database is not asked, and the answer is false. The text is the same for all types, so that
// it is planned once.
func (c *ExclusionCache) EndsAreVisible(ctx context.Context, types []string, sizes map[string]int64) (bool, error) {
	size := int64(0)
	for typ, number := range sizes {
		if len(types) == 0 || slices.Contains(types, typ) {
			size += number
		}
	}
	if size < manyEdges {
		return false, nil
	}
	names, err := c.Exclusion(ctx)
	if err != nil {
		return false, err
	}
	slots := cypher.Slots{"records": cypher.CountVisibleEdgesAt(names.InternalLabels, names.InternalTypes)}
	rows, err := c.client.ReadRows(ctx, cypher.EdgesAtInternal.Text(slots), map[string]any{"verify": true})
	if err != nil || len(rows) == 0 {
		return false, err
	}
	isNew := func(label string) bool { return !slices.Contains(names.InternalLabels, label) }
	return bolt.Column[int64](rows[0], "at_records") == 0 && !slices.ContainsFunc(bolt.TextColumn(rows[0], "labels"), isNew), nil
}
