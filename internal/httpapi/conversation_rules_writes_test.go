package httpapi_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/rules"
)

// withRole creates a user who has grants only.
func withRole(t testing.TB, srv *testServer, username, grants string) {
	t.Helper()
	parsed, f := rules.ParseGrants("grants", grants)
	require.Nil(t, f)
	_, err := srv.users.CreateRole(t.Context(), rules.Role{Name: "role of " + username, Grants: parsed})
	require.NoError(t, err)
	_, err = srv.users.CreateUser(t.Context(), auth.NewUser{Username: username, Password: password, Roles: []string{"role of " + username}})
	require.NoError(t, err)
}

const teamGrants = `[
	{"kind":"node","type":"Person","actions":["read"],"where":{"team":{"in":["a","b"]}},"hidden":["salary"]},
	{"kind":"node","type":"Person","actions":["create","edit","delete"],"where":{"team":{"eq":"a"}},"hidden":["salary"],"read_only":["born"]},
	{"kind":"node","type":"Note","actions":["create"]},
	{"kind":"edge","type":"KNOWS","actions":["read","create","edit","delete"]},
	{"kind":"edge","type":"LIKES","actions":["read"]}]`

// people creates nodes as an unlimited user: own (which bob may change), other (which he sees), hidden.
func people() []step {
	create := func(name, properties string) step {
		return step{
			name: name, user: "ann", request: "POST /api/nodes", body: `{"type":"Person","properties":` + properties + `}`,
			wantStatus: 201, save: name + "=data.id",
		}
	}
	return []step{
		create("own", `{"team":"a","salary":7,"born":1960}`), create("other", `{"team":"b","salary":8}`), create("hidden",
			`{"team":"c","salary":9}`),
	}
}

// TestBatchesObeyRules: each operation is authorized as its single request, in the state that the operations before have left; one that is
// denied fails the batch, with its index.
func TestBatchesObeyRules(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "ann", auth.AllPermissions()...)
	withRole(t, srv, "bob", teamGrants)
	batch := func(name string, status int, wantBody []string, operations ...string) step {
		return step{
			name: name, user: "bob", request: "POST /api/batch", body: batchBody(operations...), wantStatus: status, wantBody: wantBody,
			notInBody: []string{`"salary":7`, `"salary":8`, `"salary":9`, `"team":"c"`},
		}
	}
	const update = `{"op":"update_node","id":"{own}","properties":{"name":"Ann"}}`
	denied := func(index string) []string { return []string{`"PERMISSION_DENIED"`, `"field":"operations[` + index} }
	runSteps(t, srv, append(people(),
		batch("what the grants allow", 200, []string{`"applied":true`, `"data":{"id":"{own}"`, `"name":"Ann"`},
			update, `{"op":"create_node","ref":"n","type":"Person","properties":{"team":"a"}}`,
			`{"op":"create_edge","ref":"e","type":"KNOWS","source_id":{"ref":"n"},"target_id":"{other}"}`,
			`{"op":"update_edge","id":{"ref":"e"},"properties":{"since":1}}`, `{"op":"delete_edge","id":{"ref":"e"}}`,
			`{"op":"delete_node","id":{"ref":"n"}}`),
		batch("what is created without a read grant", 200, []string{`"data":{"id":"`, `","type":"Note"}`},
			`{"op":"create_node","type":"Note","properties":{"x":1}}`),
		batch("an action without a grant", 403, denied("1].op"), update,
			`{"op":"create_edge","type":"LIKES","source_id":"{own}","target_id":"{own}"}`),
		batch("a state outside the condition", 403, denied("1]."), update, `{"op":"create_node","type":"Person","properties":{"team":"b"}}`),
		batch("a change to such a state", 403, denied("1]."), update, `{"op":"update_node","id":"{own}","properties":{"team":"b"}}`),
		batch("a hidden property", 403, denied("1].properties.salary"), update, `{"op":"update_node","id":"{own}","properties":{"salary":1}}`),
		batch("a read-only property", 403, denied("0].properties.born"), `{"op":"update_node","id":"{own}","properties":{"born":1}}`),
		batch("visible, not editable", 403, denied("1]."), update, `{"op":"update_node","id":"{other}","properties":{"x":1}}`),
		batch("invisible", 404, []string{`"field":"operations[1].id","message":"There is no such node"`}, update,
			`{"op":"update_node","id":"{hidden}","properties":{"x":1}}`),
		batch("missing", 404, []string{`"field":"operations[1].id","message":"There is no such node"`}, update,
			`{"op":"update_node","id":"missing","properties":{"x":1}}`),
		batch("an invisible end", 400, []string{`"field":"operations[0].target_id"`},
			`{"op":"create_edge","type":"KNOWS","source_id":"{own}","target_id":"{hidden}"}`),
		batch("ends that are missing and invisible", 400, []string{`"field":"operations[0].target_id"`, `"field":"operations[1].source_id"`},
			`{"op":"create_edge","type":"KNOWS","source_id":"{own}","target_id":"missing"}`,
			`{"op":"create_edge","type":"KNOWS","source_id":"{hidden}","target_id":"{own}"}`),
		batch("a new end without a read grant", 400, []string{`"field":"operations[1].source_id"`},
			`{"op":"create_node","ref":"n","type":"Note","properties":{}}`,
			`{"op":"create_edge","type":"KNOWS","source_id":{"ref":"n"},"target_id":"{own}"}`),
		step{
			name: "the ETag of the view", user: "bob", request: "GET /api/nodes/{own}", wantStatus: 200, save: "etag=header:ETag",
			notInBody: []string{"salary"},
		},
		batch("If-Match is about the view", 200, nil, `{"op":"update_node","id":"{own}","if_match":{etag},"properties":{"name":"Anna"}}`),
		batch("and no other", 412, []string{`operations[0].if_match`},
			`{"op":"update_node","id":"{own}","if_match":{etag},"properties":{"name":"Ann"}}`),
		step{
			name: "an edge to the hidden node", user: "ann", request: "POST /api/edges", wantStatus: 201, save: "secret=data.id",
			body: `{"type":"LIKES","source_id":"{own}","target_id":"{hidden}"}`,
		},
		batch("an edge that is not visible", 404, nil, `{"op":"update_edge","id":"{secret}","properties":{}}`),
		batch("a node with such an edge", 403, denied("1]."), update, `{"op":"delete_node","id":"{own}"}`),
		step{
			name: "a dry run is checked", user: "bob", request: "POST /api/batch?dry_run=true", wantStatus: 403,
			body: batchBody(`{"op":"delete_node","id":"{own}"}`),
		},
	))
	srv.auditBuffer.Flush(t.Context())
	refused := srv.send(t, "root", "GET", "/api/admin/audit?user=bob&outcome=refused", "")
	for _, want := range []string{`"entity":"POST /api/batch"`, `role of bob grants[1]`, `"no grant"`} {
		require.Contains(t, refused.body, want)
	}
	require.EqualValues(t, 4, srv.db.Count(t, "MATCH (n) WHERE n:Person OR n:Note RETURN count(n)", nil))
	require.EqualValues(t, 1, srv.db.Count(t, "MATCH (n:Person {name: 'Anna', salary: 7}) RETURN count(n)", nil))
}

// TestReplayedBatchesObeyRules: a replay shows what its user may see now, or what the user has sent.
func TestReplayedBatchesObeyRules(t *testing.T) {
	srv := newTestServer(t, nil)
	withRole(t, srv, "bob", `[{"kind":"node","type":"Person","actions":["read"],"where":{"team":{"eq":"a"}}},
		{"kind":"node","type":"Person","actions":["create","edit"]}]`)
	srv.user(t, "ann", auth.AllPermissions()...)
	body := batchBody(`{"op":"create_node","ref":"n","type":"Person","properties":{"team":"a"}}`,
		`{"op":"update_node","id":{"ref":"n"},"properties":{"x":1}}`)
	send := func() reply {
		return srv.send(t, "bob", "POST", "/api/batch", body, "Idempotency-Key", "k")
	}
	first := send()
	require.Equal(t, http.StatusOK, first.status, first.body)
	require.Contains(t, first.body, `"x":1`)
	id := srv.db.Query(t, "MATCH (n:Person) RETURN n.uuid AS id", nil)[0]["id"].(string)
	changed := srv.send(t, "ann", "PUT", "/api/nodes/"+id, `{"properties":{"team":"c","secret":"of ann"}}`)
	require.Equal(t, http.StatusOK, changed.status)
	again := send()
	require.Equal(t, http.StatusOK, again.status, again.body)
	require.NotContains(t, again.body, "of ann")
	require.Equal(t, 2, strings.Count(again.body, `"data":{"id":"`+id+`","type":"Person"}`), again.body)
}

func ndjson() []string { return []string{"Content-Type", "application/x-ndjson"} }

// TestImportsObeyRules: each line is authorized as its single request, and an id does not tell whether an entity that is not visible has
// it, except by the CONFLICT of a value that must be unique.
func TestImportsObeyRules(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "ann", auth.AllPermissions()...)
	withRole(t, srv, "bob", teamGrants)
	withRole(t, srv, "maker", `[{"kind":"node","type":"Person","actions":["create"],"where":{"team":{"eq":"a"}}}]`)
	importing := func(name, user, on string, wantBody []string, lines ...string) step {
		return step{
			name: name, user: user, request: "POST /api/import?on_conflict=" + on, body: strings.Join(lines, "\n"), header: ndjson(),
			wantStatus: 200, wantBody: wantBody, notInBody: []string{`"team":"c"`, "There is no such node\"}"},
		}
	}
	const hidden, missing = `{"kind":"node","id":"{hidden}","type":"Person","properties":{"team":"a","x":1}}`,
		`{"kind":"node","id":"0192d3a4-0000-7000-8000-000000000001","type":"Person","properties":{"team":"b"}}`
	deniedHidden := strings.Replace(hidden, `"team":"a"`, `"team":"b"`, 1)
	steps := append(people(),
		importing("what the grants allow", "bob", "error", []string{`"created":4,"updated":0,"skipped":0,"failed":0`},
			`{"kind":"types","labels":["Person","Secret"]}`, `{"kind":"node","ref":"n","type":"Person","properties":{"team":"a"}}`,
			`{"kind":"node","type":"Note"}`, `{"kind":"edge","type":"KNOWS","source_ref":"n","target_id":"{other}"}`,
			`{"kind":"edge","type":"KNOWS","source_ref":"n","target_ref":"n"}`, `{"kind":"end"}`),
		importing("denied lines", "bob", "error", []string{
			`"created":1,"updated":0,"skipped":0,"failed":6`, `{"line":1,"code":"PERMISSION_DENIED"`, `{"line":2,"code":"PERMISSION_DENIED"`,
			`"field":"properties.salary"`, `{"line":4,"code":"PERMISSION_DENIED"`, `{"line":5,"code":"VALIDATION_ERROR"`,
			`{"field":"target_id","message":"there is no such node"}`, `{"line":7,"code":"VALIDATION_ERROR"`, `"field":"source_ref"`,
		},
			`{"kind":"node","type":"Person","properties":{"team":"b"}}`, `{"kind":"node","type":"Person","properties":{"team":"a","salary":1}}`,
			`{"kind":"node","ref":"n","type":"Note"}`, `{"kind":"edge","type":"LIKES","source_id":"{own}","target_id":"{own}"}`,
			`{"kind":"edge","type":"KNOWS","source_id":"{own}","target_id":"{hidden}"}`,
			`{"kind":"edge","type":"KNOWS","source_id":"{own}","target_id":"missing"}`,
			`{"kind":"edge","type":"KNOWS","source_ref":"n","target_id":"{own}"}`),
		importing("merging", "bob", "merge", []string{
			`"created":0,"updated":1,"skipped":0,"failed":5`, `{"line":2,"code":"PERMISSION_DENIED"`, `{"line":3,"code":"PERMISSION_DENIED"`,
			`{"line":4,"code":"CONFLICT"`, `{"line":5,"code":"PERMISSION_DENIED"`, `{"line":6,"code":"PERMISSION_DENIED"`,
		},
			`{"kind":"node","id":"{own}","type":"Person","properties":{"name":"Ann"}}`,
			`{"kind":"node","id":"{other}","type":"Person","properties":{"name":"Bob"}}`,
			`{"kind":"node","id":"{own}","type":"Person","properties":{"born":1}}`, hidden, deniedHidden, missing),
		importing("skipping", "bob", "skip", []string{
			`"created":0,"updated":0,"skipped":1,"failed":4`, `{"line":2,"code":"CONFLICT"`, `{"line":3,"code":"PERMISSION_DENIED"`,
			`{"line":4,"code":"PERMISSION_DENIED"`, `{"line":5,"code":"VALIDATION_ERROR"`,
		},
			`{"kind":"node","id":"{other}","type":"Person"}`, strings.Replace(hidden, `"id"`, `"ref":"h","id"`, 1), deniedHidden, missing,
			`{"kind":"edge","type":"KNOWS","source_ref":"h","target_id":"{own}"}`),
		importing("rejecting", "bob", "error", []string{
			`"failed":3`, `{"line":1,"code":"CONFLICT"`, `{"line":2,"code":"PERMISSION_DENIED"`, `{"line":3,"code":"PERMISSION_DENIED"`,
		}, hidden, deniedHidden, missing),
		step{
			name: "merging needs a grant for edit", user: "maker", request: "POST /api/import?on_conflict=merge", body: hidden, header: ndjson(),
			wantStatus: 403, wantCode: "PERMISSION_DENIED", wantBody: []string{"edit"},
		},
	)
	runSteps(t, srv, steps)
	require.EqualValues(t, 1, srv.db.Count(t, "MATCH (n:Person {name: 'Ann', salary: 7, born: 1960}) RETURN count(n)", nil))
	require.EqualValues(t, 1, srv.db.Count(t, "MATCH (n:Person {team: 'c', salary: 9}) WHERE n.x IS NULL RETURN count(n)", nil))
	require.EqualValues(t, 4, srv.db.Count(t, "MATCH (n:Person) RETURN count(n)", nil))
	require.Empty(t, srv.db.Query(t, "CALL db.labels() YIELD label WITH label WHERE label = 'Secret' RETURN label", nil))
}

// TestChangeSetsObeyRules: proposals keep what their author sees, the diff shows what its reader sees, and approving and applying are
// checked by the rights of who does it.
func TestChangeSetsObeyRules(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "ann", auth.AllPermissions()...)
	withRole(t, srv, "bob", teamGrants)
	withRole(t, srv, "cid", teamGrants)
	withRole(t, srv, "guest", `[{"kind":"node","type":"City","actions":["read"]}]`)
	withRole(t, srv, "other team", `[{"kind":"node","type":"Person","actions":["read","edit"],"where":{"team":{"eq":"c"}}}]`)
	secrets := []string{`"salary":7`, `"salary":8`, `"salary":9`, `"team":"c"`, "of c"}
	propose := func(name, user string, wantBody []string, operations ...string) step {
		return step{
			name: "propose " + name, user: user, request: "POST /api/changesets", body: setBody(operations...), wantStatus: 201,
			wantBody: wantBody, save: name + "=data.id",
		}
	}
	do := func(name, user, request string, status int, wantBody []string, notInBody ...string) step {
		return step{name: name, user: user, request: request, wantStatus: status, wantBody: wantBody, notInBody: notInBody}
	}
	const updateOwn = `{"op":"update_node","id":"{own}","properties":{"name":"Ann"}}`
	const updateHidden = `{"op":"update_node","id":"{hidden}","properties":{"note":"of c"}}`
	runSteps(t, srv, append(people(),
		propose("one", "bob", []string{`"if_match":`}, updateOwn, `{"op":"create_node","ref":"n","type":"Note","properties":{"x":1}}`),
		do("its author", "bob", "GET /api/changesets/{one}", 200, []string{`"operations":[{"op":"update_node"`}),
		do("a reader of parts", "cid", "GET /api/changesets/{one}", 200, []string{`"operations":null`, `"changes":[]`}, "Ann", `"x":1`),
		do("the list", "cid", "GET /api/changesets", 200, []string{`"operations":null`}, "Ann", `"x":1`),
		do("who sees all", "ann", "GET /api/changesets/{one}", 200, []string{`"operations":[{"op":"update_node"`}),
		do("diff for the author", "bob", "GET /api/changesets/{one}/diff", 200, []string{
			`"status":"changed"`, `"ref":"n"`, `"name":"Ann"`,
			`"born":1960`,
		}, secrets...),
		do("diff without the grant for notes", "cid", "GET /api/changesets/{one}/diff", 200, []string{`"status":"changed"`, `"name":"Ann"`},
			append(secrets, `"ref":"n"`)...),
		do("diff for a guest", "guest", "GET /api/changesets/{one}/diff", 200, []string{`"entities":[],"violations":[]`}),
		do("diff for who sees all", "ann", "GET /api/changesets/{one}/diff", 200, []string{`"salary":7`, `"ref":"n"`, `"conflict":null`}),
		do("approving without a grant", "guest", "POST /api/changesets/{one}/approve", 403, nil),
		do("approving with grants for another part", "other team", "POST /api/changesets/{one}/approve", 403, nil),
		do("the author", "bob", "POST /api/changesets/{one}/approve", 403, nil),
		do("approve", "cid", "POST /api/changesets/{one}/approve", 200, []string{`"status":"approved"`, `"operations":null`}),
		step{
			name: "a hidden property changes", user: "ann", request: "PUT /api/nodes/{other}", body: `{"properties":{"salary":88}}`,
			wantStatus: 200,
		},
		do("apply with grants for another part", "other team", "POST /api/changesets/{one}/apply", 403, nil),
		do("apply", "ann", "POST /api/changesets/{one}/apply", 200, []string{`"status":"applied"`}),

		propose("two", "ann", nil, `{"op":"update_node","id":"{own}","properties":{"salary":70}}`, updateHidden,
			`{"op":"create_edge","type":"KNOWS","source_id":"{own}","target_id":"{hidden}"}`,
			`{"op":"create_node","type":"Person","properties":{"team":"c"}}`),
		do("diff of what is hidden", "bob", "GET /api/changesets/{two}/diff", 200, []string{
			`"entities":[{"kind":"node","id":"{own}"`,
			`"status":"unchanged"`, `"violations":[]`,
		},
			append(secrets, "{hidden}", `"salary"`, "KNOWS")...),
		do("approving what is hidden", "bob", "POST /api/changesets/{two}/approve", 403, nil, secrets...),
		do("approve", "root", "POST /api/changesets/{two}/approve", 200, nil),
		do("apply what is hidden", "bob", "POST /api/changesets/{two}/apply", 403,
			[]string{`"field":"operations","message":"include one that this user does not see`},
			append(secrets, "operations[1]")...),

		propose("three", "bob", nil, updateHidden, `{"op":"delete_node","id":"missing"}`,
			`{"op":"create_edge","type":"KNOWS","source_id":"{own}","target_id":"{hidden}"}`,
			`{"op":"create_edge","type":"KNOWS","source_id":"{own}","target_id":"missing"}`),
		do("what the author does not see does not exist", "bob", "GET /api/changesets/{three}/diff", 200, []string{
			`"id":"{hidden}","operation":0,"type":null,"status":"unchanged","before":null,"after":null,"conflict":{"field":"operations[0]",` +
				`"id":"{hidden}","expected":null,"found":null,"message":"does not exist"}`,
			`"id":"missing","operation":1,"type":null,"status":"unchanged","before":null,"after":null,"conflict":{"field":"operations[1]",` +
				`"id":"missing","expected":null,"found":null,"message":"does not exist"}`,
			`"conflict":{"field":"operations[2]","id":"{hidden}","expected":null,"found":null,"message":"its end does not exist"}`,
			`"conflict":{"field":"operations[3]","id":"missing","expected":null,"found":null,"message":"its end does not exist"}`,
		}, `"team"`),

		propose("four", "ann", nil, `{"op":"update_node","id":"{own}","properties":{"name":"Anna"}}`,
			`{"op":"update_node","id":"{own}","properties":{"born":1961}}`),
		do("approve", "root", "POST /api/changesets/{four}/approve", 200, nil),
		do("a read-only property", "bob", "POST /api/changesets/{four}/apply", 403, []string{`"field":"operations[1].properties.born"`}),
		do("is not applied", "ann", "GET /api/nodes/{own}", 200, []string{`"name":"Ann"`, `"born":1960`}),

		propose("five", "bob", nil, `{"op":"update_node","id":"{own}","properties":{"name":"Anna"}}`),
		step{name: "meanwhile", user: "ann", request: "PUT /api/nodes/{own}", body: `{"properties":{"salary":71}}`, wantStatus: 200},
		do("a change that the author does not see", "bob", "GET /api/changesets/{five}/diff", 200, []string{`"conflict":null`}, `"salary"`),
		do("is a conflict for who sees it", "ann", "GET /api/changesets/{five}/diff", 200, []string{`"message":"was changed since"`}),
		step{
			name: "meanwhile a visible one", user: "ann", request: "PUT /api/nodes/{own}", body: `{"properties":{"name":"Ana"}}`,
			wantStatus: 200,
		},
		do("a change that the author sees", "bob", "GET /api/changesets/{five}/diff", 200, []string{`"message":"was changed since"`},
			`"salary"`),
		do("nothing of it for others", "cid", "GET /api/changesets/{five}/diff", 200, []string{`"conflict":null`}, `"salary"`),
	))
	require.EqualValues(t, 3, srv.db.Count(t, "MATCH (n:Person) RETURN count(n)", nil))
}
