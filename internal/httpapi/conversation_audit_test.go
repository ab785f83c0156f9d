package httpapi_test

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/httpapi"
)

func TestAuditConversation(t *testing.T) {
	w := openWorld(t, nil)
	w.user(t, "ann", auth.AllPermissions()...)
	const login = `{"username":"Ann","password":"` + password + `"}`
	id := []string{"X-Request-ID", "the-request"}
	talk(t, w, slices.Concat(
		refused("GET /api/admin/audit", "", "administrators", "ann"),
		[]step{
			{says: "log in", do: "POST /api/auth/login", body: login, status: 200, header: []string{"X-Request-ID", "the-login"}},
			{says: "is in it", as: "root", do: "GET /api/admin/audit?request_id=the-login", status: 200, has: []string{
				`"user":"ann"`, `"action":"login","kind":"session","entity":"`, `"outcome":"done","code":null,"count":1,"request_id":"the-login","gateway_request_id":"`, `","address":"127.0.0.1"`, `"has_more":false`,
			}},
			{says: "create", as: "ann", do: "POST /api/nodes", body: `{"type":"Person","properties":{"name":"a value"}}`, header: id, status: 201, keep: "node=data.id"},
			{says: "update", as: "ann", do: "PUT /api/nodes/{node}", body: `{"properties":{"name":null,"born":1960}}`, header: id, status: 200},
			{says: "delete", as: "ann", do: "DELETE /api/nodes/{node}", header: id, status: 200},
			{says: "the life of the node", as: "root", do: "GET /api/admin/audit?entity={node}", status: 200, has: []string{
				`"action":"delete","kind":"node","entity":"{node}","name":"Person","fields":[]`, `"action":"update","kind":"node","entity":"{node}","name":"Person","fields":["born","name"]`,
				`"action":"create"`, `"user":"ann"`,
			}, lacks: []string{"a value", "1960"}},
			{
				says: "a page", as: "root", do: "GET /api/admin/audit?entity={node}&limit=2", status: 200, has: []string{`"delete"`, `"update"`, `"has_more":true`}, lacks: []string{`"create"`},
				heads: []string{"Link", `rel="next"`}, keep: "cursor=meta.page.next_cursor",
			},
			{says: "the next page", as: "root", do: "GET /api/admin/audit?entity={node}&limit=2&cursor={cursor}", status: 200, has: []string{`"create"`, `"has_more":false`}, lacks: []string{`"delete"`}, heads: []string{"Link", ""}},
			{says: "a cursor of another query", as: "root", do: "GET /api/admin/audit?user=ann&cursor={cursor}", status: 400, has: []string{`"cursor"`}},
			{says: "create a user", as: "root", do: "POST /api/admin/users", body: `{"username":"bob","password":"` + password + `"}`, status: 201},
			{says: "change the user", as: "root", do: "PUT /api/admin/users/bob", body: `{"permissions":["read"],"password":"another horse battery"}`, status: 200},
			{says: "delete the user", as: "root", do: "DELETE /api/admin/users/bob", status: 200},
			{says: "the life of the user", as: "root", do: "GET /api/admin/audit?entity=bob&user=root", status: 200, has: []string{
				`"action":"delete","kind":"user"`, `"name":"bob","fields":["password","permissions"]`, `"action":"create","kind":"user"`,
			}, lacks: []string{"horse"}},
			{says: "declare a type", as: "root", do: "PUT /api/admin/types/nodes/Film", body: `{"level":"none","schema":{}}`, status: 201},
			{says: "declare it anew", as: "root", do: "PUT /api/admin/types/nodes/Film", body: `{"level":"strict","schema":{}}`, status: 200},
			{says: "remove the declaration", as: "root", do: "DELETE /api/admin/types/nodes/Film", status: 200},
			{says: "the life of the declaration", as: "root", do: "GET /api/admin/audit?entity=nodes/Film", status: 200, has: []string{
				`"user":"root"`, `"action":"create","kind":"type","entity":"nodes/Film","name":"Film"`, `"action":"update","kind":"type"`, `"action":"delete","kind":"type"`,
			}},
			{says: "make a search index", as: "root", do: "POST /api/admin/search-indexes", body: `{"name":"films","kind":"node","types":["Film"],"properties":["title"]}`, status: 201},
			{says: "remove the index", as: "root", do: "DELETE /api/admin/search-indexes/films", status: 200},
			{says: "the life of the index", as: "root", do: "GET /api/admin/audit?kind=search_index&user=root", status: 200, has: []string{
				`"action":"create","kind":"search_index","entity":"films","name":"films"`, `"action":"delete","kind":"search_index"`,
			}},
			{says: "log out", as: "ann", do: "POST /api/auth/logout", status: 200},
			{says: "is in it as well", as: "root", do: "GET /api/admin/audit?action=logout", status: 200, has: []string{`"user":"ann"`, `"kind":"session"`}},
			{says: "HEAD", as: "root", do: "HEAD /api/admin/audit", status: 200},
		},
	))
	tomorrow := time.Now().Add(24 * time.Hour).UTC().Format(time.RFC3339)
	talk(t, w, []step{
		{says: "the future", as: "root", do: "GET /api/admin/audit?since=" + tomorrow, status: 200, has: []string{`"data":[]`}},
		{says: "the past", as: "root", do: "GET /api/admin/audit?until=2020-01-01T00:00:00Z", status: 200, has: []string{`"data":[]`, `"has_more":false`}},
		{
			says: "every mistake", as: "root", do: "GET /api/admin/audit?action=fly&kind=x&outcome=y&since=today&until=2026-11-21&user=&offset=3&limit=0&who=ann", status: 400,
			has: []string{`"action"`, `"kind"`, `"outcome"`, `"since"`, `"until"`, `"user"`, `"offset"`, `"limit"`, `"who"`},
		},
		{says: "times in the wrong order", as: "root", do: "GET /api/admin/audit?since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z", status: 400, has: []string{`"until"`}},
		{says: "hidden from the graph", as: "root", do: "GET /api/nodes", status: 200, has: []string{`"data":[]`}},
	})
}

type auditEntry struct {
	User, Entity, Code, Address *string
	Action, Kind, Outcome       string
	Count                       int64
}

func (w *world) audit(t *testing.T, query string) []auditEntry {
	t.Helper()
	r := w.send(t, "root", "GET", "/api/admin/audit?"+query, "")
	require.Equal(t, http.StatusOK, r.status, r.body)
	var answer struct{ Data []auditEntry }
	require.NoError(t, json.Unmarshal([]byte(r.body), &answer))
	return answer.Data
}

func textOf(p *string) string {
	if p == nil {
		return "null"
	}
	return *p
}

// Refusals are told apart by who, where from and what for, and counted, and an outsider who tries for ever makes one entry.
func TestAuditOfRefusals(t *testing.T) {
	w := openWorld(t, func(o *httpapi.Options) { o.TrustedProxies = []string{"127.0.0.1"} })
	w.user(t, "ann", auth.Read)
	w.send(t, "", "POST", "/api/auth/login", `{"username":"ann","password":"wrong horse battery"}`, "X-Forwarded-For", "192.0.2.1")
	w.send(t, "", "POST", "/api/auth/login", `{"username":"secret typed here","password":"wrong horse battery"}`, "X-Forwarded-For", "192.0.2.2")
	for range 300 {
		require.Equal(t, http.StatusUnauthorized, w.sendToken(t, "a.b.c", "GET", "/api/nodes", "", "X-Forwarded-For", "192.0.2.3").status)
	}
	w.send(t, "ann", "DELETE", "/api/nodes/1", "")
	w.send(t, "ann", "DELETE", "/api/nodes/2", "")
	require.Equal(t, http.StatusOK, w.send(t, "ann", "POST", "/api/auth/logout", "").status)
	w.send(t, "ann", "GET", "/api/nodes", "") // the token is revoked
	w.send(t, "", "GET", "/api/nodes", "")    // no token says nothing about anybody
	w.user(t, "bob")
	for range 3 {
		w.send(t, "bob", "PUT", "/api/auth/password", `{"current_password":"wrong horse battery","new_password":"another horse battery"}`)
	}
	w.book.Flush(context.Background())

	found := map[string]int64{}
	for _, e := range w.audit(t, "outcome=refused") {
		entity := textOf(e.Entity)
		if e.Kind == "user" {
			entity = "BOB" // an id of its own
		}
		found[textOf(e.User)+" "+e.Action+" "+entity+" "+textOf(e.Code)+" "+textOf(e.Address)] = e.Count
	}
	require.Equal(t, map[string]int64{
		"ann login null INVALID_CREDENTIALS 192.0.2.1":                        1,
		"null login null INVALID_CREDENTIALS 192.0.2.2":                       1,
		"bob update BOB INVALID_CREDENTIALS 127.0.0.1":                        3,
		"null request GET /api/nodes INVALID_TOKEN 192.0.2.3":                 300,
		"ann request DELETE /api/nodes/{node_id} PERMISSION_DENIED 127.0.0.1": 2,
		"ann request GET /api/nodes TOKEN_REVOKED 127.0.0.1":                  1,
	}, found)
	require.NotContains(t, w.send(t, "root", "GET", "/api/admin/audit", "").body, "secret typed here")
}

// A forwarded address counts only where it comes from a proxy that is trusted.
func TestAuditBelievesNoStrangersAddress(t *testing.T) {
	w := openWorld(t, nil)
	w.send(t, "root", "POST", "/api/nodes", `{"type":"Person","properties":{}}`, "X-Forwarded-For", "192.0.2.1")
	found := w.audit(t, "action=create&kind=node")
	require.Len(t, found, 1)
	require.Equal(t, "127.0.0.1", *found[0].Address)
}

// A login that cannot be written down is no login, and a change of users that cannot be written down does not happen.
func TestNothingHappensUnwritten(t *testing.T) {
	w := openWorld(t, nil)
	w.token(t, "root")
	w.user(t, "ann")
	// A constraint that the next entry breaks, whatever it is.
	w.db.Exec(t, "MATCH (e:_GraphrestAudit) DELETE e", nil)
	w.db.Exec(t, "CREATE (:_GraphrestAudit {at: 1, outcome: 'done'})", nil)
	w.db.Exec(t, "CREATE CONSTRAINT no_more FOR (e:_GraphrestAudit) REQUIRE e.outcome IS UNIQUE", nil)
	talk(t, w, []step{
		{says: "login", do: "POST /api/auth/login", body: `{"username":"ann","password":"` + password + `"}`, status: 503, lacks: []string{"access_token"}},
		{says: "create", as: "root", do: "POST /api/admin/users", body: `{"username":"bob","password":"` + password + `"}`, status: 503},
		{says: "delete", as: "root", do: "DELETE /api/admin/users/ann", status: 503},
		{says: "log out", as: "root", do: "POST /api/auth/logout", status: 503},
		{says: "nothing has changed", as: "root", do: "GET /api/admin/users", status: 200, has: []string{`"ann"`}, lacks: []string{`"bob"`}},
	})
	w.db.Exec(t, "DROP CONSTRAINT no_more", nil)
}
