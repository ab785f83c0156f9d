package auth_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/fault"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

func TestUsersOnARealDatabase(t *testing.T) {
	testmark.Concurrent(t)
	db := neo4jtest.OpenPrepared(t)
	others := schemaNames(t, db) // of tests before this one
	leakFree(t)
	r := startWithAdmin(t, db)
	t.Run("the first admin", func(t *testing.T) { firstAdmin(t, r) })
	t.Run("hostile names are text", func(t *testing.T) { hostileNames(t, db, r) })
	t.Run("names are unique when folded", func(t *testing.T) { uniqueNames(t, db, r) })
	t.Run("changes", func(t *testing.T) { changes(t, r) })
	t.Run("rejected input", func(t *testing.T) { refusedInput(t, db, r) })
	t.Run("own password", func(t *testing.T) { ownPassword(t, r) })
	t.Run("the same answer for the same work", func(t *testing.T) { sameAnswer(t, r) })
	t.Run("an old hash is replaced", func(t *testing.T) { oldHash(t, db, r) })
	t.Run("five wrong tries", func(t *testing.T) { fiveWrongTries(t, r) })
	t.Run("secrets stay out of the log", func(t *testing.T) {
		for _, hidden := range []string{adminPW, otherPW, secret, db.Password, "argon2id", "eyJ"} {
			require.NotContains(t, r.log.String(), hidden)
		}
	})
	t.Run("only internal data", func(t *testing.T) {
		require.Zero(t, db.Count(t, "MATCH (n) WHERE none(l IN labels(n) WHERE l STARTS WITH '_Graphrest') RETURN count(n)", nil))
		names := schemaNames(t, db)
		require.NotEmpty(t, names)
		for _, name := range names {
			require.True(t, strings.HasPrefix(name, "_Graphrest") || slices.Contains(others, name), name)
		}
	})
}

// schemaNames are the names of the constraints and indexes, without the look-up indexes.
func schemaNames(t *testing.T, db *neo4jtest.DB) (names []string) {
	t.Helper()
	indexes := db.Query(t, "SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP'", nil)
	for _, row := range append(db.Query(t, "SHOW CONSTRAINTS", nil), indexes...) {
		names = append(names, row["name"].(string))
	}
	return names
}

func firstAdmin(t *testing.T, r *replica) {
	u, err := r.User(t.Context(), "ADMIN ")
	require.NoError(t, err)
	require.Equal(t, "admin", u.Username)
	require.True(t, u.Admin)
	require.Equal(t, auth.GraphPermissions(), u.Permissions)
	require.WithinDuration(t, time.Now(), u.CreatedAt, time.Minute)
	p := r.principal(t, r.login(t, " Admin", adminPW))
	require.Equal(t, u.ID, p.UserID)
	require.WithinDuration(t, time.Now().Add(time.Hour), p.ExpiresAt, time.Minute)
	no, yes := false, true
	for _, c := range []auth.UserChange{{Admin: &no}, {Disabled: &yes}} {
		_, err := r.UpdateUser(t.Context(), "admin", c)
		requireCode(t, fault.Conflict, err)
	}
	requireCode(t, fault.Conflict, r.DeleteUser(t.Context(), "admin"))
	after, err := r.User(t.Context(), "admin")
	require.NoError(t, err)
	require.Equal(t, u, after, "a rejected change has no effect")
	require.True(t, p.Admin)
}

func hostileNames(t *testing.T, db *neo4jtest.DB, r *replica) {
	for _, name := range []string{
		"<img src=x onerror=alert(1)>", "x'}) MATCH (n) DETACH DELETE n //", "\\u0060",
		"a/../b?c#d", "$id", "null",
	} {
		u := r.add(t, name)
		require.Equal(t, name, u.Username)
		found, err := r.User(t.Context(), name)
		require.NoError(t, err)
		require.Equal(t, u, found)
		require.EqualValues(t, 1, db.Count(t, "MATCH (u:_GraphrestUser {username: $name}) RETURN count(u)", map[string]any{"name": name}))
		require.NoError(t, r.DeleteUser(t.Context(), name))
		_, err = r.User(t.Context(), name)
		requireCode(t, fault.NotFound, err)
	}
	for _, name := range []string{"", "nobody", strings.Repeat("x", 1<<20), "a\x00"} {
		requireCode(t, fault.NotFound, r.DeleteUser(t.Context(), name))
	}
}

func uniqueNames(t *testing.T, db *neo4jtest.DB, r *replica) {
	other := start(t, db)
	var wg sync.WaitGroup
	results := make([]error, 4)
	for i, name := range []string{"Twin", "twin", "TWIN", "\uff34win"} {
		wg.Go(func() {
			_, results[i] = []*replica{r, other}[i%2].CreateUser(t.Context(), auth.NewUser{Username: name, Password: otherPW})
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
	require.NoError(t, other.DeleteUser(t.Context(), "twin"))
	_, err := r.CreateUser(t.Context(), auth.NewUser{Username: "Twin", Password: otherPW})
	require.NoError(t, err, "the name is available again")
}

func changes(t *testing.T, r *replica) {
	limit := int64(7)
	u, err := r.CreateUser(t.Context(), auth.NewUser{
		Username: "carl", Password: otherPW, RateLimit: &limit,
		Permissions: []auth.Permission{auth.Delete, auth.Read, auth.Read},
	})
	require.NoError(t, err)
	require.Equal(t, []auth.Permission{auth.Read, auth.Delete}, u.Permissions, "each once, in order")
	require.Equal(t, limit, *u.RateLimit)
	token := r.login(t, "carl", otherPW)
	p := r.principal(t, token)
	require.True(t, p.May(auth.Delete))
	require.False(t, p.May(auth.Create))
	require.False(t, p.Admin)
	require.EqualValues(t, 7, *p.RateLimit)

	var none *int64
	_, err = r.UpdateUser(t.Context(), "Carl", auth.UserChange{RateLimit: &none})
	require.NoError(t, err)
	p = r.principal(t, token)
	require.Nil(t, p.RateLimit)
	require.True(t, p.May(auth.Delete), "fields that are not given are unchanged")
	_, err = r.UpdateUser(t.Context(), "carl", auth.UserChange{Permissions: &[]auth.Permission{}})
	require.NoError(t, err)
	require.Empty(t, r.principal(t, token).Permissions)
	_, err = r.UpdateUser(t.Context(), "carl", auth.UserChange{Permissions: &[]auth.Permission{auth.Create}})
	require.NoError(t, err)
	require.True(t, r.principal(t, token).May(auth.Create))
	require.NoError(t, r.Logout(t.Context(), p), "logging out needs no permission")
	_, err = r.use(token)
	requireCode(t, fault.TokenRevoked, err)

	all, err := r.Users(t.Context())
	require.NoError(t, err)
	var names []string
	for _, u := range all {
		names = append(names, u.Username)
	}
	require.Equal(t, []string{"admin", "carl", "Twin"}, names)
}

func refusedInput(t *testing.T, db *neo4jtest.DB, r *replica) {
	users := db.Count(t, "MATCH (u:_GraphrestUser) RETURN count(u)", nil)
	version := db.Count(t, "MATCH (s:_GraphrestState) RETURN s.version", nil)
	zero := int64(0)
	pzero := &zero
	short := "short"
	for field, err := range map[string]error{
		"username":    second(r.CreateUser(t.Context(), auth.NewUser{Username: " x", Password: otherPW})),
		"password":    second(r.CreateUser(t.Context(), auth.NewUser{Username: "x", Password: short})),
		"permissions": second(r.CreateUser(t.Context(), auth.NewUser{Username: "x", Password: otherPW, Permissions: []auth.Permission{"root"}})),
		"rate_limit":  second(r.UpdateUser(t.Context(), "admin", auth.UserChange{RateLimit: &pzero})),
		"password ":   second(r.UpdateUser(t.Context(), "admin", auth.UserChange{Password: &short})),
		"username ":   second(r.Login(t.Context(), strings.Repeat("x", 1025), "x", ownIP, nil)),
		"password  ":  second(r.Login(t.Context(), "admin", strings.Repeat("x", 1025), ownIP, nil)),
		"password   ": second(r.Login(t.Context(), "nobody", "", ownIP, nil)),
	} {
		requireCode(t, fault.Validation, err)
		require.Equal(t, strings.TrimSpace(field), fault.As(err).Details[0].Field)
	}
	requireCode(t, fault.InvalidCredentials, second(r.Login(t.Context(), "admin", strings.Repeat("x", 1024), "203.0.113.9", nil)))
	requireCode(t, fault.Conflict, second(r.CreateUser(t.Context(), auth.NewUser{Username: "ADMIN", Password: otherPW})))
	requireCode(t, fault.NotFound, second(r.UpdateUser(t.Context(), "nobody", auth.UserChange{})))
	require.Equal(t, users, db.Count(t, "MATCH (u:_GraphrestUser) RETURN count(u)", nil))
	require.Equal(t, version, db.Count(t, "MATCH (s:_GraphrestState) RETURN s.version", nil), "nothing was written")
}

func second[T any](_ T, err error) error { return err }

func ownPassword(t *testing.T, r *replica) {
	r.add(t, "dora")
	token := r.login(t, "dora", otherPW)
	p := r.principal(t, token)
	const next = "ein ganz neues Wort"
	requireCode(t, fault.InvalidCredentials, r.ChangePassword(t.Context(), p, "wrong password!", next))
	err := r.ChangePassword(t.Context(), p, otherPW, "short")
	requireCode(t, fault.Validation, err)
	require.Equal(t, "new_password", fault.As(err).Details[0].Field)
	r.principal(t, token)
	require.NoError(t, r.ChangePassword(t.Context(), p, otherPW, next))
	_, err = r.use(token)
	requireCode(t, fault.TokenRevoked, err)
	requireCode(t, fault.InvalidCredentials, second(r.Login(t.Context(), "dora", otherPW, ownIP, nil)))
	p = r.principal(t, r.login(t, "dora", next))
	for range 5 {
		requireCode(t, fault.InvalidCredentials, r.ChangePassword(t.Context(), p, "wrong password!", otherPW))
	}
	requireCode(t, fault.RateLimited, r.ChangePassword(t.Context(), p, next, otherPW))
	r.login(t, "dora", next) // guessing with a token does not lock the login
}

func sameAnswer(t *testing.T, r *replica) {
	yes := true
	r.add(t, "off")
	_, err := r.UpdateUser(t.Context(), "off", auth.UserChange{Disabled: &yes})
	require.NoError(t, err)
	var first *fault.Error
	for _, try := range [][2]string{{"nobody", otherPW}, {"admin", otherPW}, {"off", otherPW}, {"off", adminPW}} {
		before := auth.HashesComputed(r.Service)
		_, err := r.Login(t.Context(), try[0], try[1], foreign, nil)
		requireCode(t, fault.InvalidCredentials, err)
		require.Equal(t, before+1, auth.HashesComputed(r.Service), "one hash of the same cost for %s", try[0])
		if first == nil {
			first = fault.As(err)
		}
		require.Equal(t, first, fault.As(err))
	}
}

func oldHash(t *testing.T, db *neo4jtest.DB, r *replica) {
	r.add(t, "eve", auth.Read)
	// The hash of "password" by the reference implementation, with a cost that is not ours.
	db.Exec(t, `MATCH (u:_GraphrestUser {username: 'eve'}) SET u.password_hash = $hash`,
		map[string]any{"hash": "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"})
	r = start(t, db) // it reads a change that bypasses the gateway at once
	token := r.login(t, "eve", "password")
	require.EqualValues(t, 1,
		db.Count(t, "MATCH (u:_GraphrestUser {username: 'eve'}) WHERE u.password_hash STARTS WITH '$argon2id$v=19$m=19456,t=2,p=1$' "+
			"RETURN count(u)", nil))
	r.principal(t, token)
	r.login(t, "eve", "password")
	r.principal(t, token) // rehashing revoked no token
}

func fiveWrongTries(t *testing.T, r *replica) {
	r.add(t, "Fay")
	for _, spelling := range []string{"Fay", "fay", " FAY", "fay ", "\uff26ay"} {
		requireCode(t, fault.InvalidCredentials, second(r.Login(t.Context(), spelling, "wrong password!", foreign, nil)))
	}
	_, err := r.Login(t.Context(), "fay", otherPW, foreign, nil)
	requireCode(t, fault.RateLimited, err)
	require.Greater(t, fault.As(err).After, 14*time.Minute)
	r.login(t, "fay", otherPW) // from her own address
	_, err = r.Login(t.Context(), "fay", otherPW, foreign, nil)
	requireCode(t, fault.RateLimited, err)
}

func TestManyLoginsAtOnce(t *testing.T) {
	testmark.Concurrent(t)
	db := neo4jtest.OpenPrepared(t)
	r := startWithAdmin(t, db)
	token := r.login(t, "admin", adminPW)
	var wg sync.WaitGroup
	var mu sync.Mutex
	codes := map[fault.Code]int{}
	stop := make(chan struct{})
	var slowest time.Duration
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(5 * time.Millisecond):
			}
			began := time.Now()
			if _, err := r.use(token); err != nil {
				t.Error(err)
			}
			slowest = max(slowest, time.Since(began))
		}
	})
	var logins sync.WaitGroup
	for range 200 {
		logins.Go(func() {
			_, err := r.Login(t.Context(), "admin", adminPW, ownIP, nil)
			mu.Lock()
			defer mu.Unlock()
			codes[fault.CodeOf(err)]++
		})
	}
	logins.Wait()
	close(stop)
	wg.Wait()
	t.Logf("%v; the slowest other request took %v", codes, slowest)
	require.Equal(t, 200, codes[""]+codes[fault.RateLimited])
	require.Greater(t, codes[""], 60)
	require.Less(t, slowest, 10*time.Second)
}

func TestBootstrapWithoutAPasswordSaysHow(t *testing.T) {
	testmark.Concurrent(t)
	db := neo4jtest.OpenPrepared(t)
	r := start(t, db)
	for _, row := range [][2]string{{"", ""}, {"admin", ""}, {"", adminPW}} {
		created, err := r.Bootstrap(t.Context(), row[0], row[1])
		require.NoError(t, err)
		require.False(t, created)
	}
	require.Contains(t, r.log.String(), "graphrest user add --admin")
	_, err := r.Bootstrap(t.Context(), "admin", "admin")
	requireCode(t, fault.Validation, err)
	require.Zero(t, db.Count(t, "MATCH (u:_GraphrestUser) RETURN count(u)", nil))
	_, err = r.Login(t.Context(), "admin", "admin", ownIP, nil)
	requireCode(t, fault.InvalidCredentials, err)
}

func TestExpiredRevocationsAreRemoved(t *testing.T) {
	testmark.Concurrent(t)
	db := neo4jtest.OpenPrepared(t)
	r := startWithAdmin(t, db, func(c *auth.Config, _ *dbConfig) { c.Purge = 50 * time.Millisecond })
	db.Exec(t, "CREATE (:_GraphrestRevokedToken {jti: 'past', expires_at: timestamp() / 1000 - 60, version: 0})", nil)
	require.NoError(t, r.store.Revoke(t.Context(), auth.Revocation{TokenID: "long past", ExpiresAt: time.Now().Add(-time.Hour)}))
	require.NoError(t, r.store.Revoke(t.Context(), auth.Revocation{TokenID: "just past", ExpiresAt: time.Now().Add(-time.Second)}))
	token := r.login(t, "admin", adminPW)
	require.NoError(t, r.Logout(t.Context(), r.principal(t, token)))
	require.Eventually(t, func() bool {
		return db.Count(t, "MATCH (t:_GraphrestRevokedToken) RETURN count(t)", nil) == 2
	}, 5*time.Second, 20*time.Millisecond)
	require.EqualValues(t, 1, db.Count(t, "MATCH (t:_GraphrestRevokedToken {jti: 'just past'}) RETURN count(t)", nil), "clocks may differ")
	_, err := r.use(token)
	requireCode(t, fault.TokenRevoked, err)

	again := start(t, db) // revocations outlive a restart
	_, err = again.use(token)
	requireCode(t, fault.TokenRevoked, err)
	require.NoError(t, again.store.Revoke(t.Context(), auth.Revocation{TokenID: "just past", ExpiresAt: time.Now()}))
	require.EqualValues(t, 2, db.Count(t, "MATCH (t:_GraphrestRevokedToken) RETURN count(t)", nil), "revoking twice has the effect of once")
}

func TestExpiredTokens(t *testing.T) {
	testmark.Concurrent(t)
	db := neo4jtest.OpenPrepared(t)
	r := startWithAdmin(t, db, func(c *auth.Config, _ *dbConfig) { c.TokenTTL = time.Second })
	token := r.login(t, "admin", adminPW)
	r.principal(t, token)
	var err error
	require.Eventually(t, func() bool {
		_, err = r.use(token)
		return err != nil
	}, time.Minute, 10*time.Millisecond)
	requireCode(t, fault.TokenExpired, err)
}

func TestStoreRefusesAnotherHash(t *testing.T) {
	testmark.Concurrent(t)
	db := neo4jtest.OpenPrepared(t)
	r := startWithAdmin(t, db)
	u, err := r.User(t.Context(), "admin")
	require.NoError(t, err)
	other, hash := "another", "$new"
	_, err = r.store.UpdateUser(t.Context(), u.ID, auth.Update{PasswordHash: &hash, ExpectHash: &other})
	require.True(t, errors.Is(err, auth.ErrHashChanged), "%v", err)
	r.login(t, "admin", adminPW)
}
