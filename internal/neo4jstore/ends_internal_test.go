package neo4jstore_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/bolt"
	"graphrest/internal/graph"
)

// TestEndsThatAreInternalTellNothing: a list of edges costs the same whether a condition or a sort key of an end would match internal data or
// not. Otherwise its time would tell what a user's password hash begins with.
func TestEndsThatAreInternalTellNothing(t *testing.T) {
	sent := &sentStatements{}
	s, db := open(t, func(c *settings) { c.client.Statements = []bolt.StatementObserver{sent} })
	db.Exec(t, `CREATE (:_GraphrestUser {folded: 'spy', username: 'spy', password_hash: '$argon2id$v=19$secret'})-[:_GraphrestHas]->(:_GraphrestRole {name: 'r'}),
		(:Person {name: 'Ann'})-[:KNOWS {since: 1}]->(:Person {name: 'Ben'})`, nil)
	condition := func(side graph.Side, property string, operator graph.Operator, value graph.Value) graph.Condition {
		return graph.Condition{Side: side, Property: property, Operator: operator, Value: value, Field: "f"}
	}
	spy := condition(graph.SourceSide, "username", graph.Equal, "spy")
	for name, ask := range map[string]func(graph.Filter) (int, error){
		"sorted by an end": func(f graph.Filter) (int, error) {
			page, err := s.Edges(t.Context(), graph.EdgeQuery{
				Filter: f, Sort: graph.Sort{{Side: graph.SourceSide, Property: "password_hash"}}, Paging: graph.Paging{Limit: 10, Count: true},
			})
			return len(page.Items), err
		},
		"sorted by a property": func(f graph.Filter) (int, error) {
			page, err := s.Edges(t.Context(), graph.EdgeQuery{Filter: f, Sort: graph.Sort{{Property: "since"}}, Paging: graph.Paging{Limit: 10}})
			return len(page.Items), err
		},
		"not sorted": func(f graph.Filter) (int, error) {
			page, err := s.Edges(t.Context(), graph.EdgeQuery{Filter: f, Paging: graph.Paging{Limit: 10, Count: true}})
			return len(page.Items), err
		},
	} {
		t.Run(name, func(t *testing.T) {
			statements := func(f graph.Filter) []string {
				_, err := ask(f) // what is read once, is read before
				require.NoError(t, err)
				sent.take()
				found, err := ask(f)
				require.NoError(t, err)
				require.Zero(t, found)
				return listStatements(sent.take())
			}
			right := condition(graph.SourceSide, "password_hash", graph.StartsWith, "$argon2id$v=19$s")
			wrong := condition(graph.SourceSide, "password_hash", graph.StartsWith, "$argon2id$v=19$x")
			require.Equal(t, statements(graph.Filter{spy, wrong}), statements(graph.Filter{spy, right}))
			role := func(name string) graph.Filter {
				return graph.Filter{condition(graph.TargetSide, "name", graph.Equal, name)}
			}
			require.Equal(t, statements(role("none")), statements(role("r")))
		})
	}
	// Alone the key would put the internal edge first.
	_, err := s.Edges(t.Context(), graph.EdgeQuery{Sort: graph.Sort{{Side: graph.SourceSide, Property: "password_hash"}}, Paging: graph.Paging{Limit: 10}})
	require.NoError(t, err)
	sent.take()
	page, err := s.Edges(t.Context(), graph.EdgeQuery{Sort: graph.Sort{{Side: graph.SourceSide, Property: "password_hash"}}, Paging: graph.Paging{Limit: 10}})
	require.NoError(t, err)
	require.Len(t, page.Items, 1)
	require.NotContains(t, listStatements(sent.take()), "list_edges_sorted")
}

// listStatements are the statements that read or count a list, in any order: a count runs beside the page.
func listStatements(names []string) []string {
	of := slices.DeleteFunc(names, func(name string) bool { return !strings.Contains(name, "edges") })
	slices.Sort(of)
	return of
}
