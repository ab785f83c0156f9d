package app

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/gatewaytest"
	"graphrest/internal/neo4jtest"
)

// TestSlowPatternsOfOneUserLeavePlacesForOthers: patterns, also saved ones, take the places of queries, of which one user has half, or
// as many as half of the processors of the database.
func TestSlowPatternsOfOneUserLeavePlacesForOthers(t *testing.T) {
	db := neo4jtest.OpenPrepared(t)
	g := start(t, db.URI, db.Username, db.Password, "GRAPHREST_QUERY_CONCURRENCY=4", "GRAPHREST_QUERY_TIMEOUT=2m")
	g.waitReady(t)
	db.Exec(t, "UNWIND range(1, 60) AS i CREATE (:Hub {i: i}) "+
		"WITH count(*) AS c MATCH (a:Hub), (b:Hub) WHERE a.i < b.i CREATE (a)-[:TO]->(b)", nil)
	admin := g.login(t)
	post := func(token, path, body string) {
		status, answer := g.ask(http.MethodPost, path, token, body)
		require.Equal(t, http.StatusCreated, status, answer)
	}
	for _, user := range []string{"heavy", "ann"} {
		post(admin, "/api/admin/users",
			fmt.Sprintf(`{"username":%q,"password":%q,"permissions":["read","query","console"]}`, user, testPassword))
	}
	slow := `{"match":[[{"as":"a","type":"Hub"}` + strings.Repeat(`,{},{"type":"Hub"}`, 5) + `]],"measures":[{"op":"count","as":"n"}]}`
	post(admin, "/api/admin/queries", `{"name":"slow","pattern":`+slow+`}`)
	const quick = `{"match":[[{"as":"a","type":"Hub","filter":{"i":{"eq":1}}}]]}`
	post(admin, "/api/admin/queries", `{"name":"quick","pattern":`+quick+`}`)

	heavy, ann := g.clientOf("").Login(t, "heavy", testPassword), g.clientOf("").Login(t, "ann", testPassword)
	leaving, leave := context.WithCancel(t.Context())
	defer leave()
	refused := make(chan gatewaytest.Answer, 6)
	for i := range cap(refused) {
		path, body := "/api/match", slow
		if i%2 == 0 {
			path, body = "/api/queries/slow/run", `{}`
		}
		go func() {
			answer, _ := g.clientOf(heavy).Send(leaving, http.MethodPost, path, body)
			refused <- answer
		}()
	}
	running := func() int64 {
		rows := db.Query(t, "SHOW TRANSACTIONS YIELD currentQuery WHERE currentQuery CONTAINS 'Hub' "+
			"AND NOT currentQuery CONTAINS 'SHOW' RETURN count(*) AS n", nil)
		return rows[0]["n"].(int64)
	}
	rows := db.Query(t, "SHOW SETTINGS YIELD name, value WHERE name = 'server.threads.worker_count' RETURN toInteger(value) AS n", nil)
	most := max(min(2, rows[0]["n"].(int64)/2), 1)
	require.Eventually(t, func() bool { return running() == most }, eventTimeout, 50*time.Millisecond)
	for range int64(cap(refused)) - most {
		answer := <-refused
		require.Equal(t, http.StatusServiceUnavailable, answer.Status, answer.Body)
		require.Equal(t, "2", answer.Header.Get("Retry-After"))
		require.Contains(t, answer.Body, "as one user may have at a time")
		require.Equal(t, most, running())
	}
	for path, body := range map[string]string{
		"/api/match": quick, "/api/queries/quick/run": `{}`, "/api/query": `{"cypher":"RETURN 1 AS one"}`,
	} {
		status, answer := g.ask(http.MethodPost, path, ann, body)
		require.Equal(t, http.StatusOK, status, answer)
	}
	leave()
	for range most {
		require.Zero(t, (<-refused).Status, "the client has left")
	}
	require.Eventually(t, func() bool { return running() == 0 }, eventTimeout, 50*time.Millisecond)
}
