// Package neo4jentitytest opens the core of the store on a test's database, for the tests inside the packages that are built on it.
package neo4jentitytest

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/bolt"
	"graphrest/internal/neo4jaudit"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/neo4jtest"
)

// Open opens the core of a store with the default configuration and no audit. It is closed, with its client, when the test ends.
func Open(t testing.TB, db *neo4jtest.DB, observers ...bolt.StatementObserver) *neo4jentity.Core {
	t.Helper()
	client, err := bolt.Open(bolt.Config{
		URI: db.URI, Username: db.Username, Password: db.Password, Database: db.Database, Statements: observers,
	})
	require.NoError(t, err)
	c := &neo4jentity.Config{}
	c.SetDefaults()
	ctx, stop := context.WithCancel(context.Background())
	var work sync.WaitGroup
	core := neo4jentity.New(neo4jentity.Sources{
		Client: client, Audit: neo4jaudit.New(client, neo4jaudit.Config{}), Config: c, Spawn: work.Go,
		Background: func(run func(context.Context)) { work.Go(func() { run(ctx) }) },
	})
	t.Cleanup(func() {
		core.Close()
		stop()
		work.Wait()
		closing, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		require.NoError(t, client.Close(closing))
	})
	return core
}
