package httpapi_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/httpapi"
)

func setBody(operations ...string) string {
	return `{"title":"Rename","description":"why","operations":[` + strings.Join(operations, ",") + `]}`
}

// The life of a change set: proposed by a reader, discussed, edited, approved by somebody else, applied, undone.
func TestChangeSetConversation(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "ann", auth.Read)
	srv.user(t, "bob", auth.Read, auth.Edit)
	srv.user(t, "eve", auth.Create, auth.Edit, auth.Delete)
	srv.user(t, "wil", auth.Create)
	srv.user(t, "all", auth.AllPermissions()...)
	const update = `{"op":"update_node","id":"{node}","properties":` +
		`{"name":"Anna","born":{"$type":"Date","_value":"1960-01-02"},"big":9223372036854775807}}`
	const sets, one = "/api/changesets", "/api/changesets/{set}"
	runSteps(t, srv, slices.Concat(
		deniedCases("POST "+sets, setBody(`{"op":"delete_node","id":"x"}`), "read", "eve"),
		deniedCases("GET "+sets, "", "read", "eve"),
		deniedCases("GET "+sets+"/x/diff", "", "read", "eve"),
		deniedCases("POST "+sets+"/x/comments", `{"text":"hi"}`, "read", "eve"),
		deniedCases("POST "+sets+"/x/approve", "", "create or edit or delete", "ann"),
		deniedCases("POST "+sets+"/x/apply", "", "create or edit or delete", "ann"),
		[]step{
			{name: "none", user: "ann", request: "GET " + sets, wantStatus: 200, wantBody: []string{`"data":[]`}},
			{name: "unknown", user: "ann", request: "GET " + sets + "/nothing", wantStatus: 404, wantCode: "NOT_FOUND"},
			{name: "unknown diff", user: "ann", request: "GET " + sets + "/nothing/diff", wantStatus: 404},
			{name: "unknown apply", user: "eve", request: "POST " + sets + "/nothing/apply", wantStatus: 404},
			{name: "unknown comment", user: "ann", request: "POST " + sets + "/nothing/comments", body: `{"text":"x"}`, wantStatus: 404},
			{
				name: "a node", user: "all", request: "POST /api/nodes", body: `{"type":"Person","properties":{"name":"Ann"}}`,
				wantStatus: 201, save: "node=data.id",
			},
			{name: "its ETag", user: "all", request: "GET /api/nodes/{node}", wantStatus: 200, save: "etag=header:ETag"},
			{
				name: "every problem", user: "ann", request: "POST " + sets, wantStatus: 400, wantCode: "VALIDATION_ERROR",
				body:     `{"title":" ","description":7,"operations":[{"op":"update_node"}],"status":"approved"}`,
				wantBody: []string{`"title"`, `"description"`, `"operations[0].id"`, `"operations[0].properties"`, `"status"`},
			},
			{
				name: "invisible characters", user: "ann", request: "POST " + sets, wantStatus: 400, wantBody: []string{`"title"`, "U+200B"},
				body: "{\"title\":\"Correct\u200b it\",\"operations\":[]}",
			},
			{
				name: "too long", user: "ann", request: "POST " + sets, wantStatus: 400, wantBody: []string{`"title"`, "200 bytes"},
				body: `{"title":"` + strings.Repeat("x", 201) + `","operations":[]}`,
			},
			{
				name: "propose", user: "ann", request: "POST " + sets, body: setBody(update), wantStatus: 201, save: "set=data.id",
				wantBody: []string{
					`"title":"Rename","description":"why","status":"open","version":1,"author":"ann","author_id":"`,
					`"operations":[{"op":"update_node","id":"{node}","if_match":"\"`, `"born":{"$type":"Date","_value":"1960-01-02"}`,
					`"events":[{"at":"`, `"action":"propose"}],"comments":[],"changes":[]}`,
				},
				wantHeaders: []string{"Location", sets + "/", "ETag", `"1.0"`},
			},
			{name: "read", user: "bob", request: "GET " + one, wantStatus: 200, wantHeaders: []string{"ETag", `"1.0"`}},
			{name: "not modified", user: "bob", request: "GET " + one, header: []string{"If-None-Match", `"1.0"`}, wantStatus: 304},
			{
				name: "diff", user: "bob", request: "GET " + one + "/diff", wantStatus: 200, wantBody: []string{
					`{"entities":[{"kind":"node","id":"{node}","operation":0,"type":"Person","status":"changed","before":{"id":"{node}",`,
					`"after":{"id":"{node}","type":"Person","labels":["Person"],"properties":{"big":9223372036854775807,"born":{"$type":"Date"`,
					`"conflict":null}],"violations":[]}`,
				},
			},
			{name: "apply an open one", user: "bob", request: "POST " + one + "/apply", wantStatus: 409, wantBody: []string{"is open", "approved"}},
			{name: "comment", user: "bob", request: "POST " + one + "/comments", body: `{"text":"<b>Why?</b>"}`, wantStatus: 201, wantBody: []string{
				`{"data":{"id":"`, `"user":"bob"`, `"text":"<b>Why?</b>"}`,
			}},
			{
				name: "an empty comment", user: "bob", request: "POST " + one + "/comments", body: `{"text":" "}`,
				wantStatus: 400, wantBody: []string{`"text"`},
			},
			{
				name: "edit as another", user: "bob", request: "PUT " + one, body: `{"title":"Mine"}`,
				wantStatus: 403, wantBody: []string{"only its author"},
			},
			{name: "withdraw as another", user: "bob", request: "POST " + one + "/withdraw", wantStatus: 403},
			{name: "approve without its permission", user: "wil", request: "POST " + one + "/approve", wantStatus: 403, wantBody: []string{
				`"field":"operations"`,
			}},
			{
				name: "edit", user: "ann", request: "PATCH " + one, body: `{"title":"Rename Ann"}`, header: []string{"If-Match", `"1.1"`},
				wantStatus: 200, wantBody: []string{`"title":"Rename Ann","description":"why"`, `"action":"edit"`},
			},
			{name: "edit nothing", user: "ann", request: "PUT " + one, body: `{}`, wantStatus: 400, wantBody: []string{`"body"`}},
			{
				name: "approve what was not read", user: "bob", request: "POST " + one + "/approve", header: []string{"If-Match", `"1.1"`},
				wantStatus: 412, wantCode: "PRECONDITION_FAILED",
			},
			{
				name: "approve", user: "bob", request: "POST " + one + "/approve", header: []string{"If-Match", `"2.1"`},
				wantStatus: 200, wantBody: []string{`"status":"approved"`, `"user":"bob"`},
			},
			{name: "approve again", user: "bob", request: "POST " + one + "/approve", wantStatus: 409, wantCode: "CONFLICT"},
			{name: "apply without its permission", user: "wil", request: "POST " + one + "/apply", wantStatus: 403},
			{
				name: "apply without read", user: "eve", request: "POST " + one + "/apply", wantStatus: 200,
				wantBody:  []string{`{"data":{"id":"{set}","status":"applied","changes":["`},
				notInBody: []string{"Rename"}, wantHeaders: []string{"ETag", ""},
			},
			{name: "apply again", user: "bob", request: "POST " + one + "/apply", wantStatus: 409, wantBody: []string{"is applied"}},
			{name: "applied", user: "ann", request: "GET /api/nodes/{node}", wantStatus: 200, wantBody: []string{`"name":"Anna"`}},
			{name: "its cause", user: "ann", request: "GET /api/nodes/{node}/history?limit=1", wantStatus: 200, wantBody: []string{
				`"user":"eve"`, `"cause":{"changeset":"{set}"}`,
			}},
			{
				name: "listed", user: "ann", request: "GET " + sets + "?status=applied&author=ann",
				wantStatus: 200, wantBody: []string{`"changes":["1`},
			},
			{name: "not open", user: "ann", request: "GET " + sets + "?status=open", wantStatus: 200, wantBody: []string{`"data":[]`}},
			{name: "of nobody", user: "ann", request: "GET " + sets + "?author=nobody", wantStatus: 200, wantBody: []string{`"data":[]`}},
			{name: "an unknown status", user: "ann", request: "GET " + sets + "?status=done", wantStatus: 400, wantBody: []string{`"status"`}},
			{name: "undo", user: "bob", request: "POST /api/undo", body: `{"changeset":"{set}"}`, wantStatus: 200, wantBody: []string{`"undone":1`}},
			{name: "undone", user: "ann", request: "GET /api/nodes/{node}", wantStatus: 200, wantHeaders: []string{"ETag", "{etag}"}},
			{name: "undo of nothing", user: "bob", request: "POST /api/undo", body: `{"changeset":"none"}`, wantStatus: 404},
		},
	))
	for _, e := range []string{"propose ann", "comment bob", "update ann", "approve bob", "apply eve"} {
		action, user, _ := strings.Cut(e, " ")
		found := srv.audit(t, "kind=changeset&action="+action+"&user="+user)
		require.Len(t, found, 1, e)
	}
	srv.auditBuffer.Flush(t.Context())
	require.NotEmpty(t, srv.audit(t, "kind=route&user=wil"), "the refusals are recorded")
}

// Who may approve: somebody else, unless the operator permits it; an administrator has no additional right.
func TestApprovalByTheAuthor(t *testing.T) {
	for _, allowed := range []bool{false, true} {
		t.Run(fmt.Sprint(allowed), func(t *testing.T) {
			srv := newTestServer(t, func(o *httpapi.Options) { o.SelfApproval = allowed })
			srv.user(t, "ann", auth.AllPermissions()...)
			_, err := srv.users.CreateUser(t.Context(), auth.NewUser{Username: "boss", Password: password, Admin: true})
			require.NoError(t, err)
			want := 403
			if allowed {
				want = 200
			}
			const create = `{"op":"create_node","type":"Person","properties":{}}`
			runSteps(t, srv, []step{
				{name: "propose", user: "ann", request: "POST /api/changesets", body: setBody(create), wantStatus: 201, save: "set=data.id"},
				{name: "an administrator without permissions", user: "boss", request: "POST /api/changesets/{set}/approve", wantStatus: 403},
				{name: "approve", user: "ann", request: "POST /api/changesets/{set}/approve", wantStatus: want},
				{name: "reject", user: "ann", request: "POST /api/changesets/{set}/reject", wantStatus: want},
				{name: "propose again", user: "ann", request: "POST /api/changesets", body: setBody(create), wantStatus: 201, save: "two=data.id"},
				{name: "approve as another", user: "root", request: "POST /api/changesets/{two}/approve", wantStatus: 200},
				{
					name: "edit reopens", user: "ann", request: "PUT /api/changesets/{two}", body: setBody(create, create),
					wantStatus: 200, wantBody: []string{`"status":"open"`},
				},
				{name: "apply what was edited since", user: "ann", request: "POST /api/changesets/{two}/apply", wantStatus: 409},
				{name: "approve again", user: "root", request: "POST /api/changesets/{two}/approve", wantStatus: 200},
				{
					name: "the author applies", user: "ann", request: "POST /api/changesets/{two}/apply",
					wantStatus: 200, wantBody: []string{`"status":"applied"`},
				},
				{name: "withdraw an applied one", user: "ann", request: "POST /api/changesets/{two}/withdraw", wantStatus: 409},
				{name: "edit an applied one", user: "ann", request: "PUT /api/changesets/{two}", body: `{"title":"x"}`, wantStatus: 409},
			})
		})
	}
}

// What conflicts is in details and in meta.conflicts; a user without the permission read is not shown which entities.
func TestConflictsOfAChangeSetOverHTTP(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "ann", auth.AllPermissions()...)
	srv.user(t, "blind", auth.Create, auth.Edit, auth.Delete)
	const node = `{"type":"Person","properties":{"secret":"of ann"}}`
	runSteps(t, srv, []step{
		{name: "a node", user: "ann", request: "POST /api/nodes", body: node, wantStatus: 201, save: "a=data.id"},
		{name: "another", user: "ann", request: "POST /api/nodes", body: node, wantStatus: 201, save: "b=data.id"},
		{name: "its ETag", user: "ann", request: "GET /api/nodes/{a}", wantStatus: 200, save: "etag=header:ETag"},
		{
			name: "propose", user: "ann", request: "POST /api/changesets", wantStatus: 201, save: "set=data.id", body: setBody(
				`{"op":"create_node","ref":"x","type":"Person","properties":{}}`, `{"op":"update_node","id":"{a}","properties":{"n":1}}`,
				`{"op":"delete_node","id":"{b}"}`,
			),
		},
		{name: "approve", user: "root", request: "POST /api/changesets/{set}/approve", wantStatus: 200},
		{
			name: "change a", user: "ann", request: "PUT /api/nodes/{a}", body: `{"properties":{"n":2}}`,
			wantStatus: 200, save: "found=header:ETag",
		},
		{
			name: "apply", user: "ann", request: "POST /api/changesets/{set}/apply", wantStatus: 409, wantCode: "CONFLICT", wantBody: []string{
				`"details":[{"field":"operations[1]","message":"was changed since"}]},` +
					`"meta":{"conflicts":[{"field":"operations[1]","id":"{a}","expected":"`,
				`,"found":"`,
			},
		},
		{
			name: "without read", user: "blind", request: "POST /api/changesets/{set}/apply", wantStatus: 403,
			wantBody:  []string{`"details":[{"field":"operations","message":"include one that this user does not see`},
			notInBody: []string{"of ann", "{a}", "conflicts"},
		},
		{name: "delete b", user: "ann", request: "DELETE /api/nodes/{b}", wantStatus: 200},
		{
			name: "gone", user: "ann", request: "POST /api/changesets/{set}/apply", wantStatus: 409, wantCode: "CONFLICT",
			wantBody: []string{
				`"field":"operations[1]","message":"was changed since"`, `"field":"operations[2]","message":"does not exist"`, `"found":null`,
			},
		},
		{name: "still approved", user: "ann", request: "GET /api/changesets/{set}", wantStatus: 200, wantBody: []string{`"status":"approved"`}},
		{name: "the diff", user: "ann", request: "GET /api/changesets/{set}/diff", wantStatus: 200, wantBody: []string{
			`"kind":"node","ref":"x","operation":0,"type":"Person","status":"added"`,
			`"conflict":{"field":"operations[1]","id":"{a}"`, `"conflict":{"field":"operations[2]","id":"{b}"`,
		}},
	})
	require.EqualValues(t, 1, srv.db.Count(t, "MATCH (n:Person) RETURN count(n)", nil))
}

// A proposal with an Idempotency-Key is stored once, however often and whenever it is sent.
func TestProposalsAreRepeatedSafely(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "ann", auth.AllPermissions()...)
	key := []string{"Idempotency-Key", "k"}
	body := setBody(`{"op":"create_node","type":"Person","properties":{"n":1}}`)
	runSteps(t, srv, []step{
		{name: "propose", user: "ann", request: "POST /api/changesets", header: key, body: body, wantStatus: 201, save: "set=data.id"},
		{
			name: "again", user: "ann", request: "POST /api/changesets", header: key, body: body, wantStatus: 201,
			wantBody: []string{`"id":"{set}"`, `"status":"open"`}, wantHeaders: []string{"Idempotent-Replayed", "true"},
		},
		{
			name: "another proposal", user: "ann", request: "POST /api/changesets", header: key, wantStatus: 422,
			body: setBody(`{"op":"create_node","type":"Person","properties":{"n":2}}`), wantCode: "IDEMPOTENCY_KEY_REUSED",
		},
		{
			name: "another user", user: "root", request: "POST /api/changesets", header: key, body: body, wantStatus: 201,
			notInBody: []string{"{set}"},
		},
		{name: "approve", user: "root", request: "POST /api/changesets/{set}/approve", wantStatus: 200},
		{
			name: "after it was approved", user: "ann", request: "POST /api/changesets", header: key, body: body, wantStatus: 201,
			wantBody: []string{`"id":"{set}"`, `"status":"approved"`},
		},
		{
			name: "an empty key", user: "ann", request: "POST /api/changesets", header: []string{"Idempotency-Key", ""}, body: body,
			wantStatus: 400,
		},
	})
	require.EqualValues(t, 2, srv.db.Count(t, "MATCH (c:_GraphrestChangeSet) RETURN count(c)", nil))
}

// A proposal that violates a declared type is accepted, shown in the diff, and not applied.
func TestChangeSetsThatViolateADeclaredType(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "ann", auth.AllPermissions()...)
	runSteps(t, srv, []step{
		{
			name: "declare", user: "root", request: "PUT /api/admin/types/nodes/Person", wantStatus: 201,
			body: `{"level":"strict","schema":{"properties":{"n":{"type":"integer"}},"required":["n"]}}`,
		},
		{
			name: "propose", user: "ann", request: "POST /api/changesets", wantStatus: 201, save: "set=data.id",
			body: setBody(
				`{"op":"create_node","type":"Person","properties":{"n":1}}`, `{"op":"create_node","type":"Person","properties":{"n":"1"}}`,
			),
		},
		{name: "diff", user: "ann", request: "GET /api/changesets/{set}/diff", wantStatus: 200, wantBody: []string{
			`"violations":[{"field":"operations[1].properties.n","message":"`,
		}},
		{name: "approve", user: "root", request: "POST /api/changesets/{set}/approve", wantStatus: 200},
		{
			name: "apply", user: "ann", request: "POST /api/changesets/{set}/apply", wantStatus: 400, wantCode: "VALIDATION_ERROR",
			wantBody: []string{`"operations[1].properties.n"`},
		},
		{name: "approved", user: "ann", request: "GET /api/changesets/{set}", wantStatus: 200, wantBody: []string{`"status":"approved"`}},
	})
	require.Zero(t, srv.db.Count(t, "MATCH (n:Person) RETURN count(n)", nil))
}

// Change sets are internal data, and hostile input changes nothing.
func TestHostileChangeSets(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "ann", auth.AllPermissions()...)
	internal := srv.db.Query(t, "MATCH (u:_GraphrestUser) RETURN elementId(u) AS id LIMIT 1", nil)[0]["id"].(string)
	r := srv.send(t, "ann", "POST", "/api/changesets", setBody(
		fmt.Sprintf(`{"op":"update_node","id":%q,"properties":{"admin":true}}`, internal), fmt.Sprintf(`{"op":"delete_node","id":%q}`, internal),
		fmt.Sprintf(`{"op":"create_edge","type":"KNOWS","source_id":%q,"target_id":%q}`, internal, internal),
	))
	require.Equal(t, http.StatusCreated, r.status, r.body)
	require.NotContains(t, r.body, "if_match", "it answers as if it did not exist")
	set := jsonAt(t, r.body, "data.id").(string)
	diff := srv.send(t, "ann", "GET", "/api/changesets/"+set+"/diff", "")
	require.Equal(t, 3, strings.Count(diff.body, "not exist"), diff.body)
	require.Equal(t, http.StatusOK, srv.send(t, "root", "POST", "/api/changesets/"+set+"/approve", "").status)
	before := srv.db.Count(t, "MATCH (u:_GraphrestUser) RETURN count(u)", nil)
	applied := srv.send(t, "ann", "POST", "/api/changesets/"+set+"/apply", "")
	require.Equal(t, http.StatusConflict, applied.status, applied.body)
	require.Equal(t, before, srv.db.Count(t, "MATCH (u:_GraphrestUser) WHERE u.username IS NOT NULL OR true RETURN count(u)", nil))

	stored := srv.db.Query(t, "MATCH (c:_GraphrestChangeSet) RETURN elementId(c) AS id", nil)[0]["id"].(string)
	for _, path := range []string{"/api/nodes/" + stored, "/api/nodes/" + set, "/api/nodes?type=_GraphrestChangeSet"} {
		require.GreaterOrEqual(t, srv.send(t, "ann", "GET", path, "").status, 400, path)
	}
	require.Contains(t, srv.send(t, "ann", "GET", "/api/nodes", "").body, `"data":[]`)
	for _, id := range []string{"%00", "..", "%2e%2e%2f", "{set}", strings.Repeat("x", 2000), "_GraphrestChangeSet"} {
		for _, action := range []string{"", "/diff"} {
			status := srv.send(t, "ann", "GET", "/api/changesets/"+id+action, "").status
			require.True(t, status == 404 || status == 400, "%s: %d", id, status)
		}
	}
	for _, body := range []string{
		`{"title":"T","operations":[{"op":"create_node","type":"_GraphrestUser","properties":{}}]}`,
		`{"title":"T","operations":[{"op":"create_node","type":"A","properties":{"a":{"b":1}}}]}`,
		`{"title":"T","operations":"[]"}`, `{"title":"T"}`, `[]`, `{"title":"T","title":"U","operations":[]}`,
		`{"title":"` + "\xff" + `","operations":[{"op":"delete_node","id":"x"}]}`,
	} {
		require.Equal(t, http.StatusBadRequest, srv.send(t, "ann", "POST", "/api/changesets", body).status, body)
	}
	require.EqualValues(t, 1, srv.db.Count(t, "MATCH (c:_GraphrestChangeSet) RETURN count(c)", nil))
}

// Who proposes with a service token cannot approve as the administrator who made it, nor the other way round.
func TestAServiceTokenIsNoSecondPerson(t *testing.T) {
	srv := newTestServer(t, nil)
	_, err := srv.users.CreateUser(t.Context(), auth.NewUser{
		Username: "boss", Password: password, Admin: true, Permissions: auth.AllPermissions(),
	})
	require.NoError(t, err)
	srv.user(t, "ann", auth.AllPermissions()...)
	for _, name := range []string{"one", "two"} {
		made := srv.send(t, "boss", "POST", "/api/admin/tokens",
			`{"name":"`+name+`","permissions":["read","create","edit","delete"]}`)
		require.Equal(t, http.StatusCreated, made.status, made.body)
		srv.tokensMu.Lock()
		srv.tokens[name] = jsonAt(t, made.body, "data.secret").(string)
		srv.tokensMu.Unlock()
	}
	propose := func(user string) string {
		r := srv.send(t, user, "POST", "/api/changesets", setBody(`{"op":"create_node","type":"Person","properties":{}}`))
		require.Equal(t, http.StatusCreated, r.status, r.body)
		return "/api/changesets/" + jsonAt(t, r.body, "data.id").(string)
	}
	for _, pair := range [][2]string{{"boss", "one"}, {"one", "boss"}, {"one", "two"}} {
		set := propose(pair[0])
		for _, action := range []string{"/approve", "/reject"} {
			require.Equal(t, http.StatusForbidden, srv.send(t, pair[1], "POST", set+action, "").status, "%v", pair)
		}
		require.Equal(t, http.StatusOK, srv.send(t, "ann", "POST", set+"/approve", "").status)
	}
}
