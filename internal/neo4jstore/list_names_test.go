package neo4jstore_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/rules"
)

// TestAHiddenTypeDoesNotRepeatAList: a list of all edges is read once although a type that the user does not see comes into use, and by the
// names of the moment if it is one that the user sees.
func TestAHiddenTypeDoesNotRepeatAList(t *testing.T) {
	sent := &sentStatements{}
	s, db := open(t, func(c *settings) { c.client.Statements = []bolt.StatementObserver{sent} })
	grants, f := rules.ParseGrants("grants", `[{"kind":"node","type":"*","actions":["read"]},
		{"kind":"edge","type":"KNOWS","actions":["read"]},{"kind":"edge","type":"LIKES","actions":["read"]}]`)
	require.Nil(t, f)
	ctx := rules.WithView(t.Context(), rules.NewView(rules.User{}, nil, []rules.Role{{Name: "r", Grants: grants}}))
	db.Exec(t, "CREATE (:Person)-[:KNOWS]->(:Person)", nil)
	lists := func() (edges int, statements []string) {
		sent.take()
		page, err := s.Edges(ctx, graph.EdgeQuery{Paging: graph.Paging{Limit: 10}})
		require.NoError(t, err)
		return len(page.Items), slices.DeleteFunc(sent.take(), func(name string) bool { return !strings.HasPrefix(name, "list_edges") })
	}
	lists()
	_, once := lists()
	db.Exec(t, "CREATE (:Person)-[:HIDDEN]->(:Person)", nil)
	edges, statements := lists()
	require.Equal(t, 1, edges)
	require.Equal(t, once, statements)
	db.Exec(t, "CREATE (:Person)-[:LIKES]->(:Person)", nil)
	edges, _ = lists()
	require.Equal(t, 2, edges)
}
