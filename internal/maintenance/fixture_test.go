package maintenance_test

import (
	"cmp"
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/bolt"
	"graphrest/internal/maintenance"
	"graphrest/internal/neo4jaudit"
	"graphrest/internal/neo4jauth"
	"graphrest/internal/neo4jstore"
	"graphrest/internal/neo4jtest"
)

func TestMain(m *testing.M) { neo4jtest.Main(m) }

// openPrepared gives a clean database with the gateway's own constraints.
func openPrepared(t *testing.T) *neo4jtest.DB {
	t.Helper()
	db := neo4jtest.OpenPrepared(t)
	accounts, err := neo4jauth.Open(neo4jauth.Config{URI: db.URI, Username: db.Username, Password: db.Password, Database: db.Database})
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	require.NoError(t, accounts.Prepare(ctx))
	require.NoError(t, accounts.Close(ctx))
	return db
}

// openStore opens the maintenance of a database, and the store of a gateway on it. An empty id property is the default.
func openStore(t *testing.T, db *neo4jtest.DB, idProperty string) (*maintenance.Store, *neo4jstore.Store) {
	t.Helper()
	idProperty = cmp.Or(idProperty, "uuid")
	client, err := bolt.Open(bolt.Config{URI: db.URI, Username: db.Username, Password: db.Password, Database: db.Database})
	require.NoError(t, err)
	s := neo4jstore.New(client, neo4jaudit.New(client, neo4jaudit.Config{}), neo4jstore.Config{IDProperty: idProperty})
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		s.Close(ctx)
		require.NoError(t, client.Close(ctx))
	})
	return maintenance.New(client, s.Constraints, s.Names, idProperty), s
}
