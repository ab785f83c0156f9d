package neo4jlist

import (
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/keyset"
	"graphrest/internal/testmark"
)

// TestASortedPageBeginsByComparisonOnlyWhereTheDatabaseAgrees: < and > cannot express what is after some values, nor after many equal ones.
func TestASortedPageBeginsByComparisonOnlyWhereTheDatabaseAgrees(t *testing.T) {
	testmark.EveryRelease(t)
	text := func(value string, ties int) *keyset.SortedPosition {
		return &keyset.SortedPosition{Columns: []any{int64(cypher.RankText), value}, Ties: ties}
	}
	for _, c := range []struct {
		name  string
		at    sortPosition
		start cypher.Start
		from  any
		can   bool
	}{
		{"the first page", sortPosition{}, cypher.FromFirst, nil, true},
		{"the first page of an index, which has no unset values", sortPosition{hasIndex: true}, cypher.FromFirstSet, nil, true},
		{"after a value", sortPosition{after: text("Ann", 1)}, cypher.FromValue, "Ann", true},
		{"after too many equal values", sortPosition{after: text("Ann", maxTies+1)}, 0, nil, false},
		{
			"among the unset values",
			sortPosition{after: &keyset.SortedPosition{Columns: []any{cypher.RankUnset(false), int64(0)}}},
			cypher.FromUnset, nil, true,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.at.sort = graph.Sort{{Property: "name"}}
			start, from, can := c.at.start()
			require.Equal(t, c.can, can)
			require.Equal(t, c.start, start)
			require.Equal(t, c.from, from)
		})
	}
	_, _, can := sortPosition{sort: graph.Sort{{Property: "name"}}, after: text("\U0001F600", 1)}.start()
	require.False(t, can, "a text that Neo4j compares in two ways")
}

// TestRowsOfTheNativeSortAreOrderedExactly: equal rows are ordered by id, those without one last and by element id, and rows up to the
// position are dropped. A value that ORDER BY may sort otherwise stops the native sort.
func TestRowsOfTheNativeSortAreOrderedExactly(t *testing.T) {
	row := func(element string, id any, value any) *bolt.Record {
		return &bolt.Record{
			Keys:   []string{"element", "id", "own", "sort_columns"},
			Values: []any{element, id, id != nil, []any{value}},
		}
	}
	rows := []*bolt.Record{
		row("4:x:10", nil, int64(2)), row("4:x:9", nil, int64(2)), row("4:x:1", "b", int64(2)), row("4:x:2", "a", int64(2)),
		row("4:x:3", "c", int64(1)),
	}
	elements := func(p sortPosition) (found []string) {
		ordered, agreed := p.order(rows)
		require.True(t, agreed)
		for _, r := range ordered {
			found = append(found, r.ElementID)
		}
		return found
	}
	position := sortPosition{sort: graph.Sort{{Property: "n"}}, hasIDs: true}
	require.Equal(t, []string{"4:x:3", "4:x:2", "4:x:1", "4:x:9", "4:x:10"}, elements(position))
	position.sort[0].Descending = true
	require.Equal(t, []string{"4:x:2", "4:x:1", "4:x:9", "4:x:10", "4:x:3"}, elements(position))
	ordered, _ := position.order(rows)
	position.after = &ordered[1].SortedPosition
	require.Equal(t, []string{"4:x:9", "4:x:10", "4:x:3"}, elements(position))
	_, agreed := position.order(append(rows, row("4:x:4", nil, "\U0001F600")))
	require.False(t, agreed)
}
