package neo4jentity

import (
	"context"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/bolt"
)

const (
	// manyEdges is the number of edges from which the labels of their ends cost more than the statement that makes it unnecessary to read
	// them.
	manyEdges = 20_000
	// maxNamedTypes is how many types a statement names; for more it counts the edges of all types.
	maxNamedTypes = 16
)

// EndsAreVisible reports whether no edge of some visible types, or of any if none is given, begins or ends at internal data. A statement
// that follows, and reads many edges, then need not read the labels of their ends, which cost more than the edges. It does not notice an
// edge that another program connects with internal data while it runs: see ADR 0010. sizes are the numbers of edges by type, some seconds
// old: if the types have few edges, the database is not asked, and the answer is false.
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
	if len(types) > maxNamedTypes {
		types = nil
	}
	names, err := c.Exclusion(ctx)
	if err != nil {
		return false, err
	}
	slots := cypher.Slots{"records": cypher.CountVisibleEdgesAt(names.InternalLabels, types, names.InternalTypes)}
	rows, err := c.client.ReadRows(ctx, cypher.EdgesAtInternal.Text(slots), map[string]any{"verify": true})
	if err != nil || len(rows) == 0 {
		return false, err
	}
	isNew := func(label string) bool { return !slices.Contains(names.InternalLabels, label) }
	return bolt.Column[int64](rows[0], "at_records") == 0 && !slices.ContainsFunc(bolt.TextColumn(rows[0], "labels"), isNew), nil
}
