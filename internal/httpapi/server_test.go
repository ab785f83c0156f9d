package httpapi_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/audit"
	"graphrest/internal/auth"
	"graphrest/internal/bolt"
	"graphrest/internal/gatewaytest"
	"graphrest/internal/httpapi"
	"graphrest/internal/maintenance"
	"graphrest/internal/neo4jauth"
	"graphrest/internal/neo4jsavedview"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/neo4jwebhook"
	"graphrest/internal/webhook"
)

func TestMain(m *testing.M) { neo4jtest.Main(m) }

const (
	password   = "correct horse battery"
	signingKey = "8Jr0vXk2mQeT5yWbN7cZpLsHdGfUaRi9xKo3"
)

// testServer is the whole service on a clean database, wired as in package app, with its log in memory.
type testServer struct {
	db             *neo4jtest.DB
	url            string
	api            *httpapi.API
	users          *auth.Service
	accounts       *neo4jauth.Store
	keys           auth.Keys
	stores         stores
	auditBuffer    *audit.Buffer
	log            *gatewaytest.LogBuffer
	tokens         map[string]string // by user name
	tokensMu       sync.Mutex
	createdUsers   map[string]bool // users made by ensure
	createdUsersMu sync.Mutex
}

// newTestServer starts the service. Change may alter the options before.
func newTestServer(t testing.TB, change func(*httpapi.Options)) *testServer {
	t.Helper()
	return newTestServerOn(t, neo4jtest.OpenPrepared(t), change)
}

// maxLogLines is how much of the log a failed test prints: some tests send thousands of requests.
const maxLogLines = 200

// newTestServerOn is newTestServer on a database of the test's choice.
func newTestServerOn(t testing.TB, db *neo4jtest.DB, change func(*httpapi.Options)) *testServer {
	t.Helper()
	srv := &testServer{db: db, log: &gatewaytest.LogBuffer{}, tokens: map[string]string{}, createdUsers: map[string]bool{}}
	log := slog.New(slog.NewJSONHandler(srv.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	background, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup

	srv.stores = openStores(t, bolt.Config{URI: db.URI, Username: db.Username, Password: db.Password, Database: db.Database, Log: log})
	store := srv.stores.graph
	var err error
	srv.accounts, err = neo4jauth.Open(neo4jauth.Config{
		URI: srv.db.URI, Username: srv.db.Username, Password: srv.db.Password, Database: srv.db.Database, Audited: true,
	})
	require.NoError(t, err)
	srv.keys, err = auth.NewKeys(signingKey)
	require.NoError(t, err)
	srv.auditBuffer = audit.NewBuffer(srv.accounts, nil, log)
	srv.users = srv.newUsers(t, time.Hour, log)
	running.Go(func() { _ = srv.users.Run(background) })

	rates, err := httpapi.NewRateStore(time.Hour)
	require.NoError(t, err)
	queries, matcher := newQueries(t, &srv.stores, db)
	options := httpapi.Options{
		Nodes: store, Edges: store, Schema: store, Types: store, Styles: store, Explorer: store.Walks, Aggregator: store.Aggregates,
		Matcher: matcher,
		Search:  store, Indexes: store, Bulk: store.Bulk, Batches: store.Batches,
		ChangeSets:   store.ChangeSets,
		SavedViews:   neo4jsavedview.New(srv.stores.client, srv.stores.audit),
		Queries:      queries,
		Health:       srv.stores.client,
		Monitor:      maintenance.NewMonitor(maintenance.New(srv.stores.client, store.Constraints, store.Names, "uuid"), store.Counts),
		StoreContext: bolt.WithWaitBudget, Accounts: srv.users, Fresh: srv.users.EnsureFresh,
		AuditReader: srv.stores.audit, RefusalAudit: srv.auditBuffer,
		Journal: store.Journal, Undoer: store.Journal,
		Webhooks: webhook.NewService(neo4jwebhook.New(srv.stores.client, srv.stores.audit), store.Journal, webhook.Addresses{}),
		Log:      log, CursorKey: srv.keys.Derive("cursor"), IDProperty: "uuid", RateStore: rates, RateLimit: 1_000_000,
	}
	if change != nil {
		change(&options)
	}
	api, err := httpapi.New(options)
	require.NoError(t, err)
	server := httptest.NewServer(api)
	srv.url, srv.api = server.URL, api
	t.Cleanup(func() {
		server.Close()
		stop()
		if t.Failed() {
			lines := strings.Split(srv.log.String(), "\n")
			t.Logf("the end of the service's log:\n%s", strings.Join(lines[max(len(lines)-maxLogLines, 0):], "\n"))
		}
		running.Wait()
		ctx := context.Background()
		require.NoError(t, rates.Close(ctx))
		require.NoError(t, srv.accounts.Close(ctx))
	})
	srv.bootstrap(t)
	return srv
}

func (srv *testServer) newUsers(t testing.TB, life time.Duration, log *slog.Logger) *auth.Service {
	t.Helper()
	return srv.newUsersAt(t, time.Now, life, log)
}

// newUsersAt is newUsers with a clock.
func (srv *testServer) newUsersAt(t testing.TB, clock func() time.Time, life time.Duration, log *slog.Logger) *auth.Service {
	t.Helper()
	// A long timeout, since a busy machine may be slow.
	users, err := auth.New(
		auth.Config{Keys: srv.keys, TokenTTL: life, Timeout: 10 * time.Second, Audit: srv.auditBuffer},
		srv.accounts,
		clock,
		log,
	)
	require.NoError(t, err)
	return users
}

// bootstrap creates the first administrator, "root". It exists already only if an attempt failed that may have created it.
func (srv *testServer) bootstrap(t testing.TB) {
	t.Helper()
	var failed bool
	require.Eventually(t, func() bool {
		made, err := srv.users.Bootstrap(context.Background(), "root", password)
		failed = failed || err != nil
		return err == nil && (made || failed)
	}, time.Minute, 5*time.Millisecond)
}

// user creates a user with exactly these permissions.
func (srv *testServer) user(t testing.TB, name string, permissions ...auth.Permission) {
	t.Helper()
	if byGrants && slices.Contains(permissions, auth.Read) {
		srv.userByGrants(t, name, permissions...)
		return
	}
	srv.userByPermissions(t, name, permissions...)
}

// userByPermissions is user for tests about permissions and roles themselves, which must not be run with grants instead.
func (srv *testServer) userByPermissions(t testing.TB, name string, permissions ...auth.Permission) {
	t.Helper()
	_, err := srv.users.CreateUser(context.Background(), auth.NewUser{Username: name, Password: password, Permissions: permissions})
	require.NoError(t, err)
}

// token logs a user in, once.
func (srv *testServer) token(t testing.TB, name string) string {
	t.Helper()
	srv.tokensMu.Lock()
	defer srv.tokensMu.Unlock()
	if token, known := srv.tokens[name]; known {
		return token
	}
	token, err := srv.users.Login(context.Background(), name, password, "127.0.0.1", nil)
	require.NoError(t, err)
	srv.tokens[name] = token.AccessToken
	return token.AccessToken
}

func (srv *testServer) forgetToken(name string) {
	srv.tokensMu.Lock()
	defer srv.tokensMu.Unlock()
	delete(srv.tokens, name)
}

// reply is a raw response.
type reply struct {
	status int
	header http.Header
	body   string
}

// send sends a request with a user's token (none for the empty name) and checks the response for forbidden content.
func (srv *testServer) send(t testing.TB, user, method, target, body string, headers ...string) reply {
	t.Helper()
	token := ""
	if user != "" {
		token = srv.token(t, user)
	}
	return srv.sendToken(t, token, method, target, body, headers...)
}

func (srv *testServer) sendToken(t testing.TB, token, method, target, body string, headers ...string) reply {
	t.Helper()
	answer, err := gatewaytest.Client{URL: srv.url, Token: token}.Send(context.Background(), method, target, body, headers...)
	require.NoError(t, err)
	got := reply{answer.Status, answer.Header, answer.Body}
	checked := got
	if got.status == http.StatusOK && (target == "/api/match?explain=true" || target == "/api/admin/system/findings") {
		checked.body = "" // it is Cypher, or tells administrators which names are reserved
	}
	requireClean(t, checked)
	require.NoError(t, checkDocumented(method, target, got.status, got.body))
	return got
}

// forbiddenContent matches what no response may contain: hashes, reserved names, Cypher, texts of the driver and of Go, addresses.
// Among thousands of request ids, which are capital letters and digits, some contain PANIC.
var forbiddenContent = regexp.MustCompile(
	`(?i)argon2|_graphrest|\bMATCH\s*\(|\bUNWIND\b|\bMERGE\s*\(|elementId\(|neo\.(client|transient|database)error|` +
		`(bolt|neo4j)(\+s|\+ssc)?://|goroutine \d|\.go:\d|runtime error|(?-i:[Pp]anic)|password_hash|` + regexp.QuoteMeta(password),
)

// savedText is the text of a saved query, which administrators read as they saved it, and the operators of its plan.
var savedText = regexp.MustCompile(`"cypher":"(?:[^"\\]|\\.)*"|"operators":\[[^\]]*\]`)

func requireClean(t testing.TB, r reply) {
	t.Helper()
	found := forbiddenContent.FindString(savedText.ReplaceAllString(r.body, ""))
	require.Empty(t, found, "%s", r.body)
	for name, values := range r.header {
		require.Empty(t, forbiddenContent.FindString(strings.Join(values, " ")), name)
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

// jsonAt returns a value of a JSON text by a path such as "data.id" or "error.code".
func jsonAt(t testing.TB, text, path string) any {
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
