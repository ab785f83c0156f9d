package neo4jlist

import (
	"cmp"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/keyset"
)

// sortPosition orders the rows of the native sort and decides where the page begins. It needs no database.
type sortPosition struct {
	sort     graph.Sort
	after    *keyset.SortedPosition // the cursor position
	hasIDs   bool                   // entities may have their own ids
	hasIndex bool                   // a range index serves the order of the first key
	scans    bool                   // the rows are those of a scan, although there is such an index
}

// topRow is a row of the native sort and its position.
type topRow struct {
	keyset.SortedPosition
	row *bolt.Record
}

// maxTies is the maximum number of entities before the position that a page reads again: those with the position's value of the first key.
const maxTies = 5000

// order sorts rows of the native sort in the exact order and drops those that are not after the position. agreed is false if a row has a
// value whose position only the exact sort can determine.
func (p sortPosition) order(rows []*bolt.Record) (ordered []topRow, agreed bool) {
	for _, row := range rows {
		r := topRow{row: row, SortedPosition: keyset.SortedPosition{ElementID: bolt.Column[string](row, "element")}}
		id, _ := row.Get("id")
		own := bolt.Column[bool](row, "own")
		if own {
			r.Key, _ = id.(string)
		}
		if (own && !isPlainText(r.Key)) || (!own && p.hasIDs && id != nil) {
			return nil, false
		}
		for i, value := range bolt.Column[[]any](row, "sort_columns") {
			rank, derived, agrees := columnsOf(value, p.sort[i].Descending)
			if !agrees {
				return nil, false
			}
			r.Columns = append(r.Columns, rank, derived)
		}
		if p.after == nil || p.compare(r.SortedPosition, *p.after) > 0 {
			ordered = append(ordered, r)
		}
	}
	slices.SortStableFunc(ordered, func(a, b topRow) int { return p.compare(a.SortedPosition, b.SortedPosition) })
	return ordered, true
}

// compare is the order of cypher.Order, for columns that columnsOf created.
func (p sortPosition) compare(a, b keyset.SortedPosition) int {
	for i := range a.Columns {
		if order := compareColumns(a.Columns[i], b.Columns[i]); order != 0 {
			if p.sort[i/2].Descending {
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
func (p sortPosition) start() (start cypher.Start, from any, can bool) {
	switch {
	case p.after == nil && p.hasIndex:
		return cypher.FromFirstSet, nil, true
	case p.after == nil:
		return cypher.FromFirst, nil, true
	case p.after.Ties > maxTies:
		return 0, nil, false
	}
	for i := 0; i < len(p.after.Columns); i += 2 { // all columns are compared with those that columnsOf creates
		rank, _ := p.after.Columns[i].(int64)
		_, can := valueOf(rank, p.after.Columns[i+1], p.sort[i/2].Descending)
		if !can && rank != cypher.RankUnset(p.sort[i/2].Descending) {
			return 0, nil, false
		}
	}
	rank, _ := p.after.Columns[0].(int64)
	if rank == cypher.RankUnset(p.sort[0].Descending) {
		return cypher.FromUnset, nil, true
	}
	start = cypher.FromValue
	if p.scans {
		start = cypher.FromNotBefore
	}
	from, can = valueOf(rank, p.after.Columns[1], p.sort[0].Descending)
	return start, from, can
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
