package faulttest

import (
	"context"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/require"

	"graphrest/internal/neo4jdev"
	"graphrest/internal/neo4jstoretest"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

// Neo4j that dies while it builds the index of a constraint keeps the index, POPULATING for ever: the gateway starts nevertheless.
func TestAGatewayStartsAfterNeo4jDiedInAConstraint(t *testing.T) {
	testmark.Long(t)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	server := neo4jtest.FreshServer(t, neo4jdev.Options{})
	db := neo4jtest.Connect(t, server)
	for batch := range 6 {
		db.Exec(t, "UNWIND range(1, 30000) AS i CREATE (:_GraphrestIdempotencyKey {key: $batch + '_' + i})", map[string]any{"batch": batch})
	}
	const constraint = "CREATE CONSTRAINT _GraphrestIdempotencyKeyKey FOR (k:_GraphrestIdempotencyKey) REQUIRE k.key IS UNIQUE"
	created := make(chan error, 1)
	go func() {
		session := db.Driver.NewSession(ctx, neo4j.SessionConfig{})
		defer session.Close(ctx)
		result, err := session.Run(ctx, constraint, nil)
		if err == nil {
			_, err = result.Consume(ctx)
		}
		created <- err
	}()
	const state = "SHOW INDEXES YIELD name, state, owningConstraint WHERE name = '_GraphrestIdempotencyKeyKey' RETURN state, owningConstraint"
	require.Eventually(t, func() bool { return len(db.Query(t, state, nil)) == 1 }, time.Minute, time.Millisecond)
	require.NoError(t, server.Kill())
	require.Error(t, <-created, "the constraint was created before Neo4j was killed; the test needs more nodes")

	server = neo4jtest.FreshServer(t, server.Options())
	db = neo4jtest.Connect(t, server)
	left := db.Query(t, state, nil)
	require.Len(t, left, 1)
	require.Equal(t, map[string]any{"state": "POPULATING", "owningConstraint": nil}, left[0])
	neo4jstoretest.Prepare(t, db)
	require.Equal(t, "ONLINE", db.Query(t, state, nil)[0]["state"])
}
