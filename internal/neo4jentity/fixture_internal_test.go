package neo4jentity

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/cypher"
	"graphrest/internal/bolt"
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

// newFinder builds what finds entities in a database.
func newFinder(t *testing.T, client *bolt.Client) *entityFinder {
	t.Helper()
	c := defaultConfig()
	elements := newElementReader(client, c, textsOf(c))
	var work sync.WaitGroup
	t.Cleanup(func() {
		elements.Close()
		work.Wait()
	})
	return newEntityFinder(textsOf(c), &contentReader{config: c, elements: elements}, newTypeCatalog(client, c, textsOf(c), work.Go))
}

func defaultConfig() *Config {
	c := &Config{}
	c.SetDefaults()
	return c
}

func textsOf(c *Config) *Texts { return &Texts{IDName: cypher.Quote(c.IDProperty)} }
