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

// The test releases the only connection for each statement after a part of the time that a request may wait. A request with one statement
// succeeds; one with several, concurrent or sequential, fails.
func TestARequestHasOneWaitBudgetForConnections(t *testing.T) {
	db := neo4jtest.OpenPrepared(t)
	s := openOn(t, db, func(c *neo4jstore.Config) { c.PoolSize = 1 })
	created, err := s.CreateNode(t.Context(), graph.NewNode{Type: "Waited", Properties: graph.Properties{}})
	require.NoError(t, err)
	_, err = s.Node(t.Context(), created.Entity.ID) // so that the next one needs a single statement
	require.NoError(t, err)

	stop, done := make(chan struct{}), make(chan struct{})
	neo4jstore.AcquireConnection(s)
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				neo4jstore.ReleaseConnection(s)
				return
			case <-time.After(neo4jstore.AcquireTimeout * 4 / 10):
				neo4jstore.ReleaseConnection(s)
				neo4jstore.AcquireConnection(s) // after the waiting calls
			}
		}
	}()
	defer func() { close(stop); <-done }()

	request := graph.WithWaitBudget(context.Background())
	for attempts := 0; err == nil && attempts < 10; attempts++ {
		_, err = s.Node(request, created.Entity.ID) // each in a separate batch
	}
	require.Equal(t, fault.DatabaseUnavailable, fault.CodeOf(err), "the waits of one request add up")

	list := graph.NodeQuery{Paging: graph.Paging{Limit: 10, Count: true}}
	_, err = s.Nodes(graph.WithWaitBudget(context.Background()), list)
	require.Equal(t, fault.DatabaseUnavailable, fault.CodeOf(err), "a list needs more statements than two")
	require.Eventually(t, func() bool { // a busy machine may need more than one attempt
		_, err := s.Node(graph.WithWaitBudget(context.Background()), created.Entity.ID)
		return err == nil
	}, time.Minute, 10*time.Millisecond, "another request has its own budget")
}
