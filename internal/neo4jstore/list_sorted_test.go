package neo4jstore_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/cypher"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jstore"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

// sortSeed creates entities with values of every type, many of them equal, some with their own ids, and some without the property. The
// first type has mixed values, the others values of one kind each.
var sortSeed = []string{
	"CREATE CONSTRAINT mixed_id FOR (n:Mixed) REQUIRE n.uuid IS UNIQUE",
	`WITH [null, 0, 0.0, -0.0, 1, 1.0, 1.5, -3, 9007199254740993, 9007199254740992.0, 1.0/0.0, -1.0/0.0, 0.0/0.0,
	  'a', 'b', '', 'é', 'Ann', 'ann', true, false, date('2024-05-01'), date('1815-12-10'),
	  datetime('2024-05-01T12:00Z'), datetime('2024-05-01T14:00+02:00'), datetime('2024-05-01T14:00[Europe/Berlin]'),
	  datetime('2024-05-01T12:00[Etc/UTC]'), localdatetime('2024-05-01T12:00'), time('12:00+01:00'), localtime('12:00'),
	  duration('P1M'), duration('PT5H'), point({x: 1, y: 2}), point({longitude: 1, latitude: 2}), [1, 2], ['a'], []] AS values
	 UNWIND range(0, 179) AS i
	 CREATE (n:Mixed {name: toString(i), w: i % 3, v: values[(i * 7) % size(values)]})
	 WITH n, i WHERE i % 4 = 0 SET n.uuid = CASE i % 12 WHEN 0 THEN 'id' + (1000 - i) WHEN 4 THEN i ELSE randomUUID() END`,
	`UNWIND range(0, 89) AS i CREATE (n:Number {name: toString(i), w: i % 3, v: CASE WHEN i % 9 > 0 THEN i % 4 END})
	 CREATE (:Text {name: toString(i), v: CASE WHEN i % 9 > 0 THEN 'name ' + (i % 4) END})
	 CREATE (:Instant {name: toString(i),
		v: CASE WHEN i % 9 > 0 THEN datetime({epochSeconds: i % 4, timezone: ['Z', '+02:00', 'Europe/Berlin'][i % 3]}) END})
	 CREATE (n)-[:NUMBER {v: CASE WHEN i % 9 > 0 THEN i % 4 END}]->(n)`,
}

var sortIndexes = []string{
	"CREATE INDEX sort_mixed FOR (n:Mixed) ON (n.v)", "CREATE INDEX sort_number FOR (n:Number) ON (n.v)",
	"CREATE INDEX sort_text FOR (n:Text) ON (n.v)",
	"CREATE INDEX sort_instant FOR (n:Instant) ON (n.v)", "CREATE INDEX sort_edges FOR ()-[r:NUMBER]-() ON (r.v)", "CALL db.awaitIndexes(60)",
}

// TestSortedPagesCoverTheWholeList: pages of every size, with and without an index, have the order of one page with all entities, and that
// is the database's ORDER BY if it agrees on all values.
func TestSortedPagesCoverTheWholeList(t *testing.T) {
	testmark.EveryRelease(t)
	testmark.Long(t)
	db := neo4jtest.OpenPrepared(t)
	prepare(t, db)
	for _, statement := range sortSeed {
		db.Exec(t, statement, nil)
	}
	sorts := []graph.Sort{{{Property: "v"}}, {{Property: "v", Descending: true}}, {{Property: "w", Descending: true}, {Property: "v"}}}
	whole := map[string][]string{}
	check := func(t *testing.T, s *neo4jstore.Store, limits ...int) {
		for _, typ := range []string{"Mixed", "Number", "Text", "Instant"} {
			for i, sort := range sorts {
				key := typ + string(rune('0'+i))
				for _, limit := range limits {
					names, ids := pagesOf(t, s, graph.NodeQuery{Type: graph.TypeName(typ), Sort: sort}, limit)
					if whole[key] == nil {
						whole[key] = ids
					}
					require.Equal(t, whole[key], ids, "%s, sort %v, limit %d", typ, sort, limit)
					if i == 0 && typ != "Mixed" {
						require.Equal(t, valueColumn(db.Query(t, "MATCH (n:"+typ+") RETURN n.name AS value ORDER BY n.v, n", nil)), names, typ)
					}
				}
			}
		}
		require.Equal(t, valueColumn(db.Query(t, "MATCH ()-[r:NUMBER]->() RETURN elementId(r) AS value ORDER BY r.v, r", nil)),
			edgePagesOf(t, s, 7))
	}
	check(t, openPrepared(t, db, nil), 1000, 7, 50)
	for _, statement := range sortIndexes {
		db.Exec(t, statement, nil)
	}
	check(t, openPrepared(t, db, nil), 1000, 7)
	requireSortedByIndex(t, db, cypher.Fragment{})
	requireSortedByIndex(t, db, cypher.InScopes(cypher.NodeEntity, []cypher.Scope{
		{Types: []string{"Staff"}}, {Conditions: []cypher.Condition{{Operator: "eq", Key: cypher.Quote("name")}}},
	}))
}

// TestSortedPagesByZonesOfWhichOthersKnowOtherOffsets: Go and the database disagree about the offset that Amsterdam had before 1940.
func TestSortedPagesByZonesOfWhichOthersKnowOtherOffsets(t *testing.T) {
	s, db := open(t, nil)
	db.Exec(t, `UNWIND range(0, 11) AS i
		CREATE (n:Old {v: datetime({epochSeconds: -1088726372 + i / 4, timezone: ['Z', '+01:00', 'Europe/Amsterdam', 'Europe/Oslo'][i % 4]})})
		CREATE (n)-[:NUMBER {v: n.v}]->(n)`, nil)
	for _, descending := range []bool{false, true} {
		q := graph.NodeQuery{Type: "Old", Sort: graph.Sort{{Property: "v", Descending: descending}}}
		_, whole := pagesOf(t, s, q, 20)
		require.Len(t, whole, 12)
		for _, limit := range []int{1, 3, 5} {
			_, ids := pagesOf(t, s, q, limit)
			require.Equal(t, whole, ids, "descending %t, limit %d", descending, limit)
		}
	}
	require.Len(t, edgePagesOf(t, s, 2), 12)
	byEnd := graph.EdgeQuery{Type: "NUMBER", Sort: graph.Sort{{Side: graph.TargetSide, Property: "v"}}, Paging: graph.Paging{Limit: 5}}
	seen := map[string]bool{}
	for {
		page, err := s.Edges(t.Context(), byEnd)
		require.NoError(t, err)
		for _, e := range page.Items {
			require.False(t, seen[e.ID], "an edge is on two pages")
			seen[e.ID] = true
		}
		if page.Next == nil {
			break
		}
		byEnd.After = page.Next
	}
	require.Len(t, seen, 12)
}

// requireSortedByIndex requires that an index serves the order of pages by a property that is shown where a condition holds.
func requireSortedByIndex(t *testing.T, db *neo4jtest.DB, shown cypher.Fragment) {
	t.Helper()
	for _, descending := range []bool{false, true} {
		for start, want := range map[cypher.Start]string{cypher.FromFirstSet: "+NodeIndexScan", cypher.FromValue: "+NodeIndexSeekByRange"} {
			keys := []cypher.SortKey{{Property: "v", Descending: descending, Shown: shown}}
			slots := cypher.Top(cypher.NodeVariable, keys, start, cypher.Fragment{})
			slots["label"], slots["id"], slots["internal"] = cypher.Quote("Number"), cypher.Quote("uuid"), cypher.Quote("_Graphrest")
			slots["where"] = cypher.True
			delete(slots, "first") // of list_nodes_near
			plan := neo4jtest.Plan(t, db, cypher.ListNodesTop.Text(slots).String(), nil)
			require.Contains(t, plan, want)
			require.Contains(t, plan, "+PartialTop", "only runs of equal values are sorted")
			require.NotContains(t, plan, "+Top ", plan)
			require.NotContains(t, plan, "+Sort", plan)
		}
	}
}

func valueColumn(rows []map[string]any) []string {
	values := make([]string, len(rows))
	for i, row := range rows {
		values[i], _ = row["value"].(string)
	}
	return values
}

func pagesOf(t *testing.T, s *neo4jstore.Store, q graph.NodeQuery, limit int) (names, ids []string) {
	t.Helper()
	q.Paging = graph.Paging{Limit: limit}
	for {
		page, err := s.Nodes(context.Background(), q)
		require.NoError(t, err)
		for _, n := range page.Items {
			name, _ := n.Properties["name"].(string)
			names, ids = append(names, name), append(ids, n.ID)
		}
		if page.Next == nil {
			return names, ids
		}
		q.After = page.Next
	}
}

func edgePagesOf(t *testing.T, s *neo4jstore.Store, limit int) (ids []string) {
	t.Helper()
	q := graph.EdgeQuery{Type: "NUMBER", Sort: graph.Sort{{Property: "v"}}, Paging: graph.Paging{Limit: limit}}
	for {
		page, err := s.Edges(context.Background(), q)
		require.NoError(t, err)
		for _, e := range page.Items {
			ids = append(ids, e.ID)
		}
		if page.Next == nil {
			return ids
		}
		q.After = page.Next
	}
}
