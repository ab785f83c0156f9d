package storetest

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// BulkTally is the result of a whole import.
type BulkTally struct {
	Created, Updated, Skipped int64
	Faults                    map[int64]*fault.Error // by line
}

// BulkHarness imports and exports whole graphs, each in one call.
type BulkHarness struct {
	Import func(on graph.OnConflict, lines []graph.BulkLine) (BulkTally, error)
	Export func(q graph.ExportQuery) ([]graph.Node, []graph.Edge, error)
}

// ImportInto implements a BulkHarness's Import on a store.
func ImportInto(ctx context.Context, s graph.BulkStore, on graph.OnConflict, lines []graph.BulkLine) (BulkTally, error) {
	tally := BulkTally{Faults: map[int64]*fault.Error{}}
	results, err := s.Import(on).Write(ctx, lines)
	for i, r := range results {
		switch {
		case r.Fault != nil:
			tally.Faults[lines[i].Number] = r.Fault
		case r.Done == graph.BulkCreated:
			tally.Created++
		case r.Done == graph.BulkUpdated:
			tally.Updated++
		case r.Done == graph.BulkSkipped:
			tally.Skipped++
		}
	}
	return tally, err
}

// ExportFrom implements a BulkHarness's Export on a store.
func ExportFrom(ctx context.Context, s graph.BulkStore, q graph.ExportQuery) (nodes []graph.Node, edges []graph.Edge, err error) {
	err = s.Export(ctx, q, graph.Receiver{
		Types: func([]string) error { return nil },
		Node:  func(n *graph.Node) error { nodes = append(nodes, *n); return nil },
		Edge:  func(e *graph.Edge) error { edges = append(edges, *e); return nil },
	})
	return nodes, edges, err
}

var bulkRules = []rule{
	{"an import creates nodes and edges with every value, with the given ids or new ones", bulkImports},
	{"each invalid line fails independently, with its own error", bulkInvalidLines},
	{"a line that violates a constraint fails independently", bulkConstraint},
	{"an id that exists fails, is skipped or is merged", bulkConflicts},
	{"an edge whose id exists is merged only if type and ends are equal", bulkEdgeConflicts},
	{"an export, imported into an empty database, recreates the graph", bulkRoundTrip},
	{"an export can be limited to types", bulkTypes},
	{"exports exclude internal data, and imports cannot refer to it", bulkInternal},
}

func bulkLines(entities ...any) []graph.BulkLine {
	all := make([]graph.BulkLine, len(entities))
	for i, e := range entities {
		all[i].Number = int64(i) + 1
		switch e := e.(type) {
		case graph.BulkNode:
			all[i].Node = &e
		case graph.BulkEdge:
			all[i].Edge = &e
		}
	}
	return all
}

func bulkNode(id, ref string, p graph.Properties, labels ...graph.TypeName) graph.BulkNode {
	return graph.BulkNode{ID: id, Ref: ref, Labels: labels, Properties: p}
}

func endByRef(ref string) graph.BulkEnd { return graph.BulkEnd{Ref: ref} }
func endByID(id string) graph.BulkEnd   { return graph.BulkEnd{ID: id} }

// imports runs an import in which no line may fail.
func (h Harness) imports(t *testing.T, on graph.OnConflict, all []graph.BulkLine) BulkTally {
	t.Helper()
	tally, err := h.Bulk.Import(on, all)
	require.NoError(t, err)
	require.Empty(t, tally.Faults)
	return tally
}

const givenID = "0193aaaa-0000-7000-8000-000000000001"

func bulkImports(t *testing.T, h Harness) {
	ctx := context.Background()
	old := h.node(t, "Person", graph.Properties{"name": "old"})
	tally := h.imports(t, graph.OnConflictError, bulkLines(
		bulkNode(givenID, "", valuesOfAllKinds(), "Person"), bulkNode("", "b", graph.Properties{"name": "Bob"}, "Person", "Actor"),
		bulkNode("", "bare", nil),
		graph.BulkEdge{Type: "KNOWS", Source: endByID(givenID), Target: endByRef("b"), Properties: valuesOfAllKinds()},
		graph.BulkEdge{ID: "edge-1", Type: "KNOWS", Source: endByRef("b"), Target: endByRef("bare")},
		graph.BulkEdge{Type: "KNOWS", Source: endByID(old.ID), Target: endByID(old.ID)},
		bulkNode("its own name", "", nil, "Person"),
	))
	require.EqualValues(t, 7, tally.Created)

	n, err := h.Nodes.Node(ctx, givenID)
	require.NoError(t, err)
	require.Equal(t, givenID, n.ID)
	requireValues(t, valuesOfAllKinds(), n.Properties)
	_, err = h.Nodes.Node(ctx, "its own name")
	require.NoError(t, err)
	page, err := h.Edges.Edges(ctx, graph.EdgeQuery{SourceID: givenID, Paging: graph.Paging{Limit: 10}})
	require.NoError(t, err)
	require.Len(t, page.Items, 1)
	requireValues(t, valuesOfAllKinds(), page.Items[0].Properties)
	bob, err := h.Nodes.Node(ctx, page.Items[0].TargetID)
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"Person", "Actor"}, bob.Labels)
	e, err := h.Edges.Edge(ctx, "edge-1")
	require.NoError(t, err)
	require.Equal(t, bob.ID, e.SourceID)
	require.EqualValues(t, 1, h.one(t, "MATCH (n {name: 'old'})-[r:KNOWS]->(n) RETURN count(r)", nil))
	require.EqualValues(t, 1, h.one(t, "MATCH (n) WHERE size(labels(n)) = 0 AND size(keys(n)) = 0 RETURN count(n)", nil))
}

func bulkInvalidLines(t *testing.T, h Harness) {
	tally, err := h.Bulk.Import(graph.OnConflictError, bulkLines(
		bulkNode("", "a", nil, "Person"),
		bulkNode("", "a", nil, "Person"),
		bulkNode("", "", graph.Properties{h.IDProperty: "x"}, "Person"),
		bulkNode("x", "", nil),
		bulkNode("twice", "", graph.Properties{"n": int64(1)}, "Person"),
		bulkNode("twice", "", graph.Properties{"n": int64(2)}, "Person"),
		graph.BulkEdge{Type: "KNOWS", Source: endByRef("a"), Target: endByRef("nobody")},
		graph.BulkEdge{Type: "KNOWS", Source: endByRef("later"), Target: endByID("nothing")},
		bulkNode("", "later", nil, "Person"),
		graph.BulkEdge{Type: "KNOWS", Source: endByRef("a"), Target: endByRef("later")},
	))
	require.NoError(t, err)
	require.EqualValues(t, 4, tally.Created)
	require.Len(t, tally.Faults, 6)
	requireInvalid(t, tally.Faults[2], "ref")
	requireInvalid(t, tally.Faults[3], "properties."+h.IDProperty)
	requireInvalid(t, tally.Faults[4], "id")
	requireCode(t, fault.Conflict, tally.Faults[6])
	requireInvalid(t, tally.Faults[7], "target_ref")
	requireInvalid(t, tally.Faults[8], "source_ref", "target_id")
	require.EqualValues(t, 1, h.one(t, "MATCH (n:Person {"+h.IDProperty+": 'twice'}) RETURN n.n", nil))
	require.EqualValues(t, 1, h.one(t, "MATCH ()-[r]->() WHERE NOT type(r) STARTS WITH '_Graphrest' RETURN count(r)", nil))
}

func bulkConstraint(t *testing.T, h Harness) {
	h.Cypher(t, "CREATE CONSTRAINT code FOR (n:Coded) REQUIRE n.code IS UNIQUE", nil)
	h.Cypher(t, "CREATE (:Coded {code: 7})", nil)
	var all []any
	for i := range 20 {
		all = append(all, bulkNode("", fmt.Sprint(i), graph.Properties{"code": int64(i)}, "Coded"))
	}
	all = append(all, graph.BulkEdge{Type: "NEXT", Source: endByRef("6"), Target: endByRef("7")},
		graph.BulkEdge{Type: "NEXT", Source: endByRef("8"), Target: endByRef("9")})
	tally, err := h.Bulk.Import(graph.OnConflictError, bulkLines(all...))
	require.NoError(t, err)
	require.EqualValues(t, 20, tally.Created)
	require.Len(t, tally.Faults, 2)
	requireCode(t, fault.Conflict, tally.Faults[8])
	requireInvalid(t, tally.Faults[21], "target_ref")
}

func bulkConflicts(t *testing.T, h Harness) {
	ctx := context.Background()
	old := h.node(t, "Person", graph.Properties{"name": "old", "kept": true})
	legacy := h.element(t, "CREATE (n:Legacy {name: 'old'}) RETURN elementId(n)", nil)
	all := bulkLines(
		bulkNode(old.ID, "o", graph.Properties{"name": "new", "zero": 0.0}, "Person"),
		bulkNode(legacy, "", graph.Properties{"name": "new"}, "Legacy"),
		graph.BulkEdge{Type: "KNOWS", Source: endByRef("o"), Target: endByID(legacy)},
	)
	tally, err := h.Bulk.Import(graph.OnConflictError, all)
	require.NoError(t, err)
	requireCode(t, fault.Conflict, tally.Faults[1])
	requireCode(t, fault.Conflict, tally.Faults[2])
	requireInvalid(t, tally.Faults[3], "source_ref")

	tally = h.imports(t, graph.OnConflictSkip, all)
	require.Equal(t, [3]int64{1, 0, 2}, [3]int64{tally.Created, tally.Updated, tally.Skipped})
	n, err := h.Nodes.Node(ctx, old.ID)
	require.NoError(t, err)
	require.Equal(t, old.Properties, n.Properties)

	tally = h.imports(t, graph.OnConflictMerge, all)
	require.Equal(t, [3]int64{1, 2, 0}, [3]int64{tally.Created, tally.Updated, tally.Skipped})
	n, err = h.Nodes.Node(ctx, old.ID)
	require.NoError(t, err)
	require.Equal(t, graph.Properties{"name": "new", "kept": true, "zero": 0.0}, n.Properties)
	require.Equal(t, "new", h.one(t, "MATCH (n:Legacy) RETURN n.name", nil))
	require.EqualValues(t, 2, h.one(t, "MATCH (:Person)-[r:KNOWS]->(:Legacy) RETURN count(r)", nil))
}

func bulkEdgeConflicts(t *testing.T, h Harness) {
	a, b := h.node(t, "Person", nil), h.node(t, "Person", nil)
	e := h.edge(t, "KNOWS", a.ID, b.ID, graph.Properties{"since": int64(1)})
	same := graph.BulkEdge{
		ID: e.ID, Type: "KNOWS", Source: endByID(a.ID), Target: endByID(b.ID),
		Properties: graph.Properties{"since": int64(2)},
	}
	turned, other := same, same
	turned.Source, turned.Target, other.Type = same.Target, same.Source, "LIKES"
	tally, err := h.Bulk.Import(graph.OnConflictMerge, bulkLines(same, turned, other))
	require.NoError(t, err)
	require.EqualValues(t, 1, tally.Updated)
	requireCode(t, fault.Conflict, tally.Faults[2])
	requireCode(t, fault.Conflict, tally.Faults[3])
	tally = h.imports(t, graph.OnConflictSkip, bulkLines(same, turned))
	require.EqualValues(t, 2, tally.Skipped)
	read, err := h.Edges.Edge(context.Background(), e.ID)
	require.NoError(t, err)
	require.Equal(t, graph.Properties{"since": int64(2)}, read.Properties)
}

func bulkRoundTrip(t *testing.T, h Harness) {
	h.Cypher(t, `CREATE (a:Zoo:Animal {name: 'a', at: datetime('2024-03-31T02:30:00[Europe/Berlin]')}), (b:Animal), (c {bare: true}),
		(a)-[:EATS {n: 1.0}]->(b), (a)-[:EATS]->(b), (c)-[:SEES]->(c), (b)-[:SEES]->(c)`, nil)
	made := h.node(t, "Person", valuesOfAllKinds())
	h.edge(t, "OWNS", made.ID, made.ID, valuesOfAllKinds())
	nodes, edges, err := h.Bulk.Export(graph.ExportQuery{})
	require.NoError(t, err)
	require.Len(t, nodes, 4)
	require.Len(t, edges, 5)
	var all []any
	for _, n := range nodes {
		labels := []graph.TypeName{}
		for _, l := range n.Labels {
			labels = append(labels, graph.TypeName(l))
		}
		all = append(all, bulkNode(n.ID, "", n.Properties, labels...))
	}
	for _, e := range edges {
		all = append(all, graph.BulkEdge{
			ID: e.ID, Type: graph.TypeName(e.Type), Source: endByID(e.SourceID), Target: endByID(e.TargetID),
			Properties: e.Properties,
		})
	}
	before := canonical(nodes, edges)
	h.Cypher(t, "MATCH (n) WHERE none(l IN labels(n) WHERE l STARTS WITH '_Graphrest') DETACH DELETE n", nil)
	h.settle(t)
	tally := h.imports(t, graph.OnConflictError, bulkLines(all...))
	require.EqualValues(t, 9, tally.Created)
	nodes, edges, err = h.Bulk.Export(graph.ExportQuery{})
	require.NoError(t, err)
	require.Equal(t, before, canonical(nodes, edges))
	read, err := h.Nodes.Node(context.Background(), made.ID)
	require.NoError(t, err)
	requireValues(t, valuesOfAllKinds(), read.Properties)
}

// canonical describes a graph by content, in an order that does not depend on ids.
func canonical(nodes []graph.Node, edges []graph.Edge) []string {
	content := map[string]string{}
	var all []string
	for _, n := range nodes {
		id := n.ID
		n.ID = ""
		slices.Sort(n.Labels)
		content[id] = string(n.Revision())
		all = append(all, content[id])
	}
	for _, e := range edges {
		e.ID, e.SourceID, e.TargetID = "", content[e.SourceID], content[e.TargetID]
		all = append(all, string(e.Revision()))
	}
	slices.Sort(all)
	return all
}

func bulkTypes(t *testing.T, h Harness) {
	h.Cypher(t, "CREATE (a:A), (ab:A:B), (b:B), (c:C), (a)-[:X]->(ab), (ab)-[:Y]->(b), (b)-[:X]->(c), (c)-[:Y]->(c)", nil)
	for _, test := range []struct {
		nodes, edges []graph.TypeName
		want         [2]int
	}{
		{nil, nil, [2]int{4, 4}},
		{[]graph.TypeName{"A"}, nil, [2]int{2, 1}},
		{[]graph.TypeName{"A", "B"}, nil, [2]int{3, 2}},
		{[]graph.TypeName{"A", "B"}, []graph.TypeName{"Y"}, [2]int{3, 1}},
		{nil, []graph.TypeName{"Y"}, [2]int{4, 2}},
		{[]graph.TypeName{"Nothing"}, nil, [2]int{0, 0}},
	} {
		nodes, edges, err := h.Bulk.Export(graph.ExportQuery{NodeTypes: test.nodes, EdgeTypes: test.edges})
		require.NoError(t, err)
		require.Equal(t, test.want, [2]int{len(nodes), len(edges)}, "%v %v", test.nodes, test.edges)
	}
}

func bulkInternal(t *testing.T, h Harness) {
	secret := h.element(t,
		"CREATE (s:_GraphrestSecret {name: 'secret'})-[:SEES]->(:Person), (:Person)-[:_GraphrestSees]->(:Person) RETURN elementId(s)", nil)
	nodes, edges, err := h.Bulk.Export(graph.ExportQuery{})
	require.NoError(t, err)
	require.Len(t, nodes, 3)
	require.Empty(t, edges)
	tally, err := h.Bulk.Import(graph.OnConflictMerge, bulkLines(
		bulkNode("", "a", nil, "Person"), graph.BulkEdge{Type: "SEES", Source: endByRef("a"), Target: endByID(secret)},
		bulkNode(secret, "", graph.Properties{"name": "stolen"}, "Person"),
	))
	require.NoError(t, err)
	requireInvalid(t, tally.Faults[2], "target_id")
	require.Equal(t, "secret", h.one(t, "MATCH (s:_GraphrestSecret) RETURN s.name", nil))
}
