package neo4jstore_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jstore"
	"graphrest/internal/testmark"
)

// Concurrent look-ups of ids of many types share statements that search more types than each id hints at; the result of a look-up must not
// depend on that.
func TestBatchedLookupsOfManyTypesFindWhatSingleLookupsFind(t *testing.T) {
	testmark.Concurrent(t)
	testmark.Long(t)
	writer, db := open(t, nil)
	ctx := context.Background()
	const types = 30 // of two type batches
	var nodes []graph.Node
	var edges []graph.Edge
	for i := range types {
		made, err := writer.CreateNode(ctx, graph.NewNode{Type: graph.TypeName(fmt.Sprintf("Many%d", i))})
		require.NoError(t, err)
		edge, err := writer.CreateEdge(ctx,
			graph.NewEdge{Type: graph.TypeName(fmt.Sprintf("MANY%d", i)), SourceID: made.Entity.ID, TargetID: made.Entity.ID})
		require.NoError(t, err)
		nodes, edges = append(nodes, made.Entity), append(edges, edge.Entity)
	}
	for i, node := range nodes { // another type has the same id, and the same statement searches it too
		otherType := fmt.Sprintf("Many%d", (i+1)%types)
		db.Exec(t, "CREATE (:"+otherType+" {uuid: $id, thief: true})", map[string]any{"id": node.ID})
	}
	for round := range 2 {
		s := openPrepared(t, db, func(c *settings) { c.PlanAhead = true }) // with an empty cache
		_, err := s.Node(ctx, "nothing")
		requireFault(t, err, fault.NotFound)
		if round%2 == 1 {
			require.Eventually(t, func() bool { return neo4jstore.PlanTypeBatches(ctx, s) }, time.Minute, 20*time.Millisecond)
		}
		var group sync.WaitGroup
		for i := range types {
			group.Go(func() {
				read, err := s.Node(ctx, nodes[i].ID)
				require.NoError(t, err)
				require.Equal(t, nodes[i], read)
			})
			group.Go(func() {
				read, err := s.Edge(ctx, edges[i].ID)
				require.NoError(t, err, round)
				require.Equal(t, edges[i].Type, read.Type)
			})
			group.Go(func() {
				missing, err := graph.NewID(graph.TypeName(nodes[i].Type))
				require.NoError(t, err)
				_, err = s.Node(ctx, missing)
				requireFault(t, err, fault.NotFound)
			})
		}
		group.Wait()
	}
}

// statementNames are the names of the statements that were sent.
type statementNames struct {
	mu    sync.Mutex
	names []string
}

func (s *statementNames) Statement(_ context.Context, name, _ string, _ time.Time, _ string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.names = append(s.names, name)
}

// sentDuring returns the statements that work sends.
func (s *statementNames) sentDuring(work func()) []string {
	s.mu.Lock()
	before := len(s.names)
	s.mu.Unlock()
	work()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.names[before:]
}

// A list caches the element ids of its entities, but only for ids that a look-up finds in no other type.
func TestListedEntitiesAreReadWithoutALookup(t *testing.T) {
	writer, db := open(t, nil)
	ctx := context.Background()
	created, err := writer.CreateNode(ctx, graph.NewNode{Type: "Listed"})
	require.NoError(t, err)
	db.Exec(t, "CREATE (:Listed {uuid: 'other'})", nil)
	var statements statementNames
	s := openPrepared(t, db, func(c *settings) { c.client.Statements = append(c.client.Statements, &statements) })
	page, err := s.Nodes(ctx, graph.NodeQuery{Type: "Listed", Paging: graph.Paging{Limit: 10}})
	require.NoError(t, err)
	require.Len(t, page.Items, 2)
	read := func(id string) func() {
		return func() {
			_, err := s.Node(ctx, id)
			require.NoError(t, err)
		}
	}
	require.NotContains(t, statements.sentDuring(read(created.Entity.ID)), "nodes_by_id")
	require.Contains(t, statements.sentDuring(read("other")), "nodes_by_id", "another type may hold this id too")
}
