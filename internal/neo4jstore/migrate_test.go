package neo4jstore_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/fault"
	"graphrest/internal/neo4jstore"
	"graphrest/internal/neo4jtest"
)

func openAccounts(t *testing.T, db *neo4jtest.DB) *neo4jstore.Accounts {
	t.Helper()
	a, err := neo4jstore.OpenAccounts(neo4jstore.AccountsConfig{URI: db.URI, Username: db.Username, Password: db.Password, Database: db.Database})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, a.Close(context.Background())) })
	return a
}

func TestPrepareByConcurrentReplicas(t *testing.T) {
	db := neo4jtest.Open(t)
	db.Exec(t, "CREATE (:Person {name: 'Ann'})-[:KNOWS]->(:Person {name: 'Bob'})", nil)
	_, err := openAccounts(t, db).Changes(t.Context(), 0)
	require.ErrorIs(t, err, auth.ErrNotPrepared)
	var wg sync.WaitGroup
	for range 6 {
		a := openAccounts(t, db)
		wg.Go(func() {
			ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
			defer cancel()
			if err := a.Prepare(ctx); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	a := openAccounts(t, db)
	require.NoError(t, a.Prepare(t.Context()), "once more changes nothing")
	c, err := a.Changes(t.Context(), -1)
	require.NoError(t, err)
	require.Equal(t, auth.Changes{}, c)
	require.EqualValues(t, 1, db.Count(t, "MATCH (s:_GraphrestState) RETURN count(s)", nil))
	require.EqualValues(t, 4, db.Count(t, "MATCH (p:_GraphrestPermission) RETURN count(p)", nil))
	require.EqualValues(t, 7, db.Count(t, "MATCH (n) RETURN count(n)", nil), "two of the user, five of the gateway")
	require.Len(t, db.Query(t, "SHOW CONSTRAINTS", nil), 10)
}

// IF NOT EXISTS accepts a constraint with that name on anything: names would not be unique, without an error.
func TestPrepareRejectsAForeignConstraintOfItsName(t *testing.T) {
	db := neo4jtest.Open(t)
	db.Exec(t, "CREATE CONSTRAINT _GraphrestUserFolded FOR (p:Person) REQUIRE p.folded IS UNIQUE", nil)
	err := openAccounts(t, db).Prepare(t.Context())
	require.Equal(t, fault.DatabaseUnavailable, fault.CodeOf(err))
	require.ErrorContains(t, err, "_GraphrestUserFolded")
	require.NotContains(t, fault.As(err).Message, "_Graphrest")
}

// Damage by an operator removes rights and never adds any.
func TestDamagedUsers(t *testing.T) {
	db := neo4jtest.Open(t)
	a := openAccounts(t, db)
	require.NoError(t, a.Prepare(t.Context()))
	db.Exec(t, `CREATE (:_GraphrestUser {id: 'a', folded: 'a', admin: 'true', disabled: 'no', generation: 'x', rate_limit: -1, created_at: 7})
		CREATE (u:_GraphrestUser {id: 'b', folded: 'b', admin: 1})-[:_GraphrestHas]->(:_GraphrestPermission {name: 'root'})
		CREATE (u)-[:_GraphrestHas]->(:Person {name: 'read'})
		CREATE (:_GraphrestUser {folded: 'c', admin: true}) CREATE (:_GraphrestUser {id: 'd', admin: true}) CREATE (:_GraphrestUser)
		CREATE (:_GraphrestRevokedToken {jti: 5, expires_at: 1, version: 1}) CREATE (:_GraphrestRevokedToken {jti: 'x', version: 1})`, nil)
	c, err := a.Load(t.Context(), -1)
	require.NoError(t, err)
	require.Len(t, c.Users, 2)
	require.Empty(t, c.Revoked)
	for _, u := range c.Users {
		require.False(t, u.Admin)
		require.Equal(t, u.ID == "a", u.Disabled)
		require.Empty(t, u.Permissions)
		require.Nil(t, u.RateLimit)
	}
}
