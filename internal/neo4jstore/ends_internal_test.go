package neo4jstore_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/bolt"
	"graphrest/internal/graph"
)

// TestEndsThatAreInternalTellNothing: a list of edges costs the same whether a condition or a sort key of an end would match internal data
// or not. Otherwise its time would tell what a user's password hash begins with.
func TestEndsThatAreInternalTellNothing(t *testing.T) {
	sent := &sentStatements{}
	s, db := open(t, func(c *settings) { c.client.Statements = []bolt.StatementObserver{sent} })
	db.Exec(t,
		`CREATE (:_GraphrestUser {folded: 'spy', username: 'spy', password_hash: '$argon2id$v=19$secret'})
			-[:_GraphrestHas]->(:_GraphrestRole {name: 'r'}),
		(:Person {name: 'Ann'})-[:KNOWS {since: 1}]->(:Person {name: 'Ben'})`, nil)
	condition := func(side graph.Side, property string, operator graph.Operator, value graph.Value) graph.Condition {
		return graph.Condition{Side: side, Property: property, Operator: operator, Value: value, Field: "f"}
	}
	spy := condition(graph.SourceSide, "username", graph.Equal, "spy")
	byHash := graph.EdgeQuery{
		Sort: graph.Sort{{Side: graph.SourceSide, Property: "password_hash"}}, Paging: graph.Paging{Limit: 10, Count: true},
	}
	// statements are those of a list with some number of edges.
	statements := func(t *testing.T, q graph.EdgeQuery, found int) []string {
		_, err := s.Edges(t.Context(), q) // what is read once, is read before
		require.NoError(t, err)
		sent.take()
		page, err := s.Edges(t.Context(), q)
		require.NoError(t, err)
		require.Len(t, page.Items, found)
		return listStatements(sent.take())
	}
	for name, q := range map[string]graph.EdgeQuery{
		"sorted by an end":     byHash,
		"sorted by a property": {Sort: graph.Sort{{Property: "since"}}, Paging: graph.Paging{Limit: 10}},
		"not sorted":           {Paging: graph.Paging{Limit: 10, Count: true}},
	} {
		t.Run(name, func(t *testing.T) {
			filtered := func(f ...graph.Condition) []string {
				q.Filter = f
				return statements(t, q, 0)
			}
			right := condition(graph.SourceSide, "password_hash", graph.StartsWith, "$argon2id$v=19$s")
			wrong := condition(graph.SourceSide, "password_hash", graph.StartsWith, "$argon2id$v=19$x")
			require.Equal(t, filtered(spy, wrong), filtered(spy, right))
			role := func(name string) graph.Condition { return condition(graph.TargetSide, "name", graph.Equal, name) }
			require.Equal(t, filtered(role("none")), filtered(role("r")))
		})
	}
	// Alone the key would put the internal edge first.
	byHash.Paging.Count = false
	require.NotContains(t, statements(t, byHash, 1), "list_edges_sorted")
}

// listStatements are the statements that read or count a list, in any order: a count runs beside the page.
func listStatements(names []string) []string {
	of := slices.DeleteFunc(names, func(name string) bool { return !strings.Contains(name, "edges") })
	slices.Sort(of)
	return of
}

// TestNodesThatAreInternalTellNothing: once a page had an internal node that somebody gave a visible label, a filter costs the same whether
// the node meets it or not.
func TestNodesThatAreInternalTellNothing(t *testing.T) {
	sent := &sentStatements{}
	s, db := open(t, func(c *settings) { c.client.Statements = []bolt.StatementObserver{sent} })
	db.Exec(t, `CREATE (:_GraphrestUser:Person {folded: 'spy', username: 'spy', password_hash: '$argon2id$v=19$secret'}) WITH *
		UNWIND range(1, 600) AS i CREATE (:Person {n: i})`, nil)
	reads := func(hash string, operator graph.Operator, found int) []string {
		sent.take()
		page, err := s.Nodes(t.Context(), graph.NodeQuery{
			Type: "Person", Paging: graph.Paging{Limit: 10},
			Filter: graph.Filter{{Property: "password_hash", Operator: operator, Value: hash, Field: "f"}},
		})
		require.NoError(t, err)
		require.Len(t, page.Items, found)
		return slices.DeleteFunc(sent.take(), func(name string) bool { return name != "list_nodes_first" })
	}
	require.Equal(t, []string{"list_nodes_first", "list_nodes_first"}, reads("$argon2id$v=19$s", graph.StartsWith, 0))
	for _, hash := range []string{"$argon2id$v=19$s", "$argon2id$v=19$x"} {
		require.Equal(t, []string{"list_nodes_first"}, reads(hash, graph.StartsWith, 0))
	}
}
