package apidocs_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/docs/openapi"
	"graphrest/internal/apidocs"
)

// answer is the response; a status of 0 means that nothing is served at the path.
type answer struct {
	status int
	header http.Header
	body   []byte
}

func ask(t *testing.T, method, path string, header ...string) answer {
	t.Helper()
	d, err := apidocs.New("", "")
	require.NoError(t, err)
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	if !d.Serve(w, r) {
		require.Empty(t, w.Body.Bytes())
		require.Empty(t, w.Header())
		return answer{}
	}
	return answer{w.Code, w.Header(), w.Body.Bytes()}
}

// Swagger UI is the published version, byte for byte.
func TestSwaggerUIIsTheReleasedVersion(t *testing.T) {
	for path, sum := range map[string]string{ // swagger-ui-dist 5.35.0
		"/docs/swagger-ui-bundle.js": "e6a898692f2d768e807c3ba4626068a69a2c5dd960dd6c76f3e4d3a3de180af2",
		"/docs/swagger-ui.css":       "5ed08757e53da3e026d6cbecc61fe5d43585c9560b302d534ad56692519a273d",
	} {
		got := sha256.Sum256(ask(t, http.MethodGet, path).body)
		require.Equal(t, sum, hex.EncodeToString(got[:]), path)
	}
	require.Contains(t, string(ask(t, http.MethodGet, "/docs/swagger-ui.LICENSE.txt").body), "Apache License")
	require.Contains(t, string(ask(t, http.MethodGet, "/docs/swagger-ui.NOTICE.txt").body), "SmartBear")
}

func TestPageHasNoInlineScripts(t *testing.T) {
	page := ask(t, http.MethodGet, "/docs")
	require.Equal(t, http.StatusOK, page.status)
	require.Equal(t, "text/html; charset=utf-8", page.header.Get("Content-Type"))
	require.Contains(t, string(page.body), `<meta charset="utf-8">`)
	policy := page.header.Get("Content-Security-Policy")
	for _, directive := range []string{
		"default-src 'none'", "script-src 'self'", "style-src 'self' 'unsafe-inline'", "img-src 'self' data:", "connect-src 'self'",
		"frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'",
	} {
		require.Contains(t, strings.Split(policy, "; "), directive)
	}
	// The page has no inline script: the policy would block it.
	require.NotContains(t, strings.ReplaceAll(string(page.body), "defer></script>", ""), "</script>")
	require.NotContains(t, string(page.body), "://")
}

func TestCompressionAndCachingOfAFile(t *testing.T) {
	const path = "/docs/openapi.json"
	plain := ask(t, http.MethodGet, path)
	require.Equal(t, "application/json; charset=utf-8", plain.header.Get("Content-Type"))
	require.Equal(t, openapi.Document, plain.body)
	require.Empty(t, plain.header.Get("Content-Encoding"))

	zipped := ask(t, http.MethodGet, path, "Accept-Encoding", "br, gzip;q=0.5")
	require.Equal(t, "gzip", zipped.header.Get("Content-Encoding"))
	require.Equal(t, "Accept-Encoding", zipped.header.Get("Vary"))
	require.NotEqual(t, plain.header.Get("ETag"), zipped.header.Get("ETag"))
	r, err := gzip.NewReader(bytes.NewReader(zipped.body))
	require.NoError(t, err)
	unzipped, err := io.ReadAll(r)
	require.NoError(t, err)
	require.Equal(t, plain.body, unzipped)

	require.Empty(t, ask(t, http.MethodGet, path, "Accept-Encoding", "gzip;q=0").header.Get("Content-Encoding"))

	head := ask(t, http.MethodHead, path)
	require.Empty(t, head.body)
	require.Equal(t, plain.header.Get("Content-Length"), head.header.Get("Content-Length"))

	same := ask(t, http.MethodGet, path, "If-None-Match", `"other", W/`+plain.header.Get("ETag"))
	require.Equal(t, http.StatusNotModified, same.status)
	require.Empty(t, same.body)
	require.Equal(t, http.StatusOK, ask(t, http.MethodGet, path, "If-None-Match", `"other"`).status)
}

func TestUnknownFilesAreNotServed(t *testing.T) {
	for _, path := range []string{"/docs/", "/docs/index.html", "/docs/swagger-ui-bundle.js.gz", "/docs/apidocs.go", "/docs/../docs", "/"} {
		require.Zero(t, ask(t, http.MethodGet, path).status, path)
	}
}
