package httpapi_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/cypher"
	"graphrest/internal/auth"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

// slotNames are names of types, keys and indexes that together contain the braces of every template slot, and other characters that could
// end a name.
func slotNames() []string {
	const maxLength = 200 // of the 255 bytes that a name may have
	names := []string{"Z"}
	seen := map[string]bool{}
	for _, s := range cypher.All() {
		for _, slot := range s.Slots {
			if seen[slot] {
				continue
			}
			seen[slot] = true
			if len(names[len(names)-1]) > maxLength {
				names = append(names, "Y")
			}
			names[len(names)-1] += "{{" + slot + "}}"
		}
	}
	return append(names,
		"A{{where}}B`{{type}}`) RETURN 1 // /* */ ' \" $x ${y}", `C\u0060{{id}}\u005C\`,
		"n.k}) RETURN n.password AS element UNION CALL db.labels() YIELD label RETURN label AS element // {{",
	)
}

// Names that contain slots are ordinary names, whether they come from requests, imports (also second labels), declarations, or Cypher
// with id constraints and indexes of such names. Every read returns 200 and the expected entities.
func TestNamesWithTemplateSlotsAreOrdinaryNames(t *testing.T) {
	testmark.EveryRelease(t)
	testmark.Long(t)
	srv := newTestServer(t, nil)
	srv.user(t, "maker", auth.Create)
	srv.user(t, "reader", auth.Read)
	srv.user(t, "writer", auth.AllPermissions()...)
	for i, name := range slotNames() {
		if i%2 == 0 {
			makeByCypher(t, srv.db, name)
		} else {
			importNamed(t, srv, name)
		}
	}
	for _, name := range slotNames() {
		writeNamed(t, srv, name)
		declareNamed(t, srv, name)
		readNamed(t, srv, name)
	}
	makeByCypher(t, srv.db, "D\n{{id}}\t*/") // no request may contain it, since it has control characters
	for _, path := range []string{
		"/api/nodes", "/api/nodes?count=exact&limit=1", "/api/edges", "/api/edges?count=exact&limit=1", "/api/schema", "/api/export",
	} {
		r := srv.send(t, "reader", http.MethodGet, path, "")
		require.Equal(t, http.StatusOK, r.status, "%s: %s", path, r.body)
	}
}

func jsonText(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	require.NoError(t, err)
	return string(text)
}

// makeByCypher creates what an analyst could: types with the names, managed and with an indexed key, as first and as second label.
func makeByCypher(t *testing.T, db *neo4jtest.DB, name string) {
	t.Helper()
	quoted := cypher.Quote(name).String()
	constraint := cypher.Quote("own id " + name).String()
	db.Exec(t, "CREATE CONSTRAINT "+constraint+" FOR (n:"+quoted+") REQUIRE n.uuid IS UNIQUE", nil)
	db.Exec(t, "CREATE INDEX "+cypher.Quote("index "+name).String()+" FOR (n:"+quoted+") ON (n."+quoted+")", nil)
	db.Exec(t, "CREATE CONSTRAINT "+cypher.Quote("own id of edges "+name).String()+" FOR ()-[r:"+quoted+"]-() REQUIRE r.uuid IS UNIQUE", nil)
	db.Exec(t, "CREATE (a:"+quoted+":Second {"+quoted+": 1, uuid: randomUUID()})-[:"+quoted+" {"+quoted+
		": 1, uuid: randomUUID()}]->(b:Second:"+quoted+" {"+quoted+": 2})", nil)
}

// importNamed creates the same by an import of a user who has only the permission create.
func importNamed(t *testing.T, srv *testServer, name string) {
	t.Helper()
	line := func(v map[string]any) string { return jsonText(t, v) + "\n" }
	properties := map[string]any{name: 1}
	body := line(map[string]any{"kind": "types", "labels": []string{"Second", name}}) +
		line(map[string]any{"kind": "node", "ref": "a", "type": name, "labels": []string{name, "Second"}, "properties": properties}) +
		line(map[string]any{"kind": "node", "ref": "b", "type": "Second", "labels": []string{"Second", name}, "properties": properties}) +
		line(map[string]any{"kind": "edge", "type": name, "source_ref": "a", "target_ref": "b", "properties": properties})
	r := srv.send(t, "maker", http.MethodPost, "/api/import", body, "Content-Type", "application/x-ndjson")
	require.Equal(t, http.StatusOK, r.status, r.body)
	require.Contains(t, r.body, `"failed":0`, "%q", name)
}

// writeNamed creates, changes and deletes single entities with the names.
func writeNamed(t *testing.T, srv *testServer, name string) {
	t.Helper()
	text := jsonText(t, name)
	id := func(path, body string) string {
		r := srv.send(t, "writer", http.MethodPost, path, body)
		require.Equal(t, http.StatusCreated, r.status, r.body)
		return jsonAt(t, r.body, "data.id").(string)
	}
	properties := `{` + text + `:1}`
	a := id("/api/nodes", `{"type":`+text+`,"properties":`+properties+`}`)
	e := id("/api/edges", `{"type":`+text+`,"source_id":"`+a+`","target_id":"`+a+`","properties":`+properties+`}`)
	for _, path := range []string{"/api/nodes/" + a, "/api/edges/" + e} {
		r := srv.send(t, "writer", http.MethodPut, path, `{"properties":{`+text+`:2}}`)
		require.Equal(t, http.StatusOK, r.status, r.body)
		r = srv.send(t, "writer", http.MethodPut, path, `{"properties":{`+text+`:3}}`, "If-Match", r.header.Get("ETag"))
		require.Equal(t, http.StatusOK, r.status, r.body)
	}
	r := srv.send(t, "writer", http.MethodDelete, "/api/edges/"+e, "")
	require.Equal(t, http.StatusOK, r.status, r.body)
	r = srv.send(t, "writer", http.MethodDelete, "/api/nodes/"+a, "")
	require.Equal(t, http.StatusOK, r.status, r.body)
}

// declareNamed declares a type with the name and a unique key with the name, reads it, and removes it.
func declareNamed(t *testing.T, srv *testServer, name string) {
	t.Helper()
	path := "/api/admin/types/nodes/" + url.PathEscape(name)
	r := srv.send(t, "root", http.MethodPut, path, jsonText(t, map[string]any{
		"level": "strict", "schema": map[string]any{"type": "object", "properties": map[string]any{name: map[string]any{"type": "integer"}}},
		"unique": [][]string{{"unique " + name}},
	}))
	require.Contains(t, []int{http.StatusOK, http.StatusCreated}, r.status, "%q: %s", name, r.body)
	for _, request := range [][2]string{
		{http.MethodGet, path}, {http.MethodGet, path + "/violations"}, {http.MethodPost, path + "/propose"}, {http.MethodDelete, path},
	} {
		r := srv.send(t, "root", request[0], request[1], "")
		require.Less(t, r.status, 300, "%s %q: %s", request[0], name, r.body)
	}
}

// readNamed sends every read request with the name, in every position that takes one.
func readNamed(t *testing.T, srv *testServer, name string) {
	t.Helper()
	r := srv.send(t, "root", http.MethodPost, "/api/admin/search-indexes", jsonText(t, map[string]any{
		"name": "by_name", "kind": "node", "types": []string{name}, "properties": []string{name},
	}))
	require.Equal(t, http.StatusCreated, r.status, "%q: %s", name, r.body)
	q := url.QueryEscape(name)
	list := srv.send(t, "reader", http.MethodGet, "/api/nodes?type="+q+"&count=exact", "")
	require.Equal(t, http.StatusOK, list.status, "%q: %s", name, list.body)
	require.EqualValues(t, 2, jsonAt(t, list.body, "meta.page.total"), "%q: %s", name, list.body)
	nodes := jsonAt(t, list.body, "data").([]any)
	id := func(i int) string { return url.PathEscape(nodes[i].(map[string]any)["id"].(string)) }
	for _, query := range []string{
		"/api/nodes?type=" + q + "&filter[" + q + "][gte]=1", "/api/nodes?type=" + q + "&sort=" + q,
		"/api/nodes?type=" + q + "&sort=-" + q + "&filter[" + q + "]=1&count=exact",
		"/api/nodes?type=" + q + "&limit=1", "/api/nodes?type=" + q + "&offset=1", "/api/nodes?fields=" + q, "/api/nodes?sort=" + q,
		"/api/nodes?filter[" + q + "][in]=[1,2]",
		"/api/edges?type=" + q + "&count=exact", "/api/edges?type=" + q + "&filter[" + q + "][exists]=true",
		"/api/edges?type=" + q + "&sort=" + q, "/api/edges?sort=-" + q,
		"/api/edges?type=" + q + "&source_id=" + id(0), "/api/edges?type=" + q + "&node_id=" + id(0) + "&sort=" + q,
		"/api/edges?type=" + q + "&source_id=" + id(0) + "&target_id=" + id(1),
		"/api/nodes/" + id(0) + "/edges?type=" + q, "/api/nodes/" + id(0) + "/degree",
		"/api/nodes/" + id(0) + "/neighbors?edge_type=" + q + "&node_type=" + q + "&depth=2",
		"/api/paths?source_id=" + id(0) + "&target_id=" + id(1) + "&edge_type=" + q,
		"/api/paths?all=true&source_id=" + id(0) + "&target_id=" + id(1) + "&edge_type=" + q,
		"/api/nodes/" + id(0), "/api/search?q=x&type=" + q + "&property=" + q,
		"/api/export?node_type=" + strings.ReplaceAll(q, "%2C", "%5C%2C") + "&edge_type=Second",
	} {
		if strings.Contains(name, ",") && strings.Contains(query, "sort=") {
			continue // a comma separates sort keys
		}
		r := srv.send(t, "reader", http.MethodGet, query, "")
		require.Equal(t, http.StatusOK, r.status, "%q: %s: %s", name, query, r.body)
	}
	r = srv.send(t, "root", http.MethodDelete, "/api/admin/search-indexes/by_name", "")
	require.Less(t, r.status, 300, r.body)
}
