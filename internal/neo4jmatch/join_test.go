package neo4jmatch

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/neo4jentitytest"
	"graphrest/internal/neo4jtest"
)

// TestNodesByWayOfAHubAreJoined: of many nodes by way of one with many edges to many others, the edges of that one are not followed for
// each.
func TestNodesByWayOfAHubAreJoined(t *testing.T) {
	db := neo4jtest.OpenPrepared(t)
	db.Exec(t, "CREATE (h:Hub) WITH h UNWIND range(1, 3000) AS i CREATE (h)-[:LINK]->(:Person {age: i})", nil)
	ms := New(neo4jentitytest.Open(t, db))
	ids := func(from, to int) string {
		rows := db.Query(t, "MATCH (n:Person) WHERE $from <= n.age < $to RETURN elementId(n) AS id", map[string]any{"from": from, "to": to})
		list := make([]any, len(rows))
		for i, row := range rows {
			list[i] = row["id"]
		}
		text, err := json.Marshal(list)
		require.NoError(t, err)
		return string(text)
	}
	some, others := ids(100, 150), ids(120, 180)
	for middle, rows := range map[string]int{
		`{"edge":"LINK","direction":"both"},{"as":"h"},{"edge":"LINK","direction":"both"}`:                  50*60 - 30,
		`{"edge":"LINK","direction":"in"},{},{"edge":"LINK"},{"as":"x"},{"edge":"LINK","direction":"both"}`: 0,
		`{"edge":"LINK","direction":"both"}`: 0,
	} {
		question := fmt.Sprintf(`{"match":[[{"as":"a","id":%s},%s,{"as":"b","id":%s}]],"columns":["a.age","b.age"]}`, some, middle, others)
		s := statementOf(t.Context(), t, ms, question)
		s.params["limit"] = int64(10_000)
		hits, found := neo4jtest.Profile(t, db, s.text.String(), s.params)
		require.Less(t, hits, int64(30_000), middle)
		require.Equal(t, rows, found/2, middle)
	}
	once := fmt.Sprintf(`{"match":[[{"as":"a","id":%s},{"edge":"LINK"},{"as":"h"},{"edge":"LINK"},{"as":"a","id":%s}]]}`, some, others)
	require.NotContains(t, statementOf(t.Context(), t, ms, once).text.String(), "JOIN", "a node in two places")
}
