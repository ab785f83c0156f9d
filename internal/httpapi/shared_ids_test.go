package httpapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/testmark"
)

// TestIDsOfSeveralEntitiesCountOnlyWhatTheUserSees: on every route, an id of several entities of which the user sees none is as one that
// does not exist, and one of which the user sees one is that entity's.
func TestIDsOfSeveralEntitiesCountOnlyWhatTheUserSees(t *testing.T) {
	testmark.EveryRelease(t)
	srv := newTestServer(t, nil)
	one := srv.target(t) // of root
	withRole(t, srv, "bob", `[{"kind":"node","type":"City","actions":["read","create","edit","delete"]},
		{"kind":"node","type":"Town","actions":["read","edit"]},{"kind":"edge","type":"*","actions":["read","create","edit","delete"]}]`)
	for _, typ := range []string{"City", "Town", "Animal"} { // which makes their ids count
		srv.sendOK(t, http.MethodPost, "/api/nodes", fmt.Sprintf(`{"type":%q,"properties":{}}`, typ))
	}
	for _, typ := range []string{"ROAD", "WALK"} {
		srv.sendOK(t, http.MethodPost, "/api/edges", fmt.Sprintf(`{"type":%q,"source_id":%q,"target_id":%q}`, typ, one.node, one.other))
	}
	srv.db.Exec(t, `CREATE (p:Person {uuid: 'hidden', name: 'secret'}), (a:Animal {uuid: 'hidden', name: 'secret'}),
		(h:Person {uuid: 'half', name: 'secret'}), (c:City {uuid: 'half', name: 'Ulm'}), (b:City {uuid: 'other'}),
		(:City {uuid: 'both'}), (:Town {uuid: 'both'}), (c)-[:ROAD {uuid: 'half'}]->(b), (h)-[:WALK {uuid: 'half', name: 'secret'}]->(b),
		(p)-[:WALK {uuid: 'hidden'}]->(b), (p)-[:ROAD {uuid: 'hidden'}]->(a)`, nil)
	refreshTypeCatalog(t, srv)
	named := 0
	for _, r := range protectedRoutes() {
		names := false
		answer := func(id string) reply {
			of := one
			of.node, of.other, of.edge = id, "other", id
			path, body, headers := of.request(r)
			body = strings.ReplaceAll(strings.ReplaceAll(body, `"Person"`, `"City"`), `"KNOWS"`, `"ROAD"`)
			switch {
			case r.Path == "/api/edges" && r.Method != http.MethodPost:
				path += "?node_id=" + id
			case r.Path == "/api/aggregate/edges":
				path += "&node_id=" + id
			case r.Path == "/api/import":
				body = fmt.Sprintf(`{"kind":"edge","type":"ROAD","source_id":%q,"target_id":"other"}`, id)
			}
			names = strings.Contains(path+body, id)
			return srv.send(t, "bob", r.Method, path, body, headers...)
		}
		if r.Path == "/api/auth/logout" {
			continue
		}
		where := r.Method + " " + r.Path
		missing, hidden := answer("missin"), answer("hidden")
		if !names {
			continue
		}
		named++
		require.Equal(t, missing.status, hidden.status, "%s: %s", where, hidden.body)
		renamed := strings.ReplaceAll(hidden.body, "hidden", "missin")
		require.Equal(t, changing.ReplaceAllString(missing.body, ""), changing.ReplaceAllString(renamed, ""), where)
		if !strings.Contains(r.Path, ":id") || r.Method == http.MethodDelete {
			continue
		}
		half := answer("half")
		require.NotEqual(t, http.StatusConflict, half.status, "%s: %s", where, half.body)
		require.NotContains(t, half.body, "secret", where)
	}
	require.GreaterOrEqual(t, named, 20)
	srv.requireOneOfSeveral(t)
}

// requireOneOfSeveral asks for ids in bodies.
func (srv *testServer) requireOneOfSeveral(t *testing.T) {
	t.Helper()
	ask := func(method, path, body string, status int, wantBody ...string) {
		t.Helper()
		var headers []string
		if path == "/api/import" {
			headers = []string{"Content-Type", "application/x-ndjson"}
		}
		got := srv.send(t, "bob", method, path, body, headers...)
		require.Equal(t, status, got.status, got.body)
		for _, want := range wantBody {
			require.Contains(t, got.body, want)
		}
	}
	ask("GET", "/api/nodes/half", "", http.StatusOK, `"Ulm"`)
	ask("GET", "/api/nodes/hidden", "", http.StatusNotFound)
	ask("GET", "/api/nodes/both", "", http.StatusConflict, `The id \"both\" belongs to more than one node; use an element id`)
	ask("GET", "/api/edges/half", "", http.StatusOK, `"ROAD"`)
	ask("PATCH", "/api/nodes/half", `{"properties":{"seen":true}}`, http.StatusOK, `"Ulm"`)
	ask("PATCH", "/api/nodes/both", `{"properties":{"seen":true}}`, http.StatusConflict)
	srv.requireProposals(t)
	const named = `{"match":[[{"as":"c","id":[%s]}]],"columns":["c.name"]}`
	ask("POST", "/api/match", fmt.Sprintf(named, `"half","hidden","missing"`), http.StatusOK, `"rows":[["Ulm"]]`)
	ask("POST", "/api/match", fmt.Sprintf(named, `"half","both"`), http.StatusConflict, `\"both\"`)
	const road = `{"kind":"edge","type":"ROAD","source_id":%q,"target_id":"other"}`
	ask("POST", "/api/import", fmt.Sprintf(road, "half"), http.StatusOK, `"created":1`)
	ask("POST", "/api/import", fmt.Sprintf(road, "both"), http.StatusOK, `"created":0`, `\"both\"`)
	ask("POST", "/api/import", fmt.Sprintf(road, "hidden"), http.StatusOK, `"created":0`, `there is no such node`)
	merged := srv.send(t, "root", "POST", "/api/import?on_conflict=merge",
		`{"kind":"node","type":"Animal","id":"both","properties":{"n":1}}`,
		"Content-Type", "application/x-ndjson")
	require.Contains(t, merged.body, `\"both\"`)
	for count, want := range map[string]int64{
		"MATCH (n:Person {seen: true}) RETURN count(n)": 0, "MATCH (n:City {seen: true}) RETURN count(n)": 1,
		"MATCH (n {uuid: 'both', n: 1}) RETURN count(n)": 0,
	} {
		require.Equal(t, want, srv.db.Count(t, count, nil), count)
	}
}

// TestIDsOfSeveralEntitiesWhereverTheyAreNamed: an id that another entity gets later, of a type that it names, or named by several
// operations.
func TestIDsOfSeveralEntitiesWhereverTheyAreNamed(t *testing.T) {
	testmark.EveryRelease(t)
	srv := newTestServer(t, nil)
	withRole(t, srv, "bob", `[{"kind":"node","type":"City","actions":["read","create","edit"]},
		{"kind":"node","type":"Town","actions":["read"]},{"kind":"edge","type":"ROAD","actions":["read","create","edit"]}]`)
	made := map[string]string{}
	for _, typ := range []string{"City", "Town", "Person"} {
		r := srv.send(t, "root", http.MethodPost, "/api/nodes", fmt.Sprintf(`{"type":%q,"properties":{"name":%q}}`, typ, typ))
		made[typ] = jsonAt(t, r.body, "data.id").(string)
	}
	for _, typ := range []string{"ROAD", "WALK"} {
		srv.sendOK(t, "POST", "/api/edges", fmt.Sprintf(`{"type":%q,"source_id":%q,"target_id":%q}`, typ, made["City"], made["Town"]))
	}
	srv.db.Exec(t, `CREATE (h:Person {uuid: 'half', name: 'secret'}), (c:City {uuid: 'half', name: 'Ulm'}), (b:City {uuid: 'other'}),
		(c)-[:ROAD {uuid: 'half'}]->(b), (h)-[:WALK {uuid: 'half'}]->(b), (:City {uuid: 'late', name: 'Bonn'}),
		(:City {uuid: $person, name: 'copy'}), (:City {uuid: $town, name: 'copy'}), (:Town {uuid: 'twin'}), (:Person {uuid: 'twin'})`,
		map[string]any{"person": made["Person"], "town": made["Town"]})
	refreshTypeCatalog(t, srv)
	ask := func(user, method, path, body string, status int, want string) reply {
		t.Helper()
		got := srv.send(t, user, method, path, body)
		require.Equal(t, status, got.status, got.body)
		require.Contains(t, got.body, want)
		return got
	}
	t.Run("after it was known", func(t *testing.T) {
		ask("root", "GET", "/api/nodes/late", "", http.StatusOK, "Bonn")
		srv.db.Exec(t, "CREATE (:Town {uuid: 'late'})", nil)
		ask("root", "GET", "/api/nodes/late", "", http.StatusConflict, "more than one node")
		ask("root", "PATCH", "/api/nodes/late", `{"properties":{"seen":true}}`, http.StatusConflict, "more than one node")
		ask("root", "DELETE", "/api/nodes/late", "", http.StatusConflict, "more than one node")
		ask("root", "GET", "/api/nodes/late/degree", "", http.StatusConflict, "more than one node")
	})
	t.Run("of a type that it names", func(t *testing.T) {
		const named = `{"match":[[{"as":"c","id":[%q]}]],"columns":["c.name"]}`
		for range 2 { // then in the cache of ids
			ask("root", "GET", "/api/nodes/"+made["Person"], "", http.StatusOK, `"Person"`)
			ask("bob", "GET", "/api/nodes/"+made["Person"], "", http.StatusOK, `"copy"`)
			ask("bob", "GET", "/api/nodes/"+made["Town"], "", http.StatusOK, `"Town"`)
		}
		ask("bob", "POST", "/api/match", fmt.Sprintf(named, made["Person"]), http.StatusOK, `"rows":[["copy"]]`)
		ask("bob", "POST", "/api/match", fmt.Sprintf(named, made["Town"]), http.StatusOK, `"rows":[["Town"]]`)
		ask("bob", "PATCH", "/api/nodes/"+made["Person"], `{"properties":{"n":1}}`, http.StatusOK, `"copy"`)
	})
	t.Run("as element id of another", func(t *testing.T) {
		element := srv.db.Query(t, "MATCH (c:City {uuid: 'other'}) RETURN elementId(c) AS id", nil)[0]["id"].(string)
		srv.db.Exec(t, "CREATE (:Person {uuid: $element}), (:Town {uuid: $element + '0', name: 'own'})", map[string]any{"element": element})
		ask("bob", "GET", "/api/nodes/"+element, "", http.StatusOK, `"other"`)
		named := fmt.Sprintf(`{"match":[[{"as":"c","id":[%q]}]],"columns":["c"]}`, element)
		ask("bob", "POST", "/api/match", named, http.StatusOK, `"other"`)
	})
	t.Run("by several operations", func(t *testing.T) {
		const update = `{"op":%q,"id":%q,"properties":{"n":2}}`
		half, other := fmt.Sprintf(update, "update_node", "half"), fmt.Sprintf(update, "update_node", "other")
		edge, road := fmt.Sprintf(update, "update_edge", "half"), `{"op":"create_edge","type":"ROAD","source_id":"half","target_id":"other"}`
		for _, operations := range []string{half + "," + half, half + "," + road, road + "," + half, other + "," + edge, edge} {
			ask("bob", "POST", "/api/batch", `{"operations":[`+operations+`]}`, http.StatusOK, `"applied":true`)
			proposed := ask("bob", "POST", "/api/changesets", `{"title":"T","operations":[`+operations+`]}`, http.StatusCreated, "")
			set := "/api/changesets/" + jsonAt(t, proposed.body, "data.id").(string)
			ask("root", "POST", set+"/approve", "", http.StatusOK, "approved")
			ask("bob", "POST", set+"/apply", "", http.StatusOK, "applied")
		}
		require.EqualValues(t, 0, srv.db.Count(t, "MATCH (n:Person {n: 2}) RETURN count(n)", nil))
		ask("root", "POST", "/api/changesets", `{"title":"T","operations":[`+half+`]}`, http.StatusConflict, "more than one node")
		ask("root", "POST", "/api/changesets", `{"title":"T","operations":[`+edge+`]}`, http.StatusConflict, "more than one edge")
	})
	t.Run("by lines after others", func(t *testing.T) {
		line := func(source string) string {
			return fmt.Sprintf(`{"kind":"edge","type":"ROAD","source_id":%q,"target_id":"other"}`, source)
		}
		lines := strings.Repeat(line(made["Town"])+"\n", 1200) + line("twin")
		got := srv.send(t, "root", "POST", "/api/import", lines, "Content-Type", "application/x-ndjson")
		require.Contains(t, got.body, `\"twin\"`)
		require.Contains(t, got.body, `"created":1200`)
	})
	t.Run("by a line of its type", func(t *testing.T) {
		line := fmt.Sprintf(`{"kind":"node","type":"City","id":%q,"properties":{"merged":true}}`, made["Town"])
		got := srv.send(t, "root", "POST", "/api/import?on_conflict=merge", line, "Content-Type", "application/x-ndjson")
		require.Equal(t, http.StatusOK, got.status, got.body)
		require.EqualValues(t, 1, srv.db.Count(t, "MATCH (n:City {merged: true, uuid: $id}) RETURN count(n)", map[string]any{"id": made["Town"]}))
	})
}

// TestSharedIDsAreNoticedAmongMoreTypesThanOneStatementSearches: types of which no statement searches both have one id.
func TestSharedIDsAreNoticedAmongMoreTypesThanOneStatementSearches(t *testing.T) {
	testmark.Long(t)
	srv := newTestServer(t, nil)
	operations := make([]string, 66)
	for i := range operations {
		operations[i] = fmt.Sprintf(`{"op":"create_node","type":"Many%02d","properties":{}}`, i)
	}
	srv.sendOK(t, "POST", "/api/batch", `{"operations":[`+strings.Join(operations, ",")+`]}`)
	srv.db.Exec(t, "CREATE (:Many00 {uuid: 'twin'}), (:Many65 {uuid: 'twin'}), (:Many00 {uuid: 'other'})", nil)
	refreshTypeCatalog(t, srv)
	line := `{"kind":"edge","type":"ROAD","source_id":"twin","target_id":"other"}`
	got := srv.send(t, "root", "POST", "/api/import", line, "Content-Type", "application/x-ndjson")
	require.Contains(t, got.body, "more than one node")
	require.Contains(t, got.body, `"created":0`)
}

// requireProposals proposes changes, which are stored with what the service reads without the view of the user.
func (srv *testServer) requireProposals(t *testing.T) {
	t.Helper()
	for _, id := range []string{"missin", "hidden", "half"} {
		body := fmt.Sprintf(`{"title":"T","operations":[{"op":"update_node","id":%q,"properties":{"n":2}}]}`, id)
		got := srv.send(t, "bob", "POST", "/api/changesets", body)
		require.Equal(t, http.StatusCreated, got.status, "%s: %s", id, got.body)
		diff := srv.send(t, "bob", "GET", "/api/changesets/"+jsonAt(t, got.body, "data.id").(string)+"/diff", "")
		require.Equal(t, http.StatusOK, diff.status, "%s: %s", id, diff.body)
		require.NotContains(t, diff.body, "secret", id)
		require.Equal(t, id == "half", strings.Contains(diff.body, "Ulm"), "%s: %s", id, diff.body)
	}
}
