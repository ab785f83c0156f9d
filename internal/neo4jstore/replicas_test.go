package neo4jstore_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jstore"
	"graphrest/internal/testmark"
)

// twoReplicas opens two stores on one database, like two replicas of the gateway.
func twoReplicas(t *testing.T) (stores [2]*neo4jstore.Store, count func(query string) int64) {
	a, db := open(t, nil)
	b := openOn(t, db, nil)
	// Each has read the catalog once, so that later changes of the other are new to it.
	for _, s := range []*neo4jstore.Store{a, b} {
		_, err := s.Node(context.Background(), "nothing")
		requireFault(t, err, fault.NotFound)
	}
	return [2]*neo4jstore.Store{a, b}, func(query string) int64 { return db.Count(t, query, nil) }
}

func TestConcurrentReplicasCreateOneConstraint(t *testing.T) {
	testmark.Concurrent(t)
	testmark.Long(t)
	stores, count := twoReplicas(t)
	ctx := context.Background()
	var group sync.WaitGroup
	for i := range 40 {
		group.Go(func() {
			typ := graph.TypeName(fmt.Sprintf("Raced%d", i/8))
			_, err := stores[i%2].CreateNode(ctx, graph.NewNode{Type: typ})
			require.NoError(t, err)
		})
	}
	group.Wait()
	require.EqualValues(t, 40, count("MATCH (n) WHERE labels(n)[0] STARTS WITH 'Raced' RETURN count(n)"))
	require.EqualValues(t, 5, count("SHOW CONSTRAINTS YIELD labelsOrTypes WHERE labelsOrTypes[0] STARTS WITH 'Raced' RETURN count(*)"))
}

func TestAReplicaReadsWhatAnotherHasJustCreated(t *testing.T) {
	testmark.Concurrent(t)
	testmark.Long(t)
	stores, _ := twoReplicas(t)
	ctx := context.Background()
	for i := range 5 {
		writer, reader := stores[i%2], stores[(i+1)%2]
		created, err := writer.CreateNode(ctx, graph.NewNode{Type: graph.TypeName(fmt.Sprintf("New%d", i))})
		require.NoError(t, err)
		read, err := reader.Node(ctx, created.Entity.ID)
		require.NoError(t, err, "a node of a type that the reader does not know yet")
		require.Equal(t, created.Entity, read)
		edge, err := writer.CreateEdge(ctx, graph.NewEdge{Type: graph.TypeName(fmt.Sprintf("NEW%d", i)), SourceID: read.ID, TargetID: read.ID})
		require.NoError(t, err)
		readEdge, err := reader.Edge(ctx, edge.Entity.ID)
		require.NoError(t, err)
		require.Equal(t, edge.Entity, readEdge)
		_, err = reader.CreateEdge(ctx, graph.NewEdge{Type: "BACK", SourceID: read.ID, TargetID: read.ID})
		require.NoError(t, err)
		// A replica's cached element id is stale once the other has deleted the entity.
		_, err = reader.DeleteNode(ctx, read.ID, graph.Removal{})
		require.NoError(t, err)
		_, err = writer.Node(ctx, read.ID)
		requireFault(t, err, fault.NotFound)
		_, err = writer.UpdateNode(ctx, read.ID, graph.Change{Properties: graph.Properties{"a": true}})
		requireFault(t, err, fault.NotFound)
		_, err = writer.CreateEdge(ctx, graph.NewEdge{Type: "BACK", SourceID: read.ID, TargetID: read.ID})
		requireFault(t, err, fault.Validation, "source_id", "target_id")
	}
}

func TestOneOfConcurrentDeletesOnTwoReplicasSucceeds(t *testing.T) {
	testmark.Concurrent(t)
	stores, _ := twoReplicas(t)
	ctx := context.Background()
	for range 15 {
		created, err := stores[0].CreateNode(ctx, graph.NewNode{Type: "Gone"})
		require.NoError(t, err)
		edge, err := stores[0].CreateEdge(ctx, graph.NewEdge{Type: "GONE", SourceID: created.Entity.ID, TargetID: created.Entity.ID})
		require.NoError(t, err)
		require.Equal(t, 1, countSuccesses(t, 8, func(i int) error {
			_, err := stores[i%2].DeleteEdge(ctx, edge.Entity.ID, graph.Removal{})
			return err
		}), "edge")
		require.Equal(t, 1, countSuccesses(t, 8, func(i int) error {
			_, err := stores[i%2].DeleteNode(ctx, created.Entity.ID, graph.Removal{})
			return err
		}), "node")
	}
}

// countSuccesses counts the calls that succeed; the others must be NOT_FOUND.
func countSuccesses(t *testing.T, calls int, call func(i int) error) int {
	t.Helper()
	var mu sync.Mutex
	var group sync.WaitGroup
	succeeded := 0
	for i := range calls {
		group.Go(func() {
			err := call(i)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				succeeded++
				return
			}
			require.Equal(t, fault.NotFound, fault.CodeOf(err), "%v", err)
		})
	}
	group.Wait()
	return succeeded
}

func TestOneKeyOnTwoReplicasCreatesOneEntity(t *testing.T) {
	testmark.Concurrent(t)
	stores, count := twoReplicas(t)
	ctx := context.Background()
	for round := range 5 {
		key := &graph.IdempotencyKey{UserID: "u", Key: fmt.Sprint(round), Fingerprint: "f"}
		var mu sync.Mutex
		var group sync.WaitGroup
		ids, replays := map[string]bool{}, 0
		for i := range 10 {
			group.Go(func() {
				created, err := stores[i%2].CreateNode(ctx, graph.NewNode{Type: "Keyed", Properties: graph.Properties{"round": int64(round)}, Key: key})
				require.NoError(t, err)
				mu.Lock()
				defer mu.Unlock()
				ids[created.Entity.ID] = true
				if created.Replayed {
					replays++
				}
			})
		}
		group.Wait()
		require.Len(t, ids, 1)
		require.Equal(t, 9, replays)
	}
	require.EqualValues(t, 5, count("MATCH (n:Keyed) RETURN count(n)"))
}

func TestAKeyOutlivesItsEntityUntilItExpires(t *testing.T) {
	s, db := open(t, nil)
	ctx := context.Background()
	n := graph.NewNode{Type: "Keyed", Key: &graph.IdempotencyKey{UserID: "u", Key: "k", Fingerprint: "f"}}
	first, err := s.CreateNode(ctx, n)
	require.NoError(t, err)
	_, err = s.UpdateNode(ctx, first.Entity.ID, graph.Change{Properties: graph.Properties{"changed": true}})
	require.NoError(t, err)
	replayed, err := s.CreateNode(ctx, n)
	require.NoError(t, err)
	require.True(t, replayed.Replayed)
	require.Equal(t, graph.Properties{"changed": true}, replayed.Entity.Properties, "the entity as it is now")
	_, err = s.DeleteNode(ctx, first.Entity.ID, graph.Removal{})
	require.NoError(t, err)
	_, err = s.CreateNode(ctx, n)
	requireFault(t, err, fault.Conflict)
	require.Zero(t, db.Count(t, "MATCH (n:Keyed) RETURN count(n)", nil))

	db.Exec(t, "MATCH (k:_GraphrestIdempotencyKey) SET k.expires_at = timestamp() - 1", nil)
	n.Key.Fingerprint = "another request"
	expired, err := s.CreateNode(ctx, n)
	require.NoError(t, err, "an expired key counts as absent")
	require.False(t, expired.Replayed)
	require.NotEqual(t, first.Entity.ID, expired.Entity.ID)
	require.EqualValues(t, 1,
		db.Count(t, "MATCH (k:_GraphrestIdempotencyKey) WHERE k.expires_at > timestamp() + 23 * 3600000 RETURN count(k)", nil))

	rejected := graph.NewEdge{
		Type: "KEYED", SourceID: expired.Entity.ID, TargetID: "nothing", Key: &graph.IdempotencyKey{UserID: "u", Key: "e", Fingerprint: "f"},
	}
	_, err = s.CreateEdge(ctx, rejected)
	requireFault(t, err, fault.Validation, "target_id")
	rejected.TargetID, rejected.Key.Fingerprint = expired.Entity.ID, "mended"
	_, err = s.CreateEdge(ctx, rejected)
	require.NoError(t, err, "a rejected request does not consume its key")
}
