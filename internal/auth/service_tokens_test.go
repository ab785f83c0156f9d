package auth_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/fault"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/rules"
	"graphrest/internal/testmark"
)

func (r *replica) createToken(t testing.TB, name string, permissions ...auth.Permission) auth.CreatedServiceToken {
	t.Helper()
	created, err := r.CreateServiceToken(t.Context(), nil, auth.NewServiceToken{Name: name, Permissions: permissions})
	require.NoError(t, err)
	return created
}

// patient gives reads of the database the time that a busy machine needs.
func patient(c *auth.Config, _ *dbConfig) { c.Timeout = 30 * time.Second }

func isRevoked(_ auth.Principal, err error) bool { return fault.CodeOf(err) == fault.TokenRevoked }

func TestServiceTokensOnARealDatabase(t *testing.T) {
	testmark.Concurrent(t)
	db := neo4jtest.OpenPrepared(t)
	leakFree(t)
	here := startWithAdmin(t, db, patient)
	there := start(t, db, patient)
	made := here.createToken(t, "import", auth.Delete, auth.Read, auth.Read)
	t.Run("acts as a separate user", func(t *testing.T) {
		require.WithinDuration(t, time.Now().Add(90*24*time.Hour), made.ExpiresAt, time.Minute)
		p := here.principal(t, made.Secret)
		require.Equal(t, made.ID, p.UserID)
		require.Equal(t, "token:import", p.Username)
		require.Equal(t, []auth.Permission{auth.Read, auth.Delete}, p.Permissions)
		require.True(t, p.ServiceToken)
		require.False(t, p.Admin)
		requireCode(t, fault.PermissionDenied, here.Logout(t.Context(), p))
		requireCode(t, fault.PermissionDenied, here.ChangePassword(t.Context(), p, otherPW, adminPW))
		_, err := here.CreateServiceToken(t.Context(), &p, auth.NewServiceToken{Name: "child"})
		requireCode(t, fault.PermissionDenied, err)
		require.Eventually(t, func() bool { _, err := there.use(made.Secret); return err == nil }, freshest, 5*time.Millisecond)
	})
	t.Run("sees what its permissions and roles allow", func(t *testing.T) {
		require.NotNil(t, here.principal(t, made.Secret).View, "some permissions")
		require.Nil(t, here.principal(t, here.createToken(t, "everything", auth.AllPermissions()...).Secret).View)
		grants, f := rules.ParseGrants("grants", `[{"kind":"node","type":"Film","actions":["read"]}]`)
		require.Nil(t, f)
		_, err := here.CreateRole(t.Context(), rules.Role{Name: "films", Grants: grants})
		require.NoError(t, err)
		held, err := here.CreateServiceToken(t.Context(), nil, auth.NewServiceToken{Name: "films", Roles: []string{"films"}})
		require.NoError(t, err)
		p := here.principal(t, held.Secret)
		require.Equal(t, []string{"films"}, p.Roles)
		require.Same(t, p.View, here.principal(t, held.Secret).View, "compiled once")
		require.NoError(t, here.DeleteRole(t.Context(), "films"))
		require.Empty(t, here.principal(t, held.Secret).Roles, "taken from its holders")
	})
	t.Run("only a secret that is exactly right is accepted", func(t *testing.T) { alteredSecrets(t, here, made.Secret) })
	t.Run("names are unique", func(t *testing.T) { uniqueTokenNames(t, db, here, there) })
	t.Run("rejected input", func(t *testing.T) { refusedTokens(t, db, here) })
	t.Run("expiry", func(t *testing.T) {
		short := here.createToken(t, "short")
		p := here.principal(t, short.Secret)
		const expire = "MATCH (t:_GraphrestServiceToken {id: $id}) SET t.expires_at = datetime() - duration('PT1S')"
		db.Exec(t, expire, map[string]any{"id": short.ID})
		isExpired := func() bool { _, err := here.use(short.Secret); return fault.CodeOf(err) == fault.TokenExpired }
		require.Eventually(t, isExpired, time.Minute, 10*time.Millisecond)
		_, err := here.Recheck(t.Context(), p)
		requireCode(t, fault.TokenExpired, err)
		expiring, expired := here.CountServiceTokens(time.Hour)
		require.Equal(t, []int{0, 1}, []int{expiring, expired})
		expiring, _ = here.CountServiceTokens(91 * 24 * time.Hour)
		require.Positive(t, expiring)
		require.NoError(t, here.DeleteServiceToken(t.Context(), short.ID))
		_, expired = here.CountServiceTokens(time.Hour)
		require.Zero(t, expired, "a deleted one needs no attention")
	})
	t.Run("deletion", func(t *testing.T) {
		began := here.principal(t, made.Secret) // a request in progress, here and elsewhere
		require.NoError(t, here.DeleteServiceToken(t.Context(), made.ID))
		for range 2 {
			_, err := here.use(made.Secret)
			requireCode(t, fault.TokenRevoked, err)
		}
		_, err := here.Recheck(t.Context(), began)
		requireCode(t, fault.TokenRevoked, err)
		require.Less(t, rejectedAfter(t, there, made.Secret, isRevoked), freshest)
		_, err = there.Recheck(t.Context(), began)
		requireCode(t, fault.TokenRevoked, err)
		requireCode(t, fault.NotFound, here.DeleteServiceToken(t.Context(), made.ID))
		again := here.createToken(t, "import")
		require.NotEqual(t, made.ID, again.ID)
		p, err := start(t, db, patient).use(made.Secret) // also after a restart, although the name belongs to another token
		requireCode(t, fault.TokenRevoked, err)
		require.Equal(t, auth.Principal{UserID: made.ID, Username: "token:import", ServiceToken: true}, p, "for the audit")
	})
	t.Run("a change outside the gateway counts", func(t *testing.T) {
		gone := here.createToken(t, "gone", auth.Read)
		db.Exec(t, "MATCH (t:_GraphrestServiceToken {name: 'gone'}) DETACH DELETE t", nil)
		require.Less(t, rejectedAfter(t, here, gone.Secret, func(_ auth.Principal, err error) bool {
			return fault.CodeOf(err) == fault.InvalidToken
		}), 1250*time.Millisecond)
	})
	t.Run("secrets stay out of the log and the database", func(t *testing.T) {
		for _, hidden := range []string{made.Secret, made.Secret[4:], "grt_"} {
			require.NotContains(t, here.log.String()+there.log.String(), hidden)
			require.NotContains(t, fmt.Sprintf("%v %+v %#v %s", made, made, made, made), hidden)
			require.NotContains(t, fmt.Sprint(db.Query(t, "MATCH (n) RETURN properties(n) AS p", nil)), hidden)
		}
	})
}

func alteredSecrets(t *testing.T, r *replica, secret string) {
	last := strings.Replace(secret[:len(secret)-1]+"B", secret, secret[:len(secret)-1]+"F", 1)
	for _, altered := range []string{
		"grt_", secret[:len(secret)-1], secret + "A", secret + "=", last, strings.ToUpper(secret[:4]) + secret[4:],
		"grt_" + strings.Repeat("A", 43), strings.Repeat("grt_A", 1<<18), secret[4:],
	} {
		_, err := r.use(altered)
		requireCode(t, fault.InvalidToken, err)
	}
	// The second spelling of the same bytes, which a lenient decoder accepts: the last character has two unused bits.
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	spelled := secret[:len(secret)-1] + string(alphabet[strings.IndexByte(alphabet, secret[len(secret)-1])|1])
	require.NotEqual(t, secret, spelled)
	_, err := r.use(spelled)
	requireCode(t, fault.InvalidToken, err)
	_, err = r.Authenticate(t.Context(), []string{"Bearer " + secret, "Bearer " + secret})
	requireCode(t, fault.Unauthenticated, err)
}

func uniqueTokenNames(t *testing.T, db *neo4jtest.DB, here, there *replica) {
	var wg sync.WaitGroup
	results := make([]error, 4)
	for i, name := range []string{"Twin", "twin", "TWIN", "\uff34win"} {
		wg.Go(func() {
			_, results[i] = []*replica{here, there}[i%2].CreateServiceToken(t.Context(), nil, auth.NewServiceToken{Name: name})
		})
	}
	wg.Wait()
	created := 0
	for _, err := range results {
		if err == nil {
			created++
			continue
		}
		requireCode(t, fault.Conflict, err)
	}
	require.Equal(t, 1, created)
	for _, name := range []string{"token:twin", "TOKEN:other", "token\uff1ax"} {
		_, err := here.CreateUser(t.Context(), auth.NewUser{Username: name, Password: otherPW})
		requireCode(t, fault.Validation, err)
	}
	// A user of an earlier release may have such a name: then no token may act under it.
	db.Exec(t, "CREATE (:_GraphrestUser {id: 'old', username: 'Token:Old', folded: 'token:old', version: 0})", nil)
	_, err := here.CreateServiceToken(t.Context(), nil, auth.NewServiceToken{Name: "old"})
	requireCode(t, fault.Conflict, err)
	db.Exec(t, "MATCH (u:_GraphrestUser {id: 'old'}) DELETE u", nil)
}

func refusedTokens(t *testing.T, db *neo4jtest.DB, r *replica) {
	version := db.Count(t, "MATCH (s:_GraphrestState) RETURN s.version", nil)
	zero := int64(0)
	for name, n := range map[string]auth.NewServiceToken{
		"name":          {},
		"name ":         {Name: strings.Repeat("x", 65)},
		"name  ":        {Name: "a\u202eb"},
		"name   ":       {Name: " a"},
		"permissions":   {Name: "a", Permissions: []auth.Permission{"admin"}},
		"roles":         {Name: "a", Roles: make([]string, 1000)},
		"expires_at":    {Name: "a", ExpiresAt: time.Now()},
		"expires_at ":   {Name: "a", ExpiresAt: time.Now().AddDate(1, 0, 1)},
		"expires_at  ":  {Name: "a", ExpiresAt: time.Unix(1, 0)},
		"rate_limit":    {Name: "a", RateLimit: &zero},
		"name, expires": {ExpiresAt: time.Unix(1, 0)},
	} {
		_, err := r.CreateServiceToken(t.Context(), nil, n)
		requireCode(t, fault.Validation, err)
		field, _, _ := strings.Cut(name, ",")
		require.Equal(t, strings.TrimSpace(field), fault.As(err).Details[0].Field)
	}
	maker := auth.Principal{UserID: "a", Username: "ann", Admin: true, Permissions: []auth.Permission{auth.Read}}
	_, err := r.CreateServiceToken(t.Context(), &maker, auth.NewServiceToken{Name: "wide", Permissions: auth.AllPermissions()})
	requireCode(t, fault.PermissionDenied, err)
	require.ErrorContains(t, err, "create")
	_, err = r.CreateServiceToken(t.Context(), nil, auth.NewServiceToken{Name: "a", Roles: []string{"nobody"}})
	requireCode(t, fault.Validation, err)
	require.Equal(t, "roles[0]", fault.As(err).Details[0].Field)
	for _, id := range []string{"", "nobody", strings.Repeat("x", 1<<20), "a\x00", "x'}) DETACH DELETE t //"} {
		requireCode(t, fault.NotFound, r.DeleteServiceToken(t.Context(), id))
	}
	require.Equal(t, version, db.Count(t, "MATCH (s:_GraphrestState) RETURN s.version", nil), "nothing was written")
}

// statementCounter counts the writes of last uses.
type statementCounter struct{ writes atomic.Int64 }

func (s *statementCounter) Statement(_ context.Context, name, _ string, _ time.Time, _ string) {
	if name == "auth_tokens_used" {
		s.writes.Add(1)
	}
}

func TestLastUseIsWrittenSeldom(t *testing.T) {
	testmark.Concurrent(t)
	db := neo4jtest.OpenPrepared(t)
	counter := &statementCounter{}
	r := startWithAdmin(t, db, func(c *auth.Config, n *dbConfig) {
		patient(c, n)
		c.TokenUses, n.Statements = 20*time.Millisecond, append(n.Statements, counter)
	})
	made := r.createToken(t, "import", auth.Read)
	unused := r.createToken(t, "unused", auth.Read)
	version := db.Count(t, "MATCH (s:_GraphrestState) RETURN s.version", nil)
	began := time.Now().Truncate(time.Minute)
	r.principal(t, made.Secret)
	const written = "MATCH (t:_GraphrestServiceToken) WHERE t.last_used_at IS NOT NULL RETURN count(t)"
	require.Eventually(t, func() bool { return db.Count(t, written, nil) == 1 }, 10*time.Second, 10*time.Millisecond)
	for range 200 {
		r.principal(t, made.Secret)
		time.Sleep(time.Millisecond) // ten intervals
	}
	minutes := int64(time.Since(began)/time.Minute) + 1
	require.LessOrEqual(t, counter.writes.Load(), minutes, "once a minute")
	require.Equal(t, version, db.Count(t, "MATCH (s:_GraphrestState) RETURN s.version", nil), "no replica has to follow it")
	used := map[string]time.Time{}
	all, err := start(t, db, patient).ServiceTokens(t.Context())
	require.NoError(t, err)
	for _, one := range all {
		used[one.ID] = one.LastUsedAt
	}
	require.Zero(t, used[unused.ID])
	require.Equal(t, used[made.ID].Truncate(time.Minute), used[made.ID])
	require.False(t, used[made.ID].Before(began))
	// An earlier time of another replica never replaces a later one.
	earlier := []auth.TokenUse{{TokenID: made.ID, At: began.Add(-time.Hour)}, {TokenID: "nobody", At: began}}
	require.NoError(t, r.store.RecordTokenUses(t.Context(), earlier))
	require.Zero(t, db.Count(t, "MATCH (t:_GraphrestServiceToken) WHERE t.last_used_at < $at RETURN count(t)", map[string]any{"at": began}))

	t.Run("a use just before the end is kept", func(t *testing.T) {
		slow := start(t, db, patient, func(c *auth.Config, _ *dbConfig) { c.TokenUses = time.Hour })
		slow.principal(t, unused.Secret)
		slow.stop()
		require.EqualValues(t, 2, db.Count(t, written, nil))
	})
}

// A deleted token is remembered until it would have expired; an expired one stays until it is deleted.
func TestDeletedServiceTokensAreRemoved(t *testing.T) {
	testmark.Concurrent(t)
	db := neo4jtest.OpenPrepared(t)
	r := startWithAdmin(t, db, patient, func(c *auth.Config, _ *dbConfig) { c.Purge = 50 * time.Millisecond })
	kept, expired, both := r.createToken(t, "kept"), r.createToken(t, "expired"), r.createToken(t, "both")
	require.NoError(t, r.DeleteServiceToken(t.Context(), kept.ID))
	require.NoError(t, r.DeleteServiceToken(t.Context(), both.ID))
	db.Exec(t, "MATCH (t:_GraphrestServiceToken) WHERE t.id IN $ids SET t.expires_at = datetime() - duration('P1D')",
		map[string]any{"ids": []string{expired.ID, both.ID}})
	require.Eventually(t, func() bool {
		return db.Count(t, "MATCH (t:_GraphrestServiceToken {name: 'both'}) RETURN count(t)", nil) == 0
	}, 10*time.Second, 20*time.Millisecond)
	require.EqualValues(t, 2, db.Count(t, "MATCH (t:_GraphrestServiceToken) RETURN count(t)", nil))
	for secret, code := range map[string]fault.Code{kept.Secret: fault.TokenRevoked, expired.Secret: fault.TokenExpired} {
		_, err := r.use(secret)
		requireCode(t, code, err)
	}
}

// Damage by an operator removes rights and never adds any.
func TestDamagedServiceTokens(t *testing.T) {
	testmark.Concurrent(t)
	db := neo4jtest.OpenPrepared(t)
	r := startWithAdmin(t, db, patient)
	for name, row := range map[string]struct {
		damage string
		code   fault.Code
	}{
		"no expiry":         {"REMOVE t.expires_at", fault.TokenExpired},
		"expiry as text":    {"SET t.expires_at = '2099-01-01T00:00:00Z'", fault.TokenExpired},
		"deletion as text":  {"SET t.deleted_at = 'no'", fault.TokenRevoked},
		"a short hash":      {"SET t.hash = 'AAAA'", fault.InvalidToken},
		"no id":             {"REMOVE t.id", fault.InvalidToken},
		"a negative limit":  {"SET t.rate_limit = -1", ""},
		"a permission more": {"CREATE (t)-[:_GraphrestHas]->(:Person {name: 'delete'})", ""},
	} {
		made := r.createToken(t, name, auth.Read)
		db.Exec(t, "MATCH (t:_GraphrestServiceToken {name: $name}) "+row.damage, map[string]any{"name": name})
		other := start(t, db, patient)
		require.NoError(t, other.EnsureFresh(t.Context()))
		p, err := other.use(made.Secret)
		require.Equal(t, row.code, fault.CodeOf(err), name)
		if row.code == "" {
			require.Equal(t, []auth.Permission{auth.Read}, p.Permissions, name)
			require.Nil(t, p.RateLimit)
		}
		other.stop()
	}
}
