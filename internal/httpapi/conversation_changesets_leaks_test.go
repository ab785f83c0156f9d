package httpapi_test

import (
	"testing"

	"graphrest/internal/auth"
)

// Approving, rejecting and applying somebody else's proposal names only what its diff shows to the user.
func TestRefusalsOfProposalsNameNothingHidden(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "ann", auth.AllPermissions()...)
	withRole(t, srv, "bob", teamGrants)
	withRole(t, srv, "blind", `[{"kind":"node","type":"*","actions":["create","edit","delete"]}]`)
	hidden := []string{"{hidden}", "missing", "salary", "secret", "Vault", "operations[", "delete", "target"}
	propose := func(name, user string, operations ...string) step {
		return step{
			name: "propose " + name, user: user, request: "POST /api/changesets", body: setBody(operations...), wantStatus: 201,
			save: name + "=data.id",
		}
	}
	do := func(user, action, set string, status int, wantBody ...string) step {
		return step{
			name: user + " " + action + " " + set, user: user, request: "POST /api/changesets/{" + set + "}/" + action, wantStatus: status,
			wantBody: wantBody, notInBody: hidden,
		}
	}
	const hiddenPart = `"details":[{"field":"operations","message":"include one that this user does not see`
	steps := people()
	for set, operations := range map[string][]string{
		"salary":  {`{"op":"update_node","id":"{own}","properties":{"salary":70}}`},
		"node":    {`{"op":"update_node","id":"{hidden}","properties":{"secret":1}}`},
		"gone":    {`{"op":"delete_node","id":"missing"}`},
		"type":    {`{"op":"create_node","type":"Vault","properties":{"secret":1}}`},
		"end":     {`{"op":"create_edge","type":"KNOWS","source_id":"{own}","target_id":"{hidden}"}`},
		"edge":    {`{"op":"create_edge","type":"SECRET","source_id":"{own}","target_id":"{other}"}`},
		"outside": {`{"op":"create_node","type":"Person","properties":{"team":"c","secret":1}}`},
	} {
		steps = append(steps, propose(set, "ann", operations...), do("bob", "approve", set, 403, "PERMISSION_DENIED"),
			do("bob", "reject", set, 403, "PERMISSION_DENIED"))
	}
	steps = append(steps, do("blind", "approve", "gone", 403), do("blind", "approve", "end", 403), do("blind", "reject", "edge", 403))
	runSteps(t, srv, append(steps, []step{
		{name: "approve", user: "root", request: "POST /api/changesets/{salary}/approve", wantStatus: 200},
		do("bob", "apply", "salary", 403, "PERMISSION_DENIED", hiddenPart),
		{name: "approve", user: "root", request: "POST /api/changesets/{node}/approve", wantStatus: 200},
		do("bob", "apply", "node", 409, "CONFLICT", hiddenPart, `"conflicts":[]`),
		{name: "approve", user: "root", request: "POST /api/changesets/{gone}/approve", wantStatus: 200},
		do("bob", "apply", "gone", 409, "CONFLICT", hiddenPart, `"conflicts":[]`),
		{name: "approve", user: "root", request: "POST /api/changesets/{end}/approve", wantStatus: 200},
		do("bob", "apply", "end", 409, "CONFLICT", hiddenPart, `"conflicts":[]`),
		{name: "approve", user: "root", request: "POST /api/changesets/{edge}/approve", wantStatus: 200},
		do("bob", "apply", "edge", 403, "PERMISSION_DENIED", hiddenPart),

		propose("visible", "ann", `{"op":"update_node","id":"{own}","properties":{"born":1961}}`),
		{
			name: "what the diff shows is named", user: "bob", request: "POST /api/changesets/{visible}/approve", wantStatus: 403,
			wantBody: []string{`"field":"operations[0].properties.born"`},
		},
		propose("changed", "ann", `{"op":"update_node","id":"{own}","properties":{"name":"Ann"}}`),
		{name: "approve", user: "root", request: "POST /api/changesets/{changed}/approve", wantStatus: 200},
		{name: "meanwhile", user: "ann", request: "PUT /api/nodes/{own}", body: `{"properties":{"name":"Anna"}}`, wantStatus: 200},
		{
			name: "what the diff shows", user: "bob", request: "POST /api/changesets/{changed}/apply", wantStatus: 409,
			wantBody: []string{
				`"details":[{"field":"operations[0]","message":"was changed since"}]`, `"conflicts":[{"field":"operations[0]","id":"{own}"`,
			},
		},
		propose("mine", "bob", `{"op":"update_node","id":"{hidden}","properties":{"secret":1}}`),
		{name: "approve", user: "root", request: "POST /api/changesets/{mine}/approve", wantStatus: 200},
		{
			name: "the author gets what the author wrote", user: "bob", request: "POST /api/changesets/{mine}/apply", wantStatus: 409,
			wantBody: []string{`"field":"operations[0]","message":"does not exist"`, `"id":"{hidden}"`},
		},
	}...))
}

// A create that another label's grant allows is validated by the declarations of all its labels, and shows only those of labels that its
// user may create.
func TestDeclarationsOfOtherLabelsAreNotShown(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "ann", auth.AllPermissions()...)
	withRole(t, srv, "bob", teamGrants)
	as := func(name, user, request, body string, status int, wantBody, notInBody []string) step {
		return step{name: name, user: user, request: request, body: body, wantStatus: status, wantBody: wantBody, notInBody: notInBody}
	}
	secret := []string{"alpha", "cipher", "Vault"}
	const create = `{"op":"create_node","type":"Person","labels":["Vault"],"properties":{"team":"a"}}`
	const both = `{"op":"create_node","type":"Person","labels":["Vault"],"properties":{"team":"a","name":1}}`
	const line = `{"kind":"node","type":"Person","labels":["Person","Vault"],"properties":{"team":"a"}}`
	imported := as("imported", "bob", "POST /api/import", line, 200, []string{`"failed":1`, `"field":"labels"`}, secret)
	imported.header = []string{"Content-Type", "application/x-ndjson"}
	runSteps(t, srv, []step{
		as("declare", "root", "PUT /api/admin/types/nodes/Vault",
			`{"level":"strict","schema":{"properties":{"cipher":{"enum":["alpha","omega"]}},"required":["cipher"]}}`, 201, nil, nil),
		as("declare", "root", "PUT /api/admin/types/nodes/Person",
			`{"level":"strict","schema":{"properties":{"name":{"type":"string"}}}}`, 201, nil, nil),
		as("in a batch", "bob", "POST /api/batch", batchBody(create), 400, []string{`"field":"operations[0].labels"`}, secret),
		as("of an own label", "bob", "POST /api/batch", batchBody(both), 400, []string{`"field":"operations[0].properties.name"`}, secret),
		as("who may create both", "ann", "POST /api/batch", batchBody(create), 400, []string{`"field":"operations[0].properties.cipher"`}, nil),
		imported,
		{
			name: "propose", user: "bob", request: "POST /api/changesets", body: setBody(both), wantStatus: 201, save: "set=data.id",
		},
		as("in its diff", "bob", "GET /api/changesets/{set}/diff", "", 200, []string{`"field":"operations[0].properties.name"`},
			[]string{"alpha", "cipher"}),
		as("in the diff of who sees all", "ann", "GET /api/changesets/{set}/diff", "", 200,
			[]string{`"field":"operations[0].properties.cipher"`}, nil),
		as("deleted", "ann", "POST /api/batch",
			batchBody(`{"op":"create_node","type":"Person","labels":["Vault"],"properties":{"team":"a","cipher":"alpha"}}`), 200, nil, nil),
	})
}
