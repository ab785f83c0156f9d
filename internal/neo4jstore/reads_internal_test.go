package neo4jstore

import (
	"context"
	"log/slog"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/bolt"
	"graphrest/internal/neo4jschema"
	"graphrest/internal/neo4jtest"
)

// openForReads opens the client and the schema from which the types that read are built without a store.
func openForReads(t *testing.T, db *neo4jtest.DB) (client *bolt.Client, schema neo4jschema.Stores, spawn func(func())) {
	t.Helper()
	client, err := bolt.Open(bolt.Config{URI: db.URI, Username: db.Username, Password: db.Password, Database: db.Database})
	require.NoError(t, err)
	var work sync.WaitGroup
	t.Cleanup(func() {
		work.Wait()
		_ = client.Close(context.Background())
	})
	ctx := t.Context() // is cancelled before the cleanup
	background := func(run func(context.Context)) { work.Go(func() { run(ctx) }) }
	schema = neo4jschema.Open(neo4jschema.Config{
		Client: client, Background: background, IDProperty: defaultIDProperty, Log: slog.New(slog.DiscardHandler),
	})
	return client, schema, work.Go
}
