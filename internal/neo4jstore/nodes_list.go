package neo4jstore

import (
	"context"
	"slices"
	"time"

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
	list := s.nodesInOrder
	if len(q.Sort) > 0 {
		list = s.sortedNodes
	}
	began := time.Now()
	ctx, recorder := withTimeoutRecorder(ctx)
	page, err := list(ctx, q, f, query)
	s.countSlowList(ctx, nodes, q.Type, q.Filter, q.Sort, began, err)
	slow := slowList{kind: nodes, typ: q.Type, filter: q.Filter, sort: q.Sort, paging: q.Paging}
	return page, s.explainListTimeout(ctx, recorder, slow, f.attributeError(err))
}

// nodesInOrder lists nodes in the contract's default order.
func (s *Store) nodesInOrder(ctx context.Context, q graph.NodeQuery, f filter, query uint32) (graph.Page[graph.Node], error) {
	at, err := decodePosition(q.After, query)
	if err != nil {
		return graph.Page[graph.Node]{}, err
	}
	return readWithCatalogue(ctx, s, func(m *managedTypes) (graph.Page[graph.Node], error) {
		return s.nodePage(ctx, m, q, f, query, at)
	})
}

func (s *Store) nodePage(
	ctx context.Context, m *managedTypes, q graph.NodeQuery, f filter, query uint32, at *cursorPosition,
) (graph.Page[graph.Node], error) {
	var none graph.Page[graph.Node]
	hidden, err := s.exclusionOfPage(ctx, q.Paging)
	if err != nil {
		return none, err
	}
	types := s.declared.current().Types
	l := nodeList{
		store: s, types: types, declared: declaredParam(types), at: at, filter: f, catalogue: m, managed: m.nodes.names, hidden: hidden,
		sizes: s.knownSizes().nodes,
	}
	total := countConcurrently(q.Paging, func() (*int64, error) { return s.nodeTotal(ctx, q.Type, f) })
	defer func() { _, _ = total() }()
	var segments []segment[graph.Node]
	if q.Type == "" {
		labels, err := s.labelsInUse(ctx)
		if err != nil {
			return none, err
		}
		segments = l.all(labels.visible)
	} else {
		used, err := s.typeInUse(ctx, nodes, string(q.Type))
		if err != nil {
			return none, err
		}
		if used {
			segments = l.ofType(string(q.Type))
		}
	}
	found, err := walk(ctx, segments, at, q.Offset, q.Limit+1)
	if err != nil {
		return none, err
	}
	page := pageOf(found, q.Paging, func(e entry[graph.Node]) cursorPosition {
		return cursorPosition{query: query, typ: e.typ, noType: e.typ == "", managed: l.walkedAsManaged(e.typ), own: e.own, key: e.key}
	})
	if q.Count && page.Total == nil {
		page.Total, err = total()
	}
	return page, err
}

// nodeList builds the segments of a list of nodes.
type nodeList struct {
	store     *Store
	types     *declared.Types
	declared  any             // as a parameter of statements: see declaredParam
	at        *cursorPosition // the cursor position
	filter    filter
	catalogue *managedTypes
	managed   []string // labels, in order
	hidden    *exclusion
	sizes     map[string]int64 // how many nodes have a label, some seconds old: decides how to read, never what is listed
}

// walkedAsManaged says whether a type is listed by ids first. The type of the cursor position keeps its state.
func (l nodeList) walkedAsManaged(name string) bool {
	if l.at != nil && l.at.typ == name && !l.at.noType {
		return l.at.managed
	}
	return l.isManaged(name)
}

func (l nodeList) isManaged(name string) bool {
	_, managed := slices.BinarySearch(l.managed, name)
	return managed
}

func (l nodeList) all(labels []string) []segment[graph.Node] {
	var segments []segment[graph.Node]
	isAlone := func(name string) bool { return !l.isSmall(name) || l.filter.served(name) }
	for _, types := range batchSmallTypes(labels, isAlone) {
		if len(types) > 1 {
			segments = append(segments, l.scan(types, nil))
			continue
		}
		segments = append(segments, l.typeSegments(types[0], types[0])...)
	}
	return append(segments, l.unlabelled())
}

func (l nodeList) ofType(label string) []segment[graph.Node] {
	return l.typeSegments(label, nil)
}

// typeSegments are the segments of one type. first is nil for all nodes with the label, or the label for the nodes that are listed under
// it.
func (l nodeList) typeSegments(name string, first any) []segment[graph.Node] {
	switch l.readMode(name) {
	case byIndex:
		return []segment[graph.Node]{l.indexed(name, first), l.inDatabaseOrder(name, first, true)}
	case byScan:
		var only any = name
		if first != nil {
			only = nil
		}
		return []segment[graph.Node]{l.scan([]string{name}, only)}
	default:
		return []segment[graph.Node]{l.inDatabaseOrder(name, first, false)}
	}
}

func (l nodeList) isSmall(name string) bool {
	size, known := l.sizes[name]
	return known && size <= smallType
}

func (l nodeList) readMode(name string) readMode {
	return chooseReadMode(l.isManaged(name), l.walkedAsManaged(name), l.isSmall(name) || l.filter.served(name))
}

// scan reads the nodes of several types, or all nodes with the label only.
func (l nodeList) scan(types []string, only any) segment[graph.Node] {
	slots := cypher.Slots{"labels": cypher.QuoteAny(types), "id": l.store.idName, "where": l.filter.where(soleName(types))}
	under := l.types.NodeType
	if only != nil {
		under = func([]string) string { return types[0] }
	}
	return segment[graph.Node]{
		types: types,
		page: func(ctx context.Context, from start, skip int64, limit int) ([]entry[graph.Node], error) {
			return l.store.nodeEntries(ctx, l.catalogue, cypher.ListNodesScan.Text(slots), l.filter.with(map[string]any{
				"only": only, "ranks": ranksOf(types), "managed": walkedTypes(l.managed, l.at), "rank": from.rank, "phase": from.phase,
				"after": from.key, "number": numberOf(from.key), "skip": skip, "limit": limit, "declared": l.declared,
			}), under)
		},
		count: func(ctx context.Context) (int64, error) {
			text := cypher.ListNodesScanCount.Text(cypher.Slots{"labels": slots["labels"], "where": slots["where"]})
			var ranks any // the driver would send a nil map as an empty map
			if only == nil {
				ranks = ranksOf(types)
			}
			return l.store.readCount(ctx, text, l.filter.with(map[string]any{"ranks": ranks, "declared": l.declared}))
		},
	}
}

// indexed reads the id index of a managed type in order.
func (l nodeList) indexed(label string, first any) segment[graph.Node] {
	slots := cypher.Slots{"type": cypher.Quote(label), "id": l.store.idName, "where": l.filter.where("")}
	return segment[graph.Node]{
		types: []string{label}, phases: ownPhase,
		page: func(ctx context.Context, from start, skip int64, limit int) ([]entry[graph.Node], error) {
			return readIndex(ctx, from.key, skip, limit, func(after string, skip int64, limit int) ([]entry[graph.Node], rowsRead, error) {
				return l.rows(ctx, label, first, l.filter.where(""), cypher.ListNodesIndexed, map[string]any{"after": after, "skip": skip, "limit": limit})
			})
		},
		count: func(ctx context.Context) (int64, error) {
			return l.store.readCount(ctx, cypher.ListNodesIndexedCount.Text(slots), l.filter.with(map[string]any{"first": first, "declared": l.declared}))
		},
	}
}

// inDatabaseOrder reads a type's nodes in the database's own order; of a managed type listed by ids first, those without an id.
func (l nodeList) inDatabaseOrder(label string, first any, withoutID bool) segment[graph.Node] {
	where := l.filter.where(label)
	order := databaseOrder[graph.Node]{
		store: l.store, kind: nodes, name: label, filtered: len(l.filter.conditions) > 0 || withoutID,
		whole: len(l.filter.conditions) == 0 && !withoutID && first == nil,
		first: cypher.ListNodesFirst, behind: cypher.ListNodesBehind, window: cypher.ListNodesWindow,
		read: func(ctx context.Context, statement cypher.Statement, params map[string]any) ([]entry[graph.Node], rowsRead, error) {
			params["without_id"] = withoutID
			return l.rows(ctx, label, first, where, statement, params)
		},
	}
	page := order.page
	if l.filter.served(label) {
		var only any = label
		if first != nil {
			only = nil
		}
		page = indexOrDatabaseOrder(l.filter, l.store, cypher.ListNodesFew, label, l.scan([]string{label}, only).page, order.page)
	}
	return segment[graph.Node]{
		types: []string{label}, phases: elementPhase, page: page,
		count: func(ctx context.Context) (int64, error) { return l.countRest(ctx, label, first, withoutID) },
	}
}

// rows runs a statement on the nodes of one type.
func (l nodeList) rows(
	ctx context.Context, label string, first any, where cypher.Fragment, statement cypher.Statement, params map[string]any,
) ([]entry[graph.Node], rowsRead, error) {
	text := statement.Text(cypher.Slots{"type": cypher.Quote(label), "id": l.store.idName, "internal": l.hidden.labels, "where": where})
	params["first"], params["declared"] = first, l.declared
	return l.store.nodeRows(ctx, l.catalogue, text, l.filter.with(params), func([]string) string { return label })
}

// countRest counts what inDatabaseOrder reads.
func (l nodeList) countRest(ctx context.Context, label string, first any, withoutID bool) (int64, error) {
	slots := cypher.Slots{"labels": cypher.Quote(label), "where": l.filter.where("")}
	var ranks any
	if first != nil {
		ranks = map[string]any{label: 0}
	}
	all, err := l.store.readCount(ctx, cypher.ListNodesScanCount.Text(slots), l.filter.with(map[string]any{"ranks": ranks, "declared": l.declared}))
	if err != nil || !withoutID {
		return all, err
	}
	own, err := l.indexed(label, first).count(ctx)
	return all - own, err
}

func (l nodeList) unlabelled() segment[graph.Node] {
	order := unlabelledOrder{read: func(ctx context.Context, statement cypher.Statement, params map[string]any) ([]entry[graph.Node], error) {
		text := statement.Text(cypher.Slots{"where": l.filter.where("")})
		return l.store.nodeEntries(ctx, l.catalogue, text, l.filter.with(params), func([]string) string { return "" })
	}}
	return segment[graph.Node]{page: order.page}
}

// declaredParam is the declared node types as a parameter, by which a statement determines a node's type; null if there are none.
func declaredParam(t *declared.Types) any {
	if names := t.Declared(graph.NodeKind); len(names) > 0 {
		return names
	}
	return nil
}

// soleName is the only name; empty if there are more.
func soleName(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return ""
}

// nodeTotal counts the visible nodes, of one type or all, that meet a filter.
func (s *Store) nodeTotal(ctx context.Context, label graph.TypeName, f filter) (*int64, error) {
	labels, err := s.labelsInUse(ctx)
	if err != nil {
		return nil, err
	}
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
