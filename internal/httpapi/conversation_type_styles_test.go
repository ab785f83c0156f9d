package httpapi_test

import (
	"slices"
	"testing"

	"graphrest/internal/auth"
)

func TestTypeStyleConversation(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.userByPermissions(t, "ann", auth.AllPermissions()...)
	srv.db.Exec(t, "CREATE (a:Person {name: 'Ann'})-[:KNOWS {since: 1}]->(a)", nil)
	const (
		styles = "/api/admin/type-styles"
		person = styles + "/nodes/Person"
	)
	runSteps(t, srv, slices.Concat(
		deniedCases("GET "+styles, "", "administrators", "ann"),
		deniedCases("GET "+person, "", "administrators", "ann"),
		deniedCases("PUT "+person, `{"size":40}`, "administrators", "ann"),
		deniedCases("PATCH "+person, `{"size":40}`, "administrators", "ann"),
		deniedCases("DELETE "+person, "", "administrators", "ann"),
		[]step{
			{name: "none yet", user: "root", request: "GET " + styles, wantStatus: 200, wantBody: []string{`"data":[]`}},
			{name: "a type has none", user: "root", request: "GET " + person, wantStatus: 404, wantCode: "NOT_FOUND"},
			{name: "nor in the schema", user: "ann", request: "GET /api/schema", wantStatus: 200, notInBody: []string{`"style"`}},
			{
				name: "all problems together", user: "root", request: "PUT " + person, wantStatus: 400, wantCode: "VALIDATION_ERROR",
				body:     `{"color":"RED","size":9,"width":3,"caption":"","x":1}`,
				wantBody: []string{`"field":"color"`, `"field":"size"`, `"field":"width"`, `"field":"caption"`, `"field":"x"`},
			},
			{
				name: "other JSON types", user: "root", request: "PUT " + person, body: `{"color":1,"size":"40","caption":["a"]}`, wantStatus: 400,
				wantBody: []string{`"field":"color"`, `"field":"size"`, `"field":"caption"`},
			},
			{name: "zero is no size", user: "root", request: "PUT " + person, body: `{"size":0}`, wantStatus: 400, wantBody: []string{`"size"`}},
			{
				name: "a reserved type", user: "root", request: "PUT " + styles + "/nodes/_GraphrestUser", body: `{"size":40}`,
				wantStatus: 400, wantBody: []string{`"field":"type"`},
			},
			{name: "an unknown kind", user: "root", request: "PUT " + styles + "/things/Person", body: `{"size":40}`, wantStatus: 404},
			{
				name: "set", user: "root", request: "PUT " + person, body: `{"color":"#1c63b8","size":56,"caption":"name"}`, wantStatus: 200,
				wantBody: []string{
					`"kind":"nodes","type":"Person","color":"#1c63b8","size":56,"width":null,`, `"caption":"name","icon":null,"updated_at":"20`,
				},
			},
			{
				name: "of edges", user: "root", request: "PATCH " + styles + "/edges/KNOWS", body: `{"width":5,"color":"#b4540a"}`,
				wantStatus: 200, wantBody: []string{`"size":null,"width":5,"caption":null`},
			},
			{name: "without nodes", user: "root", request: "PUT " + styles + "/nodes/Gone", body: `{"color":"#000000"}`, wantStatus: 200},
			{
				name: "everyone gets it with the schema", user: "ann", request: "GET /api/schema", wantStatus: 200,
				wantBody: []string{
					`"style":{"color":"#1c63b8","size":56,"caption":"name"},"palette_place":`, `"style":{"color":"#b4540a","width":5}`,
				},
				notInBody: []string{"Gone"},
			},
			{name: "and with its part", user: "ann", request: "GET /api/schema/edges", wantStatus: 200, wantBody: []string{`"width":5`}},
			{
				name: "one member less", user: "root", request: "PUT " + person, body: `{"size":null}`, wantStatus: 200,
				wantBody: []string{`"color":"#1c63b8","size":null`, `"caption":"name"`},
			},
			{
				name: "the last member", user: "root", request: "PUT " + styles + "/nodes/Gone", body: `{"color":null}`, wantStatus: 200,
				wantBody: []string{`"color":null`, `"updated_at":null`},
			},
			{
				name: "nothing of a type without a style", user: "root", request: "PUT " + styles + "/nodes/Nobody", body: `{"color":null}`,
				wantStatus: 200, wantBody: []string{`"updated_at":null`},
			},
			{
				name: "a change of nothing", user: "root", request: "PUT " + styles + "/edges/KNOWS", body: `{}`,
				wantStatus: 200, wantBody: []string{`"width":5`},
			},
			{name: "is the end of it", user: "root", request: "DELETE " + styles + "/nodes/Gone", wantStatus: 404, wantCode: "NOT_FOUND"},
			{
				name: "list", user: "root", request: "GET " + styles, wantStatus: 200,
				wantBody: []string{`"total":2`, `"type":"KNOWS"`, `"type":"Person"`}, notInBody: []string{"Gone"},
			},
			{
				name: "remove", user: "root", request: "DELETE " + person, wantStatus: 200,
				wantBody: []string{`{"kind":"nodes","type":"Person","deleted":true}`},
			},
			{name: "at once", user: "ann", request: "GET /api/schema/nodes", wantStatus: 200, notInBody: []string{`"style"`}},
			{
				name: "all of it is in the audit", user: "root", request: "GET /api/admin/audit?kind=type", wantStatus: 200,
				wantBody: []string{
					`"action":"update","kind":"type","entity":"nodes/Person","name":"Person","fields":["style.color","style.size","style.caption"]`,
					`"entity":"edges/KNOWS","name":"KNOWS","fields":["style.color","style.width"]`, `"fields":["style"]`,
				},
				notInBody: []string{"#1c63b8", "Nobody", `"fields":[]`},
			},
		},
	))
}

// A style tells a user neither that a type exists of which the user sees nothing, nor the name of a hidden property.
func TestTypeStylesRevealNothing(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.db.Exec(t, "CREATE (:Person {name: 'Ann', salary: 1})-[:EARNS]->(:Vault {code: 1})-[:KNOWS]->(:Person)", nil)
	withRole(t, srv, "bob", `[{"kind":"node","type":"Person","actions":["read"],"hidden":["salary"]}]`)
	withRole(t, srv, "eve", `[{"kind":"node","type":"Person","actions":["read"],"where":{"name":{"eq":"Ann"}}}]`)
	set := func(path, body string) step {
		return step{name: "set " + path, user: "root", request: "PUT /api/admin/type-styles/" + path, body: body, wantStatus: 200}
	}
	runSteps(t, srv, []step{
		set("nodes/Person", `{"color":"#112233","caption":"salary"}`),
		set("nodes/Vault", `{"color":"#445566"}`),
		set("edges/EARNS", `{"color":"#778899"}`),
		set("nodes/Nothing", `{"color":"#aabbcc"}`),
		{
			name: "a hidden property", user: "bob", request: "GET /api/schema", wantStatus: 200, wantBody: []string{`"style":{"color":"#112233"}`},
			notInBody: []string{"salary", "Vault", "#445566", "EARNS", "#778899", "Nothing", "palette_place"},
		},
		{
			name: "some of the nodes", user: "eve", request: "GET /api/schema", wantStatus: 200,
			wantBody: []string{`"style":{"color":"#112233"}`}, notInBody: []string{"salary", "#445566", "#778899", "palette_place"},
		},
		{
			name: "viewed as bob", user: "root", request: "GET /api/schema", header: []string{"Graphrest-View-As", "user:bob"},
			wantStatus: 200, wantBody: []string{"#112233"}, notInBody: []string{"salary", "#445566", "palette_place"},
		},
		{
			name: "internal data", user: "root", request: "GET /api/nodes?type=_GraphrestTypeStyle", wantStatus: 400,
		},
	})
}
