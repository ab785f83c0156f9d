package neo4jstore

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"graphrest/cypher"
	"graphrest/internal/graph"
)

// sortedNodes lists nodes in the order of properties.
func (s *Store) sortedNodes(ctx context.Context, q graph.NodeQuery, f filter, query uint32) (graph.Page[graph.Node], error) {
	at, err := openSortedPosition(q.After, query, len(q.Sort))
	if err != nil {
		return graph.Page[graph.Node]{}, err
	}
	managed, err := s.catalogue.within(ctx, listCatalogueAge)
	if err != nil {
		return graph.Page[graph.Node]{}, err
	}
	labels, err := s.labelsInUse(ctx)
	if err != nil {
		return graph.Page[graph.Node]{}, err
	}
	label := cypher.AnyOrNone
	if q.Type != "" {
		// A type that no node has would only litter the plan cache.
		if !slices.Contains(labels.visible, string(q.Type)) {
			return sortedPage[graph.Node](nil, q.Paging, query), nil
		}
		label = cypher.Quote(string(q.Type))
	}
	slots := cypher.Order("n", descending(q.Sort))
	slots["label"], slots["id"], slots["where"] = label, s.idName, f.where(string(q.Type))
	params := f.with(sortParams(q.Sort, q.Paging, at))
	params["managed"] = managed.nodes.names
	found, err := s.nodeEntries(ctx, managed, cypher.ListNodesSorted.Text(slots), params, s.declared.known().NodeType)
	if err != nil {
		return graph.Page[graph.Node]{}, err
	}
	page := sortedPage(found, q.Paging, query)
	if q.Count && page.Total == nil {
		page.Total, err = s.nodeTotal(ctx, q.Type, labels, f)
	}
	return page, err
}

// sortedEdges lists edges in the order of properties.
func (s *Store) sortedEdges(ctx context.Context, q graph.EdgeQuery, f filter, query uint32) (graph.Page[graph.Edge], error) {
	at, err := openSortedPosition(q.After, query, len(q.Sort))
	if err != nil {
		return graph.Page[graph.Edge]{}, err
	}
	managed, err := s.catalogue.within(ctx, listCatalogueAge)
	if err != nil {
		return graph.Page[graph.Edge]{}, err
	}
	ends, err := s.resolveEnds(ctx, q)
	if err != nil {
		return graph.Page[graph.Edge]{}, err
	}
	types, err := s.relationshipTypesInUse(ctx)
	if err != nil {
		return graph.Page[graph.Edge]{}, err
	}
	typ := cypher.Any
	if q.Type != "" {
		typ = cypher.Quote(string(q.Type))
	}
	if ends.none || (q.Type != "" && !slices.Contains(types.visible, string(q.Type))) {
		return sortedPage[graph.Edge](nil, q.Paging, query), nil
	}
	statement, anchors := ends.sorted()
	where := f.where("")
	if !ends.anchored() {
		where = f.where(string(q.Type))
	}
	slots := cypher.Order("r", descending(q.Sort))
	slots["type"], slots["id"], slots["where"] = typ, s.idName, where
	params := f.with(sortParams(q.Sort, q.Paging, at))
	params["managed_types"], params["managed_labels"] = managed.edges.names, managed.nodes.names
	maps.Copy(params, anchors)
	found, err := s.edgeEntries(ctx, managed, statement.Text(slots), params)
	if err != nil {
		return graph.Page[graph.Edge]{}, err
	}
	page := sortedPage(found, q.Paging, query)
	if q.Count && page.Total == nil {
		page.Total, err = s.sortedEdgeTotal(ctx, q, f, ends, managed, types)
	}
	return page, err
}

// sortedEdgeTotal counts as for a list that is not sorted.
func (s *Store) sortedEdgeTotal(
	ctx context.Context, q graph.EdgeQuery, f filter, ends edgeEnds, managed *managedTypes, types namesInUse,
) (*int64, error) {
	l := edgeList{store: s, filter: f, catalogue: managed, managedTypes: managed.edges.names, managedLabels: managed.nodes.names}
	segments := make([]segment[graph.Edge], 1)
	if ends.anchored() {
		var err error
		if segments, err = l.around(ctx, ends, q.Type); err != nil {
			return nil, err
		}
	}
	return l.total(ctx, q, ends, segments, types)
}

// sorted is the statement that lists in the order of properties, with the parameters that name the ends.
func (e edgeEnds) sorted() (cypher.Statement, map[string]any) {
	switch {
	case e.source != nil && e.target != nil:
		_, _, anchors := e.statements()
		return cypher.ListEdgesBetweenSorted, anchors
	case e.source != nil:
		return cypher.ListEdgesOutSorted, e.source.params()
	case e.target != nil:
		return cypher.ListEdgesInSorted, e.target.params()
	case e.node != nil:
		return cypher.ListEdgesBothSorted, e.node.params()
	default:
		return cypher.ListEdgesSorted, nil
	}
}

func descending(s graph.Sort) []bool {
	out := make([]bool, len(s))
	for i, key := range s {
		out[i] = key.Descending
	}
	return out
}

// sortParams are the parameters of every sorted list: one entity more than the page holds is asked for.
func sortParams(s graph.Sort, q graph.Paging, at *sortedPlace) map[string]any {
	keys := make([]string, len(s))
	for i, key := range s {
		keys[i] = key.Property
	}
	var after any // a nil map would be an empty one to the driver
	if at != nil {
		after = at.after()
	}
	return map[string]any{"sort": keys, "after": after, "skip": q.Offset, "limit": q.Limit + 1}
}

// after is the place in the form of the statements.
func (p sortedPlace) after() map[string]any {
	columns := map[string]any{"key": p.key, "element": p.element}
	for i, value := range p.columns {
		name := "r"
		if i%2 == 1 {
			name = "d"
		}
		columns[name+strconv.Itoa(i/2)] = value
	}
	return columns
}

func sortedPage[T any](found []entry[T], q graph.Paging, query uint32) graph.Page[T] {
	return pageOf(found, q, func(e entry[T]) sortedPlace {
		return sortedPlace{query: query, key: e.key, element: e.element, columns: e.place}
	})
}
