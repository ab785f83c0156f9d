package neo4jstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/keyset"
)

// Edges lists edges: see graph.EdgeStore.
func (s *Store) Edges(ctx context.Context, q graph.EdgeQuery) (graph.Page[graph.Edge], error) {
	conditions := graph.Fingerprint(q.Filter, q.Sort)
	query := edgeFingerprint(q, conditions)
	f, err := s.filter(ctx, edges, q.Filter)
	if err != nil {
		return graph.Page[graph.Edge]{}, err
	}
	q.Sort = f.view.ShownSort(q.Sort)
	list := s.edgesInOrder
	if len(q.Sort) > 0 {
		list = s.sortedEdges
	}
	began := time.Now()
	ofNode := q.SourceID != "" || q.TargetID != "" || q.NodeID != "" || q.Of != nil
	read := func(ctx context.Context) (graph.Page[graph.Edge], error) {
		ctx, recorder := bolt.WithTimeoutRecorder(ctx)
		page, err := list(ctx, q, f, query)
		slow := slowList{kind: edges, typ: q.Type, filter: q.Filter, sort: q.Sort, paging: q.Paging, node: ofNode}
		return page, s.explainListTimeout(ctx, recorder, slow, f.attributeError(err))
	}
	page, err := readShared(ctx, &s.equal.edgePages, edgePageKey(q, conditions), ownPage, read)
	if !ofNode { // edges of a node are found by the node
		s.CountSlowList(ctx, edges, q.Type, q.Filter, q.Sort, began, err)
	}
	return page, err
}

// edgesInOrder lists edges in the contract's default order.
func (s *Store) edgesInOrder(ctx context.Context, q graph.EdgeQuery, f filter, query uint32) (graph.Page[graph.Edge], error) {
	at, err := keyset.DecodePosition(q.After, query)
	if err != nil {
		return graph.Page[graph.Edge]{}, err
	}
	read := func(ends endpointFilter) (graph.Page[graph.Edge], error) {
		page := func(ctx context.Context, types []string) (graph.Page[graph.Edge], error) {
			return readWithCatalogue(ctx, s, func(ctx context.Context, m *managedTypes) (graph.Page[graph.Edge], error) {
				return s.edgePage(ctx, m, types, q, f, query, at, ends)
			})
		}
		if q.Type == "" && !ends.none && !ends.hasNodes() {
			return readWithNames(ctx, s, func(e *exclusion) []string { return f.view.NamesOf(e.typesInUse) }, page)
		}
		return page(ctx, nil)
	}
	if speculative := s.speculativeNodeOf(ctx, q); speculative != nil {
		wait := s.lookUpStart(ctx, q.Of.NodeID)
		page, failed := read(endsAround(*q.Of, speculative))
		if found, err := wait(); err != nil || speculative.isAt(found) {
			return page, cmp.Or(err, failed)
		}
	}
	ends, err := s.resolveEnds(ctx, q)
	if err != nil {
		return graph.Page[graph.Edge]{}, err
	}
	return read(ends)
}

// speculativeNodeOf is the node whose edges a query wants, if the id cache has it and nothing else has to be looked up.
func (s *Store) speculativeNodeOf(ctx context.Context, q graph.EdgeQuery) *startNode {
	if q.Of == nil || q.SourceID != "" || q.TargetID != "" || q.NodeID != "" {
		return nil
	}
	return s.speculativeStart(ctx, q.Of.NodeID)
}

// edgePage reads a page of the edges of one type, of nodes or, without either, of all types in use.
func (s *Store) edgePage(
	ctx context.Context, m *managedTypes, types []string, q graph.EdgeQuery, f filter, query uint32, at *keyset.Position,
	ends endpointFilter,
) (graph.Page[graph.Edge], error) {
	hidden, err := s.exclusionOfPage(ctx, q.Paging)
	if err != nil {
		return graph.Page[graph.Edge]{}, err
	}
	l := edgeList{
		store: s, at: at, filter: f, catalogue: m, managedTypes: m.edges.names, managedLabels: m.nodes.names, hidden: hidden,
		sizes: s.Counts.Known().Edges, ends: s.endSlot(q.Ends), skips: q.Offset > 0,
	}
	var segments []keyset.Segment[graph.Edge]
	switch {
	case ends.none:
	case ends.hasNodes():
		segments, err = l.aroundSegments(ctx, ends, q.Type)
	default:
		segments, err = l.listAllTypes(ctx, types, q)
	}
	if err != nil {
		return graph.Page[graph.Edge]{}, err
	}
	total := keyset.CountConcurrently(q.Paging, func() (*int64, error) { return l.total(ctx, q, ends, segments) })
	defer func() { _, _ = total() }()
	found, err := keyset.Walk(ctx, segments, at, q.Offset, q.Limit+1)
	if err != nil {
		return graph.Page[graph.Edge]{}, err
	}
	page := keyset.PageOf(found, q.Paging, func(e keyset.Entry[graph.Edge]) keyset.Position {
		return keyset.Position{Query: query, Type: e.Type, Managed: l.walkedAsManaged(e.Type), Own: e.Own, Key: e.Key}
	})
	if q.Count && page.Total == nil {
		page.Total, err = total()
	}
	return page, err
}

func edgeFingerprint(q graph.EdgeQuery, conditions string) uint32 {
	return keyset.Fingerprint(edgeSelection(q, conditions)...)
}

// edgeSelection is what determines which edges a query lists, and in which order.
func edgeSelection(q graph.EdgeQuery, conditions string) []string {
	of := graph.Around{}
	if q.Of != nil {
		of = *q.Of
	}
	return []string{"edges", string(q.Type), q.SourceID, q.TargetID, q.NodeID, of.NodeID, string(of.Direction), conditions}
}

// edgeList builds the segments of a list of edges.
type edgeList struct {
	store                       *Store
	at                          *keyset.Position
	filter                      filter
	catalogue                   *managedTypes
	managedTypes, managedLabels []string
	hidden                      *exclusion
	ends                        cypher.Fragment  // see endSlot
	sizes                       map[string]int64 // as in nodeList
	skips                       bool             // as in nodeList
}

// walkedAsManaged reports whether a type is listed by ids first. The type of the cursor position keeps its state.
func (l edgeList) walkedAsManaged(name string) bool {
	if l.at != nil && l.at.Type == name {
		return l.at.Managed
	}
	return l.isManaged(name)
}

func (l edgeList) isManaged(name string) bool {
	_, managed := slices.BinarySearch(l.managedTypes, name)
	return managed
}

// walked are the types whose edges are listed by ids first.
func (l edgeList) walked() []string { return keyset.WalkedTypes(l.managedTypes, l.at) }

// listAllTypes lists the edges of the type of a query or, without one, of all types in use.
func (l *edgeList) listAllTypes(
	ctx context.Context, types []string, q graph.EdgeQuery,
) (segments []keyset.Segment[graph.Edge], err error) {
	if q.Type != "" {
		if len(l.filter.view.NamesOf([]string{string(q.Type)})) == 0 {
			return nil, nil
		}
		used, err := l.store.typeInUse(ctx, edges, string(q.Type))
		if err != nil || !used {
			return nil, err
		}
		return l.typeSegments(string(q.Type)), nil
	}
	isAlone := func(name string) bool { return !l.isSmall(name) || l.filter.served(name) }
	for _, group := range keyset.BatchSmallTypes(l.filter.view.NamesOf(types), isAlone) {
		if len(group) > 1 {
			segments = append(segments, l.scan(group))
			continue
		}
		segments = append(segments, l.typeSegments(group[0])...)
	}
	return segments, nil
}

// typeSegments are the segments of one type.
func (l edgeList) typeSegments(name string) []keyset.Segment[graph.Edge] {
	switch l.readMode(name) {
	case keyset.ByIndex:
		if l.filter.selects(name) && !l.skips {
			return []keyset.Segment[graph.Edge]{l.filteredByID(name)}
		}
		return []keyset.Segment[graph.Edge]{l.indexed(name), l.inDatabaseOrder(name, true)}
	case keyset.ByScan:
		return []keyset.Segment[graph.Edge]{l.scan([]string{name})}
	default:
		return []keyset.Segment[graph.Edge]{l.inDatabaseOrder(name, false)}
	}
}

func (l edgeList) isSmall(name string) bool {
	size, known := l.sizes[name]
	return known && size <= keyset.SmallType
}

func (l edgeList) readMode(name string) keyset.ReadMode {
	return keyset.ChooseReadMode(l.isManaged(name), l.walkedAsManaged(name), l.isSmall(name) || l.filter.served(name))
}

// filteredByID is both phases of a managed type with a filter that no index serves.
func (l edgeList) filteredByID(name string) keyset.Segment[graph.Edge] {
	segment := l.scan([]string{name})
	f := filteredByID[graph.Edge]{
		store: l.store, size: l.sizes[name], scan: segment.Page, withoutID: l.inDatabaseOrder(name, true).Page,
		idsBehind: cypher.ListEdgesIDsBehind.Text(cypher.Slots{"type": cypher.Quote(name), "id": l.store.idName}),
		window: func(ctx context.Context, after string, count int64, limit int) ([]keyset.Entry[graph.Edge], error) {
			params := map[string]any{"after": after, "window": count, "limit": limit}
			found, _, err := l.rows(ctx, name, cypher.Slots{"where": l.filter.where(name)}, cypher.ListEdgesWithin, params)
			return found, err
		},
	}
	segment.Page = f.page
	return segment
}

// scan reads the edges of several types.
func (l edgeList) scan(types []string) keyset.Segment[graph.Edge] {
	slot := cypher.QuoteAny(types)
	where := l.filter.where(soleName(types))
	text := cypher.ListEdgesScan.Text(cypher.Slots{"types": slot, "id": l.store.idName, "where": where, "ends": l.ends})
	return keyset.Segment[graph.Edge]{
		Types: types,
		Page: func(ctx context.Context, from keyset.Start, skip int64, limit int) ([]keyset.Entry[graph.Edge], error) {
			return l.store.edgeEntries(ctx, l.catalogue, text, l.filter.addParams(map[string]any{
				"ranks": keyset.RanksOf(types), "managed_types": l.walked(), "managed_labels": l.managedLabels,
				"rank": from.Rank, "phase": from.Phase, "after": from.Key, "number": keyset.NumberOrNone(from.Key), "skip": skip, "limit": limit,
			}))
		},
		Count: func(ctx context.Context) (int64, error) {
			text := cypher.ListEdgesScanCount.Text(cypher.Slots{"types": slot, "where": where})
			return l.store.client.ReadCount(ctx, text, l.filter.addParams(map[string]any{}))
		},
	}
}

// indexed reads the id index of a managed type in order.
func (l edgeList) indexed(name string) keyset.Segment[graph.Edge] {
	return keyset.Segment[graph.Edge]{
		Types: []string{name}, Phases: keyset.OwnPhase,
		Page: func(ctx context.Context, from keyset.Start, skip int64, limit int) ([]keyset.Entry[graph.Edge], error) {
			return keyset.ReadIndex(ctx, from.Key, skip, limit, func(after string, skip int64, limit int) ([]keyset.Entry[graph.Edge],
				keyset.RowsRead, error,
			) {
				params := map[string]any{"after": after, "skip": skip, "limit": limit}
				return l.rows(ctx, name, cypher.Slots{"where": l.filter.where("")}, cypher.ListEdgesIndexed, params)
			})
		},
		Count: func(ctx context.Context) (int64, error) {
			slots := cypher.Slots{"type": cypher.Quote(name), "id": l.store.idName, "where": l.filter.where("")}
			return l.store.client.ReadCount(ctx, cypher.ListEdgesIndexedCount.Text(slots), l.filter.addParams(map[string]any{}))
		},
	}
}

// inDatabaseOrder reads a type's edges in the database's own order: see nodeList.inDatabaseOrder.
func (l edgeList) inDatabaseOrder(name string, withoutID bool) keyset.Segment[graph.Edge] {
	where, listed := l.filter.where(name), cypher.Listed{WithoutID: withoutID}.Edges(l.store.idName)
	order := databaseOrder[graph.Edge]{
		store: l.store, kind: edges, name: name, filtered: l.filter.selects(name) || withoutID,
		whole: !l.filter.selects(name) && !withoutID,
		first: cypher.ListEdgesFirst, behind: cypher.ListEdgesBehind, window: cypher.ListEdgesWindow, onward: cypher.ListEdgesOnward,
		read: func(ctx context.Context, statement cypher.Statement, params map[string]any) ([]keyset.Entry[graph.Edge], keyset.RowsRead, error) {
			return l.rows(ctx, name, cypher.Slots{"where": where, "listed": listed}, statement, params)
		},
	}
	page := order.page
	if l.filter.served(name) {
		page = indexOrDatabaseOrder(l.filter, l.store, cypher.ListEdgesFew, name, l.scan([]string{name}).Page, order.page)
	}
	return keyset.Segment[graph.Edge]{
		Types: []string{name}, Phases: keyset.ElementPhase, Page: page,
		CountFirst: !l.filter.selects(name) && !withoutID,
		Count:      func(ctx context.Context) (int64, error) { return l.countRest(ctx, name, withoutID) },
	}
}

// rows runs a statement on the edges of one type.
func (l edgeList) rows(
	ctx context.Context, name string, slots cypher.Slots, statement cypher.Statement, params map[string]any,
) ([]keyset.Entry[graph.Edge], keyset.RowsRead, error) {
	params["managed_labels"] = l.managedLabels
	slots["type"], slots["id"], slots["ends"] = cypher.Quote(name), l.store.idName, l.ends
	skip, _ := params["skip"].(int64)
	params = l.filter.addParams(params)
	return withoutInternal(ctx, l.store.mixedType(edges, name), skip, func(every bool) ([]keyset.Entry[graph.Edge], keyset.RowsRead,
		error,
	) {
		slots["internal"] = l.hidden.inPage(every)
		return l.store.edgeRows(ctx, l.catalogue, statement.Text(slots), params)
	})
}

// countRest counts what inDatabaseOrder reads.
func (l edgeList) countRest(ctx context.Context, name string, withoutID bool) (int64, error) {
	q := graph.EdgeQuery{Type: graph.TypeName(name)}
	all, err := l.total(ctx, q, endpointFilter{}, make([]keyset.Segment[graph.Edge], 1))
	if err != nil {
		return 0, err
	}
	if !withoutID {
		return *all, nil
	}
	own, err := l.indexed(name).Count(ctx)
	return *all - own, err
}

// total counts the visible edges of a query.
func (l edgeList) total(
	ctx context.Context, q graph.EdgeQuery, ends endpointFilter, segments []keyset.Segment[graph.Edge],
) (*int64, error) {
	if len(segments) == 0 {
		return new(int64), nil
	}
	if ends.hasNodes() {
		total, err := segments[0].Count(ctx)
		return &total, err
	}
	if l.filter.selects(string(q.Type)) {
		types, none := l.filter.view.AnyOf(cypher.Any)
		if q.Type != "" {
			types = cypher.Quote(string(q.Type))
		}
		if none {
			return new(int64), nil
		}
		slots := cypher.Slots{"types": types, "where": l.filter.where(string(q.Type))}
		total, err := l.store.client.ReadCount(ctx, cypher.ListEdgesScanCount.Text(slots), l.filter.addParams(map[string]any{}))
		return &total, err
	}
	return l.store.exactTotal(ctx, q.Type, func(_ *exclusion, parts internalParts) cypher.Text {
		slots := cypher.Slots{"internal": cypher.QuoteAny(parts.scanned)}
		if q.Type == "" {
			slots["internal_types"] = cypher.QuoteAny(parts.types)
			slots["records"] = cypher.CountEdgesAt(parts.records, "")
			return cypher.ListEdgesTotalAll.Text(slots)
		}
		slots["type"] = cypher.Quote(string(q.Type))
		slots["records"] = cypher.CountEdgesAt(parts.records, string(q.Type))
		return cypher.ListEdgesTotal.Text(slots)
	})
}

func edgePageKey(q graph.EdgeQuery, conditions string) string {
	return fmt.Sprintf("%q %t %s", edgeSelection(q, conditions), q.Ends, pagingKey(q.Paging))
}
