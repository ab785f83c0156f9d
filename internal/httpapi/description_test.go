package httpapi_test

import (
	"slices"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/httpapi"
)

const descriptionTarget = "/docs/openapi.json"

// schemasOfTypes are the names of the schemas of types in the description that a user gets, each with its properties.
func (srv *testServer) schemasOfTypes(t *testing.T, user string) map[string][]string {
	t.Helper()
	r := srv.send(t, user, "GET", descriptionTarget, "")
	require.Equal(t, 200, r.status, r.body)
	doc, err := openapi3.NewLoader().LoadFromData([]byte(r.body))
	require.NoError(t, err)
	require.NoError(t, doc.Validate(t.Context()))
	found := map[string][]string{}
	for name, schema := range doc.Components.Schemas {
		if schema.Value.Extensions["x-type"] == nil {
			continue
		}
		found[name] = []string{}
		for property := range schema.Value.Properties["properties"].Value.Properties {
			found[name] = append(found[name], property)
		}
		slices.Sort(found[name])
	}
	return found
}

func TestDescriptionShowsTheTypesThatItsCallerSees(t *testing.T) {
	var docs fixedPage = "the static one"
	srv := newTestServer(t, func(o *httpapi.Options) { o.Docs, o.Description = docs, described() })
	srv.user(t, "nobody")
	srv.userByPermissions(t, "reader", auth.Read)
	for _, body := range []string{
		`{"type": "Person", "properties": {"name": "Ann", "salary": 10}}`, `{"type": "Movie", "properties": {"title": "Up"}}`,
	} {
		require.Equal(t, 201, srv.send(t, "root", "POST", "/api/nodes", body).status)
	}
	srv.db.Exec(t, `MATCH (p:Person), (m:Movie) CREATE (p)-[:SEEN {on: date("2024-05-01")}]->(m)`, nil)
	require.Equal(t, 201, srv.send(t, "root", "PUT", "/api/admin/types/edges/ROUTE", `{"level": "new", "schema": {}}`).status)
	srv.withRole(t, "grantee", `[{"kind": "node", "type": "Person", "actions": ["read"], "hidden": ["salary"]}]`)
	srv.withRole(t, "partly", `[{"kind": "node", "type": "Person", "actions": ["read"], "where": {"name": {"eq": "Ann"}}}]`)

	require.Equal(t, map[string][]string{
		"Node.Person": {"name", "salary"}, "Node.Movie": {"title"}, "Edge.SEEN": {"on"}, "Edge.ROUTE": {},
	}, srv.schemasOfTypes(t, "reader"))
	require.Equal(t, map[string][]string{"Node.Person": {"name"}}, srv.schemasOfTypes(t, "grantee"))
	require.Equal(t, map[string][]string{"Node.Person": {}}, srv.schemasOfTypes(t, "partly"))

	for user, target := range map[string]string{"nobody": descriptionTarget, "": descriptionTarget, "root": "/docs"} {
		require.Equal(t, string(docs), srv.send(t, user, "GET", target, "").body)
	}
	require.Equal(t, string(docs), srv.sendToken(t, "nonsense", "GET", descriptionTarget, "").body)
}

func TestDescriptionOfAnUnchangedSchemaIsTheSame(t *testing.T) {
	srv := newTestServer(t, func(o *httpapi.Options) { o.Description = described() })
	srv.db.Exec(t, `UNWIND range(1, 20) AS i
		CREATE (:Person {name: "n" + i, born: i})-[:SEEN {on: date()}]->(:Movie {title: "t" + i, a: 1})`, nil)
	first := srv.send(t, "root", "GET", descriptionTarget, "")
	srv.db.Exec(t, `CREATE (:Movie {title: "another", a: 2})`, nil)
	second := srv.send(t, "root", "GET", descriptionTarget, "")
	require.Equal(t, first.body, second.body, "the number of entities is no part of it")
	tag := first.header.Get("ETag")
	require.Equal(t, 304, srv.send(t, "root", "GET", descriptionTarget, "", "If-None-Match", "W/"+tag).status)
	require.Contains(t, first.header.Values("Vary"), "Authorization")
	require.Equal(t, "private, no-cache", first.header.Get("Cache-Control"))

	srv.db.Exec(t, `CREATE (:Movie {title: "another", length: 2})`, nil)
	third := srv.send(t, "root", "GET", descriptionTarget, "", "If-None-Match", tag)
	require.Equal(t, 200, third.status)
	require.NotEqual(t, tag, third.header.Get("ETag"))
}
