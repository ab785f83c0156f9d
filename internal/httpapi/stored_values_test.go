package httpapi_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/testmark"
)

// TestValuesAreThoseStoredNotThoseAskedFor: of what an index finds by an equal number, Neo4j takes the number from the literal, which may
// be 1.0 for 1. No route shows that.
func TestValuesAreThoseStoredNotThoseAskedFor(t *testing.T) {
	testmark.EveryRelease(t)
	srv := newTestServer(t, nil)
	srv.user(t, "reader", auth.Read)
	withRole(t, srv, "limited", `[{"kind":"node","type":"Person","actions":["read"],"where":{"level":{"eq":1.0}}},
		{"kind":"edge","type":"*","actions":["read"],"where":{"level":{"eq":1.0}}}]`)
	srv.db.Exec(t, `UNWIND range(0, 39) AS i CREATE (:Person {name: 'p' + i, level: i % 4, price: toFloat(i % 4)})`, nil)
	srv.db.Exec(t, `MATCH (a:Person), (b:Person) WHERE a.level = 1 AND b.level = 1 CREATE (a)-[:KNOWS {level: 1, price: 1.0}]->(b)`, nil)
	for _, property := range []string{"level", "price"} {
		srv.db.Exec(t, "CREATE INDEX FOR (n:Person) ON (n."+property+")", nil)
		srv.db.Exec(t, "CREATE INDEX FOR ()-[r:KNOWS]-() ON (r."+property+")", nil)
	}
	srv.db.Exec(t, "CALL db.awaitIndexes(60)", nil)
	refreshTypeCatalog(t, srv)
	srv.send(t, "root", "GET", "/api/admin/system/sizes", "")
	requireStored := func(got reply, path string) {
		t.Helper()
		require.Equal(t, http.StatusOK, got.status, got.body)
		for _, wrong := range []string{`"level":1.0`, `"level":2.0`, `"level":3.0`, `"price":1,`, `"price":1}`, `"price":2,`} {
			require.NotContains(t, got.body, wrong, path)
		}
		require.Contains(t, got.body, `"level":1`, path)
	}
	for _, filter := range []string{
		"filter[level]=1.0", "filter[price]=1", "filter[level][in]=1.0,7", "filter[price][in]=1,7",
		"filter[level][gte]=1.0&filter[level][lte]=1.0",
		"filter[price][gte]=1&filter[price][lte]=1", "any[1][level]=1.0&any[2][price]=1", "filter[level][gte]=1.0&sort=-level&limit=3",
		"filter[price][gte]=1&sort=-price&limit=3",
	} {
		for _, typ := range []string{"nodes?type=Person", "edges?type=KNOWS", "nodes?", "edges?"} {
			first := "/api/" + typ + "&" + strings.NewReplacer("[", "%5B", "]", "%5D").Replace(filter)
			path := first
			for pages := 0; ; pages++ {
				got := srv.send(t, "reader", "GET", path, "")
				if strings.Contains(got.body, `"level":1`) || got.status != http.StatusOK {
					requireStored(got, path)
				}
				next, _ := jsonAt(t, got.body, "meta.page.next_cursor").(string)
				if next == "" || pages == 20 {
					break
				}
				path = first + "&cursor=" + url.QueryEscape(next)
			}
		}
	}
	for _, path := range []string{"/api/nodes?type=Person", "/api/edges?type=KNOWS", "/api/nodes?type=Person&sort=level", "/api/export"} {
		requireStored(srv.send(t, "reader", "GET", path, ""), path)
	}
	for _, path := range []string{"/api/nodes?type=Person", "/api/export"} {
		requireStored(srv.send(t, "limited", "GET", path, ""), path)
	}
	for _, asked := range []string{`"filter":{"level":{"eq":1.0}}`, `"filter":{"price":{"eq":1}}`, `"filter":{"level":{"in":[1.0,9]}}`} {
		body := fmt.Sprintf(`{"match":[[{"as":"p","type":"Person",%s}]],"columns":["p.level","p.price"],"limit":1}`, asked)
		got := srv.send(t, "reader", "POST", "/api/match", body)
		require.Contains(t, got.body, `"rows":[[1,1.0]]`, asked)
		whole := strings.Replace(body, `"p.level","p.price"`, `"p"`, 1)
		requireStored(srv.send(t, "reader", "POST", "/api/match", whole), whole)
		grouped := fmt.Sprintf(`{"match":[[{"as":"p","type":"Person",%s}]],"group_by":["p.level"],
			"measures":[{"op":"max","of":"p.price"}]}`, asked)
		require.Contains(t, srv.send(t, "reader", "POST", "/api/match", grouped).body, `"rows":[[1,1.0]]`, asked)
	}
	got := srv.send(t, "limited", "POST", "/api/match",
		`{"match":[[{"as":"p","type":"Person"}]],"columns":["p.level","p.price"],"limit":1}`)
	require.Contains(t, got.body, `"rows":[[1,1.0]]`)
	group := srv.send(t, "reader", "GET", "/api/aggregate/nodes?type=Person&group_by=level&measure=price&filter%5Blevel%5D=1.0", "")
	require.Contains(t, group.body, `"value":1,`)
}
