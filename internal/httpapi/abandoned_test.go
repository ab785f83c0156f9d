package httpapi_test

import (
	"context"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
	"graphrest/internal/testmark"
)

// TestAListEndsInTheDatabaseWhenItsClientLeaves: a query that was cancelled in the browser must not go on in the database.
func TestAListEndsInTheDatabaseWhenItsClientLeaves(t *testing.T) {
	testmark.Concurrent(t)
	testmark.Long(t)
	srv := newTestServer(t, nil)
	t.Cleanup(func() { srv.db.Exec(t, "MATCH (n:Slow) CALL (n) { DELETE n } IN TRANSACTIONS OF 100 ROWS", nil) })
	for range 15 { // more work than the query timeout allows
		srv.db.Exec(t, "WITH reduce(s = 'Äb', i IN range(1, 15) | s + s) AS long UNWIND range(1, 100) AS i CREATE (:Slow {s: long})", nil)
	}
	query := url.Values{"type": {"Slow"}, "limit": {"1000"}}
	for range graph.MaxConditions - 1 {
		query.Add("filter[s][icontains]", "bä")
	}
	query.Add("filter[s][icontains]", "absent") // so that every node is read
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, srv.url+"/api/nodes?"+query.Encode(), http.NoBody)
	require.NoError(t, err)
	r.Header.Set("Authorization", "Bearer "+srv.token(t, "root"))
	ended := make(chan error, 1)
	go func() {
		res, err := http.DefaultTransport.RoundTrip(r)
		if err == nil {
			_ = res.Body.Close()
		}
		ended <- err
	}()
	running := func() int {
		return len(srv.db.Query(t,
			"SHOW TRANSACTIONS YIELD currentQuery WHERE currentQuery CONTAINS 'list_nodes' AND NOT currentQuery CONTAINS 'SHOW' RETURN currentQuery",
			nil))
	}
	require.Eventually(t, func() bool { return running() > 0 }, 10*time.Second, 20*time.Millisecond)
	leave()
	left := time.Now()
	require.ErrorIs(t, <-ended, context.Canceled)
	require.Eventually(t, func() bool { return running() == 0 }, 20*time.Second, 20*time.Millisecond)
	require.Less(t, time.Since(left), 5*time.Second, "the statement continued after its client had left")
}
