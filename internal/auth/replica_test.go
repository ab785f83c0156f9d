package auth_test

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"graphrest/internal/auth"
	"graphrest/internal/fault"
	"graphrest/internal/gatewaytest"
	"graphrest/internal/neo4jauth"
	"graphrest/internal/neo4jtest"
)

const (
	secret   = "7Qm2xV9rT4kWz8LpYc3NbHd6FsGj1UaE"
	adminPW  = "correct horse battery"
	otherPW  = "another long password"
	ownIP    = "192.0.2.1"
	foreign  = "198.51.100.7"
	freshest = 950 * time.Millisecond // the time in which another replica must apply a change; the contract requires 1 s
)

// replica is the authentication of one gateway on a shared database.
type replica struct {
	*auth.Service
	store *neo4jauth.Store
	log   *gatewaytest.LogBuffer
	stop  func()
}

type dbConfig = neo4jauth.Config

type option func(*auth.Config, *neo4jauth.Config)

func at(uri string) option {
	return func(_ *auth.Config, c *neo4jauth.Config) { c.URI = uri }
}

// start starts a replica that ends with the test.
func start(t testing.TB, db *neo4jtest.DB, options ...option) *replica {
	t.Helper()
	keys, err := auth.NewKeys(secret)
	require.NoError(t, err)
	config := auth.Config{Keys: keys}
	where := neo4jauth.Config{URI: db.URI, Username: db.Username, Password: db.Password, Database: db.Database}
	for _, o := range options {
		o(&config, &where)
	}
	store, err := neo4jauth.Open(where)
	require.NoError(t, err)
	log := &gatewaytest.LogBuffer{}
	s, err := auth.New(config, store, nil, slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug})))
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	stop := sync.OnceFunc(func() {
		cancel()
		require.NoError(t, <-done)
		require.NoError(t, store.Close(context.Background()))
	})
	t.Cleanup(stop)
	return &replica{Service: s, store: store, log: log, stop: stop}
}

// startWithAdmin starts a replica on an empty database and creates the user admin.
func startWithAdmin(t testing.TB, db *neo4jtest.DB, options ...option) *replica {
	t.Helper()
	r := start(t, db, options...)
	created, err := r.Bootstrap(t.Context(), "admin", adminPW)
	require.NoError(t, err)
	require.True(t, created)
	return r
}

func (r *replica) login(t testing.TB, username, password string) string {
	t.Helper()
	token, err := r.Login(t.Context(), username, password, ownIP, nil)
	require.NoError(t, err)
	return token.AccessToken
}

func (r *replica) use(token string) (auth.Principal, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	return r.Authenticate(ctx, []string{"Bearer " + token})
}

func (r *replica) principal(t testing.TB, token string) auth.Principal {
	t.Helper()
	p, err := r.use(token)
	require.NoError(t, err)
	return p
}

func (r *replica) add(t testing.TB, username string, permissions ...auth.Permission) auth.User {
	t.Helper()
	u, err := r.CreateUser(t.Context(), auth.NewUser{Username: username, Password: otherPW, Permissions: permissions})
	require.NoError(t, err)
	return u
}

func requireCode(t testing.TB, want fault.Code, err error) {
	t.Helper()
	require.Error(t, err)
	require.Equal(t, want, fault.CodeOf(err), "%v", err)
}

// leakFree fails the test if goroutines outlive it. Call it after neo4jtest.Open, whose own goroutines continue.
func leakFree(t testing.TB) {
	t.Helper()
	before := goleak.IgnoreCurrent()
	t.Cleanup(func() {
		if err := goleak.Find(before); err != nil {
			t.Error(err)
		}
	})
}
