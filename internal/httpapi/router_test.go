package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/docs/openapi"
	"graphrest/internal/auth"
	"graphrest/internal/changeset"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// unreachableStore is a store that a request must not reach in these tests: every method panics.
type unreachableStore struct {
	graph.NodeStore
	graph.EdgeStore
	graph.SchemaStore
	graph.TypeStore
	graph.BulkStore
	graph.BatchStore
	graph.Health
	graph.Monitor
}

// unreachableSets is apart, because its methods have names of other stores.
type unreachableSets struct{ changeset.Store }

// denyAllAccounts is an Accounts that rejects every token, for tests of the steps before authentication.
type denyAllAccounts struct{ Accounts }

func (denyAllAccounts) Authenticate(context.Context, []string) (auth.Principal, error) {
	return auth.Principal{}, fault.New(fault.Unauthenticated, "A token is needed")
}

// newTestAPI completes the options with parts that must not be reached.
func newTestAPI(t testing.TB, o Options) *API {
	t.Helper()
	o.CursorKey = bytes.Repeat([]byte("k"), minCursorKey)
	if o.Nodes == nil {
		o.Batches, o.ChangeSets = unreachableStore{}, unreachableSets{}
		o.Nodes, o.Edges, o.Schema = unreachableStore{}, unreachableStore{}, unreachableStore{}
		o.Types, o.Bulk = unreachableStore{}, unreachableStore{}
	}
	if o.Health == nil {
		o.Health = unreachableStore{}
	}
	if o.Monitor == nil {
		o.Monitor = unreachableStore{}
	}
	if o.Accounts == nil {
		o.Accounts = denyAllAccounts{}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.RateStore == nil {
		store, err := NewRateStore(time.Hour)
		require.NoError(t, err)
		t.Cleanup(func() { _ = store.Close(context.Background()) })
		o.RateStore = store
	}
	a, err := New(o)
	require.NoError(t, err)
	return a
}

// ask sends a request whose target reaches the router unchanged, including dot segments.
func ask(t testing.TB, a http.Handler, method, target string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(method, target, nil)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	a.ServeHTTP(w, r)
	return w
}

func errorCode(t testing.TB, body io.Reader) string {
	t.Helper()
	var answer errorDocument
	require.NoError(t, json.NewDecoder(body).Decode(&answer))
	return string(answer.Error.Code)
}

func TestUnknownPaths(t *testing.T) {
	a := newTestAPI(t, Options{})
	for _, path := range []string{
		"/nothing", "/api", "/api/", "/api/nodes/", "//api/nodes", "/api//nodes", "/API/nodes", "/api/Nodes", "/api/./nodes",
		"/api/x/../nodes", "/api/nodes/..", "/api/nodes/.", "/api/nodes/%2e%2e", "/api/nodes/%2E", "/api/nodes;x", "/api%2Fnodes",
		"/%61pi/nodes", "/api/nodes/a/edges/", "/api/nodes/a/b", "/api/nodes/a//edges", "/docs/", "/docs//x", "/index.html", "/api/nodes%00",
		"/api/nodes%20", "/..%2fapi/nodes", "/api/auth/login/",
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodDelete} {
			w := ask(t, a, method, path)
			require.Equal(t, http.StatusNotFound, w.Code, "%s %s: %s", method, path, w.Body)
			require.Equal(t, "NOT_FOUND", errorCode(t, w.Body), path)
			require.Empty(t, w.Header().Get("Location"), path)
			require.Equal(t, jsonMediaType, w.Header().Get("Content-Type"))
		}
	}
}

func TestUnsupportedMethods(t *testing.T) {
	a := newTestAPI(t, Options{})
	for _, c := range []struct{ method, path, allow string }{
		{"TRACE", "/api/nodes", "GET, HEAD, POST"},
		{"get", "/api/nodes", "GET, HEAD, POST"},
		{"OPTIONS", "/api/nodes", "GET, HEAD, POST"},
		{"DELETE", "/api/nodes", "GET, HEAD, POST"},
		{"POST", "/api/nodes/x", "DELETE, GET, HEAD, PATCH, PUT"},
		{"QUERY", "/api/nodes/x", "DELETE, GET, HEAD, PATCH, PUT"},
		{"GET", "/api/auth/login", "POST"},
		{"PATCH", "/api/auth/password", "PUT"},
		{"POST", "/docs", "GET, HEAD"},
		{"PUT", "/docs/openapi.json", "GET, HEAD"},
		{"POST", "/", "GET, HEAD"},
	} {
		w := ask(t, a, c.method, c.path, "X-HTTP-Method-Override", "GET")
		require.Equal(t, http.StatusMethodNotAllowed, w.Code, "%s %s", c.method, c.path)
		require.Equal(t, c.allow, w.Header().Get("Allow"), "%s %s", c.method, c.path)
		require.Equal(t, "METHOD_NOT_ALLOWED", errorCode(t, w.Body))
	}
}

func TestUnusualRequestTargets(t *testing.T) {
	a := newTestAPI(t, Options{})
	for _, c := range []struct{ method, path string }{{"CONNECT", ""}, {"OPTIONS", "*"}, {"GET", ""}, {"GET", "*"}} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Method, r.URL.Path, r.URL.RawPath = c.method, c.path, ""
		w := httptest.NewRecorder()
		a.ServeHTTP(w, r)
		require.Contains(t, []int{http.StatusNotFound, http.StatusMethodNotAllowed}, w.Code, "%s %q", c.method, c.path)
	}
}

func TestEveryAPIRouteRequiresAToken(t *testing.T) {
	a := newTestAPI(t, Options{})
	for _, r := range Routes() {
		if r.Access.Public() {
			continue
		}
		path := strings.NewReplacer(":node_id", "x", ":id", "x", ":username", "x").Replace(r.Path)
		w := ask(t, a, r.Method, path, "Content-Type", "text/plain")
		require.Equal(t, http.StatusUnauthorized, w.Code, "%s %s", r.Method, path)
		require.NotEmpty(t, w.Header().Get("WWW-Authenticate"))
		require.Empty(t, w.Header().Get("RateLimit"))
	}
}

func TestConstantHeadersOfEveryResponse(t *testing.T) {
	a := newTestAPI(t, Options{})
	for _, path := range []string{"/", "/healthz", "/api/nodes", "/nothing", "/docs"} {
		h := ask(t, a, http.MethodGet, path).Header()
		require.Regexp(t, `^[A-Z2-7]{26}$`, h.Get("X-Request-ID"), path)
		require.Equal(t, "nosniff", h.Get("X-Content-Type-Options"), path)
		require.Equal(t, "no-store", h.Get("Cache-Control"), path)
		require.Equal(t, "no-referrer", h.Get("Referrer-Policy"), path)
		require.Contains(t, h.Get("Content-Security-Policy"), "default-src 'none'", path)
	}
}

func TestValidRequestIDIsKept(t *testing.T) {
	a := newTestAPI(t, Options{})
	for _, c := range []struct {
		given string
		taken bool
	}{
		{"abc-DEF_1.2", true},
		{strings.Repeat("a", 128), true},
		{strings.Repeat("a", 129), false},
		{"", false},
		{"a b", false},
		{"a\x1b[31m", false},
		{"<script>", false},
		{"é", false},
	} {
		got := ask(t, a, http.MethodGet, "/healthz", "X-Request-ID", c.given).Header().Get("X-Request-ID")
		require.Equal(t, c.taken, got == c.given, "%q", c.given)
	}
	twice := ask(t, a, http.MethodGet, "/healthz", "X-Request-ID", "a", "X-Request-ID", "b").Header()["X-Request-Id"]
	require.Len(t, twice, 1)
	require.NotContains(t, []string{"a", "b"}, twice[0])
}

func TestPanicIsAnInternalErrorWithoutDetails(t *testing.T) {
	var log bytes.Buffer
	a := newTestAPI(t, Options{Log: slog.New(slog.NewJSONHandler(&log, nil))})
	w := ask(t, a, http.MethodGet, "/readyz") // its health check is beyond
	require.Equal(t, http.StatusInternalServerError, w.Code)
	require.JSONEq(t, `{"error":{"code":"INTERNAL","message":"Internal error","details":[]}}`, w.Body.String())
	require.Contains(t, log.String(), "goroutine", "the stack is in the log")
	require.Contains(t, log.String(), w.Header().Get("X-Request-ID"))
}

func TestLogLineContainsNoSecrets(t *testing.T) {
	var log bytes.Buffer
	a := newTestAPI(t, Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	ask(t, a, http.MethodGet, "/api/nodes?type=SecretQuery", "Authorization", "Bearer SecretToken", "Cookie", "SecretCookie")
	ask(t, a, http.MethodGet, "/forged%0Alevel=ERROR%1B[31m")
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	require.Len(t, lines, 2)
	require.NotContains(t, log.String(), "Secret")
	require.NotContains(t, log.String(), "\x1b")
	require.Contains(t, lines[0], "route=/api/nodes")
	require.Contains(t, lines[0], "status=401")
	require.Contains(t, lines[0], "code=UNAUTHENTICATED")
}

func TestOptionsAreValidated(t *testing.T) {
	_, err := New(Options{CORSOrigins: []string{"*"}})
	for _, name := range []string{"Nodes", "Edges", "Schema", "Health", "Accounts", "RateStore", "CursorKey", `"*"`} {
		require.ErrorContains(t, err, name)
	}
	for _, origin := range []string{
		"*", "null", "", "https://*.example", "example.com", "https://a.example/", "https://A.example", "/.*/", "ftp://a",
		"https://a.example https://b",
	} {
		require.Error(t, checkOrigin(origin), origin)
	}
	for _, origin := range []string{"https://a.example", "http://localhost:3000", "https://[::1]:8443"} {
		require.NoError(t, checkOrigin(origin))
	}
}

func TestCORSAnswersOnlyConfiguredOrigins(t *testing.T) {
	const good = "https://app.example"
	a := newTestAPI(t, Options{CORSOrigins: []string{good}})
	plain := newTestAPI(t, Options{})

	h := ask(t, a, http.MethodGet, "/healthz", "Origin", good).Header()
	require.Equal(t, good, h.Get("Access-Control-Allow-Origin"))
	require.Contains(t, h.Get("Access-Control-Expose-Headers"), "Ratelimit-Policy")
	require.Contains(t, h.Get("Access-Control-Expose-Headers"), "Graphrest-Bookmark")
	require.Equal(t, "Origin", h.Get("Vary"))
	require.Empty(t, h.Get("Access-Control-Allow-Credentials"))

	for _, origin := range []string{
		"https://evil.example", "null", "http://app.example", "https://x.app.example", "https://app.example.evil", "https://APP.example",
	} {
		w := ask(t, a, http.MethodGet, "/healthz", "Origin", origin)
		require.Empty(t, w.Header().Get("Access-Control-Allow-Origin"), origin)
		require.Equal(t, "Origin", w.Header().Get("Vary"), origin)
		w = ask(t, a, http.MethodOptions, "/api/nodes", "Origin", origin, "Access-Control-Request-Method", "POST")
		require.Equal(t, http.StatusMethodNotAllowed, w.Code)
		require.Empty(t, w.Header().Get("Access-Control-Allow-Methods"), origin)
	}

	w := ask(t, a, http.MethodOptions, "/api/nodes", "Origin", good, "Access-Control-Request-Method", "POST")
	require.Equal(t, http.StatusNoContent, w.Code)
	require.Equal(t, good, w.Header().Get("Access-Control-Allow-Origin"))
	sent, exposed := documentedHeaders(t)
	for _, name := range append(sent, "Authorization", "Content-Type", "X-Request-ID", "traceparent", "tracestate") {
		require.Contains(t, headerNames(w.Header().Get("Access-Control-Allow-Headers")), strings.ToLower(name))
	}
	for _, name := range append(exposed, "Allow") {
		require.Contains(t, headerNames(h.Get("Access-Control-Expose-Headers")), strings.ToLower(name))
	}
	require.Equal(t, http.StatusNotFound,
		ask(t, a, http.MethodOptions, "/nothing", "Origin", good, "Access-Control-Request-Method", "POST").Code)
	require.Equal(t, http.StatusMethodNotAllowed, ask(t, a, http.MethodOptions, "/api/nodes", "Origin", good).Code)

	require.Empty(t, ask(t, plain, http.MethodGet, "/healthz", "Origin", good).Header().Get("Access-Control-Allow-Origin"))
}

// headerNames are the names of a list such as that of Access-Control-Allow-Headers, in small letters.
func headerNames(list string) []string {
	return strings.Split(strings.ReplaceAll(strings.ToLower(list), " ", ""), ",")
}

// documentedHeaders are the headers that requests may have, and those of answers that browsers hide from pages unless they are exposed.
func documentedHeaders(t *testing.T) (sent, exposed []string) {
	t.Helper()
	var description any
	require.NoError(t, json.Unmarshal(openapi.Document, &description))
	var walk func(any)
	walk = func(at any) {
		members, _ := at.(map[string]any)
		if members["in"] == "header" {
			sent = append(sent, members["name"].(string))
		}
		headers, _ := members["headers"].(map[string]any)
		for name := range headers {
			if name != "Cache-Control" { // pages read it always (Fetch standard, "CORS-safelisted response-header name")
				exposed = append(exposed, name)
			}
		}
		for _, member := range members {
			walk(member)
		}
		list, _ := at.([]any)
		for _, member := range list {
			walk(member)
		}
	}
	walk(description)
	require.NotEmpty(t, sent)
	require.NotEmpty(t, exposed)
	return sent, exposed
}
