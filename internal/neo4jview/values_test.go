package neo4jview_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/cypher"
	"graphrest/internal/neo4jtest"
)

// TestTestsOfExistenceLeaveValuesAsTheyAre: Neo4j 5.26 returns true as the value of a property behind some conditions joined by OR of which
// one tests that the property exists. No filter together with the grants of a user may be such a condition, whether or not an index serves
// it.
func TestTestsOfExistenceLeaveValuesAsTheyAre(t *testing.T) {
	db := neo4jtest.Open(t)
	db.Exec(t, "CREATE (:Note {a: 'xay', b: 'first', c: 7}), (:Note {a: 'q', b: 'second', c: 8}), (:Note {a: 'xa'})", nil)
	stored := map[any]any{}
	for _, row := range db.Query(t, "MATCH (n:Note) RETURN n.a AS a, {a: n.a, b: n.b, c: n.c} AS stored", nil) {
		values := row["stored"].(map[string]any)
		for key, value := range values {
			if value == nil {
				delete(values, key)
			}
		}
		stored[row["a"]] = values
	}
	scope := func(first int, property, operator string) cypher.Scope {
		condition := cypher.Condition{Operator: operator, Key: cypher.Quote(property)}
		return cypher.Scope{Types: []string{"Note"}, Conditions: []cypher.Condition{condition}, First: first}
	}
	contains, exists := scope(0, "a", "contains"), scope(1, "b", "exists")
	views := []cypher.Fragment{
		cypher.True, cypher.InScopes(cypher.NodeEntity, []cypher.Scope{contains}),
		cypher.InScopes(cypher.NodeEntity, []cypher.Scope{contains, exists}),
		cypher.InScopes(cypher.NodeEntity, []cypher.Scope{contains, scope(2, "c", "ne")}),
	}
	params := map[string]any{
		"view":  map[string]any{"v0": "a", "v1": true, "v2": 99},
		"where": map[string]any{"k0": "b", "v0": "none"},
	}
	ask := func(t *testing.T) {
		rows := 0
		for _, operator := range []string{"absent", "exists", "ne"} {
			for _, shown := range views {
				filter := cypher.Condition{Operator: operator, Key: cypher.Quote("b")}
				if shown != cypher.True {
					filter.Shown = shown
				}
				for _, view := range views {
					where := cypher.And([]cypher.Fragment{cypher.Where(cypher.NodeVariable, []cypher.Condition{filter}), view})
					for _, row := range db.Query(t, "MATCH (n:Note) WHERE "+where.String()+" RETURN properties(n) AS properties", params) {
						got := row["properties"].(map[string]any)
						require.Equal(t, stored[got["a"]], got, where.String())
						rows++
					}
				}
			}
		}
		require.Greater(t, rows, 50, "the conditions select something")
	}
	t.Run("without an index", ask)
	db.Exec(t, "CREATE INDEX notes_b FOR (n:Note) ON (n.b)", nil)
	db.Exec(t, "CALL db.awaitIndexes(60)", nil)
	t.Run("with an index", ask)
}
