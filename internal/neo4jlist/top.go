package neo4jlist

import (
	"context"
	"maps"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/keyset"
	"graphrest/internal/neo4jentity"
)

// A sorted list is read in one of two ways.
//
// The native sort is ORDER BY the values of the properties (cypher.Top). It costs one property read for each entity, or an index scan.
// Nodes of the page are returned by the same statement, unless they may be too large or too many; edges, whose ends may be internal, by
// another.
//
// The exact sort computes the sort columns of every entity (cypher.Order). It is used if the result of the native sort contains a value on
// which ORDER BY disagrees with the order of the contract, such as a point or a string beyond the Basic Multilingual Plane.

// sortedRead reads a page of a sorted list.
type sortedRead[T any] struct {
	client     *bolt.Client
	elements   *neo4jentity.ElementReader
	texts      *listTexts
	rows       *listRows[T]
	query      *listQuery
	position   sortPosition
	keys       []cypher.SortKey       // of the sort
	excluded   *neo4jentity.Exclusion // of nodes
	slots      cypher.Slots           // of the statements, besides those of the order
	endParams  map[string]any         // of edges of nodes
	top, exact cypher.Statement
	window     int64 // of the index of the order: see indexWindow
}

// read reads the page's entities, and one more.
func (s sortedRead[T]) read(ctx context.Context) ([]keyset.Entry[T], error) {
	ctx, bytes := keyset.WithPageBytes(ctx)
	limit := s.query.Limit + 1
	found, whole, err := s.readNativeSort(ctx, limit)
	if err != nil || whole {
		return found, err
	}
	at, skip := s.position.after, s.query.Offset
	if n := len(found); n > 0 {
		last := keyset.SortedPosition{Key: found[n-1].Key, ElementID: found[n-1].ElementID, Columns: found[n-1].SortColumns}
		at, skip = &last, 0
	}
	params := s.withEnds(map[string]any{"sort": keysOfSort(s.query.Sort), "after": at.Parameter(), "skip": skip, "limit": limit - len(found)})
	rest, err := s.rows.entries(ctx, s.exact, s.withSlots(cypher.Order(s.query.filter.variable, s.keys)), params, s.rows.typeOf())
	if found = append(found, rest...); bytes.Full && len(found) > 0 { // the first of the rest may be an entity that did not fit before
		found[len(found)-1].Full = true
	}
	return found, err
}

func (s sortedRead[T]) withEnds(params map[string]any) map[string]any {
	maps.Copy(params, s.endParams)
	return params
}

func (s sortedRead[T]) withSlots(slots cypher.Slots) cypher.Slots {
	maps.Copy(slots, s.slots)
	return slots
}

// readNativeSort reads with the native sort. whole means that the page is complete; otherwise found is its beginning. If an index of the
// order has no page, because few entities meet the filter or the page is the last, one scan reads it: the rest of the index would cost
// more, and does not have the entities without the property.
func (s sortedRead[T]) readNativeSort(ctx context.Context, limit int) (found []keyset.Entry[T], whole bool, err error) {
	page := keyset.PageBytesOf(ctx)
	before := *page
	found, whole, ended, err := s.readOnce(ctx, limit)
	if err != nil || whole || !ended {
		return found, whole, err
	}
	if err := graph.TakeBytes(ctx, before.Read-page.Read); err != nil {
		return nil, false, err
	}
	*page = before
	found, whole, _, err = s.scanning().readOnce(ctx, limit)
	return found, whole, err
}

// scanning reads without the index of the order.
func (s sortedRead[T]) scanning() sortedRead[T] {
	s.keys = slices.Clone(s.keys)
	s.keys[0].Unindexed, s.position.hasIndex, s.position.scans, s.window = true, false, true, 0
	return s
}

// readOnce reads with one order. ended means that the index of the order, or its window, ended before the page.
func (s sortedRead[T]) readOnce(ctx context.Context, limit int) (found []keyset.Entry[T], whole, ended bool, err error) {
	at := s.position
	start, from, can := at.start()
	// The native sort of edges does not exclude internal data, so that it cannot skip.
	if !can || (s.query.Offset > 0 && (at.after != nil || at.hasIDs || at.hasIndex || s.query.kind == graph.EdgeKind)) {
		return nil, false, false, nil
	}
	maxRows := limit
	if at.after != nil {
		maxRows += at.after.Ties
	}
	var ties cypher.Fragment
	if at.hasIDs {
		ties = s.texts.shared.IDName
	}
	slots := s.withSlots(cypher.Top(s.query.filter.variable, s.keys, start, ties))
	params := s.withEnds(map[string]any{"from": from, "skip": s.query.Offset, "limit": maxRows})
	inOrder := at.hasIndex && start != cypher.FromUnset
	if inOrder && s.window > 0 {
		s.top, params["window"] = s.query.statements.near, s.window+int64(maxRows)
	}
	rows, entities, err := s.readTop(ctx, slots, params)
	if err != nil {
		return nil, false, false, err
	}
	ordered, agreed := at.order(rows)
	if !agreed {
		ordered = nil
	}
	ordered = ordered[:min(limit, len(ordered))]
	if entities {
		found, err = s.entriesOf(ctx, rows, ordered)
	} else {
		found, err = s.readChosen(ctx, ordered)
	}
	if err != nil || !agreed {
		return nil, false, false, err
	}
	full := len(found) > 0 && found[len(found)-1].Full
	if len(found) < len(ordered) && !full { // deleted meanwhile, or internal
		return found, false, false, nil
	}
	ends := len(rows) < maxRows
	last := ends && !inOrder && start != cypher.FromValue
	return found, last || full || len(found) == limit, ends && inOrder, nil
}

// readChosen reads the entities of a page in order.
func (s sortedRead[T]) readChosen(ctx context.Context, ordered []topRow) ([]keyset.Entry[T], error) {
	if len(ordered) == 0 {
		return nil, nil
	}
	elements, at := make([]string, len(ordered)), make(map[string]topRow, len(ordered))
	for i, p := range ordered {
		elements[i], at[p.ElementID] = p.ElementID, p
	}
	chosen := s.query.statements.chosen
	params := s.texts.paramsOf(chosen, map[string]any{"elements": elements})
	found, _, err := s.rows.readRows(ctx, s.texts.text(chosen, nil), params, s.rows.typeOf())
	for i := range found {
		p := at[found[i].ElementID]
		found[i].Own, found[i].Key, found[i].SortColumns = p.Key != "", p.Key, p.Columns
	}
	return found, err
}
