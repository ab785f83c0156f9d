package auth_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/rules"
	"graphrest/internal/testmark"
)

// rejectedAfter measures how long another replica continues to accept a token after a change was answered.
func rejectedAfter(t *testing.T, r *replica, token string, isRejected func(auth.Principal, error) bool) time.Duration {
	t.Helper()
	answered := time.Now()
	for {
		began := time.Now()
		if p, err := r.use(token); isRejected(p, err) {
			return began.Sub(answered)
		}
		require.Less(t, time.Since(answered), 20*time.Second, "the other replica never applied the change")
		time.Sleep(time.Millisecond)
	}
}

func TestChangesReachOtherReplicasWithinASecond(t *testing.T) {
	testmark.Concurrent(t)
	db := neo4jtest.OpenPrepared(t)
	leakFree(t)
	here := startWithAdmin(t, db)
	there := start(t, db)
	const users, rounds = 10, 10 // concurrently, because of the pauses in between
	const trials = users * rounds
	var mu sync.Mutex
	var wg sync.WaitGroup
	took := map[string][]time.Duration{}
	for i := range users {
		username := fmt.Sprintf("user %d", i)
		here.add(t, username, auth.Read, auth.Edit)
		wg.Go(func() {
			for range rounds {
				permission, revocation := propagate(t, here, there, username)
				mu.Lock()
				took["permission"], took["revocation"] = append(took["permission"], permission), append(took["revocation"], revocation)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	for name, all := range took {
		slices.Sort(all)
		require.Len(t, all, trials)
		t.Logf("%s: median %v, longest %v of %d", name, all[trials/2], all[trials-1], trials)
		require.Less(t, all[trials-1], freshest)
	}
}

// TestRolesReachOtherReplicasWithinASecond: a role that is changed, taken from its users by its deletion, and given again.
func TestRolesReachOtherReplicasWithinASecond(t *testing.T) {
	testmark.Concurrent(t)
	db := neo4jtest.OpenPrepared(t)
	leakFree(t)
	here := startWithAdmin(t, db)
	there := start(t, db)
	reads := func(p auth.Principal) bool { return p.View.Allows(rules.Read, graph.NodeKind) }
	grants := []rules.Grant{{Kind: graph.NodeKind, Type: "Person", Actions: []rules.Action{rules.Read}}}
	_, err := here.CreateRole(t.Context(), rules.Role{Name: "readers", Grants: grants})
	require.NoError(t, err)
	_, err = here.CreateUser(t.Context(), auth.NewUser{Username: "ann", Password: otherPW, Roles: []string{"readers", "readers"}})
	require.NoError(t, err)
	token := here.login(t, "ann", otherPW)
	require.Equal(t, []string{"readers"}, here.principal(t, token).Roles)
	view := there.principal(t, token).View
	require.True(t, view.Allows(rules.Read, graph.NodeKind))
	arrives := func(name string, is func(auth.Principal) bool) {
		require.True(t, is(here.principal(t, token)), "%s: at once here", name)
		took := rejectedAfter(t, there, token, func(p auth.Principal, err error) bool {
			require.NoError(t, err)
			return is(p)
		})
		t.Logf("%s: %v", name, took)
		require.Less(t, took, freshest, name)
	}
	for range 3 {
		_, err = here.UpdateRole(t.Context(), "readers", auth.RoleChange{Grants: &[]rules.Grant{}})
		require.NoError(t, err)
		arrives("no grants", func(p auth.Principal) bool { return !reads(p) })
		_, err = here.UpdateRole(t.Context(), "readers", auth.RoleChange{Grants: &grants})
		require.NoError(t, err)
		arrives("grants", reads)
		require.NoError(t, here.DeleteRole(t.Context(), "readers"))
		arrives("deleted", func(p auth.Principal) bool { return !reads(p) && len(p.Roles) == 0 })
		_, err = here.CreateRole(t.Context(), rules.Role{Name: "readers", Grants: grants})
		require.NoError(t, err)
		require.False(t, reads(here.principal(t, token)), "created again, it is a different role")
		_, err = here.UpdateUser(t.Context(), "ann", auth.UserChange{Roles: &[]string{"readers"}})
		require.NoError(t, err)
		arrives("given again", reads)
	}
	_, err = here.UpdateUser(t.Context(), "ann", auth.UserChange{Roles: &[]string{"readers", "writers", "x"}})
	requireCode(t, fault.Validation, err)
	require.ErrorContains(t, err, "roles[1]")
	require.Equal(t, []string{"readers"}, here.principal(t, token).Roles, "nothing has changed")
}

// propagate removes a permission on one replica, then revokes a token there, and returns how long each took to reach the other replica.
func propagate(t *testing.T, here, there *replica, username string) (permission, revocation time.Duration) {
	token := here.login(t, username, otherPW)
	p := there.principal(t, token)
	_, err := here.UpdateUser(t.Context(), username, auth.UserChange{Permissions: &[]auth.Permission{auth.Read}})
	require.NoError(t, err)
	require.False(t, here.principal(t, token).May(auth.Edit), "the next request here")
	permission = rejectedAfter(t, there, token, func(p auth.Principal, err error) bool {
		require.NoError(t, err)
		return !p.May(auth.Edit)
	})
	require.NoError(t, here.Logout(t.Context(), p))
	_, err = here.use(token)
	requireCode(t, fault.TokenRevoked, err)
	revocation = rejectedAfter(t, there, token, func(_ auth.Principal, err error) bool {
		return fault.CodeOf(err) == fault.TokenRevoked
	})
	_, err = here.UpdateUser(t.Context(), username, auth.UserChange{Permissions: &[]auth.Permission{auth.Edit, auth.Read}})
	require.NoError(t, err)
	// The test must not trigger an earlier refresh of the other replica.
	time.Sleep(250*time.Millisecond + time.Duration(len(token)%7)*10*time.Millisecond)
	return permission, revocation
}

func TestEveryEndOfTokensWorksAtOnceAndElsewhere(t *testing.T) {
	testmark.Concurrent(t)
	db := neo4jtest.OpenPrepared(t)
	leakFree(t)
	here := startWithAdmin(t, db)
	there := start(t, db)
	yes := true
	next := "a third long password"
	for _, row := range []struct {
		name   string
		revoke func(username string, p auth.Principal) error
	}{
		{"disabled", func(username string, _ auth.Principal) error {
			_, err := here.UpdateUser(t.Context(), username, auth.UserChange{Disabled: &yes})
			return err
		}},
		{"deleted", func(username string, _ auth.Principal) error { return here.DeleteUser(t.Context(), username) }},
		{"password set by an administrator", func(username string, _ auth.Principal) error {
			_, err := here.UpdateUser(t.Context(), username, auth.UserChange{Password: &next})
			return err
		}},
		{"own password changed", func(_ string, p auth.Principal) error {
			return here.ChangePassword(t.Context(), p, otherPW, next)
		}},
		{"deleted and created again", func(username string, _ auth.Principal) error {
			if err := here.DeleteUser(t.Context(), username); err != nil {
				return err
			}
			_, err := here.CreateUser(t.Context(), auth.NewUser{Username: username, Password: otherPW})
			return err
		}},
		{"disabled and enabled again", func(username string, _ auth.Principal) error {
			no := false
			if _, err := here.UpdateUser(t.Context(), username, auth.UserChange{Disabled: &yes}); err != nil {
				return err
			}
			_, err := here.UpdateUser(t.Context(), username, auth.UserChange{Disabled: &no})
			return err
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			here.add(t, row.name, auth.Read)
			first, second := here.login(t, row.name, otherPW), here.login(t, row.name, otherPW)
			p := there.principal(t, second)
			streams := []auth.Principal{here.principal(t, first), p} // of requests in progress, here and on the other replica
			for i, r := range []*replica{here, there} {
				again, err := r.Recheck(t.Context(), streams[i])
				require.NoError(t, err)
				require.Equal(t, streams[i], again)
			}
			require.NoError(t, row.revoke(row.name, p))
			ended := time.Now()
			_, err := here.Recheck(t.Context(), streams[0])
			requireCode(t, fault.TokenRevoked, err)
			require.Eventually(t, func() bool {
				_, err := there.Recheck(t.Context(), streams[1])
				return fault.CodeOf(err) == fault.TokenRevoked
			}, 20*time.Second, time.Millisecond)
			t.Logf("a request in progress on the other replica ended %v after the change", time.Since(ended))
			for _, token := range []string{first, second} {
				_, err := here.use(token)
				requireCode(t, fault.TokenRevoked, err)
				took := rejectedAfter(t, there, token, func(_ auth.Principal, err error) bool {
					return fault.CodeOf(err) == fault.TokenRevoked
				})
				require.Less(t, took, freshest)
			}
		})
	}
}

// An operator's change in Cypher does not increase the version, but takes effect within a second.
func TestChangesPastTheGatewayCount(t *testing.T) {
	testmark.Concurrent(t)
	db := neo4jtest.OpenPrepared(t)
	r := startWithAdmin(t, db)
	r.add(t, "ann", auth.Read)
	token := r.login(t, "ann", otherPW)
	r.principal(t, token)
	db.Exec(t, "MATCH (:_GraphrestUser {username: 'ann'})-[h:_GraphrestHas]->(:_GraphrestPermission {name: 'read'}) DELETE h", nil)
	require.Less(t, rejectedAfter(t, r, token, func(p auth.Principal, err error) bool {
		require.NoError(t, err)
		return !p.May(auth.Read)
	}), 1250*time.Millisecond)
	db.Exec(t, "MATCH (u:_GraphrestUser {username: 'ann'}) DETACH DELETE u", nil)
	require.Less(t, rejectedAfter(t, r, token, func(_ auth.Principal, err error) bool {
		return fault.CodeOf(err) == fault.TokenRevoked
	}), 1250*time.Millisecond)
}

// A restored backup lowers the version. Its content takes effect; a revocation that this replica has cached is kept.
func TestARestoredBackupCounts(t *testing.T) {
	testmark.Concurrent(t)
	db := neo4jtest.OpenPrepared(t)
	r := startWithAdmin(t, db)
	r.add(t, "ann", auth.Read)
	kept, out := r.login(t, "ann", otherPW), r.login(t, "ann", otherPW)
	require.NoError(t, r.Logout(t.Context(), r.principal(t, out)))
	db.Exec(t, `MATCH (s:_GraphrestState) SET s.version = 1
		WITH s MATCH (t:_GraphrestRevokedToken) DELETE t
		WITH s MATCH (u:_GraphrestUser {username: 'ann'}) SET u.admin = true, u.version = 1`, nil)
	require.Eventually(t, func() bool { return r.principal(t, kept).Admin }, time.Second, 10*time.Millisecond)
	_, err := r.use(out)
	requireCode(t, fault.TokenRevoked, err)
	_, err = r.UpdateUser(t.Context(), "ann", auth.UserChange{Permissions: &[]auth.Permission{}})
	require.NoError(t, err)
	require.Empty(t, r.principal(t, kept).Permissions, "own changes take effect immediately with lower versions too")
}

// If the database is emptied while a gateway runs, the gateway prepares it again and rejects all users.
func TestAnEmptiedDatabaseIsPreparedAgain(t *testing.T) {
	testmark.Concurrent(t)
	db := neo4jtest.OpenPrepared(t)
	r := startWithAdmin(t, db)
	token := r.login(t, "admin", adminPW)
	db.Clean(t)
	require.Eventually(t, func() bool {
		_, err := r.use(token)
		return fault.CodeOf(err) == fault.TokenRevoked
	}, 10*time.Second, 10*time.Millisecond)
	require.EqualValues(t, 1, db.Count(t, "MATCH (s:_GraphrestState) RETURN count(s)", nil))
	created, err := r.Bootstrap(t.Context(), "admin", adminPW)
	require.NoError(t, err)
	require.True(t, created)
	r.login(t, "admin", adminPW)
}

func TestParallelBootstrapMakesOneAdmin(t *testing.T) {
	testmark.Concurrent(t)
	db := neo4jtest.Open(t) // in the first round, the replicas also create the same constraints
	for round := range 5 {
		db.CleanGraph(t)
		replicas := []*replica{start(t, db), start(t, db), start(t, db)}
		var wg sync.WaitGroup
		created := make([]bool, len(replicas))
		for i, r := range replicas {
			wg.Go(func() {
				var err error
				created[i], err = r.Bootstrap(t.Context(), fmt.Sprintf("admin%d", i), adminPW)
				if err != nil {
					t.Errorf("round %d: %v", round, err)
				}
			})
		}
		wg.Wait()
		require.Len(t, slices.DeleteFunc(created, func(b bool) bool { return !b }), 1, "round %d", round)
		require.EqualValues(t, 1, db.Count(t, "MATCH (u:_GraphrestUser) RETURN count(u)", nil))
		for _, r := range replicas {
			again, err := r.Bootstrap(t.Context(), "other", adminPW)
			require.NoError(t, err)
			require.False(t, again)
			r.stop()
		}
	}
}

func TestParallelDemotionsLeaveAnAdmin(t *testing.T) {
	testmark.Concurrent(t)
	db := neo4jtest.OpenPrepared(t)
	here := startWithAdmin(t, db)
	there := start(t, db)
	yes, no := true, false
	_, err := here.CreateUser(t.Context(), auth.NewUser{Username: "second", Password: otherPW, Admin: true})
	require.NoError(t, err)
	for round := range 20 {
		results := make(chan error, 2)
		go func() {
			_, err := here.UpdateUser(t.Context(), "admin", auth.UserChange{Admin: &no})
			results <- err
		}()
		go func() {
			_, err := there.UpdateUser(t.Context(), "second", auth.UserChange{Disabled: &yes})
			results <- err
		}()
		var rejected int
		for range 2 {
			if err := <-results; err != nil {
				requireCode(t, fault.Conflict, err)
				rejected++
			}
		}
		require.Equal(t, 1, rejected, "round %d", round)
		require.EqualValues(t, 1, db.Count(t, "MATCH (u:_GraphrestUser) WHERE u.admin AND NOT u.disabled RETURN count(u)", nil))
		_, err = here.UpdateUser(t.Context(), "admin", auth.UserChange{Admin: &yes})
		require.NoError(t, err)
		_, err = here.UpdateUser(t.Context(), "second", auth.UserChange{Disabled: &no})
		require.NoError(t, err)
	}
	require.NoError(t, here.DeleteUser(t.Context(), "second"))
	requireCode(t, fault.Conflict, there.DeleteUser(t.Context(), "admin"))
}

// No request that begins after the answer to a logout succeeds.
func TestRequestsRacingALogout(t *testing.T) {
	testmark.Concurrent(t)
	db := neo4jtest.OpenPrepared(t)
	r := startWithAdmin(t, db)
	for range 10 {
		token := r.login(t, "admin", adminPW)
		p := r.principal(t, token)
		answered := make(chan struct{})
		var wg sync.WaitGroup
		for range 100 {
			wg.Go(func() {
				for range 20 {
					after := false
					select {
					case <-answered:
						after = true
					default:
					}
					if _, err := r.use(token); after && fault.CodeOf(err) != fault.TokenRevoked {
						t.Errorf("accepted after the logout was answered: %v", err)
					}
					time.Sleep(100 * time.Microsecond)
				}
			})
		}
		require.NoError(t, r.Logout(t.Context(), p))
		close(answered)
		wg.Wait()
	}
}

// With more than two thousand users, a refresh no longer reads all of them every second: it finds changes, deletions and new users by
// their versions only.
func TestManyUsersFollowByVersion(t *testing.T) {
	testmark.Concurrent(t)
	db := neo4jtest.OpenPrepared(t)
	here := startWithAdmin(t, db)
	db.Exec(t, `UNWIND range(1, 2500) AS i CREATE (:_GraphrestUser {id: 'bulk' + i, username: 'bulk' + i, folded: 'bulk' + i,
		admin: false, disabled: false, generation: 0, version: 0})`, nil)
	there := start(t, db) // loads them all
	require.NoError(t, here.EnsureFresh(t.Context()))
	for i := range 10 {
		username := fmt.Sprint("new", i)
		here.add(t, username, auth.Read)
		token := here.login(t, username, otherPW)
		there.principal(t, token)
		all, err := there.Users(t.Context())
		require.NoError(t, err)
		require.Len(t, all, 2502)
		_, err = here.UpdateUser(t.Context(), username, auth.UserChange{Permissions: &[]auth.Permission{}})
		require.NoError(t, err)
		require.Less(t, rejectedAfter(t, there, token, func(p auth.Principal, err error) bool {
			require.NoError(t, err)
			return !p.May(auth.Read)
		}), freshest)
		require.NoError(t, here.DeleteUser(t.Context(), username))
		require.Less(t, rejectedAfter(t, there, token, func(_ auth.Principal, err error) bool {
			return fault.CodeOf(err) == fault.TokenRevoked
		}), freshest)
	}
}
