package neo4jstore_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/rules"
	"graphrest/internal/testmark"
)

// TestEqualPagesAreReadOnce: clients who write and then ask for the same pages share their reads, each sees what it wrote before, and what
// one does with its page changes no other's.
func TestEqualPagesAreReadOnce(t *testing.T) {
	testmark.Concurrent(t)
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

// TestEqualDegreesAggregatesAndSchemasAreReadOnce: as pages, degrees, aggregates and the schema are read for several clients at once. The
// model is one counter: what a client reads is at least what was acknowledged before it asked, and at most what was begun before it was
// answered.
func TestEqualDegreesAggregatesAndSchemasAreReadOnce(t *testing.T) {
	testmark.Concurrent(t)
	const clients, rounds = 16, 6
	sent := &sentStatements{}
	s, _ := open(t, func(c *settings) { c.client.Statements = []bolt.StatementObserver{sent} })
	hub, err := s.CreateNode(t.Context(), graph.NewNode{Type: "Shared"})
	require.NoError(t, err)
	of := func(measures ...string) graph.Aggregation { return graph.Aggregation{Measures: measures, Limit: 1} }
	reads := []struct {
		name string
		read func() (int64, error)
	}{
		{"degree", func() (int64, error) {
			d, err := s.Walks.Degree(t.Context(), hub.Entity.ID)
			counted := int64(0)
			for i := range d.Counts {
				counted += d.Counts[i].Count
				d.Counts[i] = graph.DegreeCount{} // what one does with its result changes no other's
			}
			assert.Equal(t, counted, d.Out+d.In)
			return d.Out, err
		}},
		{"aggregate_nodes", func() (int64, error) {
			a, err := s.Aggregates.AggregateNodes(t.Context(), graph.NodeAggregateQuery{Type: "Shared", Aggregation: of()})
			return takeCount(a) - 1, err // without the hub
		}},
		{"aggregate_edges", func() (int64, error) {
			a, err := s.Aggregates.AggregateEdges(t.Context(), graph.EdgeAggregateQuery{Type: "SHARED", Aggregation: of("n")})
			return takeCount(a), err
		}},
		{"schema_edges_all", func() (int64, error) {
			schema, err := s.Schema(t.Context())
			for i, e := range schema.EdgeTypes {
				schema.EdgeTypes[i] = graph.EdgeType{}
				if e.Type == "SHARED" {
					return e.Count, err
				}
			}
			return 0, err
		}},
	}
	var begun, acknowledged atomic.Int64
	sent.take()
	var working sync.WaitGroup
	for client := range clients {
		working.Go(func() {
			for range rounds {
				begun.Add(1)
				node, err := s.CreateNode(t.Context(), graph.NewNode{Type: "Shared"})
				if !assert.NoError(t, err) {
					return
				}
				_, err = s.CreateEdge(t.Context(), graph.NewEdge{Type: "SHARED", SourceID: hub.Entity.ID, TargetID: node.Entity.ID})
				if !assert.NoError(t, err) {
					return
				}
				acknowledged.Add(1)
				for _, r := range reads {
					least := acknowledged.Load()
					got, err := r.read()
					assert.NoError(t, err, r.name)
					assert.GreaterOrEqual(t, got, least, "client %d, %s", client, r.name)
					assert.LessOrEqual(t, got, begun.Load(), "client %d, %s", client, r.name)
				}
			}
		})
	}
	working.Wait()
	counts := map[string]int{}
	for _, name := range sent.take() {
		counts[name]++
	}
	for _, r := range reads {
		t.Logf("%d requests sent %d statements %s", clients*rounds, counts[r.name], r.name)
		require.Positive(t, counts[r.name], r.name)
		require.Less(t, counts[r.name], clients*rounds, r.name)
	}
}

// takeCount returns the count of an aggregate of one group, and changes it.
func takeCount(a graph.Aggregate) int64 {
	if len(a.Groups) == 0 {
		return 0
	}
	count := a.Groups[0].Count
	a.Groups[0] = graph.Group{}
	return count
}

// TestRestrictedUsersShareNoReads: a user who does not see everything is answered from a separate read.
func TestRestrictedUsersShareNoReads(t *testing.T) {
	const clients = 8
	sent := &sentStatements{}
	s, db := open(t, func(c *settings) { c.client.Statements = []bolt.StatementObserver{sent} })
	hub := db.Query(t, "CREATE (h:Shared {n: 0})-[:SHARED]->(:Shared {n: 1}) RETURN elementId(h) AS id", nil)[0]["id"].(string)
	const nodesOnly = `[{"kind":"node","type":"Shared","actions":["read"]},{"kind":"edge","type":"OTHER","actions":["read"]}]`
	grants, f := rules.ParseGrants("grants", nodesOnly)
	require.Nil(t, f)
	restricted := rules.WithView(t.Context(), rules.NewView(rules.User{}, nil, []rules.Role{{Name: "r", Grants: grants}}))
	sent.take()
	var working sync.WaitGroup
	for range clients {
		working.Go(func() {
			a, err := s.Aggregates.AggregateNodes(restricted, graph.NodeAggregateQuery{Type: "Shared", Aggregation: graph.Aggregation{Limit: 1}})
			assert.NoError(t, err)
			assert.EqualValues(t, 2, takeCount(a))
			schema, err := s.Schema(restricted)
			assert.NoError(t, err)
			assert.Empty(t, schema.EdgeTypes)
			degree, err := s.Walks.Degree(restricted, hub)
			assert.NoError(t, err)
			assert.Zero(t, degree.Out, "it may not read the edge")
		})
	}
	working.Wait()
	counts := map[string]int{}
	for _, name := range sent.take() {
		counts[name]++
	}
	require.Equal(t, clients, counts["aggregate_nodes"])
	require.Equal(t, clients, counts["schema_edges_all"])
	require.Equal(t, 2*clients, counts["degree"], "one for each direction")
}
