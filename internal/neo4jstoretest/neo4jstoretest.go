// Package neo4jstoretest opens the store of a gateway on a test's database.
package neo4jstoretest

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

// ClientOf is the configuration of a client of a database.
func ClientOf(db *neo4jtest.DB) bolt.Config {
	return bolt.Config{URI: db.URI, Username: db.Username, Password: db.Password, Database: db.Database}
}

// OpenAccounts opens the store of users, which creates the gateway's own constraints. It is closed when the test ends.
func OpenAccounts(t testing.TB, db *neo4jtest.DB) *neo4jauth.Store {
	t.Helper()
	accounts, err := neo4jauth.Open(neo4jauth.Config{URI: db.URI, Username: db.Username, Password: db.Password, Database: db.Database})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, accounts.Close(context.Background())) })
	return accounts
}

// Prepare creates the gateway's own constraints.
func Prepare(t testing.TB, db *neo4jtest.DB) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	require.NoError(t, OpenAccounts(t, db).Prepare(ctx))
}

// OpenPrepared gives a clean database with the gateway's own constraints.
func OpenPrepared(t testing.TB) *neo4jtest.DB {
	t.Helper()
	db := neo4jtest.OpenPrepared(t)
	Prepare(t, db)
	return db
}

// Open opens a store on a prepared database. The store and its client are closed when the test ends.
func Open(t testing.TB, to bolt.Config, trail neo4jaudit.Config, c neo4jstore.Config) (*bolt.Client, *neo4jstore.Store) {
	t.Helper()
	client, err := bolt.Open(to)
	require.NoError(t, err)
	s := neo4jstore.New(client, neo4jaudit.New(client, trail), c)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		s.Close(ctx)
		require.NoError(t, client.Close(ctx))
	})
	return client, s
}

// RequireFault checks the code of an error, and the fields that its details name.
func RequireFault(t testing.TB, err error, code fault.Code, fields ...string) *fault.Error {
	t.Helper()
	require.Error(t, err)
	f := fault.As(err)
	require.Equal(t, code, f.Code, err)
	var named []string
	for _, d := range f.Details {
		named = append(named, d.Field)
	}
	require.Equal(t, fields, named, err)
	return f
}
