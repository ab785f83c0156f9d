package bolt_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jaudit"
	"graphrest/internal/neo4jauth"
	"graphrest/internal/neo4jstore"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

// prepare creates the gateway's own constraints.
func prepare(t *testing.T, db *neo4jtest.DB) {
	t.Helper()
	accounts, err := neo4jauth.Open(neo4jauth.Config{
		URI: db.URI, Username: db.Username, Password: db.Password,
		Database: db.Database,
	})
	require.NoError(t, err)
	require.NoError(t, accounts.Prepare(t.Context()))
	require.NoError(t, accounts.Close(t.Context()))
}

func openStore(t *testing.T, db *neo4jtest.DB, poolSize int) (*neo4jstore.Store, *bolt.Client) {
	t.Helper()
	client, err := bolt.Open(bolt.Config{URI: db.URI, Username: db.Username, Password: db.Password, Database: db.Database, PoolSize: poolSize})
	require.NoError(t, err)
	s := neo4jstore.New(client, neo4jaudit.New(client, neo4jaudit.Config{}), neo4jstore.Config{})
	t.Cleanup(func() {
		s.Close(context.Background())
		require.NoError(t, client.Close(context.Background()))
	})
	return s, client
}

// The test releases the only connection for each statement after a part of the time that a request may wait. A request with one statement
// succeeds; one with several, concurrent or sequential, fails.
func TestARequestHasOneWaitBudgetForConnections(t *testing.T) {
	testmark.Concurrent(t)
	testmark.EveryRelease(t)
	db := neo4jtest.OpenPrepared(t)
	prepare(t, db)
	// The database has planned every statement before the only connection is scarce.
	s, _ := openStore(t, db, 0)
	created, err := s.CreateNode(t.Context(), graph.NewNode{Type: "Waited", Properties: graph.Properties{}})
	require.NoError(t, err)
	_, err = s.Node(t.Context(), created.Entity.ID)
	require.NoError(t, err)

	s, client := openStore(t, db, 1)
	_, err = s.Node(t.Context(), created.Entity.ID) // so that the next one needs a single statement
	require.NoError(t, err)

	stop, done := make(chan struct{}), make(chan struct{})
	bolt.AcquireConnection(client)
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				bolt.ReleaseConnection(client)
				return
			case <-time.After(bolt.AcquireTimeout * 4 / 10):
				bolt.ReleaseConnection(client)
				bolt.AcquireConnection(client) // after the waiting calls
			}
		}
	}()
	defer func() { close(stop); <-done }()

	request := bolt.WithWaitBudget(context.Background())
	for attempts := 0; err == nil && attempts < 10; attempts++ {
		_, err = s.Node(request, created.Entity.ID) // each in a separate batch
	}
	require.Equal(t, fault.DatabaseUnavailable, fault.CodeOf(err), "the waits of one request add up")

	list := graph.NodeQuery{Paging: graph.Paging{Limit: 10, Count: true}}
	_, err = s.Nodes(bolt.WithWaitBudget(context.Background()), list)
	require.Equal(t, fault.DatabaseUnavailable, fault.CodeOf(err), "a list needs more statements than two")
	require.Eventually(t, func() bool { // a busy machine may need more than one attempt
		_, err := s.Node(bolt.WithWaitBudget(context.Background()), created.Entity.ID)
		return err == nil
	}, time.Minute, 10*time.Millisecond, "another request has its own budget")
}
