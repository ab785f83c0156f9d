package storetest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

var internalRules = []rule{
	{"an internal node cannot be read, changed, deleted or connected, by any of its ids", internalNodesHidden},
	{"an internal edge, and an edge with an internal end, cannot be read, changed or deleted", internalEdgesHidden},
	{"lists and counts exclude internal data in every query", internalNotListed},
	{"a page among many internal entities is whole", pagesAmongInternal},
	{"the schema excludes internal labels, types, indexes, constraints and counts", internalNotInSchema},
	{"data that an analyst creates under the reserved prefix while the gateway runs is neither listed nor counted", internalCreatedMeanwhile},
	{"deleting a node counts only the visible edges that it deletes", internalNotCountedOnDelete},
}

// internalGraph creates internal data beside visible data: in any letter case, sharing labels with visible nodes, connected to
// them, and with ids as if it were managed. Its constraint and its indexes stay in a prepared test database. It returns texts that must
// never be accepted as ids.
func (h Harness) internalGraph(t testing.TB) (person graph.Node, nodes, edges []string) {
	t.Helper()
	person = h.node(t, "Person", graph.Properties{"name": "Ann"})
	h.edge(t, "KNOWS", person.ID, person.ID, nil)
	h.Cypher(t,
		"CREATE CONSTRAINT _GraphrestTestSecret IF NOT EXISTS FOR (n:_GraphrestSecret) REQUIRE n.`"+h.IDProperty+"` IS UNIQUE", nil)
	h.Cypher(t, "CREATE INDEX _GraphrestTestIndex IF NOT EXISTS FOR (n:Person) ON (n.not_set)", nil)
	h.Cypher(t, "CREATE INDEX index_of_internal_label IF NOT EXISTS FOR (n:_GRAPHRESTLoud) ON (n.name)", nil)
	rows := h.Cypher(t, `MATCH (p:Person {name: 'Ann'})
		CREATE (a:_GraphrestSecret {name: 'secret'}), (b:_GRAPHRESTLoud:Person {name: 'loud'}), (c:Person:_graphrest {name: 'low'})
		SET a[$id] = 'secret-a', b[$id] = 'secret-b', c[$id] = 'secret-c'
		CREATE (a)-[r1:_GraphrestHas]->(b), (p)-[r2:KNOWS]->(a), (c)-[r3:KNOWS]->(p), (p)-[r4:_graphrestLIKES]->(p), (a)-[r5:ONLY_HERE]->(a)
		SET r2[$id] = 'secret-2', r3[$id] = 'secret-3', r4[$id] = 'secret-4'
		RETURN [x IN [a, b, c] | elementId(x)] AS nodes, [x IN [r1, r2, r3, r4, r5] | elementId(x)] AS edges`, map[string]any{"id": h.IDProperty})
	nodes, edges = []string{"secret-a", "secret-b", "secret-c"}, []string{"secret-2", "secret-3", "secret-4"}
	for _, e := range rows[0]["nodes"].([]any) {
		nodes = append(nodes, e.(string))
	}
	for _, e := range rows[0]["edges"].([]any) {
		edges = append(edges, e.(string))
	}
	h.settle(t)
	return person, nodes, edges
}

// everything is a digest of the whole database, including internal data except idempotency records and the like.
func (h Harness) everything(t testing.TB) []map[string]any {
	t.Helper()
	return h.Cypher(t, `MATCH (n) OPTIONAL MATCH (n)-[r]->(m)
		RETURN elementId(n) AS n, labels(n) AS labels, properties(n) AS properties, type(r) AS type,
			properties(r) AS rp, elementId(m) AS m, elementId(r) AS r
		ORDER BY n, r`, nil)
}

func internalNodesHidden(t *testing.T, h Harness) {
	ctx := context.Background()
	person, nodes, _ := h.internalGraph(t)
	before := h.everything(t)
	force := true
	for _, id := range nodes {
		_, err := h.Nodes.Node(ctx, id)
		requireCode(t, fault.NotFound, err)
		_, err = h.Nodes.UpdateNode(ctx, id, graph.Change{Properties: graph.Properties{"a": int64(1)}})
		requireCode(t, fault.NotFound, err)
		_, err = h.Nodes.UpdateNode(ctx, id, graph.Change{If: graph.Precondition{Any: true}})
		requireCode(t, fault.NotFound, err)
		_, err = h.Nodes.DeleteNode(ctx, id, graph.Removal{Detach: &force})
		requireCode(t, fault.NotFound, err)
		_, err = h.Edges.CreateEdge(ctx, graph.NewEdge{Type: "KNOWS", SourceID: person.ID, TargetID: id})
		requireInvalid(t, err, "target_id")
		_, err = h.Edges.CreateEdge(ctx, graph.NewEdge{Type: "KNOWS", SourceID: id, TargetID: id})
		requireInvalid(t, err, "source_id", "target_id")
	}
	require.Equal(t, before, h.everything(t))
}

func internalEdgesHidden(t *testing.T, h Harness) {
	ctx := context.Background()
	_, _, edges := h.internalGraph(t)
	before := h.everything(t)
	for _, id := range edges {
		_, err := h.Edges.Edge(ctx, id)
		requireCode(t, fault.NotFound, err)
		_, err = h.Edges.UpdateEdge(ctx, id, graph.Change{Properties: graph.Properties{"a": int64(1)}})
		requireCode(t, fault.NotFound, err)
		_, err = h.Edges.DeleteEdge(ctx, id, graph.Removal{})
		requireCode(t, fault.NotFound, err)
	}
	require.Equal(t, before, h.everything(t))
}

func internalNotListed(t *testing.T, h Harness) {
	ctx := context.Background()
	person, nodes, _ := h.internalGraph(t)
	counted := graph.Paging{Limit: 1, Count: true}
	for _, typ := range []graph.TypeName{"", "Person"} {
		require.Equal(t, []string{person.ID}, h.walkNodes(t, graph.NodeQuery{Type: typ}, 10))
		page, err := h.Nodes.Nodes(ctx, graph.NodeQuery{Type: typ, Paging: counted})
		require.NoError(t, err)
		require.EqualValues(t, 1, *page.Total)
		page, err = h.Nodes.Nodes(ctx, graph.NodeQuery{Type: typ, Paging: graph.Paging{Limit: 1, Offset: 1}})
		require.NoError(t, err)
		require.Empty(t, page.Items)
	}
	for _, typ := range []graph.TypeName{"_GraphrestSecret", "_GRAPHRESTLoud", "_graphrest"} {
		page, err := h.Nodes.Nodes(ctx, graph.NodeQuery{Type: typ, Paging: counted})
		if err == nil { // over HTTP the name itself is refused
			require.Empty(t, page.Items)
			require.EqualValues(t, 0, *page.Total)
		} else {
			requireCode(t, fault.Validation, err)
		}
	}
	for _, q := range []graph.EdgeQuery{
		{},
		{Type: "KNOWS"},
		{SourceID: person.ID},
		{TargetID: person.ID},
		{NodeID: person.ID},
		{SourceID: person.ID, TargetID: person.ID},
		{Of: &graph.Around{NodeID: person.ID, Direction: graph.Both}},
		{NodeID: person.ID, Type: "KNOWS"},
	} {
		require.Len(t, h.walkEdges(t, q, 10), 1, "%+v", q)
		q.Paging = counted
		page, err := h.Edges.Edges(ctx, q)
		require.NoError(t, err)
		require.EqualValues(t, 1, *page.Total, "%+v", q)
	}
	for _, id := range nodes {
		for _, q := range []graph.EdgeQuery{{SourceID: id}, {TargetID: id}, {NodeID: id}, {SourceID: person.ID, TargetID: id}} {
			q.Paging = counted
			page, err := h.Edges.Edges(ctx, q)
			require.NoError(t, err)
			require.Empty(t, page.Items)
			require.EqualValues(t, 0, *page.Total)
		}
		_, err := h.Edges.Edges(ctx, graph.EdgeQuery{Of: &graph.Around{NodeID: id, Direction: graph.Both}, Paging: counted})
		requireCode(t, fault.NotFound, err)
	}
	page, err := h.Edges.Edges(ctx, graph.EdgeQuery{Type: "ONLY_HERE", Paging: counted})
	require.NoError(t, err)
	require.Empty(t, page.Items)
	require.EqualValues(t, 0, *page.Total)
}

// An analyst gave many nodes of a type an internal label: of any page, more rows are internal than visible. The type is larger than those
// that are read together with others.
func pagesAmongInternal(t *testing.T, h Harness) {
	h.Cypher(t, `UNWIND range(1, 1200) AS i CREATE (n:Legacy {n: i})-[:LINK {n: i}]->(n)
		WITH n WHERE n.n % 60 <> 0 SET n:_GraphrestWebhook`, nil)
	h.settle(t)
	ctx := context.Background()
	for _, filter := range []graph.Filter{nil, {{Property: "n", Operator: graph.GreaterEqual, Value: int64(0)}}} {
		var values []any
		q := graph.NodeQuery{Type: "Legacy", Filter: filter, Paging: graph.Paging{Limit: 7}}
		for {
			page, err := h.Nodes.Nodes(ctx, q)
			require.NoError(t, err)
			for _, n := range page.Items {
				values = append(values, n.Properties["n"])
			}
			if page.Next == nil {
				break
			}
			require.Len(t, page.Items, 7)
			q.After = page.Next
		}
		require.Len(t, values, 20)
		edges := h.walkEdges(t, graph.EdgeQuery{Type: "LINK", Filter: filter}, 7)
		require.Len(t, edges, 20)
	}
}

func internalNotInSchema(t *testing.T, h Harness) {
	h.internalGraph(t)
	h.Cypher(t, "CREATE INDEX _Graphrest_test_index FOR (n:Person) ON (n.name)", nil)
	schema, err := h.Schema.Schema(context.Background())
	require.NoError(t, err)
	require.Len(t, schema.NodeTypes, 1)
	require.Equal(t, "Person", schema.NodeTypes[0].Type)
	require.EqualValues(t, 1, schema.NodeTypes[0].Count)
	require.Equal(t, []graph.PropertyUse{{Name: "name", Types: []string{"String"}, Presence: 1}}, schema.NodeTypes[0].Properties)
	require.Len(t, schema.EdgeTypes, 1)
	require.Equal(t, "KNOWS", schema.EdgeTypes[0].Type)
	require.EqualValues(t, 1, schema.EdgeTypes[0].Count)
	require.Equal(t, []graph.Connection{{SourceType: "Person", TargetType: "Person", Count: 1}}, schema.EdgeTypes[0].Connections)
	require.Empty(t, schema.Constraints)
	for _, i := range schema.Indexes {
		require.Equal(t, "LOOKUP", i.Kind, "%+v", i)
	}
}

func internalNotCountedOnDelete(t *testing.T, h Harness) {
	person, _, _ := h.internalGraph(t)
	gone, err := h.Nodes.DeleteNode(context.Background(), person.ID, graph.Removal{})
	require.NoError(t, err)
	require.EqualValues(t, 1, gone.DeletedEdges)
}

// internalCreatedMeanwhile reads lists first, so that the store has cached the names in use before they change.
func internalCreatedMeanwhile(t *testing.T, h Harness) {
	person := h.node(t, "Person", nil)
	h.edge(t, "KNOWS", person.ID, person.ID, nil)
	h.Cypher(t, "CREATE (:_GraphrestState {name: 'storetest'})", nil)
	defer h.Cypher(t, "MATCH (s:_GraphrestState {name: 'storetest'}) DETACH DELETE s", nil)
	for i, change := range []string{
		"MATCH (p:Person)",
		"MATCH (s:_GraphrestState {name: 'storetest'}) SET s:Person:City SET s.`" + h.IDProperty + "` = 'a'",
		"MATCH (s:_GraphrestState {name: 'storetest'}), (p:Person) WHERE p <> s CREATE (p)-[:KNOWS]->(s), (s)-[:LIKES]->(p)",
		"CREATE (:Person:_Graphrestfresh), (:_GRAPHRESTfresher:Person:City)",
		"MATCH (f:_Graphrestfresh), (p:Person) WHERE size(labels(p)) = 1 CREATE (p)-[:KNOWS]->(f), (f)-[:LIKES]->(f)",
		"MATCH (p:Person) WHERE size(labels(p)) = 1 CREATE (p)-[:_graphrestKNOWS]->(p)",
	} {
		h.Cypher(t, change+" RETURN 1", nil)
		for _, typ := range []graph.TypeName{"", "Person", "City"} {
			want := []string{person.ID}
			if typ == "City" {
				want = []string{}
			}
			require.Equal(t, want, h.walkNodes(t, graph.NodeQuery{Type: typ}, 10), "%s, after change %d", typ, i)
			page, err := h.Nodes.Nodes(t.Context(), graph.NodeQuery{Type: typ, Paging: graph.Paging{Limit: 1, Count: true}})
			require.NoError(t, err)
			require.EqualValues(t, len(want), *page.Total, "%s, after change %d", typ, i)
		}
		for _, q := range []graph.EdgeQuery{{}, {Type: "KNOWS"}, {Type: "LIKES"}, {NodeID: person.ID}, {SourceID: person.ID}} {
			want := 1
			if q.Type == "LIKES" {
				want = 0
			}
			require.Len(t, h.walkEdges(t, q, 10), want, "%+v, after change %d", q, i)
			q.Paging = graph.Paging{Limit: 1, Count: true}
			page, err := h.Edges.Edges(t.Context(), q)
			require.NoError(t, err)
			require.EqualValues(t, want, *page.Total, "%+v, after change %d", q, i)
		}
	}
}
