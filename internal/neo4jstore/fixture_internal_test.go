package neo4jstore

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/neo4jschema"
	"graphrest/internal/neo4jtest"
)

// openClient opens a client of a clean database without a store.
func openClient(t *testing.T) (*bolt.Client, *neo4jtest.DB) {
	t.Helper()
	db := neo4jtest.OpenPrepared(t)
	client, err := bolt.Open(bolt.Config{URI: db.URI, Username: db.Username, Password: db.Password, Database: db.Database})
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		require.NoError(t, client.Close(ctx))
	})
	return client, db
}

// openSchema opens the schema. spawn runs work in the background, for which the end of the test waits.
func openSchema(t *testing.T, client *bolt.Client) (schema neo4jschema.Stores, spawn func(func())) {
	t.Helper()
	var work sync.WaitGroup
	t.Cleanup(work.Wait)
	ctx := t.Context() // is cancelled before the cleanup
	background := func(run func(context.Context)) { work.Go(func() { run(ctx) }) }
	return neo4jschema.Open(neo4jschema.Config{
		Client: client, Background: background, IDProperty: defaultIDProperty, Log: slog.New(slog.DiscardHandler),
	}), work.Go
}

// newFinder builds what finds entities in a database.
func newFinder(t *testing.T, client *bolt.Client) *entityFinder {
	t.Helper()
	c := defaultConfig()
	elements := newElementReader(client, c, textsOf(c))
	var work sync.WaitGroup
	t.Cleanup(func() {
		elements.close()
		work.Wait()
	})
	return newEntityFinder(c, textsOf(c), elements, newTypeCatalog(client, c, textsOf(c), work.Go))
}

func defaultConfig() *Config {
	c := &Config{}
	c.defaults()
	return c
}

func textsOf(c *Config) *statementTexts { return &statementTexts{idName: cypher.Quote(c.IDProperty)} }
