package httpapi_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jtest"
)

// explainBob asks why a request of bob gets what it gets.
func explainBob(t *testing.T, srv *testServer, method, path, body string) string {
	t.Helper()
	question := fmt.Sprintf(`{"user":"bob","method":%q,"path":%q}`, method, path)
	if body != "" {
		question = fmt.Sprintf(`{"user":"bob","method":%q,"path":%q,"body":%s}`, method, path, body)
	}
	r := srv.send(t, "root", "POST", "/api/admin/explain", question)
	require.Equal(t, http.StatusOK, r.status, r.body)
	return r.body
}

// requireExplained compares an explanation with the request that bob then makes.
func requireExplained(t *testing.T, srv *testServer, method, path, body string) (explained string) {
	t.Helper()
	explained = explainBob(t, srv, method, path, body)
	got := srv.send(t, "bob", method, path, body)
	if got.status < http.StatusBadRequest {
		require.Equal(t, true, jsonAt(t, explained, "data.allowed"), "%s %s: %s but %s", path, body, explained, got.body)
		return explained
	}
	require.Equal(t, false, jsonAt(t, explained, "data.allowed"), "%s %s: %s but %s", path, body, explained, got.body)
	require.Equal(t, jsonAt(t, got.body, "error.code"), jsonAt(t, explained, "data.code"), "%s %s: %s but %s", path, body, explained, got.body)
	return explained
}

// explainedPeople creates nodes that bob may change, sees, and does not see, and returns what replaces their names.
func explainedPeople(t *testing.T, srv *testServer) *strings.Replacer {
	srv.user(t, "ann", auth.AllPermissions()...)
	withRole(t, srv, "bob", teamGrants)
	var names []string
	for name, properties := range map[string]string{
		"own": `{"team":"a","salary":7,"born":1960}`, "other": `{"team":"b"}`, "hidden": `{"team":"c","name":"Zacharias"}`,
	} {
		r := srv.send(t, "ann", "POST", "/api/nodes", `{"type":"Person","properties":`+properties+`}`)
		require.Equal(t, http.StatusCreated, r.status, r.body)
		names = append(names, "{"+name+"}", jsonAt(t, r.body, "data.id").(string))
	}
	return strings.NewReplacer(names...)
}

// knownNames are all labels, relationship types and property keys of the database, also those that nothing has any more.
func knownNames(t *testing.T, srv *testServer) []map[string]any {
	return srv.db.Query(t, `CALL db.labels() YIELD label AS name RETURN name ORDER BY name
		UNION ALL CALL db.relationshipTypes() YIELD relationshipType AS name RETURN name ORDER BY name
		UNION ALL CALL db.propertyKeys() YIELD propertyKey AS name RETURN name ORDER BY name`, nil)
}

// Explain gives the code of batches and paths, says which grants decide and why, and changes nothing.
func TestExplainOfBatchesAndPaths(t *testing.T) {
	srv := newTestServer(t, nil)
	names := explainedPeople(t, srv)
	before, known := srv.db.Checksum(t, neo4jtest.IgnoreInternal()), knownNames(t, srv)
	const update = `{"op":"update_node","id":"{own}","properties":{"name":"Ann"}}`
	for _, c := range []struct{ operations, reason string }{
		{update, "it holds"},
		{`{"op":"update_node","id":"{own}","properties":{"never_seen":1}}`, ""},
		{`{"op":"create_node","type":"Note","properties":{"never_used":1}}`, ""},
		{`{"op":"create_node","type":"NeverMade","properties":{"never_made":1}}`, "it is for the type Note"},
		{`{"op":"create_node","type":"Fresh","properties":{}}`, "it is for the type Note"},
		{update + `,{"op":"create_node","type":"Person","properties":{"team":"b"}}`, "where.team.eq is not met"},
		{update + `,{"op":"update_node","id":"{own}","properties":{"team":"b"}}`, "where.team.eq is not met"},
		{`{"op":"update_node","id":"{own}","properties":{"salary":1}}`, `"grant":1,"reason":"it holds, and hides or protects`},
		{`{"op":"update_node","id":"{other}","properties":{"x":1}}`, "where.team.eq is not met"},
		{`{"op":"update_node","id":"{hidden}","properties":{"x":1}}`, "where.team.in is not met"},
		{`{"op":"delete_node","id":"missing"}`, "names a node that does not exist"},
		{`{"op":"create_edge","type":"KNOWS","source_id":"{own}","target_id":"{hidden}"}`, "where.team.in is not met"},
		{`{"op":"create_edge","type":"LIKES","source_id":"{own}","target_id":"{own}"}`, "it is for the type KNOWS"},
		{
			`{"op":"create_node","ref":"n","type":"Note","properties":{}},
				{"op":"create_edge","type":"KNOWS","source_id":{"ref":"n"},"target_id":"{own}"}`, "",
		},
	} {
		explained := explainBob(t, srv, "POST", "/api/batch", names.Replace(batchBody(c.operations)))
		if c.reason != "it holds" {
			require.Contains(t, explained, c.reason, c.operations)
		}
		for _, secret := range []string{"Zacharias", "1960", `"c"`} {
			require.NotContains(t, explained, secret)
		}
	}
	require.Equal(t, before, srv.db.Checksum(t, neo4jtest.IgnoreInternal()))
	require.Equal(t, known, knownNames(t, srv), "no name stays behind")
	for _, operations := range []string{
		`{"op":"create_node","type":"Fresh","properties":{}}`, update + `,{"op":"create_node","type":"Person","properties":{"team":"b"}}`,
		`{"op":"update_node","id":"{own}","properties":{"salary":1}}`, `{"op":"update_node","id":"{hidden}","properties":{"x":1}}`,
		`{"op":"delete_node","id":"missing"}`, `{"op":"create_edge","type":"KNOWS","source_id":"{own}","target_id":"{hidden}"}`,
		`{"op":"create_node","ref":"n","type":"Person","properties":{"team":"a"}},{"op":"delete_node","id":{"ref":"n"}}`, update,
	} {
		requireExplained(t, srv, "POST", "/api/batch", names.Replace(batchBody(operations)))
	}
	for _, ends := range []string{
		"source_id={own}&target_id={other}", "source_id={hidden}&target_id={own}", "source_id={own}&target_id={hidden}",
		"source_id={own}&target_id=nothing",
	} {
		requireExplained(t, srv, "GET", names.Replace("/api/paths?"+ends), "")
	}
	explained := explainBob(t, srv, "GET", names.Replace("/api/paths?source_id={own}&target_id={hidden}"), "")
	require.Contains(t, explained, "where.team.in is not met")
}

// Explain names the role and the grant that refuse a write, on every route.
func TestExplainNamesTheGrantThatRefuses(t *testing.T) {
	srv := newTestServer(t, nil)
	names := explainedPeople(t, srv)
	const protects = `"decided_by":[{"role":"role of bob","grant":1,"reason":"it holds, and hides or protects the property"}]`
	made := srv.send(t, "ann", "POST", "/api/edges", names.Replace(`{"type":"KNOWS","source_id":"{own}","target_id":"{hidden}"}`))
	require.Equal(t, http.StatusCreated, made.status, made.body)
	across := jsonAt(t, made.body, "data.id").(string)
	const hidesEnd = `"reason":"an end of the edge is not visible"},` +
		`{"role":"role of bob","grant":0,"reason":"its condition where.team.in is not met"}`
	for _, c := range []struct{ request, body, decided string }{
		{"PUT /api/nodes/{own}", `{"properties":{"born":1}}`, protects},
		{"PATCH /api/nodes/{own}", `{"properties":{"salary":null}}`, protects},
		{"POST /api/nodes", `{"type":"Person","properties":{"team":"a","born":1}}`, protects},
		{"POST /api/nodes", `{"type":"Fresh","properties":{}}`, `"role":"role of bob","grant":1,"reason":"it is for the type Person"`},
		{"PUT /api/nodes/{own}", `{"properties":{"team":"b"}}`, `"role":"role of bob","grant":1,"reason":"its condition where.team.eq`},
		{"PUT /api/nodes/{other}", `{"properties":{"x":1}}`, `"role":"role of bob","grant":1,"reason":"its condition where.team.eq`},
		{"PUT /api/nodes/{hidden}", `{"properties":{"x":1}}`, `"role":"role of bob","grant":1,"reason":"its condition where.team.eq`},
		{"DELETE /api/nodes/{other}", "", `"role":"role of bob","grant":1,"reason":"its condition where.team.eq`},
		{"PUT /api/edges/{across}", `{"properties":{"x":1}}`, hidesEnd},
		{"DELETE /api/edges/{across}", "", hidesEnd},
		{"DELETE /api/nodes/{own}", "", hidesEnd},
		{"POST /api/batch", batchBody(`{"op":"delete_node","id":"{own}"}`), hidesEnd},
		{"POST /api/batch", batchBody(`{"op":"update_node","id":"{own}","properties":{"born":1}}`), protects},
	} {
		method, path, _ := strings.Cut(strings.ReplaceAll(names.Replace(c.request), "{across}", across), " ")
		require.Contains(t, requireExplained(t, srv, method, path, names.Replace(c.body)), c.decided, "%s %s", c.request, c.body)
	}
	require.Contains(t, explainBob(t, srv, "GET", "/api/edges/"+across+"/history", ""), hidesEnd)
	for end, why := range map[string]string{"{hidden}": "where.team.in is not met", "missing": "names a node that does not exist"} {
		lines := names.Replace(`{"lines":[{"kind":"edge","type":"KNOWS","source_id":"{own}","target_id":"` + end + `"}]}`)
		explained := explainBob(t, srv, "POST", "/api/import", lines)
		require.Contains(t, explained, `"code":"VALIDATION_ERROR"`)
		require.Contains(t, explained, why)
	}
	withRole(t, srv, "dan", `[
		{"kind":"node","type":"Person","actions":["read","delete"]},{"kind":"edge","type":"KNOWS","actions":["delete"]}]`)
	question := names.Replace(`{"user":"dan","method":"DELETE","path":"/api/nodes/{own}"}`)
	require.Contains(t, srv.send(t, "root", "POST", "/api/admin/explain", question).body, "no permission and no grant has read for edge")
	undone := srv.send(t, "ann", "PUT", names.Replace("/api/nodes/{own}"), `{"properties":{"born":1961}}`)
	require.Equal(t, http.StatusOK, undone.status)
	body := `{"request_id":"` + undone.header.Get("X-Request-ID") + `"}`
	require.Contains(t, requireExplained(t, srv, "POST", "/api/undo", body), protects)
}

// Explain of the delete of a node with more edges than it reads says that it has not judged the others, one of which decides here. A batch
// may not delete as many.
func TestExplainOfHubsSaysWhatWasNotJudged(t *testing.T) {
	srv := newTestServer(t, nil)
	names := explainedPeople(t, srv)
	srv.db.Exec(t, names.Replace(`MATCH (hub:Person {uuid: '{own}'})
		UNWIND range(1, $count) AS n CREATE (hub)-[:KNOWS {uuid: 'k' + n}]->(:Person {uuid: 'p' + n, team: 'b'})`),
		map[string]any{"count": graph.MaxBatchEdges + graph.MaxLimit + 1})
	// In which order Neo4j lists them depends on what the database had before.
	page := fmt.Sprintf("/api/nodes/{own}/edges?limit=%d", graph.MaxLimit)
	listed := srv.send(t, "ann", "GET", names.Replace(page), "").body
	for range graph.MaxBatchEdges/graph.MaxLimit + 1 {
		next := url.QueryEscape(jsonAt(t, listed, "meta.page.next_cursor").(string))
		listed = srv.send(t, "ann", "GET", names.Replace(page)+"&cursor="+next, "").body
	}
	last := regexp.MustCompile(`"target_id":"(p\d+)"`).FindStringSubmatch(listed)[1]
	srv.db.Exec(t, "MATCH (n:Person {uuid: $last}) SET n.team = 'c'", map[string]any{"last": last})
	const caveat = "more than 10000 edges"
	target := names.Replace("/api/nodes/{own}?detach=true")
	explained := explainBob(t, srv, "DELETE", target, "")
	require.Contains(t, explained, caveat)
	require.Contains(t, explained, `"allowed":true`)
	require.Equal(t, http.StatusForbidden, srv.send(t, "bob", "DELETE", target, "").status)
	srv.userByPermissions(t, "con", auth.Read, auth.Delete)
	question := fmt.Sprintf(`{"user":"con","method":"DELETE","path":%q}`, target)
	require.NotContains(t, srv.send(t, "root", "POST", "/api/admin/explain", question).body, caveat, "no edge can refuse it")
	srv.db.Exec(t, "MATCH (n:Person {uuid: $last}) SET n.team = 'b'", map[string]any{"last": last})
	operation := names.Replace(`{"op":"delete_node","id":"{own}","detach":true}`)
	require.Contains(t, requireExplained(t, srv, "POST", "/api/batch", batchBody(operation)), `"code":"CONFLICT"`)
	set := srv.send(t, "ann", "POST", "/api/changesets", setBody(operation))
	require.Equal(t, http.StatusCreated, set.status, set.body)
	approval := "/api/changesets/" + jsonAt(t, set.body, "data.id").(string) + "/approve"
	require.Contains(t, requireExplained(t, srv, "POST", approval, ""), `"allowed":false`)
	srv.db.Exec(t, "MATCH ()-[r:KNOWS]->() WITH r LIMIT $count DELETE r", map[string]any{"count": graph.MaxLimit + 1})
	require.Contains(t, requireExplained(t, srv, "POST", "/api/batch", batchBody(operation)), `"allowed":true`, "not one edge too many")
}

// Explain gives the code of what can be done with a change set.
func TestExplainOfChangeSets(t *testing.T) {
	srv := newTestServer(t, nil)
	names := explainedPeople(t, srv)
	propose := func(user string, operations ...string) string {
		r := srv.send(t, user, "POST", "/api/changesets", names.Replace(setBody(operations...)))
		require.Equal(t, http.StatusCreated, r.status, r.body)
		return "/api/changesets/" + jsonAt(t, r.body, "data.id").(string)
	}
	approve := func(set string) {
		r := srv.send(t, "root", "POST", set+"/approve", "")
		require.Equal(t, http.StatusOK, r.status, r.body)
	}
	const update = `{"op":"update_node","id":"{own}","properties":{"name":"Ann"}}`
	requireExplained(t, srv, "POST", "/api/changesets", names.Replace(setBody(`{"op":"delete_node","id":"{hidden}"}`)))
	requireExplained(t, srv, "POST", "/api/changesets/none/apply", "")
	own := propose("bob", update)
	requireExplained(t, srv, "POST", own+"/approve", "")
	requireExplained(t, srv, "PUT", own, `{"title":"x"}`)
	for _, c := range []struct{ operation, reason string }{
		{`{"op":"update_node","id":"{own}","properties":{"born":1}}`, `"grant":1,"reason":"it holds, and hides or protects`},
		{`{"op":"update_node","id":"{other}","properties":{"x":1}}`, "where.team.eq is not met"},
		{`{"op":"update_node","id":"{hidden}","properties":{"x":1}}`, "is not met"},
		{`{"op":"create_edge","type":"SECRET","source_id":"{own}","target_id":"{own}"}`, "it is for the type KNOWS"},
		{`{"op":"create_edge","type":"KNOWS","source_id":"{own}","target_id":"{hidden}"}`, "where.team.in is not met"},
		{`{"op":"delete_node","id":"missing"}`, "names a node that does not exist"},
	} {
		set := propose("ann", c.operation)
		requireExplained(t, srv, "POST", set+"/withdraw", "")
		requireExplained(t, srv, "PUT", set, `{"title":"x"}`)
		for _, action := range []string{"/approve", "/reject"} {
			require.Contains(t, requireExplained(t, srv, "POST", set+action, ""), c.reason, c.operation)
		}
		approve(set)
		require.Contains(t, requireExplained(t, srv, "POST", set+"/apply", ""), c.reason, c.operation)
	}
	set := propose("ann", strings.Replace(update, `"name"`, `"never_approved"`, 1))
	known := knownNames(t, srv)
	require.Contains(t, explainBob(t, srv, "POST", set+"/approve", ""), `"allowed":true`)
	require.Equal(t, known, knownNames(t, srv), "no name stays behind")
	requireExplained(t, srv, "POST", set+"/approve", "")
	known = knownNames(t, srv) // approving applies the operations in a transaction that is rolled back
	set = propose("ann", strings.Replace(update, `"name"`, `"never_applied"`, 1))
	approve(set)
	before := srv.db.Checksum(t, neo4jtest.IgnoreInternal())
	require.Contains(t, explainBob(t, srv, "POST", set+"/apply", ""), `"allowed":true`)
	require.Equal(t, known, knownNames(t, srv), "no name stays behind")
	require.Equal(t, before, srv.db.Checksum(t, neo4jtest.IgnoreInternal()), "nothing is run")
	requireExplained(t, srv, "POST", set+"/apply", "")
	own = propose("bob", strings.Replace(update, "Ann", "Anna", 1))
	approve(own)
	requireExplained(t, srv, "POST", own+"/apply", "")
}

// Explain checks each line of an import as the import does, and writes nothing.
func TestExplainOfImports(t *testing.T) {
	srv := newTestServer(t, nil)
	names := explainedPeople(t, srv)
	before := srv.db.Checksum(t, neo4jtest.IgnoreInternal())
	lines := []string{
		`{"kind":"node","ref":"n","type":"Person","properties":{"team":"a"}}`, `{"kind":"node","ref":"note","type":"Note"}`,
		`{"kind":"node","type":"Person","properties":{"team":"b"}}`, `{"kind":"node","type":"Person","properties":{"team":"a","salary":1}}`,
		`{"kind":"edge","type":"KNOWS","source_ref":"n","target_id":"{other}"}`,
		`{"kind":"edge","type":"LIKES","source_ref":"n","target_ref":"n"}`,
		`{"kind":"edge","type":"KNOWS","source_ref":"note","target_id":"{own}"}`,
		`{"kind":"edge","type":"KNOWS","source_id":"{hidden}","target_id":"{own}"}`,
		`{"kind":"node","id":"{own}","type":"Person","properties":{"name":"Ann"}}`,
		`{"kind":"node","id":"{other}","type":"Person","properties":{"x":1}}`,
		`{"kind":"node","id":"{own}","type":"Person","properties":{"born":1}}`,
		`{"kind":"node","id":"{hidden}","type":"Person","properties":{"team":"a"}}`,
	}
	for i := range lines {
		lines[i] = names.Replace(lines[i])
	}
	for _, on := range []string{"error", "skip", "merge"} {
		explained := explainBob(t, srv, "POST", "/api/import?on_conflict="+on, `{"lines":[`+strings.Join(lines, ",")+`]}`)
		require.Equal(t, before, srv.db.Checksum(t, neo4jtest.IgnoreInternal()))
		require.Equal(t, "PERMISSION_DENIED", jsonAt(t, explained, "data.code"))
		require.Contains(t, explained, "where.team.eq is not met")
		failed := map[string]bool{}
		for _, c := range jsonAt(t, explained, "data.checks").([]any) {
			if check := c.(map[string]any); check["passed"] == false {
				failed[check["check"].(string)] = true
			}
		}
		want := map[string]bool{"lines[2]": true, "lines[3]": true, "lines[5]": true, "lines[6]": true, "lines[7]": true}
		// with error they are checked as creates
		for _, n := range map[string][]int{"error": {8, 9, 10}, "skip": {11}, "merge": {9, 10, 11}}[on] {
			want[fmt.Sprintf("lines[%d]", n)] = true
		}
		require.Equal(t, want, failed, "%s: %s", on, explained)
	}
	allowed := explainBob(t, srv, "POST", "/api/import", `{"lines":[`+lines[0]+`]}`)
	require.Equal(t, true, jsonAt(t, allowed, "data.allowed"), allowed)
	const made = "0b9f6a1e-6a3c-4c5e-9d3a-2f1b8c7d6e5f"
	srv.userByPermissions(t, "sue", auth.Read, auth.Create, auth.Edit)
	for _, c := range []struct{ user, edge, reason string }{
		{"sue", `"source_id":"` + made + `","target_id":"none"`, "names a node that does not exist"},
		{"sue", `"source_ref":"nope","target_ref":"note"`, "names a ref that no earlier line has created"},
		{"bob", names.Replace(`"source_ref":"note","target_id":"{own}"`), "names a new node that the user would not see"},
		{"bob", names.Replace(`"source_id":"` + made + `","target_id":"{own}"`), "names a new node that the user would not see"},
	} {
		explained := srv.send(t, "root", "POST", "/api/admin/explain", fmt.Sprintf(`{
			"user":%q,"method":"POST","path":"/api/import","body":{"lines":[
			{"kind":"node","id":%q,"ref":"note","type":"Note"},{"kind":"edge","type":"KNOWS",%s}]}}`,
			c.user, made, c.edge)).body
		require.Contains(t, explained, c.reason, c.edge)
	}
}
