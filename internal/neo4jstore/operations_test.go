package neo4jstore_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/audit"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/testmark"
)

// pairOperations creates two nodes and an edge between them, and adds to a counter.
func pairOperations(counter string, n int) []graph.Operation {
	node := func(ref string) graph.Operation {
		return graph.Operation{Op: graph.OpCreateNode, Ref: ref, Type: "Person", Properties: graph.Properties{"pair": int64(n)}}
	}
	return []graph.Operation{
		node("a"), node("b"),
		{Op: graph.OpCreateEdge, Type: "KNOWS", Source: graph.EntityRef{Ref: "a"}, Target: graph.EntityRef{Ref: "b"}},
		{Op: graph.OpUpdateNode, Entity: graph.EntityRef{ID: counter}, Properties: graph.Properties{"last": int64(n)}},
	}
}

func TestABatchWhoseCommitIsLostIsAppliedOnce(t *testing.T) {
	testmark.Concurrent(t)
	_, db := open(t, nil)
	s, cut := openCutter(t, db, nil)
	ctx := context.Background()
	counter, err := s.CreateNode(ctx, graph.NewNode{Type: "Thing"})
	require.NoError(t, err)
	for i, key := range []*graph.IdempotencyKey{nil, {UserID: "u", Key: "k", Fingerprint: "f"}} {
		cut.explicit.Store(true)
		outcome, err := s.Batches.Apply(ctx, pairOperations(counter.Entity.ID, i), graph.BatchOptions{Key: key})
		require.NoError(t, err)
		require.EqualValues(t, i+1, cut.cuts.Load())
		require.False(t, outcome.Replayed)
		require.EqualValues(t, 2*(i+1), db.Count(t, "MATCH (n:Person)--() RETURN count(n)", nil))
		read, err := s.Node(ctx, outcome.Results[0].ID)
		require.NoError(t, err)
		require.Equal(t, *outcome.Results[0].Node, read)
	}
}

func TestBatchesUnderRepeatedCutsAreAllOrNoneAndOnce(t *testing.T) {
	testmark.Concurrent(t)
	_, db := open(t, nil)
	s, cut := openCutter(t, db, nil)
	ctx := context.Background()
	counter, err := s.CreateNode(ctx, graph.NewNode{Type: "Thing"})
	require.NoError(t, err)
	_, err = s.Batches.Apply(ctx, pairOperations(counter.Entity.ID, 0), graph.BatchOptions{})
	require.NoError(t, err)
	cut.every.Store(23)
	const workers, batches = 4, 15
	var group sync.WaitGroup
	var mu sync.Mutex
	acknowledged := []int64{0}
	for worker := range workers {
		group.Go(func() {
			for i := range batches {
				n := 1 + worker*batches + i
				_, err := s.Batches.Apply(ctx, pairOperations(counter.Entity.ID, n), graph.BatchOptions{})
				if err != nil {
					require.Contains(t, []fault.Code{fault.DatabaseUnavailable, fault.DatabaseTimeout}, fault.CodeOf(err), "%v", err)
					continue
				}
				mu.Lock()
				acknowledged = append(acknowledged, int64(n))
				mu.Unlock()
			}
		})
	}
	group.Wait()
	cut.every.Store(0)
	t.Logf("%d of %d batches acknowledged, %d replies cut", len(acknowledged), workers*batches+1, cut.cuts.Load())
	require.Greater(t, cut.cuts.Load(), int64(5))
	require.Greater(t, len(acknowledged), workers*batches/2)
	require.Zero(t, db.Count(t, "MATCH (n:Person) WITH n.pair AS pair, count(*) AS n WHERE n <> 2 RETURN count(*)", nil), "partly or twice")
	require.Zero(t, db.Count(t, "MATCH (n:Person) WHERE COUNT { (n)-[:KNOWS]-() } <> 1 RETURN count(*)", nil))
	require.EqualValues(t, len(acknowledged), db.Count(t, "UNWIND $all AS n MATCH (p:Person {pair: n}) RETURN count(DISTINCT n)",
		map[string]any{"all": acknowledged}), "acknowledged and lost")
}

func TestABatchOfAThousandOperations(t *testing.T) {
	testmark.Long(t)
	s, db := open(t, func(c *settings) { c.audit.Mode = audit.All })
	ctx := context.Background()
	var operations []graph.Operation
	for i := range 250 {
		a := fmt.Sprintf("a%d", i)
		operations = append(operations,
			graph.Operation{Op: graph.OpCreateNode, Ref: a, Type: "Person", Properties: graph.Properties{"n": int64(i), "name": "somebody"}})
	}
	for i := range 500 {
		operations = append(operations, graph.Operation{
			Op: graph.OpCreateEdge, Ref: fmt.Sprintf("e%d", i), Type: "KNOWS", Properties: graph.Properties{"n": int64(i)},
			Source: graph.EntityRef{Ref: fmt.Sprintf("a%d", i%250)}, Target: graph.EntityRef{Ref: fmt.Sprintf("a%d", i*7%250)},
		})
	}
	for i := range 250 {
		operations = append(operations, graph.Operation{
			Op: graph.OpUpdateNode, Entity: graph.EntityRef{Ref: fmt.Sprintf("a%d", i)}, Properties: graph.Properties{"n": int64(-i)},
		})
	}
	for _, round := range []string{"cold", "warm", "warm"} {
		began := time.Now()
		outcome, err := s.Batches.Apply(ctx, operations, graph.BatchOptions{})
		require.NoError(t, err)
		require.Len(t, outcome.Results, 1000)
		t.Logf("%s: %d operations in %s", round, len(operations), time.Since(began))
	}
	var mixed []graph.Operation // no two consecutive operations are of one name
	for i := range 250 {
		loop := operations[250+i]
		loop.Source, loop.Target = graph.EntityRef{Ref: operations[i].Ref}, graph.EntityRef{Ref: operations[i].Ref}
		mixed = append(mixed, operations[i], loop)
	}
	began := time.Now()
	_, err := s.Batches.Apply(ctx, mixed, graph.BatchOptions{})
	require.NoError(t, err)
	t.Logf("%d alternating operations in %s", len(mixed), time.Since(began))
	require.EqualValues(t, 1000, db.Count(t, "MATCH (n:Person) RETURN count(n)", nil))
	require.EqualValues(t, 1750, db.Count(t, "MATCH ()-[r:KNOWS]->() RETURN count(r)", nil))
	require.EqualValues(t, 3*1000+500, db.Count(t, "MATCH (a:_GraphrestAudit) RETURN sum(a.changes)", nil))
}

func TestABatchRestoresEntitiesUnderGivenIDs(t *testing.T) {
	s, _ := open(t, nil)
	ctx := context.Background()
	a, err := s.CreateNode(ctx, graph.NewNode{Type: "Person", Properties: graph.Properties{"n": int64(1)}})
	require.NoError(t, err)
	restore := graph.Operation{Op: graph.OpCreateNode, ID: a.Entity.ID, Type: "Person", Properties: a.Entity.Properties}
	loop := graph.Operation{
		Op: graph.OpCreateEdge, ID: "loop", Type: "KNOWS", Source: graph.EntityRef{ID: a.Entity.ID}, Target: graph.EntityRef{ID: a.Entity.ID},
	}
	_, err = s.Batches.Apply(ctx, []graph.Operation{restore}, graph.BatchOptions{})
	require.Equal(t, fault.Conflict, fault.CodeOf(err), "the id is taken: %v", err)
	outcome, err := s.Batches.Apply(ctx, []graph.Operation{
		{Op: graph.OpDeleteNode, Entity: graph.EntityRef{ID: a.Entity.ID}},
		restore, loop,
		{Op: graph.OpCreateNode, Properties: graph.Properties{"bare": true}},
	}, graph.BatchOptions{})
	require.NoError(t, err)
	require.Equal(t, a.Entity, *outcome.Results[1].Node)
	read, err := s.Edge(ctx, "loop")
	require.NoError(t, err)
	require.Equal(t, a.Entity.ID, read.SourceID)
	bare, err := s.Node(ctx, outcome.Results[3].ID)
	require.NoError(t, err)
	require.Equal(t, bare, *outcome.Results[3].Node)
}
