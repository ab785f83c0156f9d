package neo4jstore

import (
	"context"
	"maps"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/keyset"
)

// edgesAround lists the edges of known nodes by expanding them: a page costs the node's degree in skipped relationships, of which only the
// sort key is read; properties and ends are read for the page only. See docs/adr/0013-around-a-node.md.
type edgesAround struct {
	edgeList
	nodes endpointFilter
}

// aroundSegments are the segments of a list of edges at nodes. The first page reads all types together. A later page expands the type of
// the cursor position, which determines the relationships after it, and reads the following types if the page is not full.
func (l edgeList) aroundSegments(ctx context.Context, ends endpointFilter, only graph.TypeName) ([]keyset.Segment[graph.Edge], error) {
	a := edgesAround{edgeList: l, nodes: ends}
	slot, known, err := l.store.edgeTypeSlot(ctx, only) // a type that no edge has would only fill the plan cache
	if err != nil || !known {
		return nil, err
	}
	count := func(ctx context.Context) (int64, error) { return a.count(ctx, slot) }
	var segments []keyset.Segment[graph.Edge]
	switch {
	case only != "":
		segments = []keyset.Segment[graph.Edge]{a.ofType(string(only))}
	case l.at == nil:
		segments = []keyset.Segment[graph.Edge]{a.allTypes()}
	default:
		segments = []keyset.Segment[graph.Edge]{a.ofType(l.at.Type), a.typesAfter(l.at.Type)}
	}
	segments[0].Count = count
	return segments, nil
}

// count counts the edges of all segments.
func (a edgesAround) count(ctx context.Context, edgeType cypher.Fragment) (int64, error) {
	slots := cypher.Slots{"type": edgeType, "id": a.store.idName, "where": a.filter.where("")}
	_, count, nodeParams := a.nodes.statements()
	return a.store.client.ReadCount(ctx, count.Text(slots), a.filter.addParams(maps.Clone(nodeParams)))
}

// ofType lists the edges of one type.
func (a edgesAround) ofType(name string) keyset.Segment[graph.Edge] {
	var managed []string
	if a.walkedAsManaged(name) {
		managed = []string{name}
	}
	return keyset.Segment[graph.Edge]{Types: []string{name}, Page: func(ctx context.Context, from keyset.Start, skip int64,
		limit int,
	) ([]keyset.Entry[graph.Edge], error) {
		conditions := []cypher.Fragment{a.filter.where(name)}
		params := map[string]any{"managed_types": managed, "skip": skip, "limit": limit}
		slots := cypher.Slots{"type": cypher.Quote(name), "order": cypher.EdgeOrder(a.store.idName, false, managed != nil)}
		if from.Key != "" {
			afterKey, err := a.afterCondition(from, managed != nil, params)
			if err != nil {
				return nil, err
			}
			conditions = append(conditions, afterKey)
		}
		return a.page(ctx, slots, conditions, params)
	}}
}

// afterCondition is the condition that an edge of a type sorts after a position.
func (a edgesAround) afterCondition(from keyset.Start, managed bool, params map[string]any) (cypher.Fragment, error) {
	if from.Phase == 0 {
		params["after"] = from.Key
		return cypher.EdgeAfterID(a.store.idName), nil
	}
	number, err := keyset.NumberOf(from.Key)
	if err != nil || !isElementID(edges, from.Key) {
		return cypher.Fragment{}, fault.Invalid("cursor", "is not a cursor of this service; start again from the first page")
	}
	params["number"] = int64(number)
	if managed {
		return cypher.EdgeWithoutIDAfter(a.store.idName), nil
	}
	return cypher.EdgeAfter(), nil
}

// allTypes lists the edges of all types from the first.
func (a edgesAround) allTypes() keyset.Segment[graph.Edge] {
	return keyset.Segment[graph.Edge]{Page: func(ctx context.Context, _ keyset.Start, skip int64, limit int) ([]keyset.Entry[graph.Edge],
		error,
	) {
		return a.types(ctx, cypher.True, map[string]any{"skip": skip, "limit": limit})
	}}
}

// typesAfter lists the edges of the types after a type.
func (a edgesAround) typesAfter(name string) keyset.Segment[graph.Edge] {
	return keyset.Segment[graph.Edge]{Page: func(ctx context.Context, _ keyset.Start, skip int64, limit int) ([]keyset.Entry[graph.Edge],
		error,
	) {
		return a.types(ctx, cypher.EdgeTypeAfter, map[string]any{"skip": skip, "limit": limit, "after": name})
	}}
}

func (a edgesAround) types(ctx context.Context, after cypher.Fragment, params map[string]any) ([]keyset.Entry[graph.Edge], error) {
	managed := a.walked()
	params["managed_types"] = managed
	slots := cypher.Slots{"type": cypher.Any, "order": cypher.EdgeOrder(a.store.idName, true, len(managed) > 0)}
	return a.page(ctx, slots, []cypher.Fragment{a.filter.where(""), after}, params)
}

// page reads the edges that meet conditions. Excluding internal data by the statement requires reading every other end: see
// withoutInternal.
func (a edgesAround) page(
	ctx context.Context, slots cypher.Slots, conditions []cypher.Fragment, params map[string]any,
) ([]keyset.Entry[graph.Edge], error) {
	statement, _, nodeParams := a.nodes.statements()
	maps.Copy(slots, a.nodes.direction())
	maps.Copy(params, nodeParams)
	params["managed_labels"] = a.managedLabels
	slots["id"], slots["where"], slots["ends"] = a.store.idName, cypher.And(conditions), a.ends
	params = a.filter.addParams(params)
	skip, _ := params["skip"].(int64)
	entries, _, err := withoutInternal(ctx, a.store.mixedType(edges, ""), skip, func(every bool) ([]keyset.Entry[graph.Edge], keyset.RowsRead,
		error,
	) {
		slots := maps.Clone(slots)
		if every {
			slots["where"] = cypher.And(append(slices.Clone(conditions), cypher.VisibleEdge))
		}
		return a.store.edgeRows(ctx, a.catalogue, statement.Text(slots), params)
	})
	return entries, err
}
