package neo4jmatch

import (
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/neo4jentitytest"
	"graphrest/internal/neo4jtest"
)

// TestEdgesOfAHubReadNoLabelsOfVisibleEnds: of many edges of a node, a question reads the labels of the ends only if visible edges lead to
// internal data.
func TestEdgesOfAHubReadNoLabelsOfVisibleEnds(t *testing.T) {
	db := neo4jtest.OpenPrepared(t)
	const many = 30_000
	db.Exec(t, "CREATE (h:Hub {name: 'h'}) WITH h UNWIND range(1, $many) AS i CREATE (h)-[:LINK]->(:Person:Known {age: i % 10})",
		map[string]any{"many": many})
	core := neo4jentitytest.Open(t, db)
	ms := New(core)
	ask := func(question string) (rows []map[string]any, hits int64) {
		t.Helper()
		_, err := core.Schema.Counts.Current(t.Context())
		require.NoError(t, err)
		s := statementOf(t.Context(), t, ms, question)
		hits, _ = neo4jtest.Profile(t, db, s.text.String(), s.params)
		return db.Query(t, s.text.String(), s.params), hits
	}
	for _, question := range []string{
		`{"match":[[{"as":"h","type":"Hub"},{"edge":"LINK","as":"r"},{"as":"p"}]],"measures":[{"op":"count"}]}`,
		`{"match":[[{"as":"h","type":"Hub"},{"edge":"LINK","hops":[1,2]},{"as":"p"}]],"measures":[{"op":"count"}]}`,
		`{"match":[[{"as":"h","type":"Hub"},{"as":"r"},{"as":"p"}]],"measures":[{"op":"count"}]}`,
	} {
		rows, without := ask(question)
		require.Equal(t, []any{int64(many)}, rows[0]["cells"], question)
		db.Exec(t, "MATCH (h:Hub) CREATE (h)-[:LINK {since: 1}]->(:_GraphrestSpy)", nil)
		rows, with := ask(question)
		require.Equal(t, []any{int64(many)}, rows[0]["cells"], question)
		require.Greater(t, with, without+many*9/10, question)
		db.Exec(t, "MATCH (s:_GraphrestSpy) DETACH DELETE s", nil)
	}
}
