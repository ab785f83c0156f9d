package neo4jlist

import (
	"context"
	"sync"

	"graphrest/internal/graph"
	"graphrest/internal/keyset"
	"graphrest/internal/neo4jentity"
)

// mixedTypes are the types of which a page had internal data among its rows: somebody gave it a visible type too, in Cypher.
type mixedTypes struct {
	known sync.Map // of TypeKey
}

func (m *mixedTypes) of(k graph.Kind, name string) mixedType {
	return mixedType{known: &m.known, key: neo4jentity.TypeKey{Kind: k, Name: name}}
}

// mixedType is a type of mixedTypes, or one that may become one.
type mixedType struct {
	known *sync.Map
	key   neo4jentity.TypeKey
}

func (m mixedType) isKnown() bool {
	_, known := m.known.Load(m.key)
	return known
}

func (m mixedType) setKnown() { m.known.Store(m.key, true) }

// withoutInternal reads a page's rows, of which the reader drops those of internal data. If it drops any, the rows are read again by a
// statement that excludes all internal data (every), so that a page reads at most twice as many rows as it shows. From then on the type's
// pages exclude it from the start: the time of a second read would tell which filters internal data meets. Skipped rows are not returned
// for a check: then the statement excludes from the start.
func withoutInternal[T any](
	ctx context.Context, mixed mixedType, skip int64, read func(every bool) ([]keyset.Entry[T], keyset.RowsRead, error),
) ([]keyset.Entry[T], keyset.RowsRead, error) {
	if skip > 0 || mixed.isKnown() {
		return read(true)
	}
	bytes := keyset.PageBytesOf(ctx)
	before := *bytes
	entries, got, err := read(false)
	if err != nil || got.Count == len(entries) {
		return entries, got, err
	}
	mixed.setKnown()
	if err := graph.TakeBytes(ctx, before.Read-bytes.Read); err != nil {
		return nil, got, err
	}
	*bytes = before
	return read(true)
}
