package neo4jstore_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jstore"
	"graphrest/internal/neo4jtest"
)

// TestARequestWaitsForConnectionsOnce gives each statement a place after a part of the time that a request may wait. A request that needs
// one statement is served; one that needs several, together or one after another, is refused.
func TestARequestWaitsForConnectionsOnce(t *testing.T) {
	db := neo4jtest.OpenPrepared(t)
	s := openOn(t, db, func(c *neo4jstore.Config) { c.PoolSize = 1 })
	made, err := s.CreateNode(t.Context(), graph.NewNode{Type: "Waited", Properties: graph.Properties{}})
	require.NoError(t, err)
	_, err = s.Node(t.Context(), made.Entity.ID) // so that the next one needs a single statement
	require.NoError(t, err)

	stop, done := make(chan struct{}), make(chan struct{})
	neo4jstore.TakePlace(s)
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				neo4jstore.ReturnPlace(s)
				return
			case <-time.After(neo4jstore.AcquireTimeout * 4 / 10):
				neo4jstore.ReturnPlace(s)
				neo4jstore.TakePlace(s) // behind who waits
			}
		}
	}()
	defer func() { close(stop); <-done }()

	request := graph.WithPatience(context.Background())
	for tries := 0; err == nil && tries < 10; tries++ {
		_, err = s.Node(request, made.Entity.ID) // each in a batch of its own
	}
	require.Equal(t, fault.DatabaseUnavailable, fault.CodeOf(err), "the waits of one request add up")

	list := graph.NodeQuery{Paging: graph.Paging{Limit: 10, Count: true}}
	_, err = s.Nodes(graph.WithPatience(context.Background()), list)
	require.Equal(t, fault.DatabaseUnavailable, fault.CodeOf(err), "a list needs more statements than two")
	require.Eventually(t, func() bool { // a busy machine may need more than one
		_, err := s.Node(graph.WithPatience(context.Background()), made.Entity.ID)
		return err == nil
	}, time.Minute, 10*time.Millisecond, "another request has its own patience")
}
