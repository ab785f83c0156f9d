package apidocs_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/docs/openapi"
	"graphrest/internal/app"
	"graphrest/internal/config"
	"graphrest/internal/gatewaytest"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

func TestMain(m *testing.M) { neo4jtest.Main(m) }

const password = "Vq9-mountain-Ty4-river"

// serve runs a whole gateway and returns its URL.
func serve(t *testing.T, db *neo4jtest.DB) string {
	t.Helper()
	c, err := config.Load(config.Sources{Environ: append(db.Environ(),
		"GRAPHREST_JWT_SECRET=qX7vN2rLw9TzB4kHs8PdY6mGcE3fJa5u", "GRAPHREST_LISTEN=127.0.0.1:0", "GRAPHREST_ADMIN_PASSWORD="+password)})
	require.NoError(t, err)
	listener, err := app.Listen(t.Context(), c.HTTP.Listen)
	require.NoError(t, err)
	gateway, err := app.New(c, slog.New(slog.NewTextHandler(io.Discard, nil)), "test")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- gateway.Run(ctx, listener) }()
	t.Cleanup(func() {
		stop()
		require.NoError(t, <-ended)
	})
	<-gateway.Ready()
	return app.LocalURL(listener.Addr().String())
}

func operations(t *testing.T) int {
	t.Helper()
	var doc struct {
		Paths map[string]map[string]any `json:"paths"`
	}
	require.NoError(t, json.Unmarshal(openapi.Document, &doc))
	count := 0
	for _, path := range doc.Paths {
		count += len(path)
	}
	require.Positive(t, count)
	return count
}

// open loads the page with an address that tries to configure it, and waits until it shows every operation.
func open(t *testing.T, b *browser, base string) {
	t.Helper()
	elsewhere := url.QueryEscape("https://elsewhere.example/other.json")
	b.call(t, "Page.navigate", map[string]any{"url": base + "/docs?url=" + elsewhere + "&configUrl=" + elsewhere}, nil)
	want := strconv.Itoa(operations(t))
	b.eventually(t, `document.querySelectorAll(".opblock").length`, func(n string) bool { return n == want })
}

func logIn(t *testing.T, b *browser, password string) {
	t.Helper()
	b.run(t, `(() => { const f = document.getElementById("login"); f.username.value = "admin";`+
		` f.password.value = `+quoted(password)+`; f.requestSubmit(); })()`)
}

// try opens an operation, sends its form, and returns the status that the page shows.
func try(t *testing.T, b *browser, operation string) string {
	t.Helper()
	unfold(t, b, operation)
	execute(t, b, operation)
	return status(t, b, operation)
}

func blockOf(operation string) string {
	return `document.getElementById("operations-` + operation + `")`
}

func unfold(t *testing.T, b *browser, operation string) {
	t.Helper()
	b.run(t, blockOf(operation)+`.querySelector(".opblock-summary-control").click()`)
	b.eventually(t, blockOf(operation)+`.querySelector(".execute") !== null`, isTrue)
}

func status(t *testing.T, b *browser, operation string) string {
	t.Helper()
	return b.eventually(t, `(`+blockOf(operation)+`.querySelector(".live-responses-table .response .response-col_status") || {}).textContent`,
		func(status string) bool { return status != "" && status != "Undocumented" })
}

// execute clicks the button once, and waits until the page sends a request to the API. Files of the page do not count.
func execute(t *testing.T, b *browser, operation string) {
	t.Helper()
	sent := func() (count int) {
		for _, one := range heard[struct{ Request struct{ URL string } }](t, b, "Network.requestWillBeSent") {
			if strings.Contains(one.Request.URL, "/api/") {
				count++
			}
		}
		return count
	}
	before := sent()
	b.run(t, blockOf(operation)+`.querySelector(".execute").click()`)
	if !b.awaitEvents(func() bool { return sent() > before }) {
		t.Fatalf("%s was not sent: %s", operation, b.run(t, blockOf(operation)+`.textContent.slice(0, 1000)`))
	}
}

func visible(id string) string { return `!document.getElementById("` + id + `").hidden` }

func isTrue(s string) bool { return s == "true" }

// TestPageLogsInAndTriesOperations is what a reader of the documentation does, in a real browser against a real gateway.
func TestPageLogsInAndTriesOperations(t *testing.T) {
	testmark.Long(t)
	db := neo4jtest.OpenPrepared(t)
	base := serve(t, db)
	b := openBrowser(t)
	open(t, b, base)
	require.Equal(t, "401", try(t, b, "Schema-getSchema"), "without a token")
	require.Equal(t, "Graph Data Service: API documentation", b.run(t, "document.title"))
	logIn(t, b, "not-the-password")
	b.eventually(t, visible("notice"), isTrue)
	require.Contains(t, b.run(t, `document.getElementById("notice").textContent`), "Wrong user name or password")
	require.Equal(t, "false", b.run(t, visible("account")))

	logIn(t, b, password)
	b.eventually(t, visible("account"), isTrue)
	require.Equal(t, "admin read, create, edit, delete, admin", b.run(t, `document.getElementById("who").textContent`))
	require.Empty(t, b.run(t, `document.getElementById("password").value`))
	require.Equal(t, "false", b.run(t, visible("notice")))

	// The example of the page is a request that the service accepts.
	require.Equal(t, "201", try(t, b, "Nodes-createNode"))
	require.EqualValues(t, 1, db.Count(t, "MATCH (n:Person {name: 'Ann', born: 1960, since: date('2024-05-01')}) RETURN count(n)", nil))
	require.Equal(t, "200", try(t, b, "Nodes-listNodes"))
	shown := b.run(t, `document.querySelector("#operations-Nodes-listNodes .live-responses-table .highlight-code,`+
		` #operations-Nodes-listNodes .live-responses-table pre").textContent`)
	require.Contains(t, shown, `"Ann"`)

	// The page shows the request as a curl command, which is where the token can be seen here.
	command := b.run(t, `document.querySelector("#operations-Nodes-listNodes .curl").textContent`)
	// The example of an optional parameter is displayed and not sent.
	require.NotContains(t, command, "sort=")
	require.Contains(t, b.run(t, `document.querySelector("#operations-Nodes-listNodes .parameters").textContent`), "Example: -born,name")
	_, token, found := strings.Cut(command, "Bearer ")
	require.True(t, found, command)
	token = strings.TrimRight(token, "' \n")
	kept := b.run(t, `JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), document.cookie,`+
		` location.href, history.state])`)
	require.NotContains(t, kept, token)
	require.NotContains(t, kept, "eyJ")

	b.run(t, `document.getElementById("logout").click()`)
	b.eventually(t, visible("login"), isTrue)
	require.Equal(t, "TOKEN_REVOKED", codeOf(t, base, token))
	execute(t, b, "Nodes-listNodes")
	b.eventually(t, `document.querySelector("#operations-Nodes-listNodes .live-responses-table .response .response-col_status").textContent`,
		func(status string) bool { return status == "401" })

	assertSelfContained(t, b, base)
}

func codeOf(t *testing.T, base, token string) string {
	t.Helper()
	answer, err := gatewaytest.Client{URL: base, Token: token}.Send(t.Context(), http.MethodGet, "/api/auth/me", "")
	require.NoError(t, err)
	var failure struct {
		Error struct{ Code string }
	}
	require.NoError(t, json.Unmarshal([]byte(answer.Body), &failure))
	return failure.Error.Code
}

// assertSelfContained proves that the page has asked no other address and went against no rule of its policy.
func assertSelfContained(t *testing.T, b *browser, base string) {
	t.Helper()
	type sent struct{ Request struct{ URL string } }
	requests := heard[sent](t, b, "Network.requestWillBeSent")
	require.Greater(t, len(requests), 5)
	for _, r := range requests {
		require.True(t, strings.HasPrefix(r.Request.URL, base+"/") || strings.HasPrefix(r.Request.URL, "data:"), r.Request.URL)
	}
	require.Empty(t, heard[json.RawMessage](t, b, "Runtime.exceptionThrown"))
	type logged struct {
		Entry struct{ Source, Level, Text, URL string }
	}
	for _, l := range heard[logged](t, b, "Log.entryAdded") {
		if l.Entry.Source != "network" { // the refusals that the test provokes
			require.NotEqual(t, "error", l.Entry.Level, "%+v", l.Entry)
		}
	}
}

// TestButtonPressedTooEarly presses before Swagger UI has resolved the operation, which it does a moment after it shows the button.
func TestButtonPressedTooEarly(t *testing.T) {
	testmark.Long(t)
	base := serve(t, neo4jtest.OpenPrepared(t))
	b := openBrowser(t)
	open(t, b, base)
	b.run(t, `new Promise((done) => {
		const block = `+blockOf("Schema-getSchema")+`;
		new MutationObserver((_, observer) => {
			const button = block.querySelector(".execute");
			if (!button) return;
			observer.disconnect();
			button.click();
			done();
		}).observe(block, {childList: true, subtree: true});
		block.querySelector(".opblock-summary-control").click();
	})`)
	require.Equal(t, "401", status(t, b, "Schema-getSchema"))
	require.Empty(t, heard[json.RawMessage](t, b, "Runtime.exceptionThrown"))
}

func TestPageFollowsTheSystemColourScheme(t *testing.T) {
	testmark.Long(t)
	base := serve(t, neo4jtest.OpenPrepared(t))
	b := openBrowser(t)
	open(t, b, base)
	ground := `getComputedStyle(document.body).backgroundColor`
	for _, scheme := range []struct{ name, ground string }{{"dark", "rgb(28, 32, 34)"}, {"light", "rgb(255, 255, 255)"}} {
		b.call(t, "Emulation.setEmulatedMedia", map[string]any{
			"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme.name}},
		}, nil)
		b.eventually(t, ground, func(is string) bool { return is == scheme.ground })
	}
}
