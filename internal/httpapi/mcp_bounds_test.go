package httpapi_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/httpapi"
	"graphrest/internal/mcp"
)

// boundedAnswer calls a tool whose answer must have at most as many bytes, and returns its members data and meta.
func boundedAnswer(t *testing.T, s *sdk.ClientSession, most int, name, arguments string) (data any, meta map[string]any) {
	t.Helper()
	found, isError := callTool(t, s, name, arguments)
	require.False(t, isError, found)
	text, err := json.Marshal(found)
	require.NoError(t, err)
	require.LessOrEqual(t, len(text), most, "%s %s", name, arguments)
	meta, _ = found["meta"].(map[string]any)
	return found["data"], meta
}

// createNodes creates nodes of a type whose property n is their number.
func (srv *testServer) createNodes(t *testing.T, user, nodeType string, count int, text func(int) string) {
	t.Helper()
	operations := make([]string, count)
	for i := range operations {
		operations[i] = fmt.Sprintf(`{"op":"create_node","type":%q,"properties":{"n":%d,"text":%q}}`, nodeType, i, text(i))
	}
	r := srv.send(t, user, "POST", "/api/batch", `{"operations":[`+strings.Join(operations, ",")+`]}`)
	require.Equal(t, 200, r.status, r.body)
}

// Going on as meta.cut says finds every node once, whatever its size.
func TestAgentPagesLoseNothing(t *testing.T) {
	srv := newAgentServer(t, mcp.WritesOff, func(o *httpapi.Options) { o.MaxBody = 8 << 20 })
	srv.user(t, "ann", auth.AllPermissions()...)
	srv.createNodes(t, "ann", "Large", 4, func(int) string { return strings.Repeat("x", 20_000) })
	srv.createNodes(t, "ann", "Mixed", 12, func(i int) string { return strings.Repeat("x", 20_000*(i%2)) })
	srv.createNodes(t, "ann", "Middle", 12, func(int) string { return strings.Repeat("x", 900) })
	refreshTypeCatalog(t, srv)
	session := srv.agent(t, srv.token(t, "ann"))
	for _, test := range []struct {
		nodeType, sort string
		most, nodes    int
	}{
		{"Large", "", 16 << 10, 4},
		{"Mixed", "", 16 << 10, 12},
		{"Mixed", "n", 2 << 10, 12},
		{"Middle", "text", 3 << 10, 12}, // the cursor has the text
		{"Middle", "", 1 << 10, 12},
	} {
		seen, cursor := map[string]bool{}, ""
		for more := true; more; {
			arguments, err := json.Marshal(map[string]any{"type": test.nodeType, "sort": test.sort, "max_bytes": test.most, "cursor": cursor})
			require.NoError(t, err)
			data, meta := boundedAnswer(t, session, test.most, "list_nodes",
				strings.NewReplacer(`"cursor":"",`, ``, `"sort":"",`, ``).Replace(string(arguments)))
			for _, one := range data.([]any) {
				id := one.(map[string]any)["id"].(string)
				require.False(t, seen[id], test)
				seen[id] = true
			}
			if cursor, more = meta["page"].(map[string]any)["next_cursor"].(string); more {
				require.Contains(t, meta["cut"].(map[string]any)["go_on"], "next_cursor", test)
			}
		}
		require.Len(t, seen, test.nodes, test)
	}
	const rows = `{"match":[[{"as":"p","type":"Large"}]],"columns":["p.text"]}`
	_, meta := boundedAnswer(t, session, 16<<10, "match", rows)
	require.Contains(t, meta["cut"].(map[string]any)["go_on"], "offset increased by 1")
	require.Contains(t, meta["cut"], "shortened")
}

// An answer that was shortened is what its tool's schema says, and counts what it leaves out.
func TestAgentAnswersAreShortened(t *testing.T) {
	srv := newAgentServer(t, mcp.WritesDirect, nil)
	srv.user(t, "ann", append(auth.AllPermissions(), auth.Query)...)
	session := srv.agent(t, srv.token(t, "ann"))
	members := make([]string, 100)
	for i := range members {
		members[i] = fmt.Sprintf(`"p%03d":"%020d"`, i, i)
	}
	r := srv.send(t, "ann", "POST", "/api/nodes", `{"type":"Wide","properties":{`+strings.Join(members, ",")+`}}`)
	require.Equal(t, 201, r.status, r.body)
	refreshTypeCatalog(t, srv)
	data, _ := boundedAnswer(t, session, 1<<10, "list_nodes", `{"type":"Wide","max_bytes":1024}`)
	require.Equal(t, "Wide", data.([]any)[0].(map[string]any)["type"])
	data, _ = boundedAnswer(t, session, 1<<10, "describe_type", `{"type":"Wide","max_bytes":1024}`)
	properties := data.(map[string]any)["node_type"].(map[string]any)["properties"].([]any)
	require.Equal(t, fmt.Sprintf("%d elements", 100-(len(properties)-1)), properties[len(properties)-1].(map[string]any)["$omitted"])

	r = srv.send(t, "ann", "POST", "/api/nodes",
		`{"type":"File","properties":{"name":"a","bytes":{"$type":"Base64","_value":"`+strings.Repeat("AAAA", 10_000)+`"}}}`)
	require.Equal(t, 201, r.status, r.body)
	data, _ = boundedAnswer(t, session, 16<<10, "get_node", fmt.Sprintf(`{"node_id":%q}`, jsonAt(t, r.body, "data.id")))
	require.Equal(t, map[string]any{"name": "a", "bytes": map[string]any{"$type": "Base64", "$omitted": "40000 bytes"}},
		data.(map[string]any)["properties"])

	r = srv.send(t, "root", "POST", savedQueries, `{"name":"wide","cypher":"`+
		`UNWIND range(1, 3) AS i RETURN i, reduce(t='', x IN range(1,3000) | t + 'xxxxxxxxxx') AS text"}`)
	require.Equal(t, 201, r.status, r.body)
	r = srv.send(t, "root", "POST", savedQueries,
		`{"name":"own","cypher":"RETURN $max_bytes AS n","parameters":{"max_bytes":{"type":"integer","default":1}}}`)
	require.Equal(t, 201, r.status, r.body)
	data, meta := boundedAnswer(t, session, 16<<10, "query_wide", `{}`)
	require.Len(t, data.(map[string]any)["rows"], 1)
	require.EqualValues(t, 3, meta["cut"].(map[string]any)["of"])
	data, _ = boundedAnswer(t, session, 16<<10, "query_own", `{"max_bytes":7}`)
	require.Equal(t, []any{[]any{7.0}}, data.(map[string]any)["rows"], "max_bytes is a parameter of the query")

	found, isError := callTool(t, session, "list_nodes", `{"`+strings.Repeat("x", 100_000)+`":1}`)
	require.True(t, isError)
	require.Less(t, len(fmt.Sprint(found)), 16<<10, "an error names what it was sent, not all of it")
}

// What was changed is never asked for by changing it again.
func TestAgentReadsOnAfterChanges(t *testing.T) {
	srv := newAgentServer(t, mcp.WritesDirect, nil)
	srv.user(t, "ann", auth.AllPermissions()...)
	session := srv.agent(t, srv.token(t, "ann"))
	operations := make([]string, 61)
	operations[0] = `{"op":"create_node","ref":"hub","type":"Hub","properties":{}}`
	for i := range 60 {
		operations[i+1] = fmt.Sprintf(`{"op":"create_node","ref":"r%d","type":"Spoke","properties":{"text":%q}},`+
			`{"op":"create_edge","type":"TO","source_id":{"ref":"hub"},"target_id":{"ref":"r%d"}}`, i, strings.Repeat("x", 500), i)
	}
	data, meta := boundedAnswer(t, session, 16<<10, "apply_changes", `{"operations":[`+strings.Join(operations, ",")+`]}`)
	require.NotEmpty(t, meta["undo"])
	require.Contains(t, meta["cut"].(map[string]any)["go_on"], "do not apply the changes again")
	results := data.(map[string]any)["results"].([]any)
	require.Len(t, results, 121)
	hub := results[0].(map[string]any)["id"].(string)
	require.NotEmpty(t, results[120].(map[string]any)["id"])
	refreshTypeCatalog(t, srv)
	_, meta = boundedAnswer(t, session, 16<<10, "neighbors", `{"node_id":"`+hub+`","limit":5}`)
	require.Contains(t, meta["cut"].(map[string]any)["go_on"], "list_edges")
	_, isError := callTool(t, session, "apply_changes", `{"operations":[{"op":"delete_node","id":"`+hub+`"}],"dry_run":""}`)
	require.True(t, isError, "an empty dry_run is no false")
}

// The answer to changes has the id of everything they made, and what undoes them, however many they are. REST has no page of them.
func TestAgentAnswersHaveEveryID(t *testing.T) {
	const most = 300
	srv := newAgentServer(t, mcp.WritesDirect, func(o *httpapi.Options) { o.MaxBatch = most })
	srv.user(t, "ann", auth.AllPermissions()...)
	session := srv.agent(t, srv.token(t, "ann"))
	long, text := strings.Repeat("é", 127), strings.Repeat("x", 500) // the longest name of a type
	for _, count := range []int{100, 250, most} {
		nodes, edges := make([]string, count/2), make([]string, count-count/2)
		for i := range nodes {
			nodes[i] = fmt.Sprintf(`{"op":"create_node","ref":"%s%d","type":%q,"properties":{"text":%q}}`, long[:40], i, long, text)
		}
		for i := range edges {
			edges[i] = fmt.Sprintf(`{"op":"create_edge","type":"TO","source_id":{"ref":"%s0"},"target_id":{"ref":"%s0"}}`, long[:40], long[:40])
		}
		arguments := `{"operations":[` + strings.Join(slices.Concat(nodes, edges), ",") + `]`
		for _, dryRun := range []string{`,"dry_run":true}`, `}`} {
			found, isError := callTool(t, session, "apply_changes", arguments+dryRun)
			require.False(t, isError, found)
			data, ids := found["data"].(map[string]any), []string{}
			for _, id := range asAnyList(data["ids"]) {
				ids = append(ids, id.(string))
			}
			for _, result := range asAnyList(data["results"]) {
				ids = append(ids, result.(map[string]any)["id"].(string))
			}
			require.Len(t, ids, count)
			require.Contains(t, found["meta"].(map[string]any)["cut"].(map[string]any)["go_on"], "do not apply the changes again")
			if dryRun != `}` {
				continue
			}
			made := srv.db.Count(t, "MATCH (n) WHERE n.uuid IN $ids RETURN count(n)", map[string]any{"ids": ids}) +
				srv.db.Count(t, "MATCH ()-[r]->() WHERE r.uuid IN $ids RETURN count(r)", map[string]any{"ids": ids})
			require.EqualValues(t, count, made, "all are ids of what was made")
			undo := found["meta"].(map[string]any)["undo"].(map[string]any)
			r := srv.send(t, "ann", "POST", "/api/undo", fmt.Sprintf(`{"request_id":%q}`, undo["request_id"]))
			require.Equal(t, 200, r.status, r.body)
			require.Zero(t, srv.db.Count(t, "MATCH (n) WHERE n.uuid IN $ids RETURN count(n)", map[string]any{"ids": ids}))
		}
	}
	tooMany := strings.Repeat(`{"op":"create_node","type":"T","properties":{}},`, most) + `{"op":"create_node","type":"T","properties":{}}`
	found, isError := callTool(t, session, "apply_changes", `{"operations":[`+tooMany+`]}`)
	require.True(t, isError)
	require.Contains(t, fmt.Sprint(found), fmt.Sprintf("at most %d operations", most))
	require.Zero(t, srv.db.Count(t, "MATCH (n:T) RETURN count(n)", nil))
}

func asAnyList(value any) []any {
	list, _ := value.([]any)
	return list
}

// Each message of a batch counts, and what it changed is undone alone.
func TestAgentBatchesOfMessages(t *testing.T) {
	srv := newAgentServer(t, mcp.WritesDirect, func(o *httpapi.Options) { o.RateLimit = 24 })
	srv.user(t, "ann", auth.AllPermissions()...)
	token := srv.token(t, "ann")
	batch := func(count int) string {
		messages := make([]string, count)
		for i := range messages {
			messages[i] = fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"apply_changes",`+
				`"arguments":{"operations":[{"op":"create_node","type":"Person","properties":{"n":%d}}]}}}`, i, i)
		}
		return "[" + strings.Join(messages, ",") + "]"
	}
	twice := strings.Replace(batch(2), `"id":1`, `"id":0`, 1)
	for _, refused := range []string{batch(21), batch(21) + " x", batch(2) + batch(2), "[" + batch(1), twice} {
		r := srv.sendToken(t, token, "POST", "/mcp", refused)
		require.Equal(t, 400, r.status, r.body)
	}
	require.Zero(t, srv.db.Count(t, "MATCH (n:Person) RETURN count(n)", nil))
	r := srv.sendToken(t, token, "POST", "/mcp", batch(3), "X-Request-ID", "of-a-proxy")
	require.Equal(t, 200, r.status, r.body)
	require.Equal(t, []string{"no-store"}, r.header.Values("Cache-Control"))
	var answers []struct {
		Result struct {
			StructuredContent struct {
				Meta struct {
					Undo struct {
						RequestID string `json:"request_id"`
					}
				}
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(r.body), &answers))
	require.Len(t, answers, 3)
	id := answers[1].Result.StructuredContent.Meta.Undo.RequestID
	require.EqualValues(t, 3, srv.db.Count(t, "MATCH (n:Person) RETURN count(n)", nil))
	undone := srv.send(t, "ann", "POST", "/api/undo", `{"request_id":"`+id+`"}`)
	require.Equal(t, 200, undone.status, undone.body)
	require.EqualValues(t, 2, srv.db.Count(t, "MATCH (n:Person) RETURN count(n)", nil))
	srv.sendToken(t, token, "POST", "/mcp", batch(15))
	r = srv.sendToken(t, token, "POST", "/mcp", batch(2))
	require.Equal(t, 429, r.status, r.body)
	require.LessOrEqual(t, srv.db.Count(t, "MATCH (n:Person) RETURN count(n)", nil), int64(17))
}

// An agent is promised no undo that the gateway cannot do.
func TestAgentChangesThatAreNotRecorded(t *testing.T) {
	srv := newAgentServer(t, mcp.WritesDirect, func(o *httpapi.Options) { o.Journal, o.Undoer = nil, nil })
	srv.user(t, "ann", auth.AllPermissions()...)
	_, meta := boundedAnswer(t, srv.agent(t, srv.token(t, "ann")), 16<<10, "apply_changes",
		`{"operations":[{"op":"create_node","type":"Person","properties":{}}]}`)
	undo := meta["undo"].(map[string]any)
	require.NotContains(t, undo, "request_id")
	require.Contains(t, undo["how"], "not at all")
}
