package webui_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/webui"
)

func serve(t *testing.T, path string, headers ...string) (*httptest.ResponseRecorder, bool) {
	t.Helper()
	ui, err := webui.New("")
	require.NoError(t, err)
	r := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	return w, ui.Serve(w, r)
}

// script is the address of the page's own script, which carries a hash.
func script(t *testing.T) string {
	t.Helper()
	page, _ := serve(t, "/")
	address := regexp.MustCompile(`src="(/assets/[^"]+\.js)"`).FindStringSubmatch(page.Body.String())
	require.Len(t, address, 2, page.Body)
	return address[1]
}

func TestPageIsServedAtItsOwnAddresses(t *testing.T) {
	for _, path := range []string{
		"/", "/explore", "/schema", "/changes", "/trash", "/change-sets", "/change-sets/01938c3e", "/views/01938c3e", "/users", "/declared-types",
		"/search-indexes", "/audit", "/system",
	} {
		w, served := serve(t, path)
		require.True(t, served, path)
		require.Equal(t, "text/html; charset=utf-8", w.Header().Get("Content-Type"))
		require.Equal(t, "no-cache", w.Header().Get("Cache-Control"), "a new binary brings a new page")
		require.Contains(t, w.Body.String(), `<div id="root">`)
	}
}

func TestNothingElseIsServed(t *testing.T) {
	for _, path := range []string{
		"/index.html", "/assets/none.js", "/assets/", "/assets/none", "/static/none.svg", "/webui.go",
		"/assets/../index.html",
	} {
		w, served := serve(t, path)
		require.False(t, served, path)
		require.Empty(t, w.Body.String())
		require.Empty(t, w.Header())
	}
}

func TestFilesWithAHashAreKeptForever(t *testing.T) {
	w, served := serve(t, script(t))
	require.True(t, served)
	require.Equal(t, "text/javascript; charset=utf-8", w.Header().Get("Content-Type"))
	require.Equal(t, "public, max-age=31536000, immutable", w.Header().Get("Cache-Control"))
	w, _ = serve(t, "/static/scheme.js")
	require.Equal(t, "no-cache", w.Header().Get("Cache-Control"))
}

func TestFilesAreCompressedForThoseWhoTakeIt(t *testing.T) {
	path := script(t)
	plain, _ := serve(t, path)
	zipped, _ := serve(t, path, "Accept-Encoding", "br, gzip")
	require.Empty(t, plain.Header().Get("Content-Encoding"))
	require.Equal(t, "gzip", zipped.Header().Get("Content-Encoding"))
	require.Less(t, zipped.Body.Len(), plain.Body.Len()/2)
	require.NotEqual(t, plain.Header().Get("ETag"), zipped.Header().Get("ETag"))
	require.Equal(t, "Accept-Encoding", zipped.Header().Get("Vary"))
}

func TestUnchangedFileIsNotSentAgain(t *testing.T) {
	first, _ := serve(t, "/")
	again, served := serve(t, "/", "If-None-Match", first.Header().Get("ETag"))
	require.True(t, served)
	require.Equal(t, http.StatusNotModified, again.Code)
	require.Empty(t, again.Body.String())
	part, _ := serve(t, "/", "Range", "bytes=0-3")
	require.Equal(t, http.StatusOK, part.Code, "parts are not served")
}

// The policy is what stands between a hostile name in the graph and a running script.
func TestPolicyIsStrict(t *testing.T) {
	for _, path := range []string{"/", script(t), "/static/icon.svg"} {
		w, _ := serve(t, path)
		policy := w.Header().Get("Content-Security-Policy")
		require.Contains(t, policy, "default-src 'none'; script-src 'self';")
		require.Contains(t, policy, "frame-ancestors 'none'")
		require.NotContains(t, policy, "unsafe-eval")
		require.Equal(t, 1, strings.Count(policy, "unsafe-inline"), "for styles only")
		require.Equal(t, "nosniff", w.Header().Get("X-Content-Type-Options"))
		require.Equal(t, "same-origin", w.Header().Get("Cross-Origin-Opener-Policy"))
	}
}
