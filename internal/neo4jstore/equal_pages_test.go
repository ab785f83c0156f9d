package neo4jstore_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/rules"
)

// TestEqualPagesAreReadOnce: clients who write and then ask for the same pages share their reads, each sees what it wrote before, and what
// one does with its page changes no other's.
func TestEqualPagesAreReadOnce(t *testing.T) {
	const clients, rounds = 16, 12
	sent := &sentStatements{}
	s, db := open(t, func(c *settings) { c.client.Statements = []bolt.StatementObserver{sent} })
	db.Exec(t, "CREATE (:Shared {n: 0, secret: true})", nil)
	grants, f := rules.ParseGrants("grants", `[{"kind":"node","type":"Shared","actions":["read"],"where":{"n":{"lt":1}}}]`)
	require.Nil(t, f)
	restricted := rules.WithView(t.Context(), rules.NewView(rules.User{}, nil, []rules.Role{{Name: "r", Grants: grants}}))
	sent.take()
	var working sync.WaitGroup
	for client := range clients {
		working.Go(func() {
			for round := range rounds {
				n := int64(1 + client*rounds + round)
				created, err := s.CreateNode(t.Context(), graph.NewNode{Type: "Shared", Properties: graph.Properties{"n": n}})
				if !assert.NoError(t, err) {
					return
				}
				all := graph.NodeQuery{Type: "Shared", Sort: graph.Sort{{Property: "n"}}, Paging: graph.Paging{Limit: 500, Count: true}}
				page, err := s.Nodes(t.Context(), all)
				assert.NoError(t, err)
				assert.EqualValues(t, len(page.Items), *page.Total)
				seen := false
				for i := range page.Items {
					seen = seen || page.Items[i].ID == created.Entity.ID && page.Items[i].Properties["n"] == n
					page.Items[i].Properties = nil
				}
				assert.True(t, seen, "client %d, round %d", client, round)
				if client == 0 {
					shown, err := s.Nodes(restricted, all)
					assert.NoError(t, err)
					assert.Len(t, shown.Items, 1)
				}
			}
		})
	}
	working.Wait()
	lists := 0
	for _, name := range sent.take() {
		if name == "list_nodes_top" || name == "list_nodes_sorted" {
			lists++
		}
	}
	t.Logf("%d requests sent %d statements of lists", clients*rounds+rounds, lists)
	require.Less(t, lists, clients*rounds)
}
