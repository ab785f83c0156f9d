package httpapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/audit"
	"graphrest/internal/auth"
	"graphrest/internal/httpapi"
	"graphrest/internal/neo4jstore"
	"graphrest/internal/neo4jtest"
)

func TestMain(m *testing.M) { neo4jtest.Main(m) }

const (
	password   = "correct horse battery"
	signingKey = "8Jr0vXk2mQeT5yWbN7cZpLsHdGfUaRi9xKo3"
)

// world is the whole service on a clean database, as app wires it, with a log to look into.
type world struct {
	db       *neo4jtest.DB
	url      string
	api      *httpapi.API
	users    *auth.Service
	accounts *neo4jstore.Accounts
	keys     auth.Keys
	graph    *neo4jstore.Store
	book     *audit.Book
	log      *lockedBuffer
	tokens   map[string]string // by user name
	tokensMu sync.Mutex
	ensured  map[string]bool // users made by ensure
	ensuring sync.Mutex
}

// lockedBuffer takes log lines of several goroutines.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// openWorld starts the service. Change may alter the options before.
func openWorld(t testing.TB, change func(*httpapi.Options)) *world {
	t.Helper()
	return openWorldOn(t, neo4jtest.OpenPrepared(t), change)
}

// openWorldOn is openWorld on a database of the test's choice.
func openWorldOn(t testing.TB, db *neo4jtest.DB, change func(*httpapi.Options)) *world {
	t.Helper()
	w := &world{db: db, log: &lockedBuffer{}, tokens: map[string]string{}, ensured: map[string]bool{}}
	log := slog.New(slog.NewJSONHandler(w.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	background, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup

	w.graph = openGraph(t, w.db, log)
	var err error
	w.accounts, err = neo4jstore.OpenAccounts(neo4jstore.AccountsConfig{
		URI: w.db.URI, Username: w.db.Username, Password: w.db.Password, Database: w.db.Database, Audited: true,
	})
	require.NoError(t, err)
	w.keys, err = auth.NewKeys(signingKey)
	require.NoError(t, err)
	w.book = audit.NewBook(w.accounts, nil, log)
	w.users = w.newUsers(t, time.Hour, log)
	running.Go(func() { _ = w.users.Run(background) })

	rates, err := httpapi.NewRateStore(time.Hour)
	require.NoError(t, err)
	options := httpapi.Options{
		Nodes: w.graph, Edges: w.graph, Schema: w.graph, Types: w.graph, Explorer: w.graph, Search: w.graph, Indexes: w.graph, Bulk: w.graph,
		Health: w.graph, Accounts: w.users, Fresh: w.users.Fresh,
		Trail: w.graph, Book: w.book,
		Log: log, CursorKey: w.keys.Derive("cursor"), RateStore: rates, RateLimit: 1_000_000,
	}
	if change != nil {
		change(&options)
	}
	api, err := httpapi.New(options)
	require.NoError(t, err)
	server := httptest.NewServer(api)
	w.url, w.api = server.URL, api
	t.Cleanup(func() {
		server.Close()
		stop()
		if t.Failed() {
			t.Logf("the service's log:\n%s", w.log)
		}
		running.Wait()
		ctx := context.Background()
		require.NoError(t, rates.Close(ctx))
		require.NoError(t, w.accounts.Close(ctx))
	})
	w.bootstrap(t)
	return w
}

func (w *world) newUsers(t testing.TB, life time.Duration, log *slog.Logger) *auth.Service {
	t.Helper()
	return w.newUsersAt(t, time.Now, life, log)
}

// newUsersAt is newUsers with a clock.
func (w *world) newUsersAt(t testing.TB, clock func() time.Time, life time.Duration, log *slog.Logger) *auth.Service {
	t.Helper()
	// A busy machine may take its time to answer; these tests are not about that.
	users, err := auth.New(auth.Config{Keys: w.keys, TokenTTL: life, Timeout: 10 * time.Second, Audit: w.book}, w.accounts, clock, log)
	require.NoError(t, err)
	return users
}

// bootstrap makes the first administrator, "root".
func (w *world) bootstrap(t testing.TB) {
	t.Helper()
	require.Eventually(t, func() bool {
		made, err := w.users.Bootstrap(context.Background(), "root", password)
		return err == nil && made
	}, time.Minute, 5*time.Millisecond)
}

// user makes a user with just these permissions.
func (w *world) user(t testing.TB, name string, permissions ...auth.Permission) {
	t.Helper()
	_, err := w.users.CreateUser(context.Background(), auth.NewUser{Username: name, Password: password, Permissions: permissions})
	require.NoError(t, err)
}

// token logs a user in, once.
func (w *world) token(t testing.TB, name string) string {
	t.Helper()
	w.tokensMu.Lock()
	defer w.tokensMu.Unlock()
	if token, known := w.tokens[name]; known {
		return token
	}
	token, err := w.users.Login(context.Background(), name, password, "127.0.0.1", nil)
	require.NoError(t, err)
	w.tokens[name] = token.AccessToken
	return token.AccessToken
}

func (w *world) forget(name string) {
	w.tokensMu.Lock()
	defer w.tokensMu.Unlock()
	delete(w.tokens, name)
}

// reply is an answer as it came.
type reply struct {
	status int
	header http.Header
	body   string
}

// send sends a request with a user's token (none for the empty name) and looks for what no answer may ever hold.
func (w *world) send(t testing.TB, as, method, target, body string, headers ...string) reply {
	t.Helper()
	token := ""
	if as != "" {
		token = w.token(t, as)
	}
	return w.sendToken(t, token, method, target, body, headers...)
}

func (w *world) sendToken(t testing.TB, token, method, target, body string, headers ...string) reply {
	t.Helper()
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	r, err := http.NewRequest(method, w.url+target, reader)
	require.NoError(t, err)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	got := reply{res.StatusCode, res.Header, string(text)}
	requireClean(t, got)
	return got
}

// never is what no answer may hold: hashes, reserved names, Cypher, the driver's and Go's own texts, addresses.
var never = regexp.MustCompile(`(?i)argon2|_graphrest|\bMATCH\s*\(|\bUNWIND\b|\bMERGE\s*\(|elementId\(|neo\.(client|transient|database)error|` +
	`(bolt|neo4j)(\+s|\+ssc)?://|goroutine \d|\.go:\d|runtime error|panic|password_hash|` + regexp.QuoteMeta(password))

func requireClean(t testing.TB, r reply) {
	t.Helper()
	found := never.FindString(r.body)
	require.Empty(t, found, "%s", r.body)
	for name, values := range r.header {
		require.Empty(t, never.FindString(strings.Join(values, " ")), name)
	}
	require.NotEmpty(t, r.header.Get("X-Request-ID"))
	require.Equal(t, "nosniff", r.header.Get("X-Content-Type-Options"))
	if r.status >= 400 && r.body != "" {
		var e struct {
			Error struct {
				Code    string `json:"code"`
				Message string `json:"message"`
				Details []struct{ Field, Message string }
			} `json:"error"`
		}
		require.NoError(t, json.Unmarshal([]byte(r.body), &e), r.body)
		require.NotEmpty(t, e.Error.Code)
		require.NotEmpty(t, e.Error.Message)
		require.NotNil(t, e.Error.Details)
	}
}

// at reads a value out of a JSON text by a path such as "data.id" or "error.code".
func at(t testing.TB, text, path string) any {
	t.Helper()
	var value any
	require.NoError(t, json.Unmarshal([]byte(text), &value), text)
	for name := range strings.SplitSeq(path, ".") {
		object, is := value.(map[string]any)
		require.True(t, is, "%s in %s", path, text)
		value = object[name]
	}
	return value
}
