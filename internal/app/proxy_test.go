package app

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/config"
	"graphrest/internal/gatewaytest"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/oidctest"
	"graphrest/internal/testmark"
)

// startProxy starts an nginx that compresses JSON, which makes entity tags weak, and publishes a gateway under /graph: once it removes the
// path from the requests, once it passes it on. It returns the origins.
func startProxy(t *testing.T, gateway string) (removing, passing string) {
	t.Helper()
	addresses := []string{freeAddress(t), freeAddress(t)}
	runNginx(t, fmt.Sprintf(`
	gzip on; gzip_types application/json; gzip_proxied any; gzip_min_length 1;
	server { listen %[2]s; location /graph/ { proxy_pass %[1]s/; } }
	server { listen %[3]s; location /graph/ { proxy_pass %[1]s; } }`, gateway, addresses[0], addresses[1]))
	for _, address := range addresses {
		gatewaytest.Client{URL: "http://" + address + "/graph"}.AwaitReady(t, eventTimeout)
	}
	return "http://" + addresses[0], "http://" + addresses[1]
}

// freeAddress is an address of this machine that nothing listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, free.Close())
	return free.Addr().String()
}

// runNginx runs an nginx with the servers of a text until the test ends.
func runNginx(t *testing.T, servers string) {
	t.Helper()
	dir := t.TempDir()
	var temporary strings.Builder
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		fmt.Fprintf(&temporary, "%s_temp_path %s;\n", kind, filepath.Join(dir, kind))
	}
	file := filepath.Join(dir, "nginx.conf")
	require.NoError(t, os.WriteFile(file, fmt.Appendf(nil,
		"daemon off; pid %s/pid; error_log stderr; worker_processes 1;\nevents {}\nhttp {\naccess_log off; %s\n%s\n}",
		dir, temporary.String(), servers), 0o600))
	runProxy(t, "nginx", "nginx-light", "-c", file, "-p", dir, "-e", "stderr")
}

// runProxy runs a proxy until the test ends. Without the program the test is skipped, or fails if CI=true.
func runProxy(t *testing.T, name, debianPackage string, arguments ...string) {
	t.Helper()
	binary, err := exec.LookPath(name)
	if err != nil {
		missing := name + " is missing: apt-get install " + debianPackage
		if os.Getenv("CI") == "true" {
			t.Fatal(missing)
		}
		t.Skip(missing)
	}
	ctx, stop := context.WithCancel(context.Background())
	process := exec.CommandContext(ctx, binary, arguments...)
	process.Cancel = func() error { return process.Process.Signal(os.Interrupt) } // its workers end too
	log := &gatewaytest.LogBuffer{}
	process.Stderr = log
	require.NoError(t, process.Start())
	t.Cleanup(func() {
		stop()
		_ = process.Wait()
		if t.Failed() {
			t.Log(log.String())
		}
	})
}

func TestBehindAProxyUnderAPath(t *testing.T) {
	db := neo4jtest.OpenPrepared(t)
	g := start(t, db.URI, db.Username, db.Password, "GRAPHREST_BASE_PATH=/graph")
	g.waitReady(t)
	removing, passing := startProxy(t, g.url)
	for name, origin := range map[string]string{"removing": removing, "passing": passing} {
		t.Run(name, func(t *testing.T) {
			c := gatewaytest.Client{URL: origin + "/graph"}
			c.Token = c.Login(t, "admin", testPassword)
			p := proxied{t, origin, c}
			t.Run("addresses", p.testAddresses)
			t.Run("pages", p.testPages)
			t.Run("weak tags", p.testWeakTags)
		})
	}
	require.Equal(t, http.StatusOK, g.status("/readyz", ""), "probes reach it without the path")
	require.Equal(t, http.StatusOK, g.status("/graph/healthz", ""))
	for _, path := range []string{"/graph/graph/healthz", "/graphs/healthz", "/graph//healthz", "/graph/../healthz"} {
		require.Equal(t, http.StatusNotFound, g.status(path, ""), path)
	}
}

// proxied is a client of a gateway behind a proxy.
type proxied struct {
	t      *testing.T
	origin string
	client gatewaytest.Client
}

// ask sends a request to a path below the base path, as a browser: it accepts compressed answers.
func (p proxied) ask(t *testing.T, method, path, body string, headers ...string) gatewaytest.Answer {
	t.Helper()
	answer, err := p.client.Send(t.Context(), method, path, body, headers...)
	require.NoError(t, err)
	return answer
}

// follow reads the address that a header names, resolved as browsers do.
func (p proxied) follow(t *testing.T, path, reference string) gatewaytest.Answer {
	t.Helper()
	base, err := url.Parse(p.client.URL + path)
	require.NoError(t, err)
	to, err := base.Parse(reference)
	require.NoError(t, err)
	c := p.client
	c.URL = ""
	answer, err := c.Send(t.Context(), http.MethodGet, to.String(), "")
	require.NoError(t, err)
	return answer
}

func (p proxied) testAddresses(t *testing.T) {
	suffix := strings.ToLower(filepath.Base(t.TempDir()) + url.PathEscape(p.origin[len(p.origin)-5:]))
	for _, made := range []struct{ path, body string }{
		{"/api/nodes", `{"type":"Person","properties":{"name":"Ann"}}`},
		{"/api/nodes", `{"type":"Person","properties":{"name":"Bob"}}`},
		{"/api/changesets", `{"title":"a","operations":[{"op":"create_node","type":"Person","properties":{"name":"Cy"}}]}`},
		{"/api/views", `{"name":"v","page":"explore","state":{"kind":"node"}}`},
		{"/api/admin/users", `{"username":"u` + suffix + `","password":"` + testPassword + `"}`},
		{"/api/admin/roles", `{"name":"r` + suffix + `","grants":[]}`},
	} {
		answer := p.ask(t, http.MethodPost, made.path, made.body)
		require.Equal(t, http.StatusCreated, answer.Status, answer.Body)
		require.True(t, strings.HasPrefix(answer.Header.Get("Location"), "/graph"+made.path+"/"), answer.Header.Get("Location"))
		require.Equal(t, http.StatusOK, p.follow(t, made.path, answer.Header.Get("Location")).Status, made.path)
	}
	list := p.ask(t, http.MethodGet, "/api/nodes?type=Person&limit=1", "")
	next := regexp.MustCompile(`^<(.+)>; rel="next"$`).FindStringSubmatch(list.Header.Get("Link"))
	require.Len(t, next, 2, list.Header)
	require.Equal(t, http.StatusOK, p.follow(t, "/api/nodes", next[1]).Status)

	var description struct {
		Servers []struct{ URL string }
		Paths   map[string]any
	}
	document := p.ask(t, http.MethodGet, "/docs/openapi.json", "")
	require.NoError(t, json.Unmarshal([]byte(document.Body), &description))
	require.Len(t, description.Servers, 1)
	require.Contains(t, description.Paths, "/healthz")
	require.Equal(t, http.StatusOK, p.follow(t, "/docs/openapi.json", description.Servers[0].URL+"/healthz").Status)
}

// testPages checks that every file that the pages name is found.
func (p proxied) testPages(t *testing.T) {
	for _, path := range []string{"/", "/explore", "/docs"} {
		page := p.ask(t, http.MethodGet, path, "")
		require.Equal(t, http.StatusOK, page.Status)
		files := regexp.MustCompile(`(?:src|href)="([^"#]+)"`).FindAllStringSubmatch(page.Body, -1)
		require.NotEmpty(t, files)
		for _, file := range files {
			require.Equal(t, http.StatusOK, p.follow(t, path, file[1]).Status, "%s names %s", path, file[1])
		}
	}
	require.Contains(t, p.ask(t, http.MethodGet, "/", "").Body, `<meta name="base-path" content="/graph">`)
}

// testWeakTags changes with the tag that the proxy made weak, by every route that compares tags.
func (p proxied) testWeakTags(t *testing.T) {
	made := func(path, body string) string {
		answer := p.ask(t, http.MethodPost, path, body)
		require.Equal(t, http.StatusCreated, answer.Status, answer.Body)
		var document struct{ Data struct{ ID string } }
		require.NoError(t, json.Unmarshal([]byte(answer.Body), &document))
		return document.Data.ID
	}
	a, b := made("/api/nodes", `{"type":"Person","properties":{}}`), made("/api/nodes", `{"type":"Person","properties":{}}`)
	for _, change := range []struct{ path, body string }{
		{"/api/nodes/" + a, `{"properties":{"name":"Ann"}}`},
		{
			"/api/edges/" + made("/api/edges", fmt.Sprintf(`{"type":"KNOWS","source_id":%q,"target_id":%q,"properties":{}}`, a, b)),
			`{"properties":{"since":1}}`,
		},
		{"/api/views/" + made("/api/views", `{"name":"v","page":"explore","state":{"kind":"node"}}`), `{"name":"w"}`},
		{
			"/api/changesets/" + made("/api/changesets", `{"title":"a","operations":[{"op":"delete_node","id":"`+b+`"}]}`), `{"title":"b"}`,
		},
	} {
		read := p.ask(t, http.MethodGet, change.path, "", "Accept-Encoding", "gzip")
		require.Equal(t, http.StatusOK, read.Status)
		tag := read.Header.Get("ETag")
		require.True(t, strings.HasPrefix(tag, "W/"), "the proxy makes it weak: %s", tag)
		again := p.ask(t, http.MethodGet, change.path, "", "If-None-Match", tag)
		require.Equal(t, http.StatusNotModified, again.Status, change.path)
		if strings.HasPrefix(change.path, "/api/nodes/") {
			quoted, err := json.Marshal(tag)
			require.NoError(t, err)
			batch := fmt.Sprintf(`{"operations":[{"op":"update_node","id":%q,"if_match":%s,"properties":{}}]}`, a, quoted)
			answer := p.ask(t, http.MethodPost, "/api/batch", batch)
			require.Equal(t, http.StatusOK, answer.Status, answer.Body)
		}
		answer := p.ask(t, http.MethodPut, change.path, change.body, "If-Match", tag)
		require.Equal(t, http.StatusOK, answer.Status, "%s: %s", change.path, answer.Body)
		answer = p.ask(t, http.MethodPut, change.path, change.body, "If-Match", tag)
		require.Equal(t, http.StatusPreconditionFailed, answer.Status, "%s: %s", change.path, answer.Body)
	}
}

// Under a path, other services share the host: cookies are sent below the path only, which the prefix __Host- forbids.
func TestSingleSignOnUnderAPath(t *testing.T) {
	testmark.Concurrent(t)
	idp := oidctest.New(t)
	db := neo4jtest.OpenPrepared(t)
	g := start(t, db.URI, db.Username, db.Password, signOnSettings(idp, "GRAPHREST_PUBLIC_URL=https://graph.example/graph",
		"GRAPHREST_OIDC_REDIRECT_URL=https://graph.example/graph"+callbackPath)...)
	b := newBrowser(t)
	begun, _ := b.do(http.MethodGet, g.url+"/graph/api/auth/oidc/start")
	require.Len(t, begun.Cookies, 1)
	require.True(t, strings.HasPrefix(begun.Cookies[0].Name, "__Secure-"), begun.Cookies[0].Name)
	require.Equal(t, "/graph/", begun.Cookies[0].Path)
	failed, _ := b.do(http.MethodGet, g.url+"/graph"+callbackPath+"?code=x&state=y", "Accept", "text/html")
	require.Equal(t, "/graph/?sso=failed", failed.Header.Get("Location"))
	for origin, status := range map[string]int{
		"https://graph.example": http.StatusUnauthorized, "https://evil.example": http.StatusForbidden,
	} {
		answer, _ := b.do(http.MethodPost, g.url+"/graph"+sessionPath, "Origin", origin)
		require.Equal(t, status, answer.StatusCode, "the proxy may send another Host: %s", origin)
	}
}

func TestBasePathsOfTheServiceItself(t *testing.T) {
	for _, base := range []string{"/api", "/docs/x", "/assets", "/healthz", "/explore/graph"} {
		c, err := config.Load(config.Sources{Environ: []string{
			"NEO4J_URI=bolt://127.0.0.1:1", "NEO4J_PASSWORD=x", "GRAPHREST_JWT_SECRET=" + testSecret, "GRAPHREST_BASE_PATH=" + base,
		}})
		require.NoError(t, err)
		_, err = New(c, slog.New(slog.DiscardHandler), "test")
		require.ErrorContains(t, err, "GRAPHREST_BASE_PATH: /"+strings.Split(base, "/")[1]+" is a path of the gateway itself")
	}
}
