package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/httpapi"
	"graphrest/internal/mcp"
)

// newAgentServer is a test server with the endpoint of agents.
func newAgentServer(t *testing.T, writes mcp.Writes, change func(*httpapi.Options)) *testServer {
	t.Helper()
	return newTestServer(t, func(o *httpapi.Options) {
		o.Agents = mcp.New(mcp.Config{Version: "test", Writes: writes, MaxBody: 1 << 20, QueryTools: 2, Log: o.Log})
		if change != nil {
			change(o)
		}
	})
}

// bearer sends a token with every request.
type bearer struct{ token string }

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return http.DefaultTransport.RoundTrip(r)
}

// agent connects the Go client of the protocol.
func (srv *testServer) agent(t *testing.T, token string) *sdk.ClientSession {
	t.Helper()
	client := sdk.NewClient(&sdk.Implementation{Name: "test agent", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &sdk.StreamableClientTransport{
		Endpoint: srv.url + "/mcp", HTTPClient: &http.Client{Transport: bearer{token}}, DisableStandaloneSSE: true, MaxRetries: -1,
	}, nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// callTool calls a tool and returns its structured answer, which must be the same as its text.
func callTool(t *testing.T, s *sdk.ClientSession, name, arguments string) (answer map[string]any, isError bool) {
	t.Helper()
	result, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: json.RawMessage(arguments)})
	require.NoError(t, err)
	require.Len(t, result.Content, 1)
	text := result.Content[0].(*sdk.TextContent).Text
	structured, err := json.Marshal(result.StructuredContent)
	require.NoError(t, err)
	require.JSONEq(t, text, string(structured))
	require.NoError(t, json.Unmarshal([]byte(text), &answer))
	return answer, result.IsError
}

// toolText is callTool with the answer as JSON.
func toolText(t *testing.T, s *sdk.ClientSession, name, arguments string) (text string, isError bool) {
	t.Helper()
	found, isError := callTool(t, s, name, arguments)
	encoded, err := json.Marshal(found)
	require.NoError(t, err)
	return string(encoded), isError
}

func toolNames(t *testing.T, s *sdk.ClientSession) []string {
	t.Helper()
	list, err := s.ListTools(t.Context(), nil)
	require.NoError(t, err)
	names := make([]string, len(list.Tools))
	for i, tool := range list.Tools {
		names[i] = tool.Name
		require.NotNil(t, tool.OutputSchema, tool.Name)
		require.Contains(t, tool.InputSchema, "properties", tool.Name)
		require.NotNil(t, tool.Annotations.DestructiveHint, tool.Name)
		require.NotNil(t, tool.Annotations.OpenWorldHint, tool.Name)
	}
	return names
}

var readingTools = []string{
	"describe_type", "find_paths", "get_node", "list_edges", "list_nodes", "list_types", "match", "neighbors", "search",
}

// Each kind of token gets the tools that its rights allow.
func TestAgentToolsByCaller(t *testing.T) {
	srv := newAgentServer(t, mcp.WritesDirect, nil)
	srv.user(t, "reader", auth.Read)
	srv.user(t, "writer", auth.Read, auth.Edit)
	srv.user(t, "nobody")
	srv.serviceToken(t, "program", auth.Create)
	cut, _ := srv.personalToken(t, "writer", `{"name":"x","permissions":["read"]}`)
	for token, want := range map[string][]string{
		srv.token(t, "reader"): readingTools, srv.token(t, "writer"): append([]string{"apply_changes"}, readingTools...),
		srv.token(t, "nobody"): {}, srv.token(t, "program"): {"apply_changes"}, cut: readingTools,
	} {
		require.Equal(t, want, toolNames(t, srv.agent(t, token)))
	}
	session := srv.agent(t, srv.token(t, "reader"))
	_, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "apply_changes", Arguments: json.RawMessage(`{"operations":[]}`)})
	require.ErrorContains(t, err, "unknown tool")
}

func TestAgentReads(t *testing.T) {
	srv := newAgentServer(t, mcp.WritesOff, nil)
	srv.user(t, "ann", auth.AllPermissions()...)
	node := func(body string) string {
		r := srv.send(t, "ann", "POST", "/api/nodes", body)
		require.Equal(t, 201, r.status, r.body)
		return jsonAt(t, r.body, "data.id").(string)
	}
	numbers := strings.TrimSuffix(strings.Repeat("0.5,", 65), ",")
	ada := node(`{"type":"Person","properties":{"name":"Ada","big":9007199254740993,"small":-7,"code":"007","vector":[` + numbers + `]}}`)
	bob := node(`{"type":"Person","properties":{"name":"Bob","code":7}}`)
	r := srv.send(t, "ann", "POST", "/api/edges", fmt.Sprintf(`{"type":"KNOWS","source_id":%q,"target_id":%q}`, ada, bob))
	require.Equal(t, 201, r.status, r.body)
	refreshTypeCatalog(t, srv)
	session := srv.agent(t, srv.token(t, "ann"))
	answer := func(tool, arguments string) string {
		t.Helper()
		text, isError := toolText(t, session, tool, arguments)
		require.False(t, isError, text)
		return text
	}
	got := answer("get_node", `{"node_id":"`+ada+`"}`)
	require.Contains(t, got, `"big":{"$type":"Integer","_value":"9007199254740993"}`)
	require.Contains(t, got, `"small":-7`)
	require.Contains(t, got, `"vector":{"$omitted":"65 numbers"}`)
	require.Contains(t, got, `"omitted_lists":1`)
	require.Contains(t, answer("list_nodes", `{"type":"Person"}`), `"omitted_lists":1`)
	require.NotContains(t, answer("list_nodes", `{"type":"Person","filter":{"code":{"eq":"7"}}}`), "Bob", "a text is no number")
	require.Contains(t, answer("list_nodes", `{"type":"Person","any":[{"code":{"gt":7}},{"code":7}],"limit":"5"}`), "Bob")
	require.Contains(t, answer("list_nodes", `{"filter":{"big":{"in":[{"$type":"Integer","_value":"9007199254740993"}]}}}`), "Ada")
	require.NotContains(t, answer("list_nodes", `{"filter":{"big":9007199254740992}}`), "Ada")
	require.Contains(t, answer("list_nodes", `{"filter":{"name":{"contains":"da"}},"fields":"name","sort":"-name"}`),
		`"properties":{"name":"Ada"}`)
	require.Contains(t, answer("list_edges", `{"source_id":"`+ada+`"}`), bob)
	require.Contains(t, answer("neighbors", `{"node_id":"`+ada+`"}`), bob)
	require.Contains(t, answer("find_paths", `{"source_id":"`+ada+`","target_id":"`+bob+`","all":true}`), `"paths":[["`+ada)
	require.Contains(t, answer("list_types", `{}`), `"type":"Person"`)
	require.Contains(t, answer("describe_type", `{"type":"Person"}`), `"name":"big"`)
	found := answer("match", `{"match":[[{"as":"p","type":"Person"},{"edge":"KNOWS"},{"as":"q"}]],"columns":["p.name","q.name"]}`)
	require.Contains(t, found, `"rows":[["Ada","Bob"]]`)
	require.Contains(t, answer("list_nodes", `{"type":"Person","limit":1}`), `"has_more":true`)

	for arguments, want := range map[string][]string{
		`{"type":"Person","limit":0}`:           {"VALIDATION_ERROR", `"field":"limit"`},
		`{"typ":"Person","cursor":"x"}`:         {"VALIDATION_ERROR", `"field":"typ"`},
		`{"any":[{"name":1},{}]}`:               {"VALIDATION_ERROR", `"field":"any[2]"`},
		`{"filter":["x"]}`:                      {"VALIDATION_ERROR", `"field":"filter"`},
		`{"filter":{"name":{"like":"x"}}}`:      {"VALIDATION_ERROR", `filter[name][like]`},
		`{"type":"Person","cursor":"nonsense"}`: {"VALIDATION_ERROR", `"field":"cursor"`},
	} {
		text, isError := toolText(t, session, "list_nodes", arguments)
		require.True(t, isError)
		for _, part := range append(want, `"remedy":"`) {
			require.Contains(t, text, part, arguments)
		}
	}
	missing, isError := callTool(t, session, "get_node", `{"node_id":"nothing/../there"}`)
	require.True(t, isError)
	require.Equal(t, "NOT_FOUND", missing["error"].(map[string]any)["code"])
}

// An answer is bounded, and says how to go on: the pages together have every node once.
func TestAgentAnswersAreBounded(t *testing.T) {
	srv := newAgentServer(t, mcp.WritesOff, nil)
	srv.user(t, "ann", auth.AllPermissions()...)
	var operations []string
	for i := range 30 {
		operations = append(operations, fmt.Sprintf(`{"op":"create_node","ref":"n%d","type":"Person","properties":{"bio":%q,"n":%d}}`,
			i, strings.Repeat("é", 1500), i))
		if i > 0 {
			operations = append(operations, fmt.Sprintf(`{"op":"create_edge","type":"KNOWS","source_id":{"ref":"n0"},"target_id":{"ref":"n%d"}}`, i))
		}
	}
	r := srv.send(t, "ann", "POST", "/api/batch", `{"operations":[`+strings.Join(operations, ",")+`]}`)
	require.Equal(t, 200, r.status, r.body)
	refreshTypeCatalog(t, srv)
	session := srv.agent(t, srv.token(t, "ann"))
	seen, cursor, pages := map[string]bool{}, "", 0
	for {
		arguments := `{"type":"Person"}`
		if cursor != "" {
			arguments = `{"type":"Person","cursor":"` + cursor + `"}`
		}
		found, isError := callTool(t, session, "list_nodes", arguments)
		require.False(t, isError)
		text, _ := json.Marshal(found)
		require.LessOrEqual(t, len(text), 16<<10)
		for _, one := range found["data"].([]any) {
			id := one.(map[string]any)["id"].(string)
			require.False(t, seen[id])
			seen[id] = true
		}
		pages++
		meta := found["meta"].(map[string]any)
		next, more := meta["page"].(map[string]any)["next_cursor"].(string)
		if !more {
			break
		}
		require.Contains(t, meta["cut"].(map[string]any)["go_on"], "next_cursor")
		cursor = next
	}
	require.Len(t, seen, 30)
	require.Greater(t, pages, 3)
	for id := range seen {
		for tool, arguments := range map[string]string{
			"neighbors": `{"node_id":"` + id + `","depth":2}`, "get_node": `{"node_id":"` + id + `","max_bytes":1024}`,
			"list_nodes": `{"max_bytes":1024}`, "list_types": `{"max_bytes":1024}`,
		} {
			found, isError := callTool(t, session, tool, arguments)
			require.False(t, isError)
			text, _ := json.Marshal(found)
			require.LessOrEqual(t, len(text), 16<<10)
			if strings.Contains(arguments, "1024") {
				require.LessOrEqual(t, len(text), 1024, tool)
			}
			if tool != "list_types" {
				require.NotEmpty(t, found["meta"].(map[string]any)["cut"], tool)
			}
		}
		break
	}
}

// What an agent changes is recorded with its user, token, tool and client, and undone by one call.
func TestAgentWritesAreRecordedAndUndone(t *testing.T) {
	srv := newAgentServer(t, mcp.WritesDirect, nil)
	srv.user(t, "ann", auth.AllPermissions()...)
	secret, _ := srv.personalToken(t, "ann", `{"name":"laptop"}`)
	session := srv.agent(t, secret)
	const operations = `"operations":[{"op":"create_node","type":"Person","ref":"a","properties":{"big":9007199254740993}},` +
		`{"op":"create_edge","type":"KNOWS","source_id":{"ref":"a"},"target_id":{"ref":"a"}}]`
	found, isError := callTool(t, session, "apply_changes", `{`+operations+`,"dry_run":true}`)
	require.False(t, isError, found)
	require.Equal(t, false, found["data"].(map[string]any)["applied"])
	require.Zero(t, srv.db.Count(t, "MATCH (n:Person) RETURN count(n)", nil))
	found, isError = callTool(t, session, "apply_changes", `{`+operations+`}`)
	require.False(t, isError, found)
	require.Equal(t, true, found["data"].(map[string]any)["applied"])
	require.EqualValues(t, 1, srv.db.Count(t, "MATCH (n:Person {big: 9007199254740993}) RETURN count(n)", nil))
	id := found["meta"].(map[string]any)["undo"].(map[string]any)["request_id"].(string)
	audit := srv.send(t, "root", "GET", "/api/admin/audit?kind=node&request_id="+id, "").body
	require.Contains(t, audit, `"user":"ann"`)
	require.Contains(t, audit, `"token":"laptop"`)
	require.Contains(t, audit, `"via":"mcp","tool":"apply_changes","client":"test agent 1"`)
	r := srv.send(t, "ann", "POST", "/api/undo", `{"request_id":"`+id+`"}`)
	require.Equal(t, 200, r.status, r.body)
	require.Zero(t, srv.db.Count(t, "MATCH (n:Person) RETURN count(n)", nil))

	found, isError = callTool(t, session, "apply_changes", `{"operations":[{"op":"delete_node","id":"nothing"}]}`)
	require.True(t, isError)
	require.Contains(t, fmt.Sprint(found), "operations[0].")
}

func TestAgentProposes(t *testing.T) {
	srv := newAgentServer(t, mcp.WritesPropose, nil)
	srv.user(t, "ann", auth.AllPermissions()...)
	session := srv.agent(t, srv.token(t, "ann"))
	require.Contains(t, toolNames(t, session), "propose_changes")
	found, isError := callTool(t, session, "propose_changes",
		`{"title":"T","operations":[{"op":"create_node","type":"Person","properties":{"n":1}}]}`)
	require.False(t, isError, found)
	data := found["data"].(map[string]any)
	require.Equal(t, "open", data["status"])
	require.Zero(t, srv.db.Count(t, "MATCH (n:Person) RETURN count(n)", nil))
	set := "/api/changesets/" + data["id"].(string)
	require.Equal(t, 403, srv.send(t, "ann", "POST", set+"/approve", "").status, "not by who proposed it")
	require.Equal(t, 200, srv.send(t, "root", "POST", set+"/approve", "").status)
	require.Equal(t, 200, srv.send(t, "root", "POST", set+"/apply", "").status)
	require.EqualValues(t, 1, srv.db.Count(t, "MATCH (n:Person) RETURN count(n)", nil))
}

// Row 75 of the list of threats: what is no valid message of a caller with a token is refused as everywhere.
func TestAgentEndpointRefuses(t *testing.T) {
	srv := newAgentServer(t, mcp.WritesOff, func(o *httpapi.Options) {
		o.CORSOrigins, o.RateLimit = []string{"https://app.example"}, 20
	})
	srv.user(t, "ann", auth.Read)
	const list = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	ping := func(id string) string { return `{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}` }
	token := srv.token(t, "ann")
	for _, test := range []struct {
		name, method, path, token, body string
		headers                         []string
		status                          int
		want                            string
	}{
		{"no token", "POST", "/mcp", "", list, nil, 401, "UNAUTHENTICATED"},
		{"token in the address", "POST", "/mcp?access_token=" + token + "&token=" + token, "", list, nil, 401, "UNAUTHENTICATED"},
		{"forged", "POST", "/mcp", "grp_" + strings.Repeat("A", 43), list, nil, 401, "INVALID_TOKEN"},
		{"GET", "GET", "/mcp", token, "", nil, 405, "METHOD_NOT_ALLOWED"},
		{"DELETE", "DELETE", "/mcp", token, "", nil, 405, "METHOD_NOT_ALLOWED"},
		{"foreign origin", "POST", "/mcp", token, list, []string{"Origin", "https://evil.example"}, 403, "PERMISSION_DENIED"},
		{"foreign origin without a token", "POST", "/mcp", "", list, []string{"Origin", "null"}, 403, "PERMISSION_DENIED"},
		{"own origin", "POST", "/mcp", token, list, []string{"Origin", srv.url}, 200, `"tools":[`},
		{"permitted origin", "POST", "/mcp", token, list, []string{"Origin", "https://app.example"}, 200, `"tools":[`},
		{"host of a proxy", "POST", "/mcp", token, list, []string{"Accept", "*/*"}, 200, `"name":"list_nodes"`},
		{"another media type", "POST", "/mcp", token, list, []string{"Content-Type", "text/plain"}, 415, "UNSUPPORTED_MEDIA_TYPE"},
		{"no JSON", "POST", "/mcp", token, "{", nil, 400, "VALIDATION_ERROR"},
		{"an id that would be rounded", "POST", "/mcp", token, ping("9007199254740993"), nil, 400, "740993, which is no"},
		{"one text as two ids", "POST", "/mcp", token, "[" + ping(`"a"`) + "," + ping(`"\u0061"`) + "]", nil, 400, "two messages have the id"},
		{"one number as two ids", "POST", "/mcp", token, "[" + ping("0") + "," + ping("-0") + "]", nil, 400, "two messages have the id 0"},
		{"an id that would be cut", "POST", "/mcp", token, ping("1.5"), nil, 400, "1.5, which is no"},
		{"the largest id", "POST", "/mcp", token, ping("9007199254740991"), nil, 200, `"id":9007199254740991`},
		{"unknown version", "POST", "/mcp", token, list, []string{"Mcp-Protocol-Version", "1999-01-01"}, 400, "VALIDATION_ERROR"},
		{"too large", "POST", "/mcp", token, `{"x":"` + strings.Repeat("x", 1<<20) + `"}`, nil, 413, "PAYLOAD_TOO_LARGE"},
		{
			"a tool that is not listed", "POST", "/mcp", token,
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"apply_changes","arguments":{"operations":[]}}}`,
			nil, 200, "unknown tool",
		},
	} {
		r := srv.sendToken(t, test.token, test.method, test.path, test.body, test.headers...)
		require.Equal(t, test.status, r.status, "%s: %s", test.name, r.body)
		require.Contains(t, r.body, test.want, test.name)
		if test.token == token && test.status == 200 {
			require.NotEmpty(t, r.header.Get("RateLimit"), test.name)
		}
	}
	require.NotContains(t, srv.log.String(), token)
	var last reply
	for range 30 {
		last = srv.sendToken(t, token, "POST", "/mcp", list)
	}
	require.Equal(t, 429, last.status)
	require.NotEmpty(t, last.header.Get("Retry-After"))
	srv.auditBuffer.Flush(context.Background())
	require.Contains(t, srv.send(t, "root", "GET", "/api/admin/audit?outcome=refused", "").body, `"via":"mcp"`)
}

// Without the setting there is nothing at the path.
func TestAgentEndpointIsOff(t *testing.T) {
	off := newTestServer(t, nil)
	for _, path := range []string{"/mcp", "/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"} {
		for _, method := range []string{"GET", "POST"} {
			r := off.send(t, "root", method, path, "{}")
			require.Equal(t, 404, r.status, path)
			require.Contains(t, r.body, "NOT_FOUND")
		}
	}
}

// With an identity provider a 401 says where clients find it (RFC 9728).
func TestAgentsFindTheIdentityProvider(t *testing.T) {
	srv := newAgentServer(t, mcp.WritesOff, func(o *httpapi.Options) {
		o.AgentIssuer, o.PublicOrigin = "https://id.example", "https://graph.example"
	})
	r := srv.sendToken(t, "", "POST", "/mcp", `{}`)
	require.Equal(t, 401, r.status)
	const metadata = "/.well-known/oauth-protected-resource/mcp"
	require.Contains(t, r.header.Get("WWW-Authenticate"), `Bearer realm=`)
	require.Contains(t, r.header.Get("WWW-Authenticate"), `resource_metadata="https://graph.example`+metadata+`"`)
	require.NotContains(t, srv.sendToken(t, "", "GET", "/api/nodes", "").header.Get("WWW-Authenticate"), "resource_metadata")
	for _, path := range []string{metadata, "/.well-known/oauth-protected-resource"} {
		r = srv.sendToken(t, "", "GET", path, "")
		require.Equal(t, 200, r.status)
		require.Contains(t, r.body, `"authorization_servers":["https://id.example"]`)
		require.Contains(t, r.body, `"resource":"https://graph.example/mcp"`)
	}
	require.Equal(t, 403, srv.sendToken(t, srv.token(t, "root"), "POST", "/mcp", `{}`, "Origin", srv.url).status, "another public origin")
}

// Saved queries are tools of whoever may run them, and two tools if there are many.
func TestAgentRunsSavedQueries(t *testing.T) {
	srv := newAgentServer(t, mcp.WritesOff, nil)
	srv.user(t, "ann", auth.Read, auth.Query)
	srv.user(t, "eve", auth.Read)
	save := func(name string) {
		r := srv.send(t, "root", "POST", savedQueries, `{"name":"`+name+`","description":"Doubles","cypher":"RETURN $n * 2 AS twice",`+
			`"parameters":{"n":{"type":"integer"}}}`)
		require.Equal(t, 201, r.status, r.body)
	}
	save("twice")
	session := srv.agent(t, srv.token(t, "ann"))
	require.Contains(t, toolNames(t, session), "query_twice")
	require.NotContains(t, toolNames(t, srv.agent(t, srv.token(t, "eve"))), "query_twice")
	found, isError := callTool(t, session, "query_twice", `{"n":4503599627370497}`)
	require.False(t, isError, found)
	require.Equal(t, []any{[]any{map[string]any{"$type": "Integer", "_value": "9007199254740994"}}}, found["data"].(map[string]any)["rows"])
	found, isError = callTool(t, session, "query_twice", `{"n":"x"}`)
	require.True(t, isError, found)
	save("second")
	save("third")
	names := toolNames(t, session)
	require.Contains(t, names, "run_query")
	require.NotContains(t, names, "query_twice")
	found, isError = callTool(t, session, "run_query", `{"name":"twice","parameters":{"n":2}}`)
	require.False(t, isError, found)
	require.Equal(t, []any{[]any{4.0}}, found["data"].(map[string]any)["rows"])
}
