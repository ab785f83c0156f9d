package httpapi_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/httpapi"
)

// A query that one replica saves, changes or deletes is so on the other, which has run it before.
func TestSavedQueriesOnTwoReplicas(t *testing.T) {
	var options httpapi.Options
	srv := newTestServer(t, func(o *httpapi.Options) { options = *o })
	options.Queries, options.Matcher = newQueries(t, &srv.stores, srv.db)
	elsewhere, _ := srv.replica(t, options, time.Hour)
	srv.userByPermissions(t, "ann", auth.Query)
	token := srv.token(t, "ann")
	await := func(want string, wantStatus int) {
		t.Helper()
		require.Eventually(t, func() bool {
			body, status := srv.get(t, elsewhere, "/api/queries/twice/run?n=21", token)
			return status == wantStatus && (want == "" || jsonAt(t, body, "data.rows").([]any)[0].([]any)[0] == want)
		}, 20*time.Second, 20*time.Millisecond)
	}
	const parameters = `"parameters":{"n":{"type":"integer"}}`
	r := srv.send(t, "root", "POST", savedQueries, `{"name":"twice","cypher":"RETURN 'two ' + toString(2 * $n) AS x",`+parameters+`}`)
	require.Equal(t, http.StatusCreated, r.status, r.body)
	await("two 42", http.StatusOK)
	r = srv.send(t, "root", "PUT", savedQueries+"/twice", `{"cypher":"RETURN 'four ' + toString(4 * $n) AS x",`+parameters+`}`,
		"If-Match", r.header.Get("ETag"))
	require.Equal(t, http.StatusOK, r.status, r.body)
	await("four 84", http.StatusOK)
	require.Equal(t, http.StatusOK, srv.send(t, "root", "DELETE", savedQueries+"/twice", "").status)
	await("", http.StatusNotFound)
}

// The audit says who ran which query with which parameters, and has no value of one.
func TestRunsAreAuditedWithoutValues(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.userByPermissions(t, "ann", auth.Query)
	srv.userByPermissions(t, "con", auth.Console)
	r := srv.send(t, "root", "POST", savedQueries,
		`{"name":"echo","cypher":"RETURN $word AS x","parameters":{"word":{"type":"string"}}}`)
	require.Equal(t, http.StatusCreated, r.status, r.body)
	const value = "a-value-of-nobody-else"
	for _, r := range []reply{
		srv.send(t, "ann", "GET", "/api/queries/echo/run?word="+value, ""),
		srv.send(t, "ann", "POST", "/api/queries/echo/run", `{"parameters":{"word":"`+value+`"}}`),
		srv.send(t, "con", "POST", "/api/query", `{"cypher":"RETURN $spoken AS x","parameters":{"spoken":"`+value+`"}}`),
	} {
		require.Equal(t, http.StatusOK, r.status, r.body)
		require.Contains(t, r.body, value)
	}
	srv.auditBuffer.Flush(t.Context())
	for user, parts := range map[string][]string{"ann": {`"echo"`, `"word"`}, "con": {`"spoken"`}} {
		entries := srv.send(t, "root", "GET", "/api/admin/audit?action=run&limit=100&user="+user, "").body
		for _, part := range append(parts, `"user":"`+user+`"`) {
			require.Contains(t, entries, part)
		}
		require.NotContains(t, entries, value)
	}
	require.NotContains(t, srv.log.String(), value)
	require.NotContains(t, srv.log.String(), "RETURN $spoken", "nor is the text of a query in the log")
}
