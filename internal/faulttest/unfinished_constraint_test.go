package faulttest

import (
	"context"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/require"

	"graphrest/internal/neo4jauth"
	"graphrest/internal/neo4jdev"
)

// Neo4j that dies while it builds the index of a constraint keeps the index, POPULATING for ever: the gateway starts nevertheless.
func TestAGatewayStartsAfterNeo4jDiedInAConstraint(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	options := neo4jdev.Options{Dir: t.TempDir(), Development: true}
	server, err := neo4jdev.Start(ctx, options)
	require.NoError(t, err)
	driver := openDriver(t, server)
	for batch := range 6 {
		queryRows(ctx, t, driver, "UNWIND range(1, 30000) AS i CREATE (:_GraphrestIdempotencyKey {key: $batch + '_' + i})", map[string]any{"batch": batch})
	}
	const constraint = "CREATE CONSTRAINT _GraphrestIdempotencyKeyKey FOR (k:_GraphrestIdempotencyKey) REQUIRE k.key IS UNIQUE"
	created := make(chan error, 1)
	go func() {
		session := driver.NewSession(ctx, neo4j.SessionConfig{})
		defer session.Close(ctx)
		result, err := session.Run(ctx, constraint, nil)
		if err == nil {
			_, err = result.Consume(ctx)
		}
		created <- err
	}()
	const state = "SHOW INDEXES YIELD name, state, owningConstraint WHERE name = '_GraphrestIdempotencyKeyKey' RETURN state, owningConstraint"
	require.Eventually(t, func() bool { return len(queryRows(ctx, t, driver, state, nil)) == 1 }, time.Minute, time.Millisecond)
	require.NoError(t, server.Kill())
	require.Error(t, <-created, "the constraint was created before Neo4j was killed; the test needs more nodes")

	server, err = neo4jdev.Start(ctx, options)
	require.NoError(t, err)
	t.Cleanup(func() { _ = server.Kill() })
	driver = openDriver(t, server)
	left := queryRows(ctx, t, driver, state, nil)
	require.Len(t, left, 1)
	require.Equal(t, map[string]any{"state": "POPULATING", "owningConstraint": nil}, left[0].AsMap())
	accounts, err := neo4jauth.Open(neo4jauth.Config{URI: server.URI, Username: server.Username, Password: server.Password, Database: "neo4j"})
	require.NoError(t, err)
	defer accounts.Close(context.Background())
	require.NoError(t, accounts.Prepare(ctx))
	require.Equal(t, "ONLINE", queryRows(ctx, t, driver, state, nil)[0].AsMap()["state"])
}

func openDriver(t *testing.T, server *neo4jdev.Server) neo4j.DriverWithContext {
	t.Helper()
	driver, err := neo4j.NewDriverWithContext(server.URI, neo4j.BasicAuth(server.Username, server.Password, ""))
	require.NoError(t, err)
	t.Cleanup(func() { _ = driver.Close(context.Background()) })
	return driver
}

func queryRows(ctx context.Context, t *testing.T, driver neo4j.DriverWithContext, query string, params map[string]any) []*neo4j.Record {
	t.Helper()
	result, err := neo4j.ExecuteQuery(ctx, driver, query, params, neo4j.EagerResultTransformer)
	require.NoError(t, err)
	return result.Records
}
