package auth_test

import (
	"context"
	"net"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/fault"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

// proxy forwards connections between a replica and the database, and can break or freeze them.
type proxy struct {
	listener net.Listener
	target   string
	mu       sync.Mutex
	frozen   chan struct{} // no data is forwarded while it is open; nil in normal operation
	refuse   bool
	every    int // one of this number of database replies is lost with its connection; 0 for none
	replies  int
	conns    map[net.Conn]bool
	running  sync.WaitGroup
}

func newProxy(t *testing.T, db *neo4jtest.DB) (*proxy, string) {
	t.Helper()
	target, err := url.Parse(db.URI)
	require.NoError(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	p := &proxy{listener: listener, target: target.Host, conns: map[net.Conn]bool{}}
	p.running.Go(p.accept)
	t.Cleanup(func() {
		p.thaw()
		_ = listener.Close()
		p.cut()
		p.running.Wait()
	})
	return p, "bolt://" + listener.Addr().String()
}

func (p *proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", p.target)
		p.mu.Lock()
		refuse := p.refuse
		if err == nil && !refuse {
			p.conns[client], p.conns[server] = true, true
		}
		p.mu.Unlock()
		if err != nil || refuse {
			_ = client.Close()
			if server != nil {
				_ = server.Close()
			}
			continue
		}
		p.running.Go(func() { p.pass(client, server, false) })
		p.running.Go(func() { p.pass(server, client, true) })
	}
}

func (p *proxy) pass(from, to net.Conn, reply bool) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		p.mu.Lock()
		frozen, lose := p.frozen, false
		if reply && p.every > 0 {
			p.replies++
			lose = p.replies%p.every == 0
		}
		p.mu.Unlock()
		if lose {
			_, _ = from.Close(), to.Close()
			return
		}
		if frozen != nil {
			<-frozen
		}
		if err == nil {
			_, err = to.Write(buffer[:n])
		}
		if err != nil {
			_, _ = from.Close(), to.Close()
			return
		}
	}
}

// cut closes every connection.
func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		_ = c.Close()
	}
	p.conns = map[net.Conn]bool{}
}

func (p *proxy) setRefuse(refuse bool) {
	p.mu.Lock()
	p.refuse = refuse
	p.mu.Unlock()
}

func (p *proxy) lose(every int) {
	p.mu.Lock()
	p.every = every
	p.mu.Unlock()
}

func (p *proxy) freeze() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.frozen = make(chan struct{})
}

func (p *proxy) thaw() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.frozen != nil {
		close(p.frozen)
		p.frozen = nil
	}
}

// failsClosed checks that one second after the database became unavailable no user is authenticated, that the answer arrives in time, and
// that a token which another replica revoked during the outage is accepted neither during the outage nor after it.
func failsClosed(t *testing.T, here, there *replica, away, back func()) {
	t.Helper()
	kept, out := here.login(t, "admin", adminPW), here.login(t, "admin", adminPW)
	p := there.principal(t, out)
	there.principal(t, kept)
	away()
	require.NoError(t, here.Logout(t.Context(), p))
	loggedOut := time.Now()
	time.Sleep(time.Until(loggedOut.Add(freshest)))
	for round := range 3 {
		longest := 2*time.Second + 3*time.Second // two requests of a second each, and a busy machine
		if round == 0 {
			longest += 3 * refreshTimeout // the first request waits, since the database may only be slow
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		began := time.Now()
		for _, token := range []string{kept, out} {
			_, err := there.Authenticate(ctx, []string{"Bearer " + token})
			requireCode(t, fault.DatabaseUnavailable, err)
			require.NotZero(t, fault.As(err).After)
		}
		require.Less(t, time.Since(began), longest, "round %d", round)
		requireCode(t, fault.DatabaseUnavailable, there.EnsureFresh(ctx))
		_, err := there.Login(ctx, "admin", adminPW, ownIP, nil)
		requireCode(t, fault.DatabaseUnavailable, err)
		_, err = there.Authenticate(ctx, []string{"Bearer nonsense"})
		requireCode(t, fault.InvalidToken, err)
		cancel()
	}
	back()
	returned := time.Now()
	require.Eventually(t, func() bool {
		_, err := there.use(kept)
		return err == nil
	}, 10*time.Second, 10*time.Millisecond)
	t.Logf("recovered %v after the database was available again", time.Since(returned))
	_, err := there.use(out)
	requireCode(t, fault.TokenRevoked, err)
}

// refreshTimeout makes the tests of a frozen database short.
const refreshTimeout = 2 * time.Second

func withRefreshTimeout(c *auth.Config, _ *dbConfig) { c.Timeout = refreshTimeout }

func TestTheDatabaseAway(t *testing.T) {
	testmark.Concurrent(t)
	db := neo4jtest.OpenPrepared(t)
	leakFree(t)
	here := startWithAdmin(t, db)
	p, uri := newProxy(t, db)
	there := start(t, db, at(uri), withRefreshTimeout)
	t.Run("connections lost", func(t *testing.T) {
		failsClosed(t, here, there, func() { p.setRefuse(true); p.cut() }, func() { p.setRefuse(false) })
	})
	t.Run("frozen", func(t *testing.T) {
		failsClosed(t, here, there, p.freeze, p.thaw)
	})
}

// A request that joins a refresh of the cache does not fail when the time of that refresh is over: the database is only slow, and the
// request has more time.
func TestARefreshThatRanOutOfTimeFailsNoRequestThatJoinedIt(t *testing.T) {
	testmark.Concurrent(t)
	testmark.Long(t)
	db := neo4jtest.OpenPrepared(t)
	here := startWithAdmin(t, db)
	p, uri := newProxy(t, db)
	const timeout = 4 * time.Second // the refresh that is running when the database answers again has most of it left
	there := start(t, db, at(uri), func(c *auth.Config, _ *dbConfig) { c.Timeout = timeout })
	token := here.login(t, "admin", adminPW)
	for range 3 {
		there.principal(t, token)
		p.freeze()
		frozen := time.Now()
		away := timeout + freshest // after the end of the refresh that begins next
		time.AfterFunc(away, p.thaw)
		time.Sleep(freshest) // now the cache is too old, and a refresh has been running for almost as long
		for time.Since(frozen) < away {
			_, err := there.use(token)
			require.NoError(t, err, "%s after the database stopped", time.Since(frozen))
		}
	}
	p.freeze()
	defer p.thaw()
	time.Sleep(freshest)
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	_, err := there.Authenticate(ctx, []string{"Bearer " + token})
	requireCode(t, fault.DatabaseTimeout, err)
}

// A database that answers other requests is slow: however many refreshes run out of time, a request waits as long as it may.
func TestADatabaseThatAnswersOtherRequestsIsSlow(t *testing.T) {
	testmark.Concurrent(t)
	db := neo4jtest.OpenPrepared(t)
	here := startWithAdmin(t, db)
	p, uri := newProxy(t, db)
	there := start(t, db, at(uri), func(c *auth.Config, _ *dbConfig) {
		c.Timeout, c.Answered = 200*time.Millisecond, func(time.Time) bool { return true }
	})
	token := here.login(t, "admin", adminPW)
	require.Eventually(t, func() bool { _, err := there.use(token); return err == nil }, 20*time.Second, 10*time.Millisecond)
	p.freeze()
	ctx, cancel := context.WithTimeout(t.Context(), freshest+2*time.Second) // several refreshes
	defer cancel()
	var err error
	require.Eventually(t, func() bool { err = there.EnsureFresh(ctx); return err != nil }, 20*time.Second, 10*time.Millisecond)
	p.thaw()
	requireCode(t, fault.DatabaseTimeout, err)
	require.Eventually(t, func() bool { _, err := there.use(token); return err == nil }, 20*time.Second, 10*time.Millisecond)
}

// A gateway that starts before its database rejects all requests, prepares the database when it becomes available, and then serves.
func TestStartingBeforeTheDatabase(t *testing.T) {
	testmark.Concurrent(t)
	db := neo4jtest.OpenPrepared(t)
	p, uri := newProxy(t, db)
	p.setRefuse(true)
	r := start(t, db, at(uri))
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	_, err := r.Bootstrap(ctx, "admin", adminPW)
	requireCode(t, fault.DatabaseUnavailable, err)
	requireCode(t, fault.DatabaseUnavailable, r.EnsureFresh(ctx))
	p.setRefuse(false)
	require.Eventually(t, func() bool { return r.EnsureFresh(t.Context()) == nil }, 10*time.Second, 10*time.Millisecond)
	created, err := r.Bootstrap(t.Context(), "admin", adminPW)
	require.NoError(t, err)
	require.True(t, created)
	r.login(t, "admin", adminPW)
}

// If connections break during changes, no acknowledged change is lost and none is applied twice.
func TestChangesOverABreakingConnection(t *testing.T) {
	testmark.Concurrent(t)
	db := neo4jtest.OpenPrepared(t)
	here := startWithAdmin(t, db)
	p, uri := newProxy(t, db)
	there := start(t, db, at(uri))
	require.NoError(t, there.EnsureFresh(t.Context()))
	p.lose(17) // a creation takes about eight replies, so each of them is lost repeatedly, including the reply to COMMIT
	acknowledged, failed := 0, 0
	for i := range 60 {
		name := "user" + string(rune('A'+i/26)) + string(rune('a'+i%26))
		_, err := there.CreateUser(t.Context(), auth.NewUser{Username: name, Password: otherPW, Permissions: []auth.Permission{auth.Read}})
		if err != nil {
			requireCode(t, fault.DatabaseUnavailable, err)
			failed++
			continue
		}
		acknowledged++
		u, err := here.User(t.Context(), name)
		require.NoError(t, err, "an acknowledged user exists")
		require.Equal(t, []auth.Permission{auth.Read}, u.Permissions)
	}
	p.lose(0)
	t.Logf("%d acknowledged, %d failed", acknowledged, failed)
	require.Greater(t, acknowledged, 40)
	require.Zero(t, db.Count(t, "MATCH (u:_GraphrestUser)-[h:_GraphrestHas]->(p) WITH u, p, count(h) AS n WHERE n > 1 RETURN count(*)", nil))
}
