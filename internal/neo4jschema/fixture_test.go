package neo4jschema_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/bolt"
	"graphrest/internal/fault"
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

// openStore opens the store of a gateway, which uses the schema as clients do.
func openStore(t *testing.T, db *neo4jtest.DB, config neo4jstore.Config) *neo4jstore.Store {
	t.Helper()
	client, err := bolt.Open(bolt.Config{URI: db.URI, Username: db.Username, Password: db.Password, Database: db.Database})
	require.NoError(t, err)
	s := neo4jstore.New(client, neo4jaudit.New(client, neo4jaudit.Config{}), config)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		s.Close(ctx)
		require.NoError(t, client.Close(ctx))
	})
	return s
}

// requireFault checks the code of an error, and the fields that its details name.
func requireFault(t *testing.T, err error, code fault.Code, fields ...string) {
	t.Helper()
	require.Error(t, err)
	f := fault.As(err)
	require.Equal(t, code, f.Code, err)
	var named []string
	for _, d := range f.Details {
		named = append(named, d.Field)
	}
	require.Equal(t, fields, named, err)
}
