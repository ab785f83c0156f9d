package neo4jstore

import (
	"context"
	"maps"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/graph"
	"graphrest/internal/keyset"
	"graphrest/internal/neo4jschema"
)

// readSorted reads a page of a list ordered by properties.
func (l *listRequest[T]) readSorted(ctx context.Context) (graph.Page[T], error) {
	var none graph.Page[T]
	q := l.query
	at, err := keyset.DecodeSortedPosition(q.After, l.fingerprint, len(q.Sort))
	if err != nil {
		return none, err
	}
	m, err := l.reads.catalog.Fresh(ctx, neo4jschema.ReadAge)
	if err != nil {
		return none, err
	}
	l.setCatalog(m)
	if l.ends, err = l.resolveEnds(ctx, q); err != nil {
		return none, err
	}
	types, nothing := l.filter.view.AnyOf(l.statements.anyType)
	if nothing || l.ends.none {
		return l.sortedPage(nil, nil), nil
	}
	if q.Type != "" {
		// A type that no entity has would only fill the plan cache.
		if used, err := l.exclusions.typeInUse(ctx, l.kind, string(q.Type)); err != nil || !used {
			return l.sortedPage(nil, nil), err
		}
		types = cypher.Quote(string(q.Type))
	}
	total := keyset.CountConcurrently(q.Paging, func() (*int64, error) { return l.countSorted(ctx) })
	defer func() { _, _ = total() }()
	sorted, err := l.newSortedRead(ctx, types, at)
	if err != nil {
		return none, err
	}
	found, err := sorted.read(ctx)
	if err != nil {
		return none, err
	}
	page := l.sortedPage(found, at)
	if q.Count && page.Total == nil {
		page.Total, err = total()
	}
	return page, err
}

func (l *listRequest[T]) newSortedRead(ctx context.Context, types cypher.Fragment, at *keyset.SortedPosition) (r sortedRead[T], err error) {
	q := l.query
	r = sortedRead[T]{
		listRequest: l, after: at, keys: l.filter.view.SortKeys(q.Sort), top: l.statements.top, exact: l.statements.sorted,
		slots: cypher.Slots{"type": types, "where": l.whereSorted()},
	}
	if l.kind == nodes {
		if r.excluded, err = l.exclusions.exclusion(ctx); err != nil {
			return r, err
		}
		r.slots["internal"] = r.excluded.labels
	}
	if l.ends.hasNodes() {
		r.exact, r.top, r.endParams = l.ends.sortedStatements()
		maps.Copy(r.slots, l.ends.direction())
		return r, nil
	}
	r.hasIndex, err = l.hasOrderIndex(ctx)
	return r, err
}

// whereSorted returns the condition of a sorted list of edges. A sort key of an end could put edges at internal nodes first. If they were
// excluded only after the native sort, the page would need another statement, whose time would disclose that they exist. Conditions on ends
// exclude them already.
func (l *listRequest[T]) whereSorted() cypher.Fragment {
	f, typ := l.filter, string(l.query.Type)
	if l.ends.hasNodes() {
		typ = ""
	}
	sortsByEnd := slices.ContainsFunc(l.query.Sort, func(key graph.SortKey) bool { return key.Side != "" })
	if !sortsByEnd || slices.ContainsFunc(f.conditions, func(c graph.Condition) bool { return c.Side != "" }) {
		return f.where(typ)
	}
	return cypher.And([]cypher.Fragment{f.where(typ), cypher.VisibleEdge})
}

// countSorted counts the entities as for an unsorted list.
func (l *listRequest[T]) countSorted(ctx context.Context) (*int64, error) {
	segments := make([]keyset.Segment[T], 1)
	if l.ends.hasNodes() {
		var err error
		if segments, err = l.aroundSegments(ctx); err != nil {
			return nil, err
		}
	}
	return l.total(ctx, segments)
}

// hasOrderIndex reports whether a range index has the entities of a type in the order of the first sort key.
func (l *listRequest[T]) hasOrderIndex(ctx context.Context) (bool, error) {
	typ, first := string(l.query.Type), l.query.Sort[0]
	if typ == "" || first.Side != "" {
		return false, nil
	}
	keys, err := l.schema.IndexedKeys(ctx, l.kind)
	return keys.Has("RANGE", typ, first.Property), err
}

// sortedStatements are the statements that list the edges of nodes ordered by properties, with the parameters of the ends.
func (e endpointFilter) sortedStatements() (exact, top cypher.Statement, nodeParams map[string]any) {
	switch {
	case e.source != nil && e.target != nil:
		_, _, nodeParams := e.statements()
		return cypher.ListEdgesBetweenSorted, cypher.ListEdgesBetweenTop, nodeParams
	case e.source != nil:
		return cypher.ListEdgesOutSorted, cypher.ListEdgesAroundTop, e.source.params()
	case e.target != nil:
		return cypher.ListEdgesInSorted, cypher.ListEdgesAroundTop, e.target.params()
	default:
		return cypher.ListEdgesBothSorted, cypher.ListEdgesAroundTop, e.node.params()
	}
}

func keysOfSort(s graph.Sort) []string {
	keys := make([]string, len(s))
	for i, key := range s {
		keys[i] = key.Property
	}
	return keys
}

func (l *listRequest[T]) sortedPage(found []keyset.Entry[T], at *keyset.SortedPosition) graph.Page[T] {
	return keyset.PageOf(found, l.query.Paging, func(last keyset.Entry[T]) keyset.SortedPosition {
		shown := found[:min(len(found), l.query.Limit)]
		return keyset.SortedPosition{
			Query: l.fingerprint, Key: last.Key, ElementID: last.ElementID, Columns: last.SortColumns, Ties: tiesOf(shown, at),
		}
	})
}
