package httpapi_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/httpapi"
	"graphrest/internal/mcp"
	"graphrest/internal/testmark"
)

// routesOfTools are the routes that the tools of agents stand for, by what agents may write, and by how many queries may have one each.
func routesOfTools(writes mcp.Writes, queryTools int) map[string]string {
	routes := map[string]string{
		"list_types": "GET /api/schema", "describe_type": "GET /api/schema", "list_nodes": "GET /api/nodes", "list_edges": "GET /api/edges",
		"get_node": "GET /api/nodes/:node_id", "search": "GET /api/search", "neighbors": "GET /api/nodes/:node_id/neighbors",
		"find_paths": "GET /api/paths", "match": "POST /api/match",
	}
	if queryTools > 0 {
		routes["query_words"] = "POST /api/queries/:name/run"
	} else {
		routes["list_queries"], routes["run_query"] = "GET /api/queries", "POST /api/queries/:name/run"
	}
	switch writes {
	case mcp.WritesDirect:
		routes["apply_changes"] = "POST /api/batch"
	case mcp.WritesPropose:
		routes["propose_changes"] = "POST /api/changesets"
	}
	return routes
}

// argumentsOf are the arguments of a tool that ask for what the matrix's request of its route asks for.
func (one target) argumentsOf(tool, body string) string {
	switch tool {
	case "list_types", "query_words", "list_queries":
		return `{}`
	case "run_query":
		return `{"name":"words"}`
	case "describe_type":
		return `{"type":"Person"}`
	case "list_nodes", "list_edges":
		return `{"max_bytes":100000,"limit":1000}`
	case "get_node", "neighbors":
		return fmt.Sprintf(`{"node_id":%q}`, one.node)
	case "search":
		return `{"q":"somebody"}`
	case "find_paths":
		return fmt.Sprintf(`{"source_id":%q,"target_id":%q}`, one.node, one.other)
	}
	return body
}

// TestAgentToolMatrix gives every tool, with every set of permissions, every kind of credential and roles, the arguments of a request of
// its route: the tool is listed, answers and shows the secret if and only if the route does.
func TestAgentToolMatrix(t *testing.T) {
	testmark.Long(t)
	for _, agents := range []struct {
		writes     mcp.Writes
		queryTools int
		every      int // the tools that read are the same
	}{{mcp.WritesDirect, 2, 1}, {mcp.WritesPropose, 2, 5}, {mcp.WritesOff, 0, 5}} {
		writes := agents.writes
		t.Run(string(writes), func(t *testing.T) {
			srv := newAgentServer(t, writes, func(o *httpapi.Options) {
				o.Agents = mcp.New(mcp.Config{Version: "test", Writes: writes, MaxBody: 1 << 20, QueryTools: agents.queryTools, Log: o.Log})
			})
			routes := routesOfTools(writes, agents.queryTools)
			one := srv.target(t)
			srv.db.Exec(t, "CREATE FULLTEXT INDEX words FOR (n:Person) ON EACH [n.secret]", nil)
			srv.db.Exec(t, "CALL db.awaitIndexes(60)", nil)
			refreshTypeCatalog(t, srv)
			for i, set := range subsets() {
				if i%agents.every > 0 && i < 1<<len(auth.GraphPermissions()) { // those for queries are not left out
					continue
				}
				name := fmt.Sprintf("user%d", i)
				service := srv.serviceToken(t, name+"-service", set...).Secret
				srv.requireToolsAgree(t, routes, one, service, auth.Principal{Permissions: set, ServiceToken: true})
				srv.userByPermissions(t, name, set...)
				srv.requireToolsAgree(t, routes, one, srv.token(t, name), auth.Principal{Permissions: set})
				if i%5 == 0 { // none, all, and two sets between
					own, _ := srv.personalToken(t, name, `{"name":"matrix"}`)
					srv.requireToolsAgree(t, routes, one, own, auth.Principal{Permissions: set, PersonalToken: true})
				}
			}
			for i, grants := range []string{
				`[{"kind":"node","type":"Person","actions":["read"],"hidden":["secret"]},{"kind":"edge","type":"KNOWS","actions":["read"]}]`,
				`[{"kind":"node","type":"Person","actions":["read","create"],"where":{"secret":{"exists":false}}}]`,
				`[{"kind":"edge","type":"KNOWS","actions":["read","create","edit","delete"]}]`,
			} {
				name := fmt.Sprintf("limited%d", i)
				withRole(t, srv, name, grants)
				srv.requireToolsAgree(t, routes, one, srv.token(t, name), srv.principal(t, name))
			}
		})
	}
}

func (srv *testServer) requireToolsAgree(t *testing.T, routes map[string]string, one target, token string, p auth.Principal) {
	t.Helper()
	rows := map[string]httpapi.Route{}
	for _, r := range protectedRoutes() {
		rows[r.Method+" "+r.Path] = r
	}
	session := srv.agent(t, token)
	listed := toolNames(t, session)
	for _, name := range listed {
		require.Contains(t, routes, name, "a tool that the matrix does not have")
	}
	for _, name := range slices.Sorted(maps.Keys(routes)) {
		r, known := rows[routes[name]]
		require.True(t, known, routes[name])
		where := fmt.Sprintf("%s of %v (service: %t, personal: %t)", name, p.Permissions, p.ServiceToken, p.PersonalToken)
		path, body, headers := one.request(r)
		direct := srv.sendToken(t, token, r.Method, path, body, headers...)
		require.Equal(t, r.Allows(p), slices.Contains(listed, name), where)
		arguments := one.argumentsOf(name, body)
		if !r.Allows(p) {
			require.Equal(t, http.StatusForbidden, direct.status, where)
			_, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: json.RawMessage(arguments)})
			require.ErrorContains(t, err, "unknown tool", where)
			continue
		}
		text, isError := toolText(t, session, name, arguments)
		if name == "describe_type" && isError { // the route answers all types that the caller sees, without this one
			require.NotContains(t, direct.body, `"type":"Person"`, where)
			continue
		}
		require.Equal(t, direct.status >= http.StatusBadRequest, isError, "%s: %s instead of %s", where, text, direct.body)
		if isError {
			require.Equal(t, jsonAt(t, direct.body, "error.code"), jsonAt(t, text, "error.code"), where)
		}
		require.Equal(t, strings.Contains(direct.body, secret), strings.Contains(text, secret), "%s: %s", where, text)
	}
}
