package neo4jstore

import (
	"context"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/declared"
	"graphrest/internal/graph"
)

// Nodes lists nodes: see graph.NodeStore.
func (s *Store) Nodes(ctx context.Context, q graph.NodeQuery) (graph.Page[graph.Node], error) {
	query := fingerprint("nodes", string(q.Type), graph.Fingerprint(q.Filter, q.Sort))
	f, err := s.filter(ctx, nodes, q.Filter)
	if err != nil {
		return graph.Page[graph.Node]{}, err
	}
	if len(q.Sort) > 0 {
		page, err := s.sortedNodes(ctx, q, f, query)
		return page, f.blame(err)
	}
	page, err := s.nodesInOrder(ctx, q, f, query)
	return page, f.blame(err)
}

// nodesInOrder lists nodes in the contract's own order.
func (s *Store) nodesInOrder(ctx context.Context, q graph.NodeQuery, f filter, query uint32) (graph.Page[graph.Node], error) {
	at, err := openPosition(q.After, query)
	if err != nil {
		return graph.Page[graph.Node]{}, err
	}
	managed, err := s.catalogue.within(ctx, listCatalogueAge)
	if err != nil {
		return graph.Page[graph.Node]{}, err
	}
	sizes, err := s.sizes(ctx)
	if err != nil {
		return graph.Page[graph.Node]{}, err
	}
	labels := namesInUse{visible: []string{string(q.Type)}}
	if q.Type == "" || q.Count || sizes.nodes[string(q.Type)] == 0 {
		if labels, err = s.labelsInUse(ctx); err != nil {
			return graph.Page[graph.Node]{}, err
		}
	}
	types := s.declared.known().Types
	l := nodeList{store: s, types: types, declared: typedBy(types), at: at, filter: f, catalogue: managed, managed: managed.nodes.names, sizes: sizes.nodes}
	var segments []segment[graph.Node]
	switch {
	case q.Type == "":
		segments = l.all(labels.visible)
	case slices.Contains(labels.visible, string(q.Type)):
		segments = l.typed(string(q.Type))
	}
	found, err := walk(ctx, segments, at, q.Offset, q.Limit+1)
	if err != nil {
		return graph.Page[graph.Node]{}, err
	}
	page := pageOf(found, q.Paging, func(e entry[graph.Node]) place {
		return place{query: query, typ: e.typ, noType: e.typ == "", managed: l.walkedAsManaged(e.typ), own: e.own, key: e.key}
	})
	if q.Count && page.Total == nil {
		page.Total, err = s.nodeTotal(ctx, q.Type, labels, f)
	}
	return page, err
}

// nodeList makes the segments of a list of nodes.
type nodeList struct {
	store     *Store
	types     *declared.Types
	declared  any    // as statements take it: see typedBy
	at        *place // where the walk is
	filter    filter
	catalogue *managedTypes
	managed   []string         // labels, in order
	sizes     map[string]int64 // how many nodes have a label, as of a while ago: decides how to read, never what is listed
}

// walkedAsManaged says whether a type is walked by ids first. The type that the walk is in stays what it was.
func (l nodeList) walkedAsManaged(name string) bool {
	if l.at != nil && l.at.typ == name && !l.at.noType {
		return l.at.managed
	}
	_, found := slices.BinarySearch(l.managed, name)
	return found
}

// changed says whether a type became managed, or stopped to be, while the walk was in it.
func (l nodeList) changed(name string) bool {
	_, managed := slices.BinarySearch(l.managed, name)
	return l.walkedAsManaged(name) != managed
}

func (l nodeList) all(labels []string) []segment[graph.Node] {
	var segments []segment[graph.Node]
	alone := func(name string) bool { return l.sizes[name] > smallType || l.changed(name) || l.filter.served(name) }
	for _, types := range groups(labels, alone) {
		if len(types) == 1 && l.byIndex(types[0]) {
			segments = append(segments, l.indexed(types[0], types[0]), l.unidentified(types[0], types[0]))
			continue
		}
		segments = append(segments, l.scan(types, ranksOf(types)))
	}
	return append(segments, l.unlabelled())
}

func (l nodeList) typed(label string) []segment[graph.Node] {
	if l.byIndex(label) {
		return []segment[graph.Node]{l.indexed(label, nil), l.unidentified(label, nil)}
	}
	return []segment[graph.Node]{l.scan([]string{label}, nil)}
}

// byIndex says whether a type is walked by the index on ids. Where another index serves the filter, what that finds is sorted
// instead.
func (l nodeList) byIndex(name string) bool {
	return l.sizes[name] > smallType && !l.filter.served(name) && l.walkedAsManaged(name) && !l.changed(name)
}

// scan reads the nodes of several types, or with ranks nil all nodes that have the one label.
func (l nodeList) scan(types []string, ranks map[string]any) segment[graph.Node] {
	managed := l.managed
	if len(types) == 1 && l.changed(types[0]) {
		managed = toggled(managed, types[0])
	}
	var rankParam any // a nil map would be an empty one to the driver
	if ranks != nil {
		rankParam = ranks
	}
	slots := cypher.Slots{"labels": cypher.QuoteAny(types), "id": l.store.idName, "where": l.filter.where(onlyOne(types))}
	under := l.types.NodeType
	if ranks == nil {
		under = func([]string) string { return types[0] }
	}
	return segment[graph.Node]{
		types: types,
		page: func(ctx context.Context, from start, skip int64, limit int) ([]entry[graph.Node], error) {
			return l.store.nodeEntries(ctx, l.catalogue, cypher.ListNodesScan.Text(slots), l.filter.with(map[string]any{
				"ranks": rankParam, "managed": managed, "rank": from.rank, "phase": from.phase, "after": from.key,
				"skip": skip, "limit": limit, "declared": l.declared,
			}), under)
		},
		count: func(ctx context.Context) (int64, error) {
			text := cypher.ListNodesScanCount.Text(cypher.Slots{"labels": slots["labels"], "where": slots["where"]})
			return l.store.readCount(ctx, text, l.filter.with(map[string]any{"ranks": rankParam, "declared": l.declared}))
		},
	}
}

// indexed walks the id index of a managed type. First is nil for all nodes with the label.
func (l nodeList) indexed(label string, first any) segment[graph.Node] {
	slots := cypher.Slots{"type": cypher.Quote(label), "id": l.store.idName, "where": l.filter.where("")}
	return segment[graph.Node]{
		types: []string{label}, phases: ownPhase,
		page: func(ctx context.Context, from start, skip int64, limit int) ([]entry[graph.Node], error) {
			return l.store.nodeEntries(ctx, l.catalogue, cypher.ListNodesIndexed.Text(slots), l.filter.with(map[string]any{
				"first": first, "after": from.key, "skip": skip, "limit": limit, "declared": l.declared,
			}), func([]string) string { return label })
		},
		count: func(ctx context.Context) (int64, error) {
			return l.store.readCount(ctx, cypher.ListNodesIndexedCount.Text(slots), l.filter.with(map[string]any{"first": first, "declared": l.declared}))
		},
	}
}

// unidentified reads a managed type's nodes that have no id of their own. It is a scan of the type, made once per walk:
// nothing in the database says at less cost whether there are any.
func (l nodeList) unidentified(label string, first any) segment[graph.Node] {
	slots := cypher.Slots{"type": cypher.Quote(label), "id": l.store.idName, "where": l.filter.where("")}
	return segment[graph.Node]{
		types: []string{label}, phases: elementPhase,
		page: func(ctx context.Context, from start, skip int64, limit int) ([]entry[graph.Node], error) {
			return l.store.nodeEntries(ctx, l.catalogue, cypher.ListNodesUnidentified.Text(slots), l.filter.with(map[string]any{
				"first": first, "after": from.key, "skip": skip, "limit": limit, "declared": l.declared,
			}), func([]string) string { return label })
		},
		count: func(ctx context.Context) (int64, error) {
			var ranks any
			if first != nil {
				ranks = map[string]any{label: 0}
			}
			text := cypher.ListNodesScanCount.Text(cypher.Slots{"labels": slots["type"], "where": slots["where"]})
			all, err := l.store.readCount(ctx, text, l.filter.with(map[string]any{"ranks": ranks, "declared": l.declared}))
			if err != nil {
				return 0, err
			}
			own, err := l.store.readCount(ctx, cypher.ListNodesIndexedCount.Text(slots), l.filter.with(map[string]any{"first": first, "declared": l.declared}))
			return all - own, err
		},
	}
}

func (l nodeList) unlabelled() segment[graph.Node] {
	return segment[graph.Node]{
		page: func(ctx context.Context, from start, skip int64, limit int) ([]entry[graph.Node], error) {
			return l.store.nodeEntries(ctx, l.catalogue, cypher.ListNodesUnlabelled.Text(cypher.Slots{"where": l.filter.where("")}), l.filter.with(map[string]any{
				"after": from.key, "skip": skip, "limit": limit,
			}), func([]string) string { return "" })
		},
	}
}

// typedBy are the declared node types as a parameter, by which a statement tells a node's type; null where there are none.
func typedBy(t *declared.Types) any {
	if names := t.Declared(graph.NodeKind); len(names) > 0 {
		return names
	}
	return nil
}

// onlyOne is the one name there is; empty if there are more.
func onlyOne(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return ""
}

// nodeTotal counts the visible nodes, of one type or all, that meet a filter.
func (s *Store) nodeTotal(ctx context.Context, label graph.TypeName, labels namesInUse, f filter) (*int64, error) {
	if len(f.conditions) > 0 {
		slots := cypher.Slots{"label": cypher.AnyOrNone, "where": f.where(string(label))}
		if label != "" {
			if !slices.Contains(labels.visible, string(label)) {
				return new(int64), nil
			}
			slots["label"] = cypher.Quote(string(label))
		}
		total, err := s.readCount(ctx, cypher.ListNodesSoughtCount.Text(slots), f.with(map[string]any{}))
		return &total, err
	}
	internal := labels.internalSlot()
	text := cypher.ListNodesTotalAll.Text(cypher.Slots{"internal": internal})
	if label != "" {
		if !slices.Contains(labels.visible, string(label)) {
			return new(int64), nil
		}
		text = cypher.ListNodesTotal.Text(cypher.Slots{"type": cypher.Quote(string(label)), "internal": internal})
	}
	total, err := s.readCount(ctx, text, nil)
	return &total, err
}
