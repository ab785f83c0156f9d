package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/testmark"
)

// hostileNames try to inject Cypher, to name internal data, or are not valid names. They are few, because each one that is accepted
// as a type costs a constraint; the tests of package cypher try many more directly on the server.
func hostileNames() []string {
	return []string{
		"", "``", "x`) CREATE (m:PWNED) //", `x\u0060) CREATE (m:PWNED) //`, `\u005C\u00750060) CREATE (m:PWNED) //`, "x|PWNED", "%", "{{type}}",
		"a\nb", "a\x00b", "' OR 1=1 //", "_GraphrestUser", "_GRAPHREST", "_Graphrest\u200bUser", "＿GraphrestUser", strings.Repeat("é", 200),
		"$type", "4:x:1",
	}
}

// Rows 1 to 6 of the list of threats: any name, in any position, is rejected or is used as exactly that name. Internal data and all
// other data stay unchanged.
func TestHostileNamesOverHTTP(t *testing.T) {
	testmark.Long(t)
	srv := newTestServer(t, nil)
	srv.user(t, "writer", auth.AllPermissions()...)
	node := func() string {
		r := srv.send(t, "writer", http.MethodPost, "/api/nodes", `{"type":"Plain","properties":{}}`)
		require.Equal(t, http.StatusCreated, r.status, r.body)
		return jsonAt(t, r.body, "data.id").(string)
	}
	a, b := node(), node()
	srv.db.Exec(t, "CREATE FULLTEXT INDEX plain_words FOR (n:Plain) ON EACH [n.name]", nil)
	count := func(cypher string) int64 { return srv.db.Count(t, cypher, nil) }
	// The gateway itself adds audit entries, journal records and the state of the journal meanwhile.
	const internal = "MATCH (n) WHERE NOT n:_GraphrestAudit|_GraphrestChange|_GraphrestState" +
		" AND any(l IN labels(n) WHERE toLower(l) STARTS WITH '_graphrest') RETURN count(n)"
	const visible = "MATCH (n) WHERE none(l IN labels(n) WHERE toLower(l) STARTS WITH '_graphrest') RETURN count(n)"
	before := count(internal)
	for _, name := range hostileNames() {
		text, err := json.Marshal(name)
		require.NoError(t, err)
		nodes, edges := count(visible), count("MATCH ()-[e]->() RETURN count(e)")
		for _, place := range []struct {
			method, path, body string
			makesNode          bool
			makesEdge          bool
		}{
			{http.MethodPost, "/api/nodes", fmt.Sprintf(`{"type":%s,"properties":{}}`, text), true, false},
			{http.MethodPost, "/api/nodes", fmt.Sprintf(`{"type":"Plain","properties":{%s:1}}`, text), true, false},
			{http.MethodPost, "/api/edges", fmt.Sprintf(`{"type":%s,"source_id":%q,"target_id":%q}`, text, a, b), false, true},
			{http.MethodPost, "/api/edges", fmt.Sprintf(`{"type":"PLAIN","source_id":%q,"target_id":%s}`, a, text), false, false},
			{http.MethodPut, "/api/nodes/" + a, fmt.Sprintf(`{"properties":{%s:1}}`, text), false, false},
			{http.MethodGet, "/api/nodes?type=" + url.QueryEscape(name), "", false, false},
			{http.MethodGet, "/api/edges?type=" + url.QueryEscape(name), "", false, false},
			{http.MethodGet, "/api/nodes?fields=" + url.QueryEscape(name), "", false, false},
			{http.MethodGet, "/api/nodes?cursor=" + url.QueryEscape(name), "", false, false},
			{http.MethodGet, "/api/nodes/" + url.PathEscape(name), "", false, false},
			{http.MethodGet, "/api/search?q=" + url.QueryEscape(name), "", false, false},
			{http.MethodGet, "/api/search?q=x&type=" + url.QueryEscape(name), "", false, false},
			{http.MethodGet, "/api/search?q=x&index=" + url.QueryEscape(name), "", false, false},
			{http.MethodGet, "/api/search?q=x&property=" + url.QueryEscape(name), "", false, false},
			{http.MethodDelete, "/api/edges/" + url.PathEscape(name), "", false, false},
		} {
			if strings.HasPrefix(strings.ToLower(name), "_graphrest") && strings.Contains(place.body, `"properties":{"`) {
				continue // an ordinary property, which the answer echoes; and answers are searched for this very prefix
			}
			r := srv.send(t, "writer", place.method, place.path, place.body)
			require.Less(t, r.status, 500, "%s %s %s: %s", place.method, place.path, place.body, r.body)
			if r.status == http.StatusCreated {
				require.True(t, place.makesNode || place.makesEdge, "%s %s: %s", place.path, place.body, r.body)
				if place.makesNode {
					nodes++
				} else {
					edges++
				}
			}
		}
		require.Equal(t, nodes, count(visible), "%q made or removed nodes", name)
		require.Equal(t, edges, count("MATCH ()-[e]->() RETURN count(e)"), "%q made or removed edges", name)
	}
	require.Equal(t, before, count(internal), "internal nodes were made or removed")
	require.Zero(t, count("MATCH (n:PWNED) RETURN count(n)"))
	require.Equal(t, http.StatusOK, srv.send(t, "root", http.MethodGet, "/api/admin/users", "").status)
}

// Row 36: disabled pages.
func TestDisabledPages(t *testing.T) {
	srv := newTestServer(t, nil)
	for _, query := range []string{
		"limit=0", "limit=-1", "limit=1.5", "limit=1000000000", "limit=abc", "limit=", "limit=+5", "limit=0x10", "limit=1&limit=2", "limit=1001",
		"offset=-1", "offset=9223372036854775808", "offset=1e3", "cursor=x", "cursor=", "Limit=1", "unknown=1", "limit=%zz", "limit=1;offset=2",
	} {
		for _, path := range []string{"/api/nodes?", "/api/edges?"} {
			r := srv.send(t, "root", http.MethodGet, path+query, "")
			require.Equal(t, http.StatusBadRequest, r.status, "%s%s: %s", path, query, r.body)
			require.Contains(t, r.body, "VALIDATION_ERROR")
		}
	}
}

// Row 24: the response does not distinguish an unknown user, a wrong password and a disabled user.
func TestRejectedLoginsAreIndistinguishable(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "ann", auth.Read)
	srv.user(t, "off", auth.Read)
	disabled := srv.send(t, "root", http.MethodPut, "/api/admin/users/off", `{"disabled":true}`)
	require.Equal(t, http.StatusOK, disabled.status, disabled.body)
	var first reply
	for i, c := range []struct{ name, password string }{{"ann", "not the password"}, {"nobody", "not the password"}, {"off", password}} {
		r := srv.send(t, "", http.MethodPost, "/api/auth/login", fmt.Sprintf(`{"username":%q,"password":%q}`, c.name, c.password))
		require.Equal(t, http.StatusUnauthorized, r.status)
		r.header.Del("Date")
		r.header.Del("X-Request-Id")
		if i == 0 {
			first = r
		}
		require.Equal(t, first, r, c.name)
	}
}
