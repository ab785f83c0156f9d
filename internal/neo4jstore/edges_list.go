package neo4jstore

import (
	"context"
	"maps"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/graph"
)

// Edges lists edges: see graph.EdgeStore.
func (s *Store) Edges(ctx context.Context, q graph.EdgeQuery) (graph.Page[graph.Edge], error) {
	query := edgeFingerprint(q)
	f, err := s.filter(ctx, edges, q.Filter)
	if err != nil {
		return graph.Page[graph.Edge]{}, err
	}
	if len(q.Sort) > 0 {
		page, err := s.sortedEdges(ctx, q, f, query)
		return page, f.blame(err)
	}
	page, err := s.edgesInOrder(ctx, q, f, query)
	return page, f.blame(err)
}

// edgesInOrder lists edges in the contract's own order.
func (s *Store) edgesInOrder(ctx context.Context, q graph.EdgeQuery, f filter, query uint32) (graph.Page[graph.Edge], error) {
	at, err := openPosition(q.After, query)
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
	l := edgeList{store: s, at: at, filter: f, catalogue: managed, managedTypes: managed.edges.names, managedLabels: managed.nodes.names}
	var segments []segment[graph.Edge]
	var types namesInUse
	switch {
	case ends.none:
	case ends.anchored():
		segments, err = l.around(ctx, ends, q.Type)
	default:
		segments, types, err = l.everywhere(ctx, q)
	}
	if err != nil {
		return graph.Page[graph.Edge]{}, err
	}
	found, err := walk(ctx, segments, at, q.Offset, q.Limit+1)
	if err != nil {
		return graph.Page[graph.Edge]{}, err
	}
	page := pageOf(found, q.Paging, func(e entry[graph.Edge]) place {
		return place{query: query, typ: e.typ, managed: l.walkedAsManaged(e.typ), own: e.own, key: e.key}
	})
	if q.Count && page.Total == nil {
		page.Total, err = l.total(ctx, q, ends, segments, types)
	}
	return page, err
}

func edgeFingerprint(q graph.EdgeQuery) uint32 {
	of := graph.Around{}
	if q.Of != nil {
		of = *q.Of
	}
	return fingerprint("edges", string(q.Type), q.SourceID, q.TargetID, q.NodeID, of.NodeID, string(of.Direction),
		graph.Fingerprint(q.Filter, q.Sort))
}

// edgeList makes the segments of a list of edges.
type edgeList struct {
	store                       *Store
	at                          *place
	filter                      filter
	catalogue                   *managedTypes
	managedTypes, managedLabels []string
	sizes                       map[string]int64 // as in nodeList
}

// walkedAsManaged says whether a type is walked by ids first. The type that the walk is in stays what it was.
func (l edgeList) walkedAsManaged(name string) bool {
	if l.at != nil && l.at.typ == name {
		return l.at.managed
	}
	_, found := slices.BinarySearch(l.managedTypes, name)
	return found
}

// walked are the types whose edges come by ids first.
func (l edgeList) walked() []string {
	if l.at == nil {
		return l.managedTypes
	}
	if _, managed := slices.BinarySearch(l.managedTypes, l.at.typ); managed != l.at.managed {
		return toggled(l.managedTypes, l.at.typ)
	}
	return l.managedTypes
}

// everywhere lists the edges of one type or of all, wherever they are.
func (l *edgeList) everywhere(ctx context.Context, q graph.EdgeQuery) ([]segment[graph.Edge], namesInUse, error) {
	sizes, err := l.store.sizes(ctx)
	if err != nil {
		return nil, namesInUse{}, err
	}
	l.sizes = sizes.edges
	types := namesInUse{visible: []string{string(q.Type)}}
	if q.Type == "" || q.Count || l.sizes[string(q.Type)] == 0 {
		if types, err = l.store.relationshipTypesInUse(ctx); err != nil {
			return nil, types, err
		}
	}
	listed := types.visible
	if q.Type != "" {
		listed = nil
		if slices.Contains(types.visible, string(q.Type)) {
			listed = []string{string(q.Type)}
		}
	}
	var segments []segment[graph.Edge]
	large := func(name string) bool { return l.sizes[name] > smallType }
	alone := func(name string) bool { return large(name) || l.filter.served(name) }
	for _, group := range groups(listed, alone) {
		if len(group) == 1 && large(group[0]) && l.byIndex(group[0]) {
			segments = append(segments, l.indexed(group[0]), l.unidentified(group[0]))
			continue
		}
		segments = append(segments, l.scan(group))
	}
	return segments, types, nil
}

// byIndex says whether a type is managed and walked as such. Where another index serves the filter, what that finds is sorted
// instead.
func (l edgeList) byIndex(name string) bool {
	_, managed := slices.BinarySearch(l.managedTypes, name)
	return managed && l.walkedAsManaged(name) && !l.filter.served(name)
}

// scan reads the edges of several types.
func (l edgeList) scan(types []string) segment[graph.Edge] {
	slot := cypher.QuoteAny(types)
	where := l.filter.where(onlyOne(types))
	text := cypher.ListEdgesScan.Text(cypher.Slots{"types": slot, "id": l.store.idName, "where": where})
	return segment[graph.Edge]{
		types: types,
		page: func(ctx context.Context, from start, skip int64, limit int) ([]entry[graph.Edge], error) {
			return l.store.edgeEntries(ctx, l.catalogue, text, l.filter.with(map[string]any{
				"ranks": ranksOf(types), "managed_types": l.walked(), "managed_labels": l.managedLabels,
				"rank": from.rank, "phase": from.phase, "after": from.key, "skip": skip, "limit": limit,
			}))
		},
		count: func(ctx context.Context) (int64, error) {
			return l.store.readCount(ctx, cypher.ListEdgesScanCount.Text(cypher.Slots{"types": slot, "where": where}), l.filter.with(map[string]any{}))
		},
	}
}

// indexed walks the id index of a managed type.
func (l edgeList) indexed(name string) segment[graph.Edge] {
	slots := cypher.Slots{"type": cypher.Quote(name), "id": l.store.idName, "where": l.filter.where("")}
	return segment[graph.Edge]{
		types: []string{name}, phases: ownPhase,
		page: l.phasePage(cypher.ListEdgesIndexed.Text(slots)),
		count: func(ctx context.Context) (int64, error) {
			return l.store.readCount(ctx, cypher.ListEdgesIndexedCount.Text(slots), l.filter.with(map[string]any{}))
		},
	}
}

// unidentified reads a managed type's edges that have no id of their own: see nodeList.unidentified.
func (l edgeList) unidentified(name string) segment[graph.Edge] {
	slots := cypher.Slots{"type": cypher.Quote(name), "id": l.store.idName, "where": l.filter.where("")}
	return segment[graph.Edge]{
		types: []string{name}, phases: elementPhase,
		page: l.phasePage(cypher.ListEdgesUnidentified.Text(slots)),
		count: func(ctx context.Context) (int64, error) {
			text := cypher.ListEdgesScanCount.Text(cypher.Slots{"types": slots["type"], "where": slots["where"]})
			all, err := l.store.readCount(ctx, text, l.filter.with(map[string]any{}))
			if err != nil {
				return 0, err
			}
			own, err := l.store.readCount(ctx, cypher.ListEdgesIndexedCount.Text(slots), l.filter.with(map[string]any{}))
			return all - own, err
		},
	}
}

func (l edgeList) phasePage(text string) func(context.Context, start, int64, int) ([]entry[graph.Edge], error) {
	return func(ctx context.Context, from start, skip int64, limit int) ([]entry[graph.Edge], error) {
		return l.store.edgeEntries(ctx, l.catalogue, text, l.filter.with(map[string]any{
			"managed_labels": l.managedLabels, "after": from.key, "skip": skip, "limit": limit,
		}))
	}
}

// around lists the edges at nodes that are known: an expansion, whose cost is the node's degree.
func (l edgeList) around(ctx context.Context, ends edgeEnds, only graph.TypeName) ([]segment[graph.Edge], error) {
	slot := cypher.Any
	if only != "" {
		// A type that no edge has would only litter the plan cache.
		types, err := l.store.relationshipTypesInUse(ctx)
		if err != nil || !slices.Contains(types.visible, string(only)) {
			return nil, err
		}
		slot = cypher.Quote(string(only))
	}
	slots := cypher.Slots{"type": slot, "id": l.store.idName, "where": l.filter.where("")}
	page, count, anchors := ends.statements()
	return []segment[graph.Edge]{{
		page: func(ctx context.Context, _ start, skip int64, limit int) ([]entry[graph.Edge], error) {
			params := l.behind()
			params["managed_types"], params["managed_labels"] = l.walked(), l.managedLabels
			params["skip"], params["limit"] = skip, limit
			for name, value := range anchors {
				params[name] = value
			}
			return l.store.edgeEntries(ctx, l.catalogue, page.Text(slots), l.filter.with(params))
		},
		count: func(ctx context.Context) (int64, error) {
			return l.store.readCount(ctx, count.Text(slots), l.filter.with(maps.Clone(anchors)))
		},
	}}, nil
}

// behind is where an expansion goes on. It is ordered by the types' names themselves.
func (l edgeList) behind() map[string]any {
	if l.at == nil {
		return map[string]any{"rank": "", "phase": noMore, "after": ""}
	}
	phase := 1
	if l.at.own {
		phase = 0
	}
	return map[string]any{"rank": l.at.typ, "phase": phase, "after": l.at.key}
}

// total counts the visible edges of a query.
func (l edgeList) total(ctx context.Context, q graph.EdgeQuery, ends edgeEnds, segments []segment[graph.Edge], types namesInUse) (*int64, error) {
	if len(segments) == 0 {
		return new(int64), nil
	}
	if ends.anchored() {
		total, err := segments[0].count(ctx)
		return &total, err
	}
	if len(l.filter.conditions) > 0 {
		slots := cypher.Slots{"types": cypher.Any, "where": l.filter.where(string(q.Type))}
		if q.Type != "" {
			slots["types"] = cypher.Quote(string(q.Type))
		}
		total, err := l.store.readCount(ctx, cypher.ListEdgesScanCount.Text(slots), l.filter.with(map[string]any{}))
		return &total, err
	}
	labels, err := l.store.labelsInUse(ctx)
	if err != nil {
		return nil, err
	}
	slots := cypher.Slots{"internal": labels.internalSlot()}
	var text string
	if q.Type != "" {
		slots["type"] = cypher.Quote(string(q.Type))
		text = cypher.ListEdgesTotal.Text(slots)
	} else {
		slots["internal_types"] = types.internalSlot()
		text = cypher.ListEdgesTotalAll.Text(slots)
	}
	total, err := l.store.readCount(ctx, text, nil)
	return &total, err
}
