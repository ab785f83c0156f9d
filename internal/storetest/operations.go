package storetest

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

var batchRules = []rule{
	{"a batch creates, connects, changes and deletes in order, and its results equal what reads return", batchApplies},
	{"a batch that fails at any operation names it and changes nothing", batchFailsAtEach},
	{"the first operation that fails determines the code, whenever its failure is detected", batchFirstFailure},
	{"invalid creates, updates and missing ends of all operations are reported together, and leave no new type behind", batchInvalid},
	{"an update or delete of a batch honours its precondition, also one of a change in the same batch", batchConditions},
	{"a declaration applies to the updates of a batch as to single ones", batchDeclarations},
	{"a dry run returns the results of a batch and changes nothing", batchDryRun},
	{"a batch with an idempotency key is applied once and replayed", batchKey},
	{"entities are addressed by element id, and those without an id are changed and deleted", batchElementIDs},
	{"the operations of a batch cannot reach internal data", batchInternal},
	{"a batch deletes nodes with many edges up to a limit", batchManyEdges},
	{"a batch and its operations one by one leave the same graph and return the same results", batchEqualsSingles},
}

func (h Harness) apply(t testing.TB, operations ...graph.Operation) []graph.OperationResult {
	t.Helper()
	outcome, err := h.Batches.Apply(context.Background(), operations, graph.BatchOptions{})
	require.NoError(t, err)
	require.Len(t, outcome.Results, len(operations))
	require.False(t, outcome.Replayed)
	return outcome.Results
}

// rejects requires that a batch fails with a code and details of exactly these fields, and changes nothing.
func (h Harness) rejects(t testing.TB, want fault.Code, fields []string, operations ...graph.Operation) {
	t.Helper()
	before := h.visible(t)
	_, err := h.Batches.Apply(context.Background(), operations, graph.BatchOptions{})
	requireCode(t, want, err)
	var named []string
	for _, d := range fault.As(err).Details {
		named = append(named, d.Field)
		require.NotEmpty(t, d.Message)
	}
	require.ElementsMatch(t, fields, named, "%v", err)
	require.Equal(t, before, h.visible(t))
}

// visible is the content of the database without internal nodes.
func (h Harness) visible(t testing.TB) []map[string]any {
	t.Helper()
	return h.Cypher(t, `MATCH (n) WHERE none(l IN labels(n) WHERE l STARTS WITH '_Graphrest') OPTIONAL MATCH (n)-[r]->(m)
		RETURN elementId(n) AS n, labels(n) AS labels, properties(n) AS properties, type(r) AS type, properties(r) AS rp, elementId(m) AS m
		ORDER BY n, elementId(r)`, nil)
}

func withRef(name string) graph.EntityRef { return graph.EntityRef{Ref: name} }
func withID(text string) graph.EntityRef  { return graph.EntityRef{ID: text} }

func newNode(name string, p graph.Properties, typ graph.TypeName, more ...graph.TypeName) graph.Operation {
	return graph.Operation{Op: graph.OpCreateNode, Ref: name, Type: typ, Labels: more, Properties: p}
}

func newEdge(name string, source, target graph.EntityRef, p graph.Properties) graph.Operation {
	return graph.Operation{Op: graph.OpCreateEdge, Ref: name, Type: "KNOWS", Source: source, Target: target, Properties: p}
}

func newChange(op graph.OperationName, entity graph.EntityRef, p graph.Properties) graph.Operation {
	return graph.Operation{Op: op, Entity: entity, Properties: p}
}

func newDelete(op graph.OperationName, entity graph.EntityRef) graph.Operation {
	return graph.Operation{Op: op, Entity: entity}
}

func props(n int64) graph.Properties { return graph.Properties{"n": n} }

func batchApplies(t *testing.T, h Harness) {
	ctx := context.Background()
	old, gone := h.node(t, "Person", props(1)), h.node(t, "Person", nil)
	h.edge(t, "KNOWS", gone.ID, old.ID, nil)
	kept := h.edge(t, "KNOWS", old.ID, old.ID, nil)
	h.Cypher(t, "CREATE (n:Zebra:Thing) DELETE n RETURN 1", nil) // the order of labels is that of their first use
	results := h.apply(t,
		newNode("a", valuesOfAllKinds(), "Person"), newNode("b", props(2), "Thing", "Account", "Zebra"), newNode("c", nil, "Person"),
		newEdge("ab", withRef("a"), withRef("b"), valuesOfAllKinds()), newEdge("", withRef("b"), withID(old.ID), nil),
		newEdge("loop", withRef("a"), withRef("a"), nil),
		newChange(graph.OpUpdateNode, withRef("b"), graph.Properties{"n": int64(3), "m": "x"}),
		newChange(graph.OpUpdateNode, withRef("b"), graph.Properties{"m": nil, "o": 0.0}),
		newChange(graph.OpUpdateNode, withID(old.ID), props(4)),
		newChange(graph.OpUpdateEdge, withRef("loop"), props(5)), newChange(graph.OpUpdateEdge, withID(kept.ID), props(6)),
		newDelete(graph.OpDeleteEdge, withRef("loop")), newDelete(graph.OpDeleteNode, withRef("c")),
		newDelete(graph.OpDeleteNode, withID(gone.ID)),
	)
	for i, r := range results {
		switch {
		case slices.Contains([]int{1, 2, 5, 6, 9}, i): // deleted, or changed again
		case r.Node != nil:
			read, err := h.Nodes.Node(ctx, r.ID)
			require.NoError(t, err)
			require.Equal(t, read, *r.Node, "result %d", i)
			require.Equal(t, read.Revision(), r.Node.Revision())
		case r.Edge != nil:
			read, err := h.Edges.Edge(ctx, r.ID)
			require.NoError(t, err)
			require.Equal(t, read, *r.Edge, "result %d", i)
		}
	}
	require.Equal(t, graph.Properties{"n": int64(3), "m": "x"}, results[6].Node.Properties)
	require.Equal(t, graph.Properties{"n": int64(3), "o": 0.0}, results[7].Node.Properties)
	require.ElementsMatch(t, []string{"Thing", "Account", "Zebra"}, results[7].Node.Labels)
	require.EqualValues(t, 1, results[13].DeletedEdges)
	require.Equal(t, []string{"a", "b", "c", "ab", "", "loop"}, refsOf(results[:6]))
	require.EqualValues(t, 3, h.one(t, "MATCH (n) WHERE none(l IN labels(n) WHERE l STARTS WITH '_Graphrest') RETURN count(n)", nil))
	require.EqualValues(t, 3, h.one(t, "MATCH ()-[r:KNOWS]->() RETURN count(r)", nil))
}

func refsOf(results []graph.OperationResult) []string {
	refs := []string{}
	for _, r := range results {
		refs = append(refs, r.Ref)
	}
	return refs
}

func batchFailsAtEach(t *testing.T, h Harness) {
	h.Cypher(t, "CREATE CONSTRAINT code FOR (n:Person) REQUIRE n.code IS UNIQUE", nil)
	a, b := h.node(t, "Person", graph.Properties{"code": int64(7)}), h.node(t, "Person", nil)
	e := h.edge(t, "KNOWS", a.ID, b.ID, nil)
	good := []graph.Operation{
		newNode("x", props(1), "Person"), newNode("y", nil, "Person"), newEdge("xy", withRef("x"), withRef("y"), nil),
		newEdge("", withRef("x"), withID(b.ID), nil),
		newChange(graph.OpUpdateNode, withID(b.ID), props(2)), newChange(graph.OpUpdateEdge, withID(e.ID), props(2)),
		newDelete(graph.OpDeleteEdge, withID(e.ID)),
		newDelete(graph.OpDeleteNode, withID(a.ID)),
	}
	for name, bad := range map[string]struct {
		operation graph.Operation
		code      fault.Code
		field     string
		last      int // position after which the operation would not fail
	}{
		"taken value of a create": {newNode("", graph.Properties{"code": int64(7)}, "Person"), fault.Conflict, "properties.code", 7},
		"missing node":            {newChange(graph.OpUpdateNode, withID("nothing"), nil), fault.NotFound, "id", 8},
		"missing end":             {newEdge("", withID(b.ID), withID("nothing"), nil), fault.Validation, "target_id", 8},
		"a version of old":        {onlyIf(newChange(graph.OpUpdateNode, withID(b.ID), nil), "old"), fault.PreconditionFailed, "if_match", 8},
		"an id of a change": {
			newChange(graph.OpUpdateNode, withID(b.ID), graph.Properties{h.IDProperty: "x"}), fault.Validation, "properties." + h.IDProperty, 8,
		},
	} {
		for at := range len(good) + 1 {
			if at <= bad.last {
				h.rejects(t, bad.code, []string{graph.OperationField(at, bad.field)}, slices.Insert(slices.Clone(good), at, bad.operation)...)
			}
		}
		t.Log(name)
	}
	h.apply(t, good...)
}

func onlyIf(o graph.Operation, revisions ...graph.Revision) graph.Operation {
	o.If = graph.Precondition{Revisions: revisions}
	return o
}

func batchFirstFailure(t *testing.T, h Harness) {
	h.Cypher(t, "CREATE CONSTRAINT code FOR (n:Person) REQUIRE n.code IS UNIQUE", nil)
	a, b := h.node(t, "Person", graph.Properties{"code": int64(7)}), h.node(t, "Person", nil)
	e := h.edge(t, "KNOWS", a.ID, b.ID, nil)
	no := false
	taken := newChange(graph.OpUpdateNode, withID(b.ID), graph.Properties{"code": int64(7)})
	old := onlyIf(newChange(graph.OpUpdateNode, withID(a.ID), nil), "old")
	missing := newChange(graph.OpUpdateNode, withID("nothing"), nil)
	attached := graph.Operation{Op: graph.OpDeleteNode, Entity: withID(b.ID), Detach: &no}
	h.rejects(t, fault.Conflict, []string{"operations[0].properties.code"}, taken, old, missing)
	h.rejects(t, fault.PreconditionFailed, []string{"operations[0].if_match"}, old, taken, missing)
	h.rejects(t, fault.NotFound, []string{"operations[0].id"}, missing, old, taken)
	h.rejects(t, fault.Conflict, []string{"operations[0].detach"}, attached, onlyIf(newDelete(graph.OpDeleteNode, withID(a.ID)), "old"))
	h.rejects(t, fault.NotFound, []string{"operations[1].id"}, newDelete(graph.OpDeleteNode, withID(a.ID)),
		newDelete(graph.OpDeleteEdge, withID(e.ID)))
	h.rejects(t, fault.NotFound, []string{"operations[1].id"}, newDelete(graph.OpDeleteNode, withID(a.ID)),
		newDelete(graph.OpDeleteNode, withID(a.ID)))
	h.rejects(t, fault.Validation, []string{"operations[1].source_id"},
		newDelete(graph.OpDeleteNode, withID(a.ID)), newEdge("", withID(a.ID), withID(b.ID), nil))
}

func batchInvalid(t *testing.T, h Harness) {
	h.declare(t, graph.Declaration{
		Kind: graph.NodeKind, Type: "Person", Level: graph.LevelStrict, Schema: `{"properties":{"n":{"type":"integer"}}}`,
	})
	a := h.node(t, "Person", nil)
	h.rejects(t, fault.Validation,
		[]string{"operations[0].properties.n", "operations[2].source_id", "operations[2].target_id"},
		newNode("", graph.Properties{"n": "x"}, "Person"), newNode("", props(1), "Brand_new"),
		newEdge("", withID("nothing"), withID("nothing"), nil), newChange(graph.OpUpdateNode, withID("nothing"), nil))
	h.rejects(t, fault.Validation, []string{"operations[1].source_id", "operations[2].target_id"},
		newNode("", props(1), "Brand_new"), newEdge("", withID("nothing"), withID(a.ID), nil), newEdge("", withID(a.ID), withID("nothing"), nil))
	b, wrong := h.node(t, "Person", nil), graph.Properties{"n": "x"}
	updates := func(more ...graph.Operation) []graph.Operation {
		return append(more, newChange(graph.OpUpdateNode, withID(a.ID), wrong), newChange(graph.OpUpdateNode, withID(a.ID), props(2)),
			newChange(graph.OpUpdateNode, withID(b.ID), wrong), newChange(graph.OpUpdateNode, withID("nothing"), wrong),
			newEdge("", withID("nothing"), withID(a.ID), nil))
	}
	h.rejects(t, fault.Validation,
		[]string{"operations[0].properties.n", "operations[2].properties.n", "operations[4].source_id"}, updates()...)
	h.rejects(t, fault.Validation, []string{
		"operations[0].properties.n", "operations[1].properties.n", "operations[3].properties.n", "operations[5].source_id",
	}, updates(newNode("", wrong, "Person"))...)
	h.rejects(t, fault.Validation,
		[]string{"operations[1].properties.n", "operations[3].properties." + h.IDProperty, "operations[4].properties.n"},
		newNode("p", nil, "Person"), newChange(graph.OpUpdateNode, withRef("p"), wrong),
		newDelete(graph.OpDeleteNode, withID(b.ID)), newChange(graph.OpUpdateNode, withID(a.ID), graph.Properties{h.IDProperty: "x"}),
		newChange(graph.OpUpdateNode, withRef("p"), wrong))
	require.NotContains(t, h.one(t, "SHOW CONSTRAINTS YIELD labelsOrTypes RETURN collect(labelsOrTypes[0])", nil), "Brand_new")
	require.EqualValues(t, 0, h.one(t, "MATCH (n:Brand_new) RETURN count(n)", nil))
}

func batchConditions(t *testing.T, h Harness) {
	a, b := h.node(t, "Person", props(1)), h.node(t, "Person", props(1))
	e := h.edge(t, "KNOWS", a.ID, b.ID, nil)
	results := h.apply(t,
		onlyIf(newChange(graph.OpUpdateNode, withID(a.ID), props(2)), "other", a.Revision()),
		newChange(graph.OpUpdateNode, withID(b.ID), props(2)),
		onlyIf(newChange(graph.OpUpdateEdge, withID(e.ID), props(2)), e.Revision()))
	h.rejects(t, fault.PreconditionFailed, []string{"operations[1].if_match"},
		newChange(graph.OpUpdateNode, withID(a.ID), props(3)),
		onlyIf(newChange(graph.OpUpdateNode, withID(a.ID), props(4)), results[0].Node.Revision()))
	h.rejects(t, fault.PreconditionFailed, []string{"operations[0].if_match"},
		onlyIf(newDelete(graph.OpDeleteEdge, withID(e.ID)), e.Revision()))
	anything := newChange(graph.OpUpdateNode, withID(a.ID), props(5))
	anything.If.Any = true
	h.apply(t, anything, onlyIf(newDelete(graph.OpDeleteEdge, withID(e.ID)), results[2].Edge.Revision()),
		onlyIf(newDelete(graph.OpDeleteNode, withID(b.ID)), results[1].Node.Revision()))
	require.EqualValues(t, 5, h.one(t, "MATCH (n:Person) RETURN n.n", nil))
}

func batchDeclarations(t *testing.T, h Harness) {
	a := h.node(t, "Person", props(1))
	h.declare(t, graph.Declaration{
		Kind: graph.NodeKind, Type: "Person", Level: graph.LevelStrict, Schema: `{"properties":{"n":{"type":"integer"}}}`,
	})
	h.declare(t, graph.Declaration{
		Kind: graph.EdgeKind, Type: "KNOWS", Level: graph.LevelStrict, Schema: `{}`, TargetTypes: []graph.TypeName{"Person"},
	})
	wrong := graph.Properties{"n": "x"}
	h.rejects(t, fault.Validation, []string{"operations[1].properties.n"},
		newChange(graph.OpUpdateNode, withID(a.ID), props(2)), newChange(graph.OpUpdateNode, withID(a.ID), wrong))
	h.rejects(t, fault.Validation, []string{"operations[1].properties.n"},
		newNode("b", nil, "Person"), newChange(graph.OpUpdateNode, withRef("b"), wrong))
	h.rejects(t, fault.Validation, []string{"operations[1].target_id"}, newNode("b", nil, "Thing"),
		newEdge("", withID(a.ID), withRef("b"), nil))
	h.apply(t, newNode("b", nil, "Thing", "Person"), newEdge("", withRef("b"), withRef("b"), nil),
		newChange(graph.OpUpdateNode, withID(a.ID), props(3)))
}

func batchElementIDs(t *testing.T, h Harness) {
	legacy := h.element(t, "CREATE (n:Legacy {name: 'old'}) RETURN elementId(n)", nil)
	a := h.node(t, "Person", nil)
	element := h.one(t, "MATCH (n:Person) RETURN elementId(n)", nil).(string)
	results := h.apply(t,
		newChange(graph.OpUpdateNode, withID(legacy), graph.Properties{"name": "new"}), newEdge("e", withID(element), withID(legacy), nil),
		newChange(graph.OpUpdateNode, withID(element), props(1)), newChange(graph.OpUpdateNode, withID(a.ID), props(2)))
	require.Equal(t, legacy, results[0].ID)
	require.Equal(t, []string{a.ID, legacy}, []string{results[1].Edge.SourceID, results[1].Edge.TargetID})
	require.Equal(t, []string{a.ID, a.ID}, []string{results[2].ID, results[3].ID})
	results = h.apply(t, newDelete(graph.OpDeleteNode, withID(legacy)), newDelete(graph.OpDeleteNode, withID(element)))
	require.EqualValues(t, 1, results[0].DeletedEdges)
	require.Empty(t, h.visible(t))
}

func batchInternal(t *testing.T, h Harness) {
	person, nodes, edges := h.internalGraph(t)
	force := true
	for _, hidden := range nodes {
		h.rejects(t, fault.NotFound, []string{"operations[0].id"}, newChange(graph.OpUpdateNode, withID(hidden), props(1)))
		h.rejects(t, fault.NotFound, []string{"operations[0].id"},
			graph.Operation{Op: graph.OpDeleteNode, Entity: withID(hidden), Detach: &force})
		h.rejects(t, fault.Validation, []string{"operations[0].target_id"}, newEdge("", withID(person.ID), withID(hidden), nil))
	}
	for _, hidden := range edges {
		h.rejects(t, fault.NotFound, []string{"operations[0].id"}, newChange(graph.OpUpdateEdge, withID(hidden), props(1)))
		h.rejects(t, fault.NotFound, []string{"operations[0].id"}, newDelete(graph.OpDeleteEdge, withID(hidden)))
	}
	gone := h.apply(t, newDelete(graph.OpDeleteNode, withID(person.ID)))
	require.EqualValues(t, 1, gone[0].DeletedEdges)
}

func batchManyEdges(t *testing.T, h Harness) {
	a, b := h.node(t, "Person", nil), h.node(t, "Person", nil)
	h.Cypher(t, "MATCH (n {uuid: $id}) UNWIND range(1, $edges) AS i CREATE (n)-[:KNOWS]->(:Thing) RETURN count(*)",
		map[string]any{"id": a.ID, "edges": graph.MaxBatchEdges})
	h.Cypher(t, "MATCH (n {uuid: $id}) CREATE (n)-[:KNOWS]->(:Thing) RETURN 1", map[string]any{"id": b.ID})
	force := true
	one := graph.Operation{Op: graph.OpDeleteNode, Entity: withID(a.ID), Detach: &force}
	h.rejects(t, fault.Conflict, []string{"operations[1].id"}, one, newDelete(graph.OpDeleteNode, withID(b.ID)))
	require.EqualValues(t, graph.MaxBatchEdges, h.apply(t, one)[0].DeletedEdges)
}
