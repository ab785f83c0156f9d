package httpapi_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
)

func TestIndexConversation(t *testing.T) {
	w := openWorld(t, nil)
	w.user(t, "all", auth.AllPermissions()...)
	w.db.Exec(t, "CREATE (:City {name: 'York'})", nil)
	w.db.Exec(t, "CREATE INDEX by_hand FOR (n:City) ON (n.code)", nil)
	w.db.Exec(t, "CREATE CONSTRAINT one_key FOR (n:City) REQUIRE n.key IS UNIQUE", nil)
	w.db.Exec(t, "CALL db.awaitIndexes(60)", nil)
	const indexes = "/api/admin/indexes"
	byName := `{"name":"by_name","entity":"node","kind":"range","type":"City","properties":["name"]}`
	talk(t, w, slices.Concat(
		refused("GET "+indexes, "", "administrators", "all"),
		refused("POST "+indexes, byName, "administrators", "all"),
		refused("GET "+indexes+"/by_name", "", "administrators", "all"),
		refused("DELETE "+indexes+"/by_name", "", "administrators", "all"),
		[]step{
			{says: "every mistake at once", as: "root", do: "POST " + indexes, body: `{"name":"a b","entity":"both","kind":"hash","type":"_GraphREST_User","properties":["x","x"],"more":1}`, status: 400, code: "VALIDATION_ERROR", has: []string{`"field":"name"`, `"field":"entity"`, `"field":"kind"`, `"field":"type"`, `"field":"properties"`, `"field":"more"`}},
			{says: "nothing given", as: "root", do: "POST " + indexes, body: `{}`, status: 400, has: []string{`"field":"name"`, `"field":"entity"`, `"field":"kind"`, `"field":"type"`, `"field":"properties"`}},
			{says: "a text index of two", as: "root", do: "POST " + indexes, body: `{"name":"t","entity":"node","kind":"text","type":"City","properties":["a","b"]}`, status: 400, has: []string{`"field":"properties"`, "only a range index takes several"}},
			{says: "the id", as: "root", do: "POST " + indexes, body: `{"name":"t","entity":"node","kind":"range","type":"City","properties":["uuid"]}`, status: 400, has: []string{`"field":"properties"`}},
		},
	))
	r := w.send(t, "root", "POST", indexes, byName)
	require.Contains(t, []int{201, 202}, r.status, r.body)
	require.Equal(t, r.status == 201, strings.Contains(r.body, `"state":"online"`), r.body)
	require.Equal(t, indexes+"/by_name", r.header.Get("Location"))
	require.Contains(t, r.body, `"data":{"name":"by_name","entity":"node","kind":"range","type":"City","types":["City"],"properties":["name"],"state":"`)
	w.db.Exec(t, "CALL db.awaitIndexes(60)", nil)
	talk(t, w, []step{
		{says: "create again", as: "root", do: "POST " + indexes, body: byName, status: 201, has: []string{`"state":"online","progress":100,"managed":true`}},
		{says: "read", as: "root", do: "GET " + indexes + "/by_name", status: 200, has: []string{`"state":"online"`}},
		{says: "the schema shows it", as: "all", do: "GET /api/schema", status: 200, has: []string{`{"name":"by_name","kind":"RANGE"`}},
		{says: "an equal one", as: "root", do: "POST " + indexes, body: `{"name":"x","entity":"node","kind":"range","type":"City","properties":["code"]}`, status: 409, code: "CONFLICT", has: []string{"are indexed already by the index by_hand"}},
		{says: "the list", as: "root", do: "GET " + indexes, status: 200, has: []string{
			`{"name":"by_hand","entity":"node","kind":"range","type":"City","types":["City"],"properties":["code"],"state":"online","progress":100,"managed":false,"constraint":null}`,
			`"managed":false,"constraint":"one_key"}`, `"kind":"lookup","type":null,"types":[],"properties":[]`,
		}, lacks: []string{"_Graphrest"}},
		{says: "made in Cypher", as: "root", do: "DELETE " + indexes + "/by_hand", status: 409, code: "CONFLICT", has: []string{"made in Cypher"}},
		{says: "of a constraint", as: "root", do: "DELETE " + indexes + "/one_key", status: 409, code: "CONFLICT", has: []string{"constraint one_key"}},
		{says: "delete", as: "root", do: "DELETE " + indexes + "/by_name", status: 200, has: []string{`"data":{"name":"by_name","deleted":true}`}},
		{says: "gone", as: "root", do: "DELETE " + indexes + "/by_name", status: 404, code: "NOT_FOUND"},
		{says: "the audit", as: "root", do: "GET /api/admin/audit?kind=index", status: 200, has: []string{
			`"action":"delete","kind":"index","entity":"by_name","name":"by_name"`, `"action":"create","kind":"index","entity":"by_name"`,
		}},
	})
}
