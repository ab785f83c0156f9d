package neo4jstore

import (
	"context"
	"maps"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/fault"
	"graphrest/internal/keyset"
)

// edgesAround lists the edges of known nodes by expanding them: a page costs the node's degree in skipped relationships, of which only the
// sort key is read; properties and ends are read for the page only. See docs/adr/0013-around-a-node.md.
type edgesAround[T any] struct{ *listRequest[T] }

// aroundSegments are the segments of a list of edges at nodes. The first page reads all types together. A later page expands the type of
// the cursor position, which determines the relationships after it, and reads the following types if the page is not full.
func (l *listRequest[T]) aroundSegments(ctx context.Context) ([]keyset.Segment[T], error) {
	a, only := edgesAround[T]{l}, l.query.Type
	slot, known, err := l.reads.edgeTypeSlot(ctx, only) // a type that no edge has would only fill the plan cache
	if err != nil || !known {
		return nil, err
	}
	count := func(ctx context.Context) (int64, error) { return a.count(ctx, slot) }
	var segments []keyset.Segment[T]
	switch {
	case only != "":
		segments = []keyset.Segment[T]{a.ofType(string(only))}
	case l.at == nil:
		segments = []keyset.Segment[T]{a.allTypes()}
	default:
		segments = []keyset.Segment[T]{a.ofType(l.at.Type), a.typesAfter(l.at.Type)}
	}
	segments[0].Count = count
	return segments, nil
}

// count counts the edges of all segments.
func (a edgesAround[T]) count(ctx context.Context, edgeType cypher.Fragment) (int64, error) {
	_, count, nodeParams := a.ends.statements()
	return a.listRequest.count(ctx, count, cypher.Slots{"type": edgeType, "where": a.filter.where("")}, nodeParams)
}

// ofType lists the edges of one type.
func (a edgesAround[T]) ofType(name string) keyset.Segment[T] {
	var managed []string
	if a.walkedAsManaged(name) {
		managed = []string{name}
	}
	return keyset.Segment[T]{Types: []string{name}, Page: func(ctx context.Context, from keyset.Start, skip int64,
		limit int,
	) ([]keyset.Entry[T], error) {
		conditions := []cypher.Fragment{a.filter.where(name)}
		params := map[string]any{"managed_types": managed, "skip": skip, "limit": limit}
		slots := cypher.Slots{"type": cypher.Quote(name), "order": cypher.EdgeOrder(a.texts.idName, false, managed != nil)}
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
		return cypher.EdgeAfterID(a.texts.idName), nil
	}
	number, err := keyset.NumberOf(from.Key)
	if err != nil || !isElementID(edges, from.Key) {
		return cypher.Fragment{}, fault.Invalid("cursor", "is not a cursor of this service; start again from the first page")
	}
	params["number"] = int64(number)
	if managed {
		return cypher.EdgeWithoutIDAfter(a.texts.idName), nil
	}
	return cypher.EdgeAfter(), nil
}

// allTypes lists the edges of all types from the first.
func (a edgesAround[T]) allTypes() keyset.Segment[T] {
	return keyset.Segment[T]{Page: func(ctx context.Context, _ keyset.Start, skip int64, limit int) ([]keyset.Entry[T],
		error,
	) {
		return a.types(ctx, cypher.True, map[string]any{"skip": skip, "limit": limit})
	}}
}

// typesAfter lists the edges of the types after a type.
func (a edgesAround[T]) typesAfter(name string) keyset.Segment[T] {
	return keyset.Segment[T]{Page: func(ctx context.Context, _ keyset.Start, skip int64, limit int) ([]keyset.Entry[T],
		error,
	) {
		return a.types(ctx, cypher.EdgeTypeAfter, map[string]any{"skip": skip, "limit": limit, "after": name})
	}}
}

func (a edgesAround[T]) types(ctx context.Context, after cypher.Fragment, params map[string]any) ([]keyset.Entry[T], error) {
	managed := keyset.WalkedTypes(a.managed, a.at)
	slots := cypher.Slots{"type": cypher.Any, "order": cypher.EdgeOrder(a.texts.idName, true, len(managed) > 0)}
	return a.page(ctx, slots, []cypher.Fragment{a.filter.where(""), after}, params)
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
	params = a.paramsOf(statement, params)
	entries, _, err := withoutInternal(ctx, a.mixedType(edges, ""), skip, func(every bool) ([]keyset.Entry[T], keyset.RowsRead,
		error,
	) {
		slots := maps.Clone(slots)
		if every {
			slots["where"] = cypher.And(append(slices.Clone(conditions), cypher.VisibleEdge))
		}
		return a.readRows(ctx, a.text(statement, slots), params, a.typeOf())
	})
	return entries, err
}
