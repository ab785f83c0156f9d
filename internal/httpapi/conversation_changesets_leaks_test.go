package httpapi_test

import (
	"strings"
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
	const hiddenPart = `{"error":{"code":"PERMISSION_DENIED","message":"Permission denied: not all operations are allowed to this user, ` +
		`or they cannot be applied","details":[{"field":"operations",` +
		`"message":"include one that this user does not see, and that this user may not or cannot apply"}]}}`
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
		steps = append(steps, propose(set, "ann", operations...), do("bob", "approve", set, 403, hiddenPart),
			do("bob", "reject", set, 403, hiddenPart))
	}
	// Whichever operation fails first, by whatever rule, the answer is one and the same.
	const denied, gone = `{"op":"update_node","id":"{own}","properties":{"salary":70}}`, `{"op":"delete_node","id":"missing"}`
	const seen, changed = `{"op":"update_node","id":"{own}","properties":{"born":1}}`, `{"op":"delete_node","id":"{hidden}"}`
	for set, operations := range map[string][]string{
		"deniedFirst": {denied, gone}, "goneFirst": {gone, denied}, "seenFirst": {seen, gone},
		"goneBefore": {gone, seen}, "changedFirst": {changed, seen},
		"invalid": {`{"op":"create_node","type":"Person","properties":{"team":"c","x":1}}`, seen},
		"removed": {`{"op":"update_node","id":"{hidden}","properties":{"x":null}}`},
	} {
		steps = append(steps, propose(set, "ann", operations...),
			step{name: "approve " + set, user: "root", request: "POST /api/changesets/{" + set + "}/approve", wantStatus: 200},
			do("bob", "apply", set, 403, hiddenPart))
	}
	steps = append(steps, do("blind", "approve", "gone", 403), do("blind", "approve", "end", 403), do("blind", "reject", "edge", 403))
	runSteps(t, srv, append(steps, []step{
		{name: "approve", user: "root", request: "POST /api/changesets/{salary}/approve", wantStatus: 200},
		do("bob", "apply", "salary", 403, hiddenPart),
		{name: "approve", user: "root", request: "POST /api/changesets/{node}/approve", wantStatus: 200},
		do("bob", "apply", "node", 403, hiddenPart),
		{name: "approve", user: "root", request: "POST /api/changesets/{gone}/approve", wantStatus: 200},
		do("bob", "apply", "gone", 403, hiddenPart),
		{name: "approve", user: "root", request: "POST /api/changesets/{end}/approve", wantStatus: 200},
		do("bob", "apply", "end", 403, hiddenPart),
		{name: "approve", user: "root", request: "POST /api/changesets/{edge}/approve", wantStatus: 200},
		do("bob", "apply", "edge", 403, hiddenPart),

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
	imported := as("imported", "bob", "POST /api/import", line, 200, []string{`"failed":1`, `"PERMISSION_DENIED"`}, secret)
	imported.header = []string{"Content-Type", "application/x-ndjson"}
	runSteps(t, srv, []step{
		as("declare", "root", "PUT /api/admin/types/nodes/Vault",
			`{"level":"strict","schema":{"properties":{"cipher":{"enum":["alpha","omega"]}},"required":["cipher"]}}`, 201, nil, nil),
		as("declare", "root", "PUT /api/admin/types/nodes/Person",
			`{"level":"strict","schema":{"properties":{"name":{"type":"string"}}}}`, 201, nil, nil),
		as("in a batch", "bob", "POST /api/batch", batchBody(create), 403, []string{`"PERMISSION_DENIED"`}, secret),
		as("of an own label", "bob", "POST /api/batch", batchBody(both), 403, []string{`"PERMISSION_DENIED"`}, secret),
		as("who may create both", "ann", "POST /api/batch", batchBody(create), 400, []string{`"field":"operations[0].properties.cipher"`}, nil),
		imported,
		{
			name: "propose", user: "bob", request: "POST /api/changesets", body: setBody(both), wantStatus: 201, save: "set=data.id",
		},
		as("in its diff", "bob", "GET /api/changesets/{set}/diff", "", 200, []string{`"violations":[]`}, []string{"alpha", "cipher"}),
		as("in the diff of who sees all", "ann", "GET /api/changesets/{set}/diff", "", 200,
			[]string{`"field":"operations[0].properties.cipher"`}, nil),
		as("a valid one", "ann", "POST /api/batch",
			batchBody(`{"op":"create_node","type":"Person","labels":["Vault"],"properties":{"team":"a","cipher":"alpha"}}`), 200, nil, nil),
	})
}

// An update is validated by the declarations of all labels of its node, and shows only those of labels that its user may edit, even of the
// properties that it writes.
func TestUpdatesShowNoDeclarationOfOtherLabels(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "ann", auth.AllPermissions()...)
	withRole(t, srv, "bob", teamGrants)
	as := func(name, user, request, body string, status int, wantBody, notInBody []string) step {
		return step{name: name, user: user, request: request, body: body, wantStatus: status, wantBody: wantBody, notInBody: notInBody}
	}
	secret := []string{"alpha", "cipher", "Vault", "grade"}
	const node = "0190a000-0000-7000-8000-000000000001"
	const wrong, both = `{"properties":{"cipher":"beta","grade":2}}`, `{"properties":{"cipher":"beta","name":1}}`
	const other = `"details":[{"field":"labels","message":"the node would violate the declaration of a label that this user may not edit"}]`
	inBatch := strings.Replace(other, `"labels"`, `"operations[0].labels"`, 1)
	imported := as("imported", "bob", "POST /api/import?on_conflict=merge",
		`{"kind":"node","id":"`+node+`","type":"Person","properties":{"cipher":"beta"}}`, 200,
		[]string{`"failed":1`, `"field":"labels"`}, secret)
	imported.header = []string{"Content-Type", "application/x-ndjson"}
	created := as("a node", "ann", "POST /api/import",
		`{"kind":"node","id":"`+node+`","type":"Person","labels":["Person","Vault"],"properties":{"team":"a","cipher":"alpha"}}`, 200,
		[]string{`"failed":0`}, nil)
	created.header = imported.header
	runSteps(t, srv, []step{
		created,
		as("declare", "root", "PUT /api/admin/types/nodes/Vault",
			`{"level":"strict","schema":{"properties":{"cipher":{"enum":["alpha","omega"]}}}}`, 201, nil, nil),
		as("declare", "root", "PUT /api/admin/types/nodes/Person",
			`{"level":"strict","schema":{"properties":{"name":{"type":"string"}}}}`, 201, nil, nil),
		as("an update", "bob", "PUT /api/nodes/"+node, wrong, 400, []string{other}, secret),
		as("in a batch", "bob", "POST /api/batch", batchBody(`{"op":"update_node","id":"`+node+`",`+wrong[1:]), 400, []string{inBatch}, secret),
		imported,
		as("of an own label", "bob", "PUT /api/nodes/"+node, both, 400, []string{`"field":"properties.name"`}, secret),
		{
			name: "propose", user: "bob", request: "POST /api/changesets", wantStatus: 201, save: "set=data.id",
			body: setBody(`{"op":"update_node","id":"` + node + `",` + both[1:]),
		},
		as("in its diff", "bob", "GET /api/changesets/{set}/diff", "", 200, []string{`"field":"operations[0].properties.name"`},
			[]string{"omega", `"field":"operations[0].properties.cipher"`}),
		as("in the diff of who sees all", "ann", "GET /api/changesets/{set}/diff", "", 200,
			[]string{`"field":"operations[0].properties.cipher"`, `"field":"operations[0].properties.name"`}, nil),
		as("who may edit both", "ann", "PUT /api/nodes/"+node, wrong, 400, []string{`"field":"properties.cipher"`, "alpha"}, nil),
		as("a valid one", "bob", "PUT /api/nodes/"+node, `{"properties":{"cipher":"omega"}}`, 200, nil, nil),
	})
}

// An undo is validated by the declarations of all labels of its node, and shows only those of labels that its user may edit.
func TestUndoShowsNoDeclarationOfOtherLabels(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "ann", auth.AllPermissions()...)
	withRole(t, srv, "bob", teamGrants)
	const node = "0190a000-0000-7000-8000-000000000002"
	const other = `"details":[{"field":"labels","message":"the node would violate the declaration of a label that this user may not edit"}]`
	secret := []string{"alpha", "omega", "cipher", "Vault"}
	undo := func(name, user, request string, wantBody, notInBody []string) step {
		return step{
			name: name, user: user, request: "POST /api/undo", body: `{"request_id":"` + request + `"}`, wantStatus: 400,
			wantBody: wantBody, notInBody: notInBody,
		}
	}
	change := func(request, properties string) step {
		return step{
			name: request, user: "bob", request: "PUT /api/nodes/" + node, body: `{"properties":` + properties + `}`, wantStatus: 200,
			header: []string{"X-Request-ID", request},
		}
	}
	declare := func(label, schema string) step {
		return step{
			name: "declare " + label, user: "root", request: "PUT /api/admin/types/nodes/" + label, wantStatus: 201,
			body: `{"level":"strict","schema":{"properties":` + schema + `}}`,
		}
	}
	runSteps(t, srv, []step{
		{
			name: "a node", user: "ann", request: "POST /api/import", wantStatus: 200, wantBody: []string{`"failed":0`},
			header: []string{"Content-Type", "application/x-ndjson"},
			body: `{"kind":"node","id":"` + node + `","type":"Person","labels":["Person","Vault"],` +
				`"properties":{"team":"a","cipher":"beta","name":1}}`,
		},
		change("of-the-other", `{"cipher":"alpha"}`),
		declare("Vault", `{"cipher":{"enum":["alpha","omega"]}}`),
		undo("of another label", "bob", "of-the-other", []string{other}, secret),
		undo("who may edit both", "ann", "of-the-other", []string{`cipher"`, "alpha"}, nil),
		change("of-the-own", `{"name":"Ann"}`),
		declare("Person", `{"name":{"type":"string"}}`),
		undo("of an own label", "bob", "of-the-own", []string{`"field":"properties.name"`}, secret),
	})
}
