package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/graphgen"
	"graphrest/internal/testmark"
)

// generatedGraph is a graph that a test made: some entities through HTTP, with their own ids, and some in Cypher, without.
type generatedGraph struct {
	c     *client
	paths []string          // of all entities, with the ids that they were made with
	ids   map[string]string // by the id that an entity was made with: the one that it has now
}

// foreignGraph creates nodes and edges without their own ids.
const foreignGraph = `MATCH (m:Person {uuid: $id})
	CREATE (a:Foreign:Other {
		since: date('1999-12-31'), at: point({x: 1.5, y: -0.0}), zone: datetime('2020-02-29T23:59:59.999999999[Europe/Paris]')
	})
	CREATE (b:Foreign) CREATE (a)-[r:LINK {span: duration('P1M2DT3.000000004S')}]->(m) CREATE (b)-[s:LINK]->(b) CREATE (a)-[u:LINK]->(b)
	RETURN [elementId(a), elementId(b)] AS nodes, [elementId(r), elementId(s), elementId(u)] AS edges`

// makeGraph makes nodes of several labels, parallel edges and self-loops, with generated values, and nodes without their own ids.
func makeGraph(tb testing.TB, t *rapid.T, srv *testServer, c *client) *generatedGraph {
	g := &generatedGraph{c: c, ids: map[string]string{}}
	properties := graphgen.Properties().Filter(func(p graph.Properties) bool { _, id := p["uuid"]; return !id })
	var operations []graph.Operation
	nodes := rapid.IntRange(1, 4).Draw(t, "nodes")
	for i := range nodes {
		operations = append(operations, graph.Operation{
			Op: graph.OpCreateNode, Ref: fmt.Sprint("n", i), Type: "Person", Properties: properties.Draw(t, "properties"),
			Labels: rapid.SampledFrom([][]graph.TypeName{nil, {"City"}, {"City", "Thing"}, {"Not Managed"}}).Draw(t, "labels"),
		})
	}
	end := rapid.IntRange(0, nodes-1)
	for range rapid.IntRange(0, 6).Draw(t, "edges") {
		operations = append(operations, graph.Operation{
			Op: graph.OpCreateEdge, Type: rapid.SampledFrom([]graph.TypeName{"KNOWS", "LIVES_IN"}).Draw(t, "type"),
			Source:     graph.EntityRef{Ref: fmt.Sprint("n", end.Draw(t, "source"))},
			Target:     graph.EntityRef{Ref: fmt.Sprint("n", end.Draw(t, "target"))},
			Properties: properties.Draw(t, "properties"),
		})
	}
	made, err := c.Apply(context.Background(), operations, graph.BatchOptions{})
	require.NoError(t, err)
	for i, o := range operations {
		g.add(o.Op == graph.OpCreateNode, made.Results[i].ID)
	}
	if rapid.Bool().Draw(t, "without ids") {
		rows := srv.db.Query(tb, foreignGraph, map[string]any{"id": made.Results[0].ID})
		for _, id := range rows[0]["nodes"].([]any) {
			g.add(true, id.(string))
		}
		for _, id := range rows[0]["edges"].([]any) {
			g.add(false, id.(string))
		}
	}
	return g
}

func (g *generatedGraph) add(isNode bool, id string) {
	path := "/api/edges/"
	if isNode {
		path = "/api/nodes/"
	}
	g.paths = append(g.paths, path+id)
	g.ids[id] = id
}

// read returns the text of each entity with the ids that they were made with, and its entity tag if no id in it can change; empty for one
// that does not exist.
func (g *generatedGraph) read(t *rapid.T) map[string]string {
	all := map[string]string{}
	var names []string
	for old, now := range g.ids {
		names = append(names, `"`+now+`"`, `"`+old+`"`) // one id may begin another
	}
	original := strings.NewReplacer(names...)
	for _, path := range g.paths {
		old := path[len("/api/nodes/"):]
		a, err := g.c.do(context.Background(), request{method: http.MethodGet, path: path[:len("/api/nodes/")] + g.ids[old]})
		switch {
		case fault.CodeOf(err) == fault.NotFound:
			all[path] = ""
			continue
		case err != nil:
			require.NoError(t, err)
		}
		all[path] = original.Replace(string(a.Data))
		if !g.namesElement(all[path]) {
			all[path] += a.header.Get("ETag")
		}
	}
	return all
}

// namesElement reports whether a text has an id that changes when its entity is restored: then its entity tag changes too.
func (g *generatedGraph) namesElement(text string) bool {
	for id := range g.ids {
		if strings.Contains(id, ":") && strings.Contains(text, `"`+id+`"`) {
			return true
		}
	}
	return false
}

// requireSame fails if an entity is not what it was.
func (g *generatedGraph) requireSame(t *rapid.T, before map[string]string) {
	now := g.read(t)
	for path, text := range before {
		if now[path] != text {
			t.Fatalf("%s was\n%s\nand is\n%s\nids: %v", path, text, now[path], g.ids)
		}
	}
}

// deleteNodes deletes all nodes in one batch, their edges with them.
func (g *generatedGraph) deleteNodes(t *rapid.T, requestID string) {
	var operations []string
	for _, path := range g.paths {
		if id, isNode := strings.CutPrefix(path, "/api/nodes/"); isNode {
			operations = append(operations, fmt.Sprintf(`{"op":"delete_node","id":%q,"detach":true}`, id))
		}
	}
	g.post(t, "/api/batch", requestID, batchBody(operations...))
}

// undo undoes a request and notes new ids.
func (g *generatedGraph) undo(t *rapid.T, requestID, undone string) {
	a := g.post(t, "/api/undo", requestID, fmt.Sprintf(`{"request_id":%q}`, undone))
	var done struct {
		IDs map[string]string `json:"ids"`
	}
	require.NoError(t, json.Unmarshal(a.Data, &done))
	for old, now := range g.ids {
		if next, changed := done.IDs[now]; changed {
			g.ids[old] = next
		}
	}
}

func (g *generatedGraph) post(t *rapid.T, path, requestID, body string) *answer {
	a, err := g.c.do(context.Background(), request{
		method: http.MethodPost, path: path, body: []byte(body), header: http.Header{"X-Request-Id": {requestID}},
	})
	require.NoError(t, err, path)
	return a
}

// Whatever graph is deleted and the deletion undone, every id, label, value, edge and entity tag is back; the undo of the undo deletes it
// again, and the undo of that gives it back once more.
func TestUndoGivesGeneratedGraphsBack(tb *testing.T) {
	testmark.Long(tb)
	srv := newTestServer(tb, nil)
	c := &client{base: srv.url, token: func(string) string { return srv.token(tb, "root") }}
	round := 0
	rapid.Check(tb, func(t *rapid.T) {
		round++
		name := func(step string) string { return fmt.Sprint(step, "-", round) }
		g := makeGraph(tb, t, srv, c)
		before := g.read(t)
		g.deleteNodes(t, name("delete"))
		for path, text := range g.read(t) {
			require.Empty(t, text, path)
		}
		g.undo(t, name("undo"), name("delete"))
		g.requireSame(t, before)
		g.undo(t, name("redo"), name("undo"))
		for path, text := range g.read(t) {
			require.Empty(t, text, path)
		}
		g.undo(t, name("again"), name("redo"))
		g.requireSame(t, before)
	})
}
