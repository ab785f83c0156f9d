package neo4jstore

import (
	"context"
	"maps"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/keyset"
	"graphrest/internal/neo4jschema"
)

// sortedNodes lists nodes ordered by properties.
func (s *Store) sortedNodes(ctx context.Context, q graph.NodeQuery, f filter, query uint32) (graph.Page[graph.Node], error) {
	at, err := keyset.DecodeSortedPosition(q.After, query, len(q.Sort))
	if err != nil {
		return graph.Page[graph.Node]{}, err
	}
	managed, err := s.catalogue.Fresh(ctx, neo4jschema.ReadAge)
	if err != nil {
		return graph.Page[graph.Node]{}, err
	}
	label, none := f.view.AnyOf(cypher.AnyOrNone)
	if none {
		return sortedPage[graph.Node](nil, q.Paging, query, nil), nil
	}
	if q.Type != "" {
		// A type that no node has would only fill the plan cache.
		if used, err := s.typeInUse(ctx, nodes, string(q.Type)); err != nil || !used {
			return sortedPage[graph.Node](nil, q.Paging, query, nil), err
		}
		label = cypher.Quote(string(q.Type))
	}
	total := keyset.CountConcurrently(q.Paging, func() (*int64, error) { return s.nodeTotal(ctx, q.Type, f) })
	defer func() { _, _ = total() }()
	hidden, err := s.exclusion(ctx)
	if err != nil {
		return graph.Page[graph.Node]{}, err
	}
	params := f.addParams(map[string]any{"managed": managed.nodes.names})
	l := sortedRead[graph.Node]{
		store: s, variable: cypher.NodeVariable, sort: q.Sort, keys: f.view.SortKeys(q.Sort), paging: q.Paging, at: at,
		ids: len(managed.nodes.names) > 0, params: params, all: true,
		slots: cypher.Slots{"label": label, "id": s.idName, "where": f.where(string(q.Type)), "internal": hidden.labels},
		top:   cypher.ListNodesTop, exact: cypher.ListNodesSorted,
		read: func(ctx context.Context, text cypher.Text, params map[string]any) ([]keyset.Entry[graph.Node], error) {
			return s.nodeEntries(ctx, managed, text, params, s.CurrentTypes().NodeType)
		},
		chosen: func(ctx context.Context, elements []string) ([]keyset.Entry[graph.Node], error) {
			params := map[string]any{"elements": elements}
			return s.nodeEntries(ctx, managed, cypher.ListNodesChosen.Text(nil), params, s.CurrentTypes().NodeType)
		},
		whole: &wholeRows[graph.Node]{
			mixed: s.mixedType(nodes, string(q.Type)), hidden: hidden,
			entry: func(ctx context.Context, row *bolt.Record) (keyset.Entry[graph.Node], bool, error) {
				return s.nodeEntry(ctx, managed, row, s.CurrentTypes().NodeType)
			},
		},
	}
	if l.hasIndex, err = s.hasOrderIndex(ctx, nodes, string(q.Type), q.Sort); err != nil {
		return graph.Page[graph.Node]{}, err
	}
	found, err := l.entries(ctx)
	if err != nil {
		return graph.Page[graph.Node]{}, err
	}
	page := sortedPage(found, q.Paging, query, at)
	if q.Count && page.Total == nil {
		page.Total, err = total()
	}
	return page, err
}

// sortedEdges lists edges ordered by properties.
func (s *Store) sortedEdges(ctx context.Context, q graph.EdgeQuery, f filter, query uint32) (graph.Page[graph.Edge], error) {
	at, err := keyset.DecodeSortedPosition(q.After, query, len(q.Sort))
	if err != nil {
		return graph.Page[graph.Edge]{}, err
	}
	managed, err := s.catalogue.Fresh(ctx, neo4jschema.ReadAge)
	if err != nil {
		return graph.Page[graph.Edge]{}, err
	}
	ends, err := s.resolveEnds(ctx, q)
	if err != nil {
		return graph.Page[graph.Edge]{}, err
	}
	typ, none := f.view.AnyOf(cypher.Any)
	if q.Type != "" {
		typ = cypher.Quote(string(q.Type))
		if used, err := s.typeInUse(ctx, edges, string(q.Type)); err != nil || !used {
			return sortedPage[graph.Edge](nil, q.Paging, query, nil), err
		}
	}
	if ends.none || none {
		return sortedPage[graph.Edge](nil, q.Paging, query, nil), nil
	}
	total := keyset.CountConcurrently(q.Paging, func() (*int64, error) { return s.sortedEdgeTotal(ctx, q, f, ends, managed) })
	defer func() { _, _ = total() }()
	exact, top, nodeParams := ends.sortedStatements()
	params := f.addParams(map[string]any{"managed_types": managed.edges.names, "managed_labels": managed.nodes.names})
	maps.Copy(params, nodeParams)
	l := sortedRead[graph.Edge]{
		store: s, variable: cypher.EdgeVariable, sort: q.Sort, keys: f.view.SortKeys(q.Sort), paging: q.Paging, at: at,
		ids: len(managed.edges.names) > 0, params: params,
		slots: cypher.Slots{"type": typ, "id": s.idName, "where": f.whereSorted(q, ends), "ends": s.endSlot(q.Ends)}, top: top, exact: exact,
		read: func(ctx context.Context, text cypher.Text, params map[string]any) ([]keyset.Entry[graph.Edge], error) {
			return s.edgeEntries(ctx, managed, text, params)
		},
		chosen: func(ctx context.Context, elements []string) ([]keyset.Entry[graph.Edge], error) {
			text := cypher.ListEdgesChosen.Text(cypher.Slots{"id": s.idName, "ends": s.endSlot(q.Ends)})
			return s.edgeEntries(ctx, managed, text, map[string]any{"elements": elements, "managed_labels": managed.nodes.names})
		},
	}
	maps.Copy(l.slots, ends.direction())
	if !ends.hasNodes() {
		if l.hasIndex, err = s.hasOrderIndex(ctx, edges, string(q.Type), q.Sort); err != nil {
			return graph.Page[graph.Edge]{}, err
		}
	}
	found, err := l.entries(ctx)
	if err != nil {
		return graph.Page[graph.Edge]{}, err
	}
	page := sortedPage(found, q.Paging, query, at)
	if q.Count && page.Total == nil {
		page.Total, err = total()
	}
	return page, err
}

// whereSorted returns the condition of a sorted list of edges. A sort key of an end could put edges at internal nodes first. If they were
// excluded only after the native sort, the page would need another statement, whose time would disclose that they exist. Conditions on ends
// exclude them already.
func (f filter) whereSorted(q graph.EdgeQuery, ends endpointFilter) cypher.Fragment {
	typ := string(q.Type)
	if ends.hasNodes() {
		typ = ""
	}
	sortsByEnd := slices.ContainsFunc(q.Sort, func(key graph.SortKey) bool { return key.Side != "" })
	if !sortsByEnd || slices.ContainsFunc(f.conditions, func(c graph.Condition) bool { return c.Side != "" }) {
		return f.where(typ)
	}
	return cypher.And([]cypher.Fragment{f.where(typ), cypher.VisibleEdge})
}

// sortedEdgeTotal counts the edges as for an unsorted list.
func (s *Store) sortedEdgeTotal(
	ctx context.Context, q graph.EdgeQuery, f filter, ends endpointFilter, managed *managedTypes,
) (*int64, error) {
	l := edgeList{store: s, filter: f, catalogue: managed, managedTypes: managed.edges.names, managedLabels: managed.nodes.names, ends: cypher.NoEnds}
	segments := make([]keyset.Segment[graph.Edge], 1)
	if ends.hasNodes() {
		var err error
		if segments, err = l.aroundSegments(ctx, ends, q.Type); err != nil {
			return nil, err
		}
	}
	return l.total(ctx, q, ends, segments)
}

// hasOrderIndex reports whether a range index has the entities of a type in the order of the first sort key.
func (s *Store) hasOrderIndex(ctx context.Context, k kind, typ string, sort graph.Sort) (bool, error) {
	if typ == "" || sort[0].Side != "" {
		return false, nil
	}
	keys, err := s.IndexedKeys(ctx, k)
	return keys.Has("RANGE", typ, sort[0].Property), err
}

// sortedStatements are the statements that list edges ordered by properties, with the parameters of the ends.
func (e endpointFilter) sortedStatements() (exact, top cypher.Statement, nodeParams map[string]any) {
	switch {
	case e.source != nil && e.target != nil:
		_, _, nodeParams := e.statements()
		return cypher.ListEdgesBetweenSorted, cypher.ListEdgesBetweenTop, nodeParams
	case e.source != nil:
		return cypher.ListEdgesOutSorted, cypher.ListEdgesAroundTop, e.source.params()
	case e.target != nil:
		return cypher.ListEdgesInSorted, cypher.ListEdgesAroundTop, e.target.params()
	case e.node != nil:
		return cypher.ListEdgesBothSorted, cypher.ListEdgesAroundTop, e.node.params()
	default:
		return cypher.ListEdgesSorted, cypher.ListEdgesTop, nil
	}
}

func keysOfSort(s graph.Sort) []string {
	keys := make([]string, len(s))
	for i, key := range s {
		keys[i] = key.Property
	}
	return keys
}

func sortedPage[T any](found []keyset.Entry[T], q graph.Paging, query uint32, at *keyset.SortedPosition) graph.Page[T] {
	return keyset.PageOf(found, q, func(last keyset.Entry[T]) keyset.SortedPosition {
		shown := found[:min(len(found), q.Limit)]
		return keyset.SortedPosition{Query: query, Key: last.Key, ElementID: last.ElementID, Columns: last.SortColumns, Ties: tiesOf(shown, at)}
	})
}
