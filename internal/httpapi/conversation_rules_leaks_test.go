package httpapi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
)

// A proposal simulates writes without the right to them, so it must not bring what is hidden into view.
func TestProposalsBringNothingIntoView(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "ann", auth.AllPermissions()...)
	withRole(t, srv, "bob", `[
		{"kind":"node","type":"Person","actions":["read"],"where":{"team":{"in":["a","b"]}},"hidden":["salary"]},
		{"kind":"node","type":"Person","actions":["read"],"where":{"vip":{"eq":true}}},
		{"kind":"edge","type":"KNOWS","actions":["read"]}]`)
	secrets := []string{`"salary":7`, `"salary":9`, `"team":"c"`, `"since":1999`}
	diff := func(name, set string, wantBody ...string) step {
		return step{
			name: name, user: "bob", request: "GET /api/changesets/{" + set + "}/diff", wantStatus: 200, wantBody: wantBody,
			notInBody: secrets,
		}
	}
	propose := func(name, user string, operations ...string) step {
		return step{
			name: "propose " + name, user: user, request: "POST /api/changesets", body: setBody(operations...), wantStatus: 201,
			save: name + "=data.id",
		}
	}
	const intoView = `{"op":"update_node","id":"{hidden}","properties":{"team":"a"}}`
	runSteps(t, srv, append(people(),
		step{
			name: "an edge", user: "ann", request: "POST /api/edges", wantStatus: 201, save: "secret=data.id",
			body: `{"type":"KNOWS","source_id":"{own}","target_id":"{hidden}","properties":{"since":1999}}`,
		},
		propose("node", "bob", intoView),
		diff("a hidden node", "node", `"id":"{hidden}"`, `"before":null,"after":null`, `"message":"does not exist"`),
		propose("edge", "bob", intoView, `{"op":"update_node","id":"{own}","properties":{"z":1}}`,
			`{"op":"update_edge","id":"{secret}","properties":{"w":1}}`),
		diff("an edge of a hidden node", "edge", `"id":"{secret}"`),
		propose("property", "bob", `{"op":"update_node","id":"{own}","properties":{"vip":true}}`),
		diff("a hidden property", "property", `"vip":true`, `"status":"changed"`),
		propose("whole", "ann", intoView, `{"op":"update_node","id":"{own}","properties":{"vip":true}}`),
		diff("of somebody else", "whole", `"entities":[{"kind":"node","id":"{own}"`, `"vip":true`),
	))
}

// What is hidden stays so in the answers to writes: edges between nodes that are not visible, and declarations.
func TestWritesRevealNothing(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "ann", auth.AllPermissions()...)
	withRole(t, srv, "bob", teamGrants)
	withRole(t, srv, "eve", `[{"kind":"edge","type":"KNOWS","actions":["edit"]}]`)
	as := func(name, user, request, body string, status int, wantBody, notInBody []string) step {
		return step{name: name, user: user, request: request, body: body, wantStatus: status, wantBody: wantBody, notInBody: notInBody}
	}
	runSteps(t, srv, append(people(),
		step{
			name: "an edge", user: "ann", request: "POST /api/edges", wantStatus: 201, save: "secret=data.id",
			body: `{"type":"KNOWS","source_id":"{own}","target_id":"{hidden}"}`,
		},
		as("an update of it", "bob", "PUT /api/edges/{secret}", `{"properties":{"w":1}}`, 404, nil, nil),
		as("a delete of it", "bob", "DELETE /api/edges/{secret}", "", 404, nil, nil),
		as("a batch with it", "bob", "POST /api/batch", batchBody(`{"op":"delete_edge","id":"{secret}"}`), 404, nil, nil),
		step{
			name: "an import of its id", user: "bob", request: "POST /api/import?on_conflict=merge", header: ndjson(), wantStatus: 200,
			body:      `{"kind":"edge","id":"{secret}","type":"KNOWS","source_id":"{own}","target_id":"{other}","properties":{"w":2}}`,
			wantBody:  []string{`"failed":1`, `{"line":1,"code":"CONFLICT"`, "belongs to an edge in the database"},
			notInBody: []string{"between other nodes"},
		},
		as("who sees no node is checked by the edge", "eve", "PUT /api/edges/{secret}", `{"properties":{"w":1}}`, 200, nil,
			[]string{"{hidden}"}),

		as("declare", "root", "PUT /api/admin/types/nodes/Vault",
			`{"level":"strict","schema":{"properties":{"code":{"enum":["alpha","omega"]}}}}`, 201, nil, nil),
		as("a type without a grant", "bob", "POST /api/nodes", `{"type":"Vault","properties":{"code":"x"}}`, 403, nil, []string{"alpha"}),
		as("in a batch", "bob", "POST /api/batch", batchBody(`{"op":"create_node","type":"Vault","properties":{"code":"x"}}`), 403, nil,
			[]string{"alpha"}),

		as("declare", "root", "PUT /api/admin/types/nodes/Person",
			`{"level":"strict","schema":{"properties":{"salary":{"type":"integer","maximum":5},"name":{"type":"string"}}}}`, 201, nil, nil),
		as("a hidden property", "bob", "PUT /api/nodes/{own}", `{"properties":{"name":"Ann"}}`, 400, []string{"VALIDATION_ERROR"},
			[]string{"salary", "must be 5"}),
		as("in a batch", "bob", "POST /api/batch", batchBody(`{"op":"update_node","id":"{own}","properties":{"name":"Ann"}}`), 400,
			[]string{"VALIDATION_ERROR"}, []string{"salary", "must be 5"}),
		as("what is written", "bob", "PUT /api/nodes/{own}", `{"properties":{"name":1}}`, 400, []string{`"field":"properties.name"`},
			[]string{"salary"}),
	))
	require.EqualValues(t, 1, srv.db.Count(t, "MATCH (:Person)-[r:KNOWS {w: 1}]->(:Person {team: 'c'}) RETURN count(r)", nil))
}
