package neo4jauth_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/cypher"
	"graphrest/internal/auth"
	"graphrest/internal/fault"
	"graphrest/internal/neo4jauth"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

func OpenAccounts(t *testing.T, db *neo4jtest.DB) *neo4jauth.Store {
	t.Helper()
	a, err := neo4jauth.Open(neo4jauth.Config{
		URI: db.URI, Username: db.Username, Password: db.Password,
		Database: db.Database,
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, a.Close(context.Background())) })
	return a
}

func TestPrepareByConcurrentReplicas(t *testing.T) {
	testmark.EveryRelease(t)
	testmark.Long(t)
	db := neo4jtest.Open(t)
	db.Exec(t, "CREATE (:Person {name: 'Ann'})-[:KNOWS]->(:Person {name: 'Bob'})", nil)
	_, err := OpenAccounts(t, db).Changes(t.Context(), 0)
	require.ErrorIs(t, err, auth.ErrNotPrepared)
	var wg sync.WaitGroup
	for range 6 {
		a := OpenAccounts(t, db)
		wg.Go(func() {
			ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
			defer cancel()
			if err := a.Prepare(ctx); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	a := OpenAccounts(t, db)
	require.NoError(t, a.Prepare(t.Context()), "once more changes nothing")
	c, err := a.Changes(t.Context(), -1)
	require.NoError(t, err)
	require.Equal(t, auth.Changes{Roles: []auth.StoredRole{}, Versions: map[string]int64{"auth": 0}}, c)
	require.EqualValues(t, 1, db.Count(t, "MATCH (s:_GraphrestState) RETURN count(s)", nil))
	require.EqualValues(t, len(auth.AllPermissions()), db.Count(t, "MATCH (p:_GraphrestPermission) RETURN count(p)", nil))
	require.EqualValues(t, 9, db.Count(t, "MATCH (n) RETURN count(n)", nil), "two of the user, seven of the gateway")
	isOther := func(s cypher.Statement) bool { return !strings.HasPrefix(s.Name, "constraint_") }
	own := slices.DeleteFunc(slices.Clone(cypher.OwnSchema), isOther)
	const internal = "SHOW CONSTRAINTS YIELD labelsOrTypes WHERE labelsOrTypes[0] STARTS WITH '_Graphrest' RETURN labelsOrTypes"
	require.Len(t, db.Query(t, internal, nil), len(own))
}

// IF NOT EXISTS accepts a constraint with that name on anything: names would not be unique, without an error.
func TestPrepareRejectsAForeignConstraintOfItsName(t *testing.T) {
	testmark.EveryRelease(t)
	db := neo4jtest.Open(t)
	t.Cleanup(func() { db.Clean(t) }) // other tests may keep the gateway's own constraints
	db.Exec(t, "CREATE CONSTRAINT _GraphrestUserFolded FOR (p:Person) REQUIRE p.folded IS UNIQUE", nil)
	err := OpenAccounts(t, db).Prepare(t.Context())
	require.Equal(t, fault.DatabaseUnavailable, fault.CodeOf(err))
	require.ErrorContains(t, err, "_GraphrestUserFolded")
	require.NotContains(t, fault.As(err).Message, "_Graphrest")
}

// The creation of a constraint that is cut off may leave its index, without the constraint.
func TestPrepareAfterAConstraintWasCutOff(t *testing.T) {
	testmark.EveryRelease(t)
	db := neo4jtest.Open(t)
	db.Exec(t, "CREATE INDEX _GraphrestUserFolded FOR (u:_GraphrestUser) ON (u.folded)", nil)
	require.NoError(t, OpenAccounts(t, db).Prepare(t.Context()))
	const constraints = "SHOW CONSTRAINTS YIELD name WHERE name = '_GraphrestUserFolded' RETURN name"
	require.Len(t, db.Query(t, constraints, nil), 1)
}

// Prepare looks which constraints and indexes exist, and creates each that is missing.
func TestPrepareCreatesWhatIsMissing(t *testing.T) {
	testmark.EveryRelease(t)
	db := neo4jtest.Open(t)
	a := OpenAccounts(t, db)
	require.NoError(t, a.Prepare(t.Context()))
	const own = `SHOW INDEXES YIELD name, owningConstraint WHERE name STARTS WITH '_Graphrest'
		RETURN name, owningConstraint AS of ORDER BY name`
	rows := db.Query(t, own, nil)
	require.Len(t, rows, len(cypher.OwnSchema), "an index each")
	for some := range slices.Chunk(rows, len(rows)/3) {
		for _, row := range some {
			what := "INDEX "
			if row["of"] != nil {
				what = "CONSTRAINT "
			}
			db.Exec(t, "DROP "+what+row["name"].(string), nil)
		}
		require.NoError(t, a.Prepare(t.Context()))
		require.Equal(t, rows, db.Query(t, own, nil))
	}
}

// Damage by an operator removes rights and never adds any.
func TestDamagedUsers(t *testing.T) {
	testmark.EveryRelease(t)
	db := neo4jtest.Open(t)
	a := OpenAccounts(t, db)
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
