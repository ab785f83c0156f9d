package neo4jstore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/answer"
	"graphrest/internal/neo4jaudit"
	"graphrest/internal/neo4jstore"
	"graphrest/internal/neo4jstoretest"
)

// TestAnswersHaveEachEntityOnce: cells refer to nodes and edges, which have their own ids, also as the ends of edges.
func TestAnswersHaveEachEntityOnce(t *testing.T) {
	db := neo4jstoretest.OpenPrepared(t)
	_, s := neo4jstoretest.Open(t, neo4jstoretest.ClientOf(db), neo4jaudit.Config{}, neo4jstore.Config{})
	db.Exec(t, "CREATE CONSTRAINT IF NOT EXISTS FOR (n:Person) REQUIRE n.uuid IS UNIQUE", nil)
	db.Exec(t, "CREATE (:Person {uuid: 'a', name: 'Ann'})-[:KNOWS {since: 1}]->(:Person {uuid: 'b'})-[:LIKES]->(:City)", nil)
	ask := func(text string, columns ...string) *answer.Answer {
		t.Helper()
		rows, err := s.Answers.Begin(t.Context(), columns, answer.Limits{Rows: 100, Bytes: 1 << 20})
		require.NoError(t, err)
		for _, r := range db.Query(t, text, nil) {
			var values []any
			for _, name := range columns {
				values = append(values, r[name])
			}
			more, err := rows.Add(t.Context(), values)
			require.NoError(t, err)
			require.True(t, more)
		}
		a, err := rows.Finish(t.Context())
		require.NoError(t, err)
		return a
	}
	a := ask("MATCH p = (a:Person {uuid: 'a'})-[r]->(b) RETURN a, r, p, {of: [b]} AS m", "a", "r", "p", "m")
	require.Equal(t, answer.NodeID("a"), a.Rows[0][0])
	edge := a.Rows[0][1].(answer.EdgeID)
	require.Equal(t, answer.Path{"a", string(edge), "b"}, a.Rows[0][2])
	require.Equal(t, answer.Map{"of": []any{answer.NodeID("b")}}, a.Rows[0][3])
	require.Len(t, a.Nodes, 2)
	require.Len(t, a.Edges, 1)
	require.Equal(t, []string{"a", "b"}, []string{a.Edges[0].SourceID, a.Edges[0].TargetID})

	a = ask("MATCH (:Person {uuid: 'a'})-[r]->() RETURN r", "r")
	require.Empty(t, a.Nodes)
	require.Equal(t, []string{"a", "b"}, []string{a.Edges[0].SourceID, a.Edges[0].TargetID}, "ids of nodes outside of the answer")

	a = ask("MATCH p = (a:Person {uuid: 'a'})-[*2]-(b:City) RETURN p, nodes(p) AS n, p AS again", "p", "n", "again")
	require.Len(t, a.Nodes, 3)
	require.Len(t, a.Edges, 2)
	require.Equal(t, a.Rows[0][0], a.Rows[0][2])

	db.Exec(t, "CREATE (x:_GraphrestTest {secret: 1})-[:_GraphrestOf]->(:City {name: 'Rome'})", nil)
	a = ask("MATCH p = (x:_GraphrestTest)-[r]->(c) RETURN x, r, c.name AS name, p, [x, c] AS list", "x", "r", "name", "p", "list")
	require.Equal(t, answer.Row{nil, nil, "Rome", nil, []any{nil, a.Rows[0][4].([]any)[1]}}, a.Rows[0])
	require.Len(t, a.Nodes, 1, "internal data is in no answer")
	require.Empty(t, a.Edges)
}
