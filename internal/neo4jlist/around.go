package neo4jlist

import (
	"context"
	"maps"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/keyset"
	"graphrest/internal/neo4jentity"
)

// edgesAround lists the edges of known nodes by expanding them: a page costs the node's degree in skipped relationships, of which only the
// sort key is read; properties and ends are read for the page only. See docs/adr/0013-around-a-node.md.
type edgesAround[T any] struct {
	rows  *listRows[T]
	types *listTypes
	ends  endpointFilter
}

// buildAround builds the segments of a list of edges at nodes. The first page reads all types together. A later page expands the type of
// the cursor position, which determines the relationships after it, and reads the following types if the page is not full.
func (s *listSegments[T]) buildAround(ctx context.Context) ([]keyset.Segment[T], error) {
	a, only := edgesAround[T]{rows: s.rows, types: s.types, ends: s.ends}, s.texts.query.Type
	slot, known, err := s.reads.EdgeTypeSlot(ctx, only) // a type that no edge has would only fill the plan cache
	if err != nil || !known {
		return nil, err
	}
	count := func(ctx context.Context) (int64, error) { return s.totals.countAround(ctx, s.ends, slot) }
	var segments []keyset.Segment[T]
	switch {
	case only != "":
		segments = []keyset.Segment[T]{a.ofType(string(only))}
	case s.types.at == nil:
		segments = []keyset.Segment[T]{a.allTypes()}
	default:
		segments = []keyset.Segment[T]{a.ofType(s.types.at.Type), a.typesAfter(s.types.at.Type)}
	}
	segments[0].Count = count
	return segments, nil
}

// ofType lists the edges of one type.
func (a edgesAround[T]) ofType(name string) keyset.Segment[T] {
	var managed []string
	if a.types.walkedAsManaged(name) {
		managed = []string{name}
	}
	return keyset.Segment[T]{Types: []string{name}, Page: func(ctx context.Context, from keyset.Start, skip int64,
		limit int,
	) ([]keyset.Entry[T], error) {
		conditions := []cypher.Fragment{a.rows.texts.query.filter.where(name)}
		params := map[string]any{"managed_types": managed, "skip": skip, "limit": limit}
		slots := cypher.Slots{"type": cypher.Quote(name), "order": cypher.EdgeOrder(a.rows.texts.shared.IDName, false, managed != nil)}
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
func (a edgesAround[T]) afterCondition(from keyset.Start, managed bool, params map[string]any) (cypher.Fragment, error) {
	if from.Phase == 0 {
		params["after"] = from.Key
		return cypher.EdgeAfterID(a.rows.texts.shared.IDName), nil
	}
	number, err := keyset.NumberOf(from.Key)
	if err != nil || !neo4jentity.IsElementID(graph.EdgeKind, from.Key) {
		return cypher.Fragment{}, fault.Invalid("cursor", "is not a cursor of this service; start again from the first page")
	}
	params["number"] = int64(number)
	if managed {
		return cypher.EdgeWithoutIDAfter(a.rows.texts.shared.IDName), nil
	}
	return cypher.EdgeAfter(), nil
}

// allTypes lists the edges of all types from the first.
func (a edgesAround[T]) allTypes() keyset.Segment[T] {
	return keyset.Segment[T]{Page: func(ctx context.Context, _ keyset.Start, skip int64, limit int) ([]keyset.Entry[T],
		error,
	) {
		return a.readTypes(ctx, cypher.True, map[string]any{"skip": skip, "limit": limit})
	}}
}

// typesAfter lists the edges of the types after a type.
func (a edgesAround[T]) typesAfter(name string) keyset.Segment[T] {
	return keyset.Segment[T]{Page: func(ctx context.Context, _ keyset.Start, skip int64, limit int) ([]keyset.Entry[T],
		error,
	) {
		return a.readTypes(ctx, cypher.EdgeTypeAfter, map[string]any{"skip": skip, "limit": limit, "after": name})
	}}
}

func (a edgesAround[T]) readTypes(ctx context.Context, after cypher.Fragment, params map[string]any) ([]keyset.Entry[T], error) {
	managed := a.types.walked()
	slots := cypher.Slots{"type": cypher.Any, "order": cypher.EdgeOrder(a.rows.texts.shared.IDName, true, len(managed) > 0)}
	return a.page(ctx, slots, []cypher.Fragment{a.rows.texts.query.filter.whereByParameters(), after}, params)
}

// page reads the edges that meet conditions. Excluding internal data by the statement requires reading every other end: see
// withoutInternal.
func (a edgesAround[T]) page(
	ctx context.Context, slots cypher.Slots, conditions []cypher.Fragment, params map[string]any,
) ([]keyset.Entry[T], error) {
	statement, _, nodeParams := a.ends.statements()
	maps.Copy(slots, a.ends.direction())
	maps.Copy(params, nodeParams)
	slots["where"] = cypher.And(conditions)
	skip, _ := params["skip"].(int64)
	params = a.rows.texts.paramsOf(statement, params)
	entries, _, err := withoutInternal(ctx, a.rows.mixed.of(graph.EdgeKind, ""), skip, func(every bool) ([]keyset.Entry[T], keyset.RowsRead,
		error,
	) {
		slots := maps.Clone(slots)
		if every {
			slots["where"] = cypher.And(append(slices.Clone(conditions), cypher.VisibleEdge))
		}
		return a.rows.readRows(ctx, a.rows.texts.text(statement, slots), params, a.rows.typeOf())
	})
	return entries, err
}
