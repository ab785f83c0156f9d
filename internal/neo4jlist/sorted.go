package neo4jlist

import (
	"context"
	"maps"

	"graphrest/cypher"
	"graphrest/internal/graph"
	"graphrest/internal/keyset"
	"graphrest/internal/neo4jschema"
)

// sortedList reads a page of a list ordered by properties.
type sortedList[T any] struct{ listRequest[T] }

func (l sortedList[T]) read(ctx context.Context) (graph.Page[T], error) {
	var none graph.Page[T]
	q := l.query
	at, err := keyset.DecodeSortedPosition(q.After, q.fingerprint, len(q.Sort))
	if err != nil {
		return none, err
	}
	m, err := l.reads.Catalog.Fresh(ctx, neo4jschema.ReadAge)
	if err != nil {
		return none, err
	}
	ends, err := l.ends.resolveEnds(ctx, q.EdgeQuery)
	if err != nil {
		return none, err
	}
	types, nothing := q.filter.View.AnyOf(q.statements.anyType)
	if nothing || ends.none {
		return l.pageOf(nil, nil), nil
	}
	if q.Type != "" {
		// A type that no entity has would only fill the plan cache.
		if used, err := l.exclusions.TypeInUse(ctx, q.kind, string(q.Type)); err != nil || !used {
			return l.pageOf(nil, nil), err
		}
		types = cypher.Quote(string(q.Type))
	}
	readers := l.newPageReaders(m, nil, ends, nil)
	total := keyset.CountConcurrently(q.Paging, func() (*int64, error) { return l.count(ctx, readers.segments) })
	defer func() { _, _ = total() }()
	sorted, err := l.newSortedRead(ctx, readers, types, at)
	if err != nil {
		return none, err
	}
	found, err := sorted.read(ctx)
	if err != nil {
		return none, err
	}
	page := l.pageOf(found, at)
	if q.Count && page.Total == nil {
		page.Total, err = total()
	}
	return page, err
}

func (l sortedList[T]) newSortedRead(
	ctx context.Context, readers pageReaders[T], types cypher.Fragment, at *keyset.SortedPosition,
) (r sortedRead[T], err error) {
	q, ends := l.query, readers.segments.ends
	r = sortedRead[T]{
		client: l.client, elements: l.elements, texts: readers.texts, rows: readers.rows, query: q,
		position: sortPosition{sort: q.Sort, after: at, hasIDs: len(readers.types.managed) > 0},
		keys:     q.filter.View.SortKeys(string(q.Type), q.Sort), top: q.statements.top, exact: q.statements.sorted,
		slots: cypher.Slots{"type": types, "where": readers.texts.whereSorted(ends)},
	}
	switch {
	case q.Type == "": // the statements on nodes of all types exclude internal labels by themselves
		r.top, r.exact = q.statements.topAll, q.statements.sortedAll
	case q.kind == graph.NodeKind:
		if r.excluded, err = l.exclusions.Exclusion(ctx); err != nil {
			return r, err
		}
		r.slots["internal"] = r.excluded.Labels
	}
	if ends.hasNodes() {
		r.exact, r.top, r.endParams = ends.sortedStatements()
		maps.Copy(r.slots, ends.direction())
		return r, nil
	}
	r.position.hasIndex, err = l.hasOrderIndex(ctx)
	if r.position.hasIndex {
		r.window = l.indexWindow(readers.types.sizes[string(q.Type)])
	}
	return r, err
}

// indexWindow is the part of the index of the order that is searched for a page before the index is read in order; 0 for none: entities
// that meet the filter are not few, or an index of the filter finds them. The planner takes alternatives of several conditions for three
// quarters of the type, and would always read the index of the order.
func (l sortedList[T]) indexWindow(size int64) int64 {
	typ, f := string(l.query.Type), l.query.filter
	served := f.served(typ)
	switch {
	case size < largeType || !f.selects(typ) || (served && !f.hasGroups()):
		return 0
	case served:
		return maxSortedRows
	default:
		return max(minIndexWindow, size/indexWindowPart)
	}
}

// count counts the entities as for an unsorted list.
func (l sortedList[T]) count(ctx context.Context, of *listSegments[T]) (*int64, error) {
	segments := make([]keyset.Segment[T], 1)
	if of.ends.hasNodes() {
		var err error
		if segments, err = of.buildAround(ctx); err != nil {
			return nil, err
		}
	}
	return of.countAll(ctx, segments)
}

// hasOrderIndex reports whether a range index has the entities of a type in the order of the first sort key.
func (l sortedList[T]) hasOrderIndex(ctx context.Context) (bool, error) {
	typ, first := string(l.query.Type), l.query.Sort[0]
	if typ == "" || first.Side != "" || l.query.filter.View.Shown("", typ, first.Property) == cypher.False {
		return false, nil
	}
	keys, err := l.indexes.IndexedKeys(ctx, l.query.kind)
	return keys.Has("RANGE", typ, first.Property), err
}

func keysOfSort(s graph.Sort) []string {
	keys := make([]string, len(s))
	for i, key := range s {
		keys[i] = key.Property
	}
	return keys
}

func (l sortedList[T]) pageOf(found []keyset.Entry[T], at *keyset.SortedPosition) graph.Page[T] {
	return keyset.PageOf(found, l.query.Paging, func(last keyset.Entry[T]) keyset.SortedPosition {
		onPage := found[:min(len(found), l.query.Limit)]
		return keyset.SortedPosition{
			Query: l.query.fingerprint, Key: last.Key, ElementID: last.ElementID, Columns: last.SortColumns, Ties: tiesOf(onPage, at),
		}
	})
}
