package httpapi

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The login route is public, so it rejects a request for its body only; its accounts are never called here.
func sendBody(a *API, body io.Reader, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, "/api/auth/login", body)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	a.ServeHTTP(w, r)
	return w
}

func TestBodies(t *testing.T) {
	const largest = 64
	a := newTestAPI(t, Options{MaxBody: largest})
	const plain = "application/json"
	for _, c := range []struct {
		name, media, body string
		status            int
		wantMessage       string
	}{
		{"no type", "", "{}", 415, "Content-Type"},
		{"text", "text/plain", "{}", 415, "Content-Type"},
		{"a form", "application/x-www-form-urlencoded", "a=b", 415, "Content-Type"},
		{"another charset", plain + "; charset=latin1", "{}", 415, "charset"},
		{"another parameter", plain + "; profile=x", "{}", 415, "charset"},
		{"a type that only starts so", plain + "-patch", "{}", 415, "Content-Type"},
		{"415 comes before 413", "text/plain", strings.Repeat(" ", largest+1), 415, "Content-Type"},
		{"too large", plain, strings.Repeat(" ", largest+1), 413, "64 bytes"},
		{"too large behind the JSON", plain, "{}" + strings.Repeat(" ", largest), 413, "64 bytes"},
		{"413 comes before 400", plain, strings.Repeat("x", largest+1), 413, "64 bytes"},
		{"just as large as allowed", plain, "{}" + strings.Repeat(" ", largest-2), 400, "username"},
		{"charset in capitals", plain + "; charset=UTF-8", "{}", 400, "username"},
		{"empty", plain, "", 400, "must not be empty"},
		{"no object", plain, "[]", 400, "body"},
		{"no JSON", plain, "{", 400, "body"},
		{"text behind it", plain, "{} {}", 400, "body"},
		{"byte order mark", plain, "\ufeff{}", 400, "body"},
		{"unknown member", plain, `{"username":"a","password":"b","is_admin":true}`, 400, "is_admin"},
		{"another case", plain, `{"Username":"a","password":"b"}`, 400, "Username"},
		{"twice", plain, `{"username":"a","username":"b","password":"c"}`, 400, "username"},
		{"another kind", plain, `{"username":1,"password":"c"}`, 400, "username"},
	} {
		t.Run(c.name, func(t *testing.T) {
			headers := []string{"Content-Type", c.media}
			if c.media == "" {
				headers = nil
			}
			w := sendBody(a, strings.NewReader(c.body), headers...)
			require.Equal(t, c.status, w.Code, w.Body)
			require.Contains(t, w.Body.String(), c.wantMessage)
			// The same without a declared length.
			w = sendBody(a, io.MultiReader(strings.NewReader(c.body)), headers...)
			require.Equal(t, c.status, w.Code, w.Body)
		})
	}
	w := sendBody(a, strings.NewReader("{}"), "Content-Type", plain, "Content-Encoding", "gzip")
	require.Equal(t, 415, w.Code)
	w = sendBody(a, strings.NewReader("{}"), "Content-Type", plain, "Content-Type", "text/plain")
	require.Equal(t, 415, w.Code)
	w = sendBody(a, strings.NewReader("{}"), "Content-Type", plain, "Content-Encoding", "identity")
	require.Equal(t, 400, w.Code)
}

func TestAllProblemsAreReportedTogether(t *testing.T) {
	a := newTestAPI(t, Options{})
	r := httptest.NewRequest(http.MethodPost, "/api/auth/login?x=1&y=2", strings.NewReader(`{"password":5,"extra":null}`))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	a.ServeHTTP(w, r)
	require.Equal(t, 400, w.Code)
	for _, field := range []string{"x", "y", "username", "password", "extra"} {
		require.Contains(t, w.Body.String(), `{"field":"`+field+`"`)
	}
}
