package httpapi_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
)

// A node that a condition hides is not reached by another of its labels, and a property that every holding grant hides not by a grant for
// another label whose condition is not met.
func TestASecondLabelBypassesNoRule(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "ann", auth.AllPermissions()...)
	withRole(t, srv, "bob", `[
		{"kind":"node","type":"Person","actions":["read","edit","delete"],"where":{"team":{"eq":"a"}},"hidden":["salary"]},
		{"kind":"node","type":"Staff","actions":["read","edit","delete"],"where":{"open":{"eq":true}}},
		{"kind":"node","type":"Note","actions":["create"]},
		{"kind":"edge","type":"KNOWS","actions":["read","create"]}]`)
	create := func(name, properties string) step {
		return step{
			name: name, user: "ann", request: "POST /api/batch", wantStatus: 200,
			body: batchBody(`{"op":"create_node","ref":"` + name + `","type":"Person","labels":["Staff"],"properties":` + properties + `}`),
		}
	}
	as := func(name, request, body string, status int, wantBody ...string) step {
		return step{
			name: name, user: "bob", request: request, body: body, wantStatus: status, wantBody: wantBody,
			notInBody: []string{"Zacharias", "4711", "salary"},
		}
	}
	runSteps(t, srv, []step{
		create("visible", `{"team":"a","salary":4711,"name":"Ann"}`), create("hidden", `{"team":"c","salary":4711,"name":"Zacharias"}`),
		as("by its second label", "GET /api/nodes?type=Staff&count=exact", "", 200, `"total":1`, `"name":"Ann"`),
		as("by all", "GET /api/nodes?count=exact", "", 200, `"total":1`),
		as("by a filter", "GET /api/nodes?type=Staff&filter[team]=c", "", 200, `"data":[]`),
		as("exported", "GET /api/export?node_type=Staff", "", 200),
		as("in the schema", "GET /api/schema/nodes", "", 200),
	})
	hidden := srv.db.Query(t, "MATCH (n:Staff {team: 'c'}) RETURN n.uuid AS id", nil)[0]["id"].(string)
	visible := srv.db.Query(t, "MATCH (n:Staff {team: 'a'}) RETURN n.uuid AS id", nil)[0]["id"].(string)
	importing := func(name, id, typ string, wantBody ...string) step {
		s := as(name, "POST /api/import?on_conflict=skip", `{"kind":"node","id":"`+id+`","type":"`+typ+`"}`, 200, wantBody...)
		s.header = []string{"Content-Type", "application/x-ndjson"}
		return s
	}
	runSteps(t, srv, []step{
		as("read", "GET /api/nodes/"+hidden, "", 404), as("its edges", "GET /api/nodes/"+hidden+"/edges", "", 404),
		as("changed", "PUT /api/nodes/"+hidden, `{"properties":{"open":true}}`, 404),
		as("deleted", "DELETE /api/nodes/"+hidden, "", 404),
		as("connected", "POST /api/edges", `{"type":"KNOWS","source_id":"`+visible+`","target_id":"`+hidden+`"}`, 400),
		importing("imported as another type", hidden, "Note", `"failed":1`, `"CONFLICT"`),
		as("a hidden property", "PUT /api/nodes/"+visible, `{"properties":{"code":1}}`, 200),
		as("created with another label", "POST /api/batch",
			batchBody(`{"op":"create_node","type":"Note","labels":["Person"],"properties":{"team":"c"}}`), 403, `"PERMISSION_DENIED"`),
	})
	require.EqualValues(t, 1, srv.db.Count(t, "MATCH (n:Person:Staff {team: 'c', salary: 4711}) WHERE n.open IS NULL RETURN count(n)", nil))
}

// No way of writing moves an entity into the view of a user who neither sees it nor may change it.
func TestNoEntityIsMovedIntoView(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "ann", auth.AllPermissions()...)
	withRole(t, srv, "bob", teamGrants)
	as := func(name, request, body string, status int, wantBody ...string) step {
		return step{
			name: name, user: "bob", request: request, body: body, wantStatus: status, wantBody: wantBody,
			notInBody: []string{`"salary"`, `"team":"c"`},
		}
	}
	const intoView = `{"op":"update_node","id":"{hidden}","properties":{"team":"a"}}`
	importing := as("an import", "POST /api/import?on_conflict=merge",
		`{"kind":"node","id":"{hidden}","type":"Person","properties":{"team":"a"}}`,
		200, `"failed":1`, `"CONFLICT"`)
	importing.header = []string{"Content-Type", "application/x-ndjson"}
	propose := as("a proposal", "POST /api/changesets", setBody(intoView), 201)
	propose.save = "set=data.id"
	runSteps(t, srv, append(people(),
		as("an update", "PUT /api/nodes/{hidden}", `{"properties":{"team":"a"}}`, 404),
		as("a merge", "PATCH /api/nodes/{hidden}", `{"properties":{"team":"a"}}`, 404),
		as("a batch", "POST /api/batch", batchBody(intoView), 404),
		as("a batch that reads it later", "POST /api/batch", batchBody(intoView,
			`{"op":"create_edge","type":"KNOWS","source_id":"{own}","target_id":"{hidden}"}`), 404),
		importing, propose,
		as("its diff", "GET /api/changesets/{set}/diff", "", 200, `"before":null,"after":null`),
		step{name: "approved by mistake", user: "root", request: "POST /api/changesets/{set}/approve", wantStatus: 200},
		as("its application", "POST /api/changesets/{set}/apply", "", 409, `"does not exist"`),
		step{
			name: "out of view", user: "ann", request: "PUT /api/nodes/{own}", body: `{"properties":{"team":"c"}}`, wantStatus: 200,
			header: []string{"X-Request-Id", "moved-out-of-view"},
		},
		as("an undo of the change", "POST /api/undo", `{"request_id":"moved-out-of-view"}`, 403),
		as("read", "GET /api/nodes/{own}", "", 404),
	))
	require.EqualValues(t, 2, srv.db.Count(t, "MATCH (n:Person {team: 'c'}) RETURN count(n)", nil))
}

// Nobody changes the own permissions, roles or attributes, which decide what rules allow, but an administrator.
func TestNobodyChangesTheOwnRights(t *testing.T) {
	srv := newTestServer(t, nil)
	withRole(t, srv, "bob", `[{"kind":"node","type":"*","actions":["read","create","edit"],
		"where":{"team":{"eq":{"$user":"attributes.team"}}}}]`)
	as := func(name, request, body string, status int, wantBody ...string) step {
		return step{name: name, user: "bob", request: request, body: body, wantStatus: status, wantBody: wantBody}
	}
	const rights = `"attributes":{"team":"c"},"roles":["boss"],"permissions":["read"],"admin":true`
	steps := []step{
		{
			name: "attributes", user: "root", request: "PUT /api/admin/users/bob", body: `{"attributes":{"team":"a"}}`, wantStatus: 200,
		},
		as("the role", "PUT /api/admin/roles/role%20of%20bob", `{"grants":[{"kind":"node","type":"*","actions":["read"]}]}`, 403),
		as("a new role", "POST /api/admin/roles", `{"name":"boss","grants":[]}`, 403),
		as("a service token", "POST /api/admin/tokens", `{"name":"x","permissions":["read"]}`, 403),
		as("with the password", "PUT /api/auth/password", `{"current_password":"`+password+`","new_password":"another password",`+rights+`}`, 400,
			`"attributes"`, `"roles"`, `"permissions"`, `"admin"`),
		{
			name: "with the login", request: "POST /api/auth/login", body: `{"username":"bob","password":"` + password + `",` + rights + `}`,
			wantStatus: 400,
		},
		as("the account as a node", "GET /api/nodes?type=_GraphrestUser", "", 400),
	}
	for _, method := range []string{"PUT", "PATCH", "POST"} {
		steps = append(steps, as(method+" me", method+" /api/auth/me", "{"+rights+"}", 405))
	}
	for _, method := range []string{"PUT", "PATCH"} {
		steps = append(steps, as(method+" the user", method+" /api/admin/users/bob",
			"{"+strings.Replace(rights, `,"admin":true`, "", 1)+"}", 403))
	}
	for _, header := range []string{"X-Attributes", "X-User-Attributes", "X-Groups", "X-Forwarded-Groups", "X-Roles", "X-Forwarded-User"} {
		s := as("a header "+header, "GET /api/auth/me", "", 200, `"admin":false`, `"permissions":[]`, `"roles":["role of bob"]`)
		s.header = []string{header, "root"}
		steps = append(steps, s)
	}
	steps = append(steps, step{
		name: "unchanged", user: "root", request: "GET /api/admin/users/bob", wantStatus: 200,
		wantBody: []string{`"admin":false`, `"permissions":[]`, `"roles":["role of bob"]`, `"attributes":{"team":"a"}`},
	})
	runSteps(t, srv, steps)
}
