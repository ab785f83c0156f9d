package httpapi_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
)

func TestIndexConversation(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "all", auth.AllPermissions()...)
	srv.db.Exec(t, "CREATE (:City {name: 'York'})", nil)
	srv.db.Exec(t, "CREATE INDEX by_hand FOR (n:City) ON (n.code)", nil)
	srv.db.Exec(t, "CREATE CONSTRAINT one_key FOR (n:City) REQUIRE n.key IS UNIQUE", nil)
	srv.db.Exec(t, "CALL db.awaitIndexes(60)", nil)
	const indexes = "/api/admin/indexes"
	byName := `{"name":"by_name","entity":"node","kind":"range","type":"City","properties":["name"]}`
	runSteps(t, srv, slices.Concat(
		deniedCases("GET "+indexes, "", "administrators", "all"),
		deniedCases("POST "+indexes, byName, "administrators", "all"),
		deniedCases("GET "+indexes+"/by_name", "", "administrators", "all"),
		deniedCases("DELETE "+indexes+"/by_name", "", "administrators", "all"),
		[]step{
			{
				name: "all problems together", user: "root", request: "POST " + indexes,
				body: `{"name":"a b","entity":"both","kind":"hash","type":"_GraphREST_User","properties":["x","x"],"more":1}`, wantStatus: 400,
				wantCode: "VALIDATION_ERROR",
				wantBody: []string{`"field":"name"`, `"field":"entity"`, `"field":"kind"`, `"field":"type"`, `"field":"properties"`, `"field":"more"`},
			},
			{
				name: "nothing given", user: "root", request: "POST " + indexes, body: `{}`, wantStatus: 400,
				wantBody: []string{`"field":"name"`, `"field":"entity"`, `"field":"kind"`, `"field":"type"`, `"field":"properties"`},
			},
			{
				name: "a text index of two", user: "root", request: "POST " + indexes,
				body: `{"name":"t","entity":"node","kind":"text","type":"City","properties":["a","b"]}`, wantStatus: 400,
				wantBody: []string{`"field":"properties"`, "only a range index can have several"},
			},
			{
				name: "the id", user: "root", request: "POST " + indexes,
				body: `{"name":"t","entity":"node","kind":"range","type":"City","properties":["uuid"]}`, wantStatus: 400,
				wantBody: []string{`"field":"properties"`},
			},
		},
	))
	r := srv.send(t, "root", "POST", indexes, byName)
	require.Contains(t, []int{201, 202}, r.status, r.body)
	require.Equal(t, r.status == 201, strings.Contains(r.body, `"state":"online"`), r.body)
	require.Equal(t, indexes+"/by_name", r.header.Get("Location"))
	require.Contains(t, r.body,
		`"data":{"name":"by_name","entity":"node","kind":"range","type":"City","types":["City"],"properties":["name"],"state":"`)
	srv.db.Exec(t, "CALL db.awaitIndexes(60)", nil)
	runSteps(t, srv, []step{
		{
			name: "create again", user: "root", request: "POST " + indexes, body: byName, wantStatus: 201,
			wantBody: []string{`"state":"online","progress":100,"managed":true`},
		},
		{name: "read", user: "root", request: "GET " + indexes + "/by_name", wantStatus: 200, wantBody: []string{`"state":"online"`}},
		{
			name: "the schema shows it", user: "all", request: "GET /api/schema", wantStatus: 200,
			wantBody: []string{`{"name":"by_name","kind":"RANGE"`},
		},
		{
			name: "an equal one", user: "root", request: "POST " + indexes,
			body: `{"name":"x","entity":"node","kind":"range","type":"City","properties":["code"]}`, wantStatus: 409, wantCode: "CONFLICT",
			wantBody: []string{"are indexed already by the index by_hand"},
		},
		{name: "the list", user: "root", request: "GET " + indexes, wantStatus: 200, wantBody: []string{
			`{"name":"by_hand","entity":"node","kind":"range","type":"City","types":["City"],"properties":["code"],"state":"online",` +
				`"progress":100,"managed":false,"constraint":null,"reads":`,
			`"managed":false,"constraint":"one_key",`, `"kind":"lookup","type":null,"types":[],"properties":[]`,
		}, notInBody: []string{"_Graphrest"}},
		{
			name: "made in Cypher", user: "root", request: "DELETE " + indexes + "/by_hand", wantStatus: 409, wantCode: "CONFLICT",
			wantBody: []string{"created in Cypher"},
		},
		{
			name: "of a constraint", user: "root", request: "DELETE " + indexes + "/one_key", wantStatus: 409, wantCode: "CONFLICT",
			wantBody: []string{"constraint one_key"},
		},
		{
			name: "delete", user: "root", request: "DELETE " + indexes + "/by_name", wantStatus: 200,
			wantBody: []string{`"data":{"name":"by_name","deleted":true}`},
		},
		{name: "gone", user: "root", request: "DELETE " + indexes + "/by_name", wantStatus: 404, wantCode: "NOT_FOUND"},
		{name: "the audit", user: "root", request: "GET /api/admin/audit?kind=index", wantStatus: 200, wantBody: []string{
			`"action":"delete","kind":"index","entity":"by_name","name":"by_name"`, `"action":"create","kind":"index","entity":"by_name"`,
		}},
	})
}
