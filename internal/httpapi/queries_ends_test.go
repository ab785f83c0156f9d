package httpapi_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/gatewaytest"
	"graphrest/internal/testmark"
)

// endless is a query that does not end in the time of a test; it has a mark by which it is found in the database.
func endless(mark int) string {
	return fmt.Sprintf(`{"cypher":"UNWIND range(1, 100000000000) AS x WITH x WHERE x %% 7 = 9 RETURN count(x) AS mark_%d"}`, mark)
}

// running counts the transactions in the database that run a query with a text.
func (srv *testServer) running(t testing.TB, text string) int64 {
	t.Helper()
	rows := srv.db.Query(t, "SHOW TRANSACTIONS YIELD currentQuery, status "+
		"WHERE currentQuery CONTAINS $text AND NOT currentQuery CONTAINS 'SHOW' RETURN count(*) AS n", map[string]any{"text": text})
	return rows[0]["n"].(int64)
}

func (srv *testServer) awaitRunning(t testing.TB, text string, want int64) {
	t.Helper()
	require.Eventually(t, func() bool { return srv.running(t, text) == want }, 30*time.Second, 50*time.Millisecond)
}

// requireEndsWithTheClient sends a query that does not end, and requires that none runs once the client has left.
func (srv *testServer) requireEndsWithTheClient(t *testing.T, mark int) {
	t.Helper()
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan struct{})
	go func() {
		defer close(left)
		_, _ = gatewaytest.Client{URL: srv.url, Token: srv.token(t, "con")}.Send(ctx, "POST", "/api/query", endless(mark))
	}()
	text := fmt.Sprintf("mark_%d", mark)
	srv.awaitRunning(t, text, 1)
	leave()
	<-left
	srv.awaitRunning(t, text, 0)
}

// TestQueriesEndWithTheirClient: the transaction of a client that leaves is gone from the database.
func TestQueriesEndWithTheirClient(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.userByPermissions(t, "con", auth.Console)
	for mark := range 3 {
		srv.requireEndsWithTheClient(t, mark)
	}
}

// TestManyQueriesEndWithTheirClient is TestQueriesEndWithTheirClient many times.
func TestManyQueriesEndWithTheirClient(t *testing.T) {
	testmark.Long(t)
	srv := newTestServer(t, nil)
	srv.userByPermissions(t, "con", auth.Console)
	for mark := range 500 {
		srv.requireEndsWithTheClient(t, mark)
	}
}

// TestQueriesEndAtTheirTimeout: a deadline ends the transaction in the database.
func TestQueriesEndAtTheirTimeout(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.userByPermissions(t, "ann", auth.Query)
	r := srv.send(t, "root", "POST", savedQueries, `{"name":"slow","timeout":"1s",`+endless(1)[1:])
	require.Equal(t, http.StatusCreated, r.status, r.body)
	r = srv.send(t, "ann", "GET", "/api/queries/slow/run", "")
	require.Equal(t, http.StatusGatewayTimeout, r.status, r.body)
	require.Contains(t, r.body, "DATABASE_TIMEOUT")
	srv.awaitRunning(t, "mark_1", 0)
}

// TestQueriesEndWhenTheAnswerIsFull: the database does not compute what no answer has.
func TestQueriesEndWhenTheAnswerIsFull(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.userByPermissions(t, "con", auth.Console)
	r := srv.send(t, "con", "POST", "/api/query", `{"cypher":"UNWIND range(1, 10000000000) AS x RETURN x AS mark_full"}`)
	require.Equal(t, http.StatusOK, r.status, r.body)
	require.Contains(t, r.body, `"truncated":"rows"`)
	srv.awaitRunning(t, "mark_full", 0)
	r = srv.send(t, "con", "POST", "/api/query",
		`{"cypher":"UNWIND range(1, 900) AS x RETURN x, reduce(s = 'x', i IN range(1, 15) | s + s) AS mark_bytes"}`)
	require.Equal(t, http.StatusOK, r.status)
	require.Contains(t, r.body[len(r.body)-200:], `"truncated":"bytes"`)
	srv.awaitRunning(t, "mark_bytes", 0)
}
