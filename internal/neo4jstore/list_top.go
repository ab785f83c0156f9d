package neo4jstore

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/keyset"
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
	*listRequest[T]
	after      *keyset.SortedPosition // the cursor position
	keys       []cypher.SortKey       // of the sort
	hasIndex   bool                   // a range index serves the order of the first key
	excluded   *exclusion             // of nodes
	slots      cypher.Slots           // of the statements, besides those of the order
	endParams  map[string]any         // of edges of nodes
	top, exact cypher.Statement
}

// hasIDs reports whether entities may have their own ids.
func (l sortedRead[T]) hasIDs() bool { return len(l.managed) > 0 }

// topRow is a row of the native sort and its position.
type topRow struct {
	keyset.SortedPosition
	row *bolt.Record
}

// maxTies is the maximum number of entities before the position that a page reads again: those with the position's value of the first key.
const maxTies = 5000

// read reads the page's entities, and one more.
func (l sortedRead[T]) read(ctx context.Context) ([]keyset.Entry[T], error) {
	ctx, bytes := keyset.WithPageBytes(ctx)
	limit := l.query.Limit + 1
	found, whole, err := l.readNativeSort(ctx, limit)
	if err != nil || whole {
		return found, err
	}
	at, skip := l.after, l.query.Offset
	if n := len(found); n > 0 {
		last := keyset.SortedPosition{Key: found[n-1].Key, ElementID: found[n-1].ElementID, Columns: found[n-1].SortColumns}
		at, skip = &last, 0
	}
	params := l.withEnds(map[string]any{"sort": keysOfSort(l.query.Sort), "after": at.Parameter(), "skip": skip, "limit": limit - len(found)})
	rest, err := l.entries(ctx, l.exact, l.withSlots(cypher.Order(l.filter.variable, l.keys)), params, l.typeOf())
	if found = append(found, rest...); bytes.Full && len(found) > 0 { // the first of the rest may be an entity that did not fit before
		found[len(found)-1].Full = true
	}
	return found, err
}

func (l sortedRead[T]) withEnds(params map[string]any) map[string]any {
	maps.Copy(params, l.endParams)
	return params
}

func (l sortedRead[T]) withSlots(slots cypher.Slots) cypher.Slots {
	maps.Copy(slots, l.slots)
	return slots
}

// readNativeSort reads with the native sort. whole means that the page is complete; otherwise found is its beginning.
func (l sortedRead[T]) readNativeSort(ctx context.Context, limit int) (found []keyset.Entry[T], whole bool, err error) {
	start, from, can := l.start()
	// The native sort of edges does not exclude internal data, so that it cannot skip.
	if !can || (l.query.Offset > 0 && (l.after != nil || l.hasIDs() || l.hasIndex || l.kind == edges)) {
		return nil, false, nil
	}
	maxRows := limit
	if l.after != nil {
		maxRows += l.after.Ties
	}
	var ties cypher.Fragment
	if l.hasIDs() {
		ties = l.texts.idName
	}
	slots := l.withSlots(cypher.Top(l.filter.variable, l.keys, start, ties))
	rows, entities, err := l.readTop(ctx, slots, l.withEnds(map[string]any{"from": from, "skip": l.query.Offset, "limit": maxRows}))
	if err != nil {
		return nil, false, err
	}
	ordered, agreed := l.order(rows)
	if !agreed {
		ordered = nil
	}
	ordered = ordered[:min(limit, len(ordered))]
	if entities {
		found, err = l.entriesOf(ctx, rows, ordered)
	} else {
		found, err = l.readChosen(ctx, ordered)
	}
	if err != nil || !agreed {
		return nil, false, err
	}
	full := len(found) > 0 && found[len(found)-1].Full
	if len(found) < len(ordered) && !full { // deleted meanwhile, or internal
		return found, false, nil
	}
	last := len(rows) < maxRows && (start == cypher.FromFirst || start == cypher.FromUnset)
	return found, last || full || len(found) == limit, nil
}

// readChosen reads the entities of a page in order.
func (l sortedRead[T]) readChosen(ctx context.Context, ordered []topRow) ([]keyset.Entry[T], error) {
	if len(ordered) == 0 {
		return nil, nil
	}
	elements, at := make([]string, len(ordered)), make(map[string]topRow, len(ordered))
	for i, p := range ordered {
		elements[i], at[p.ElementID] = p.ElementID, p
	}
	params := l.declaredParams(l.statements.chosen, map[string]any{"elements": elements})
	found, _, err := l.readRows(ctx, l.text(l.statements.chosen, nil), params, l.typeOf())
	for i := range found {
		p := at[found[i].ElementID]
		found[i].Own, found[i].Key, found[i].SortColumns = p.Key != "", p.Key, p.Columns
	}
	return found, err
}

// order sorts rows of the native sort in the exact order and drops those that are not after the position. agreed is false if a row has a
// value whose position only the exact sort can determine.
func (l sortedRead[T]) order(rows []*bolt.Record) (ordered []topRow, agreed bool) {
	for _, row := range rows {
		p := topRow{row: row, SortedPosition: keyset.SortedPosition{ElementID: bolt.Column[string](row, "element")}}
		id, _ := row.Get("id")
		own := bolt.Column[bool](row, "own")
		if own {
			p.Key, _ = id.(string)
		}
		if (own && !isPlainText(p.Key)) || (!own && l.hasIDs() && id != nil) {
			return nil, false
		}
		for i, value := range bolt.Column[[]any](row, "sort_columns") {
			rank, derived, agrees := columnsOf(value, l.query.Sort[i].Descending)
			if !agrees {
				return nil, false
			}
			p.Columns = append(p.Columns, rank, derived)
		}
		if l.after == nil || l.compare(p.SortedPosition, *l.after) > 0 {
			ordered = append(ordered, p)
		}
	}
	slices.SortStableFunc(ordered, func(a, b topRow) int { return l.compare(a.SortedPosition, b.SortedPosition) })
	return ordered, true
}

// compare is the order of cypher.Order, for columns that columnsOf created.
func (l sortedRead[T]) compare(a, b keyset.SortedPosition) int {
	for i := range a.Columns {
		if order := compareColumns(a.Columns[i], b.Columns[i]); order != 0 {
			if l.query.Sort[i/2].Descending {
				return -order
			}
			return order
		}
	}
	switch {
	case (a.Key == "") != (b.Key == ""):
		return cmp.Compare(b.Key, "") - cmp.Compare(a.Key, "")
	case a.Key != b.Key:
		return cmp.Compare(a.Key, b.Key)
	}
	x, _ := keyset.NumberOf(a.ElementID)
	y, _ := keyset.NumberOf(b.ElementID)
	return cmp.Compare(x, y)
}

// start is the condition at which a page begins, and its value. can is false if < and > cannot express what is after the position.
func (l sortedRead[T]) start() (start cypher.Start, from any, can bool) {
	switch {
	case l.after == nil && l.hasIndex:
		return cypher.FromFirstSet, nil, true
	case l.after == nil:
		return cypher.FromFirst, nil, true
	case l.after.Ties > maxTies:
		return 0, nil, false
	}
	for i := 0; i < len(l.after.Columns); i += 2 { // all columns are compared with those that columnsOf creates
		rank, _ := l.after.Columns[i].(int64)
		_, can := valueOf(rank, l.after.Columns[i+1], l.query.Sort[i/2].Descending)
		if !can && rank != cypher.RankUnset(l.query.Sort[i/2].Descending) {
			return 0, nil, false
		}
	}
	rank, _ := l.after.Columns[0].(int64)
	if rank == cypher.RankUnset(l.query.Sort[0].Descending) {
		return cypher.FromUnset, nil, true
	}
	from, can = valueOf(rank, l.after.Columns[1], l.query.Sort[0].Descending)
	return cypher.FromValue, from, can
}

// tiesOf counts the entities at the end of a page that are equal in the first sort key, including those of earlier pages.
func tiesOf[T any](shown []keyset.Entry[T], at *keyset.SortedPosition) int {
	first := func(place []any) []any { return place[:2] }
	last := first(shown[len(shown)-1].SortColumns)
	for i, e := range slices.Backward(shown) {
		if compareColumns(first(e.SortColumns), last) != 0 {
			return len(shown) - 1 - i
		}
	}
	if at != nil && compareColumns(first(at.Columns), last) == 0 {
		return len(shown) + at.Ties
	}
	return len(shown)
}
