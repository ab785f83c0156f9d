package neo4jstore

import (
	"context"
	"slices"
	"time"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/declared"
	"graphrest/internal/graph"
	"graphrest/internal/keyset"
	"graphrest/internal/neo4jschema"
)

// Nodes lists nodes: see graph.NodeStore.
func (s *Store) Nodes(ctx context.Context, q graph.NodeQuery) (graph.Page[graph.Node], error) {
	conditions := graph.Fingerprint(q.Filter, q.Sort)
	query := keyset.Fingerprint("nodes", string(q.Type), conditions)
	f, err := s.filter(ctx, nodes, q.Filter)
	if err != nil {
		return graph.Page[graph.Node]{}, err
	}
	q.Sort = f.view.ShownSort(q.Sort)
	list := s.nodesInOrder
	if len(q.Sort) > 0 {
		list = s.sortedNodes
	}
	began := time.Now()
	read := func(ctx context.Context) (graph.Page[graph.Node], error) {
		ctx, recorder := bolt.WithTimeoutRecorder(ctx)
		page, err := list(ctx, q, f, query)
		slow := slowList{kind: nodes, typ: q.Type, filter: q.Filter, sort: q.Sort, paging: q.Paging}
		return page, s.explainListTimeout(ctx, recorder, slow, f.attributeError(err))
	}
	page, err := readShared(ctx, &s.equal.nodePages, nodePageKey(q, conditions), ownPage, read)
	s.CountSlowList(ctx, nodes, q.Type, q.Filter, q.Sort, began, err)
	return page, err
}

// nodesInOrder lists nodes in the contract's default order.
func (s *Store) nodesInOrder(ctx context.Context, q graph.NodeQuery, f filter, query uint32) (graph.Page[graph.Node], error) {
	at, err := keyset.DecodePosition(q.After, query)
	if err != nil {
		return graph.Page[graph.Node]{}, err
	}
	read := func(ctx context.Context, labels []string) (graph.Page[graph.Node], error) {
		return readWithCatalogue(ctx, s, func(ctx context.Context, m *managedTypes) (graph.Page[graph.Node], error) {
			return s.nodePage(ctx, m, labels, q, f, query, at)
		})
	}
	if q.Type == "" {
		// A node that the user sees may be listed under a label that the user does not see: all labels matter.
		return readWithNames(ctx, s, func(e *exclusion) []string { return e.labelsInUse }, read)
	}
	return read(ctx, nil)
}

// nodePage reads a page of the nodes of one type or, without a type, of all labels in use.
func (s *Store) nodePage(
	ctx context.Context, m *managedTypes, labels []string, q graph.NodeQuery, f filter, query uint32, at *keyset.Position,
) (graph.Page[graph.Node], error) {
	var none graph.Page[graph.Node]
	hidden, err := s.exclusionOfPage(ctx, q.Paging)
	if err != nil {
		return none, err
	}
	types := s.CurrentTypes()
	l := nodeList{
		store: s, types: types, declared: neo4jschema.DeclaredParameter(types), at: at, filter: f, catalogue: m, managed: m.nodes.names, hidden: hidden,
		sizes: s.Counts.Known().Nodes, skips: q.Offset > 0,
	}
	total := keyset.CountConcurrently(q.Paging, func() (*int64, error) { return s.nodeTotal(ctx, q.Type, f) })
	defer func() { _, _ = total() }()
	var segments []keyset.Segment[graph.Node]
	if q.Type == "" {
		segments = l.all(labels)
	} else {
		used, err := s.typeInUse(ctx, nodes, string(q.Type))
		if err != nil {
			return none, err
		}
		if used {
			segments = l.ofType(string(q.Type))
		}
	}
	found, err := keyset.Walk(ctx, segments, at, q.Offset, q.Limit+1)
	if err != nil {
		return none, err
	}
	page := keyset.PageOf(found, q.Paging, func(e keyset.Entry[graph.Node]) keyset.Position {
		return keyset.Position{Query: query, Type: e.Type, NoType: e.Type == "", Managed: l.walkedAsManaged(e.Type), Own: e.Own, Key: e.Key}
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
	declared  any              // as a parameter of statements: see neo4jschema.DeclaredParameter
	at        *keyset.Position // the cursor position
	filter    filter
	catalogue *managedTypes
	managed   []string // labels, in order
	hidden    *exclusion
	sizes     map[string]int64 // how many nodes have a label, some seconds old: decides how to read, never what is listed
	skips     bool             // the page begins at an offset
}

// walkedAsManaged reports whether a type is listed by ids first. The type of the cursor position keeps its state.
func (l nodeList) walkedAsManaged(name string) bool {
	if l.at != nil && l.at.Type == name && !l.at.NoType {
		return l.at.Managed
	}
	return l.isManaged(name)
}

func (l nodeList) isManaged(name string) bool {
	_, managed := slices.BinarySearch(l.managed, name)
	return managed
}

func (l nodeList) all(labels []string) []keyset.Segment[graph.Node] {
	seen, everything := l.filter.view.Names()
	if !everything && len(seen) == 0 {
		return nil
	}
	var segments []keyset.Segment[graph.Node]
	isAlone := func(name string) bool { return !l.isSmall(name) || l.filter.served(name) }
	for _, types := range keyset.BatchSmallTypes(labels, isAlone) {
		if len(types) > 1 {
			segments = append(segments, l.scan(types, nil))
			continue
		}
		segments = append(segments, l.typeSegments(types[0], types[0])...)
	}
	if !everything { // a node without a label is in no type
		return segments
	}
	return append(segments, l.unlabelled())
}

func (l nodeList) ofType(label string) []keyset.Segment[graph.Node] {
	return l.typeSegments(label, nil)
}

// typeSegments are the segments of one type. first is nil for all nodes with the label, or the label for the nodes that are listed under
// it.
func (l nodeList) typeSegments(name string, first any) []keyset.Segment[graph.Node] {
	segments := l.segmentsByMode(name, first)
	if seen, all := l.filter.view.Names(); !all && !slices.Contains(seen, name) && !l.isSmall(name) {
		return l.readIfLabelsOverlap(name, seen, segments)
	}
	return segments
}

func (l nodeList) segmentsByMode(name string, first any) []keyset.Segment[graph.Node] {
	switch l.readMode(name) {
	case keyset.ByIndex:
		if l.filter.selects(name) && !l.skips {
			return []keyset.Segment[graph.Node]{l.filteredByID(name, first)}
		}
		return []keyset.Segment[graph.Node]{l.indexed(name, first), l.inDatabaseOrder(name, first, true)}
	case keyset.ByScan:
		return []keyset.Segment[graph.Node]{l.scanOne(name, first)}
	default:
		return []keyset.Segment[graph.Node]{l.inDatabaseOrder(name, first, false)}
	}
}

func (l nodeList) isSmall(name string) bool {
	size, known := l.sizes[name]
	return known && size <= keyset.SmallType
}

func (l nodeList) readMode(name string) keyset.ReadMode {
	return keyset.ChooseReadMode(l.isManaged(name), l.walkedAsManaged(name), l.isSmall(name) || l.filter.served(name))
}

// scanOne reads the nodes of one type by scan: see typeSegments.
func (l nodeList) scanOne(name string, first any) keyset.Segment[graph.Node] {
	var only any = name
	if first != nil {
		only = nil
	}
	return l.scan([]string{name}, only)
}

// filteredByID is both phases of a managed type with a filter that no index serves.
func (l nodeList) filteredByID(name string, first any) keyset.Segment[graph.Node] {
	segment := l.scanOne(name, first)
	f := filteredByID[graph.Node]{
		store: l.store, size: l.sizes[name], scan: segment.Page, withoutID: l.inDatabaseOrder(name, first, true).Page,
		idsBehind: cypher.ListNodesIDsBehind.Text(cypher.Slots{"type": cypher.Quote(name), "id": l.store.idName}),
		window: func(ctx context.Context, after string, count int64, limit int) ([]keyset.Entry[graph.Node], error) {
			listed := cypher.Listed{Under: first != nil}.Nodes(l.store.idName)
			slots := cypher.Slots{"id": l.store.idName, "where": l.filter.where(name), "listed": listed}
			params := map[string]any{"after": after, "window": count, "limit": limit, "first": first}
			found, _, err := l.rows(ctx, name, slots, cypher.ListNodesWithin, params)
			return found, err
		},
	}
	segment.Page = f.page
	return segment
}

// scan reads the nodes of several types, or all nodes with the label only.
func (l nodeList) scan(types []string, only any) keyset.Segment[graph.Node] {
	slots := cypher.Slots{"labels": cypher.QuoteAny(types), "id": l.store.idName, "where": l.filter.where(soleName(types))}
	under := l.types.NodeType
	if only != nil {
		under = func([]string) string { return types[0] }
	}
	return keyset.Segment[graph.Node]{
		Types: types,
		Page: func(ctx context.Context, from keyset.Start, skip int64, limit int) ([]keyset.Entry[graph.Node], error) {
			return l.store.nodeEntries(ctx, l.catalogue, cypher.ListNodesScan.Text(slots), l.filter.addParams(map[string]any{
				"only": only, "ranks": keyset.RanksOf(types), "managed": keyset.WalkedTypes(l.managed, l.at), "rank": from.Rank, "phase": from.Phase,
				"after": from.Key, "number": keyset.NumberOrNone(from.Key), "skip": skip, "limit": limit, "declared": l.declared,
			}), under)
		},
		Count: func(ctx context.Context) (int64, error) {
			text := cypher.ListNodesScanCount.Text(cypher.Slots{"labels": slots["labels"], "where": slots["where"]})
			var ranks any // the driver would send a nil map as an empty map
			if only == nil {
				ranks = keyset.RanksOf(types)
			}
			return l.store.client.ReadCount(ctx, text, l.filter.addParams(map[string]any{"ranks": ranks, "declared": l.declared}))
		},
	}
}

// indexed reads the id index of a managed type in order.
func (l nodeList) indexed(label string, first any) keyset.Segment[graph.Node] {
	slots := cypher.Slots{"type": cypher.Quote(label), "id": l.store.idName, "where": l.filter.where("")}
	listed := cypher.Listed{Under: first != nil}
	return keyset.Segment[graph.Node]{
		Types: []string{label}, Phases: keyset.OwnPhase,
		Page: func(ctx context.Context, from keyset.Start, skip int64, limit int) ([]keyset.Entry[graph.Node], error) {
			return keyset.ReadIndex(ctx, from.Key, skip, limit, func(after string, skip int64, limit int) ([]keyset.Entry[graph.Node],
				keyset.RowsRead, error,
			) {
				params := map[string]any{"after": after, "skip": skip, "limit": limit, "first": first}
				slots := cypher.Slots{"id": l.store.idName, "where": l.filter.where(""), "listed": listed.Nodes(l.store.idName)}
				return l.rows(ctx, label, slots, cypher.ListNodesIndexed, params)
			})
		},
		Count: func(ctx context.Context) (int64, error) {
			params := l.filter.addParams(map[string]any{"first": first, "declared": l.declared})
			return l.store.client.ReadCount(ctx, cypher.ListNodesIndexedCount.Text(slots), params)
		},
	}
}

// inDatabaseOrder reads a type's nodes in the database's own order; of a managed type listed by ids first, those without an id.
func (l nodeList) inDatabaseOrder(label string, first any, withoutID bool) keyset.Segment[graph.Node] {
	where, listed := l.filter.where(label), cypher.Listed{Under: first != nil, WithoutID: withoutID}.Nodes(l.store.idName)
	order := databaseOrder[graph.Node]{
		store: l.store, kind: nodes, name: label, filtered: l.filter.selects(label) || withoutID,
		whole: !l.filter.selects(label) && !withoutID && first == nil,
		first: cypher.ListNodesFirst, behind: cypher.ListNodesBehind, window: cypher.ListNodesWindow, onward: cypher.ListNodesOnward,
		read: func(ctx context.Context, statement cypher.Statement, params map[string]any) ([]keyset.Entry[graph.Node], keyset.RowsRead, error) {
			params["first"] = first
			return l.rows(ctx, label, cypher.Slots{"where": where, "listed": listed}, statement, params)
		},
	}
	page := order.page
	if l.filter.served(label) {
		page = indexOrDatabaseOrder(l.filter, l.store, cypher.ListNodesFew, label, l.scanOne(label, first).Page, order.page)
	}
	return keyset.Segment[graph.Node]{
		Types: []string{label}, Phases: keyset.ElementPhase, Page: page,
		Count: func(ctx context.Context) (int64, error) { return l.countRest(ctx, label, first, withoutID) },
	}
}

// rows runs a statement on the nodes of one type.
func (l nodeList) rows(
	ctx context.Context, label string, slots cypher.Slots, statement cypher.Statement, params map[string]any,
) ([]keyset.Entry[graph.Node], keyset.RowsRead, error) {
	params["declared"], slots["type"] = l.declared, cypher.Quote(label)
	skip, _ := params["skip"].(int64)
	params = l.filter.addParams(params)
	return withoutInternal(ctx, l.store.mixedType(nodes, label), skip, func(every bool) ([]keyset.Entry[graph.Node], keyset.RowsRead,
		error,
	) {
		slots["internal"] = l.hidden.inPage(every)
		return l.store.nodeRows(ctx, l.catalogue, statement.Text(slots), params, func([]string) string { return label })
	})
}

// countRest counts what inDatabaseOrder reads.
func (l nodeList) countRest(ctx context.Context, label string, first any, withoutID bool) (int64, error) {
	slots := cypher.Slots{"labels": cypher.Quote(label), "where": l.filter.where("")}
	var ranks any
	if first != nil {
		ranks = map[string]any{label: 0}
	}
	params := l.filter.addParams(map[string]any{"ranks": ranks, "declared": l.declared})
	all, err := l.store.client.ReadCount(ctx, cypher.ListNodesScanCount.Text(slots), params)
	if err != nil || !withoutID {
		return all, err
	}
	own, err := l.indexed(label, first).Count(ctx)
	return all - own, err
}

func (l nodeList) unlabelled() keyset.Segment[graph.Node] {
	order := unlabelledOrder{read: func(ctx context.Context, statement cypher.Statement, params map[string]any) ([]keyset.Entry[graph.Node],
		error,
	) {
		text := statement.Text(cypher.Slots{"where": l.filter.where("")})
		return l.store.nodeEntries(ctx, l.catalogue, text, l.filter.addParams(params), func([]string) string { return "" })
	}}
	return keyset.Segment[graph.Node]{Page: order.page}
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
	if f.selects(string(label)) {
		types, none := f.view.AnyOf(cypher.AnyOrNone)
		if label != "" {
			names, err := s.exclusionNow(ctx)
			if err != nil {
				return nil, err
			}
			types = cypher.Quote(string(label))
			none = none || !slices.Contains(names.labelsInUse, string(label))
		}
		if none {
			return new(int64), nil
		}
		slots := cypher.Slots{"label": types, "where": f.where(string(label))}
		total, err := s.client.ReadCount(ctx, cypher.ListNodesSoughtCount.Text(slots), f.addParams(map[string]any{}))
		return &total, err
	}
	return s.exactTotal(ctx, label, func(names *exclusion, parts internalParts) cypher.Text {
		slots := cypher.Slots{"internal": cypher.QuoteAny(parts.scanned)}
		switch {
		case label == "":
			slots["records"] = cypher.CountNodesWith(parts.records)
			return cypher.ListNodesTotalAll.Text(slots)
		case !slices.Contains(names.labelsInUse, string(label)):
			return cypher.Text{}
		}
		slots["type"] = cypher.Quote(string(label))
		return cypher.ListNodesTotal.Text(slots)
	})
}
