package storetest

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

func batchDryRun(t *testing.T, h Harness) {
	ctx := context.Background()
	a := h.node(t, "Person", props(1))
	e := h.edge(t, "KNOWS", a.ID, a.ID, nil)
	before := h.visible(t)
	operations := []graph.Operation{
		newNode("x", props(1), "Never_made", "Thing"), newEdge("", withRef("x"), withID(a.ID), nil),
		newChange(graph.OpUpdateNode, withRef("x"), props(2)),
		newChange(graph.OpUpdateNode, withID(a.ID), props(2)), newDelete(graph.OpDeleteEdge, withID(e.ID)),
		newDelete(graph.OpDeleteNode, withID(a.ID)),
	}
	key := &graph.IdempotencyKey{UserID: "u1", Key: "dry", Fingerprint: "f"}
	dry, err := h.Batches.Apply(ctx, operations, graph.BatchOptions{DryRun: true, Key: key})
	require.NoError(t, err)
	require.Equal(t, before, h.visible(t))
	require.NotContains(t, h.one(t, "SHOW CONSTRAINTS YIELD labelsOrTypes RETURN collect(labelsOrTypes[0])", nil), "Never_made")
	_, err = h.Batches.Apply(ctx, append(operations, newChange(graph.OpUpdateNode, withID("nothing"), nil)), graph.BatchOptions{DryRun: true})
	requireCode(t, fault.NotFound, err)
	applied, err := h.Batches.Apply(ctx, operations, graph.BatchOptions{Key: key})
	require.NoError(t, err)
	require.False(t, applied.Replayed)
	require.Equal(t, withoutIDs(dry.Results), withoutIDs(applied.Results))
}

// withoutIDs removes ids, which differ between two runs of a batch.
func withoutIDs(results []graph.OperationResult) []graph.OperationResult {
	for i := range results {
		r := &results[i]
		r.ID = ""
		if r.Node != nil {
			r.Node.ID = ""
		}
		if r.Edge != nil {
			r.Edge.ID, r.Edge.SourceID, r.Edge.TargetID = "", "", ""
		}
	}
	return results
}

func batchKey(t *testing.T, h Harness) {
	ctx := context.Background()
	a := h.node(t, "Person", props(0))
	operations := []graph.Operation{
		newNode("x", props(1), "Person"), newNode("y", props(2), "Person"), newEdge("", withRef("x"), withRef("y"), nil),
		newChange(graph.OpUpdateNode, withID(a.ID), props(3)), newDelete(graph.OpDeleteNode, withRef("y")),
	}
	keyed := func(fingerprint string) graph.BatchOptions {
		return graph.BatchOptions{Key: &graph.IdempotencyKey{UserID: "u1", Key: "batch", Fingerprint: fingerprint}}
	}
	outcomes := make([]graph.BatchOutcome, 4)
	var group sync.WaitGroup
	for i := range outcomes {
		group.Go(func() {
			var err error
			outcomes[i], err = h.Batches.Apply(ctx, operations, keyed("f"))
			require.NoError(t, err)
		})
	}
	group.Wait()
	replayed := 0
	for _, o := range outcomes {
		if o.Replayed {
			replayed++
			require.Nil(t, o.Results[1].Node, "it was deleted since")
			require.Nil(t, o.Results[2].Edge)
			require.EqualValues(t, 1, o.Results[4].DeletedEdges)
		} else {
			require.NotNil(t, o.Results[1].Node)
		}
		require.Equal(t, outcomes[0].Results[0], o.Results[0])
		require.Equal(t, outcomes[0].Results[3], o.Results[3])
	}
	require.Equal(t, len(outcomes)-1, replayed)
	require.EqualValues(t, 2, h.one(t, "MATCH (n:Person) RETURN count(n)", nil))
	_, err := h.Batches.Apply(ctx, operations[:1], keyed("other"))
	requireCode(t, fault.IdempotencyKeyReused, err)
	_, err = h.Nodes.CreateNode(ctx, graph.NewNode{Type: "Person", Key: keyed("single").Key})
	requireCode(t, fault.IdempotencyKeyReused, err)
	_, err = h.Batches.Apply(ctx, []graph.Operation{newChange(graph.OpUpdateNode, withID("nothing"), nil)}, graph.BatchOptions{
		Key: &graph.IdempotencyKey{UserID: "u1", Key: "failed", Fingerprint: "f"},
	})
	requireCode(t, fault.NotFound, err)
	again, err := h.Batches.Apply(ctx, []graph.Operation{newChange(graph.OpUpdateNode, withID(a.ID), props(4))}, graph.BatchOptions{
		Key: &graph.IdempotencyKey{UserID: "u1", Key: "failed", Fingerprint: "g"},
	})
	require.NoError(t, err, "a batch that failed does not use up its key")
	require.False(t, again.Replayed)
}

// generatedStep is an operation on entities by their names: n0 to n2 and e0 exist, others are created by earlier steps.
type generatedStep struct {
	op             graph.OperationName
	entity, source string
	target         string
	value          graph.Value
}

const generatedBatches = 12

// generatedSteps draws operations that mostly succeed. Some fail: a unique value is taken, an entity is deleted before.
func generatedSteps() *rapid.Generator[[]generatedStep] {
	return rapid.Custom(func(t *rapid.T) []generatedStep {
		nodes, edges := []string{"n0", "n1", "n2"}, []string{"e0"}
		values := rapid.SampledFrom([]graph.Value{nil, int64(1), "text", 0.0, int64(7), true})
		ops := rapid.SampledFrom([]graph.OperationName{
			graph.OpCreateNode, graph.OpCreateNode, graph.OpCreateEdge, graph.OpCreateEdge, graph.OpUpdateNode, graph.OpUpdateNode,
			graph.OpUpdateNode, graph.OpUpdateEdge, graph.OpDeleteNode, graph.OpDeleteEdge,
		})
		var steps []generatedStep
		for i := range rapid.IntRange(1, 14).Draw(t, "length") {
			s := generatedStep{op: ops.Draw(t, "op"), value: values.Draw(t, "value")}
			switch {
			case s.op == graph.OpCreateNode:
				s.entity = fmt.Sprintf("n%d", 10+i)
				nodes = append(nodes, s.entity)
			case s.op == graph.OpCreateEdge:
				s.entity = fmt.Sprintf("e%d", 10+i)
				s.source, s.target = rapid.SampledFrom(nodes).Draw(t, "source"), rapid.SampledFrom(nodes).Draw(t, "target")
				edges = append(edges, s.entity)
			case s.op.Kind() == graph.EdgeKind:
				s.entity = rapid.SampledFrom(edges).Draw(t, "edge")
			default:
				s.entity = rapid.SampledFrom(nodes).Draw(t, "node")
			}
			steps = append(steps, s)
		}
		return steps
	})
}

// generatedGraph is a copy of the graph that generated steps are applied to. Its entities are distinguished by their property copy.
type generatedGraph struct {
	h        Harness
	copyName string
	ids      map[string]string // by name
}

func newGeneratedGraph(t *testing.T, h Harness, copyName string) *generatedGraph {
	g := &generatedGraph{h: h, copyName: copyName, ids: map[string]string{}}
	for _, name := range []string{"n0", "n1", "n2"} {
		g.ids[name] = h.node(t, "Person", g.properties(name, nil)).ID
	}
	g.ids["e0"] = h.edge(t, "KNOWS", g.ids["n0"], g.ids["n1"], g.properties("e0", nil)).ID
	return g
}

// properties of an entity. The value 7 is unique among the nodes of a copy.
func (g *generatedGraph) properties(name string, v graph.Value) graph.Properties {
	p := graph.Properties{"name": name, "copy": g.copyName, "v": v, "code": nil}
	if v == int64(7) && strings.HasPrefix(name, "n") {
		p["code"] = g.copyName
	}
	return p
}

func (g *generatedGraph) operation(s generatedStep, named func(string) graph.EntityRef) graph.Operation {
	o := graph.Operation{Op: s.op}
	switch {
	case s.op.Creates():
		o.Ref, o.Type, o.Properties = s.entity, "Person", stored(g.properties(s.entity, s.value))
	default:
		o.Entity, o.Properties = named(s.entity), g.properties(s.entity, s.value)
	}
	if s.op == graph.OpCreateEdge {
		o.Type, o.Source, o.Target = "KNOWS", named(s.source), named(s.target)
	}
	if strings.HasPrefix(string(s.op), "delete") {
		o.Properties = nil
	}
	return o
}

func stored(p graph.Properties) graph.Properties {
	kept := graph.Properties{}
	for key, value := range p {
		if value != nil {
			kept[key] = value
		}
	}
	return kept
}

// applySingly applies a step by its single call. Names of entities that were never created stand for themselves.
func (g *generatedGraph) applySingly(s generatedStep) (graph.OperationResult, error) {
	ctx := context.Background()
	o := g.operation(s, func(name string) graph.EntityRef { return withID(g.ids[name]) })
	r := graph.OperationResult{Op: o.Op, Ref: o.Ref}
	var err error
	switch o.Op {
	case graph.OpCreateNode:
		var made graph.Created[graph.Node]
		made, err = g.h.Nodes.CreateNode(ctx, graph.NewNode{Type: o.Type, Properties: o.Properties})
		r.Node, r.ID = &made.Entity, made.Entity.ID
		g.ids[s.entity] = r.ID
	case graph.OpCreateEdge:
		var made graph.Created[graph.Edge]
		made, err = g.h.Edges.CreateEdge(ctx, graph.NewEdge{Type: o.Type, SourceID: o.Source.ID, TargetID: o.Target.ID, Properties: o.Properties})
		r.Edge, r.ID = &made.Entity, made.Entity.ID
		g.ids[s.entity] = r.ID
	case graph.OpUpdateNode:
		var n graph.Node
		n, err = g.h.Nodes.UpdateNode(ctx, o.Entity.ID, graph.Change{Properties: o.Properties})
		r.Node, r.ID = &n, n.ID
	case graph.OpUpdateEdge:
		var e graph.Edge
		e, err = g.h.Edges.UpdateEdge(ctx, o.Entity.ID, graph.Change{Properties: o.Properties})
		r.Edge, r.ID = &e, e.ID
	default:
		remove := g.h.Nodes.DeleteNode
		if o.Op == graph.OpDeleteEdge {
			remove = g.h.Edges.DeleteEdge
		}
		var d graph.Deletion
		d, err = remove(ctx, o.Entity.ID, graph.Removal{})
		r.ID, r.DeletedEdges = d.ID, d.DeletedEdges
	}
	return r, err
}

// content is everything in the graph, without ids and without the name of the copy.
func (g *generatedGraph) content(t *testing.T) any {
	return g.h.one(t, `MATCH (n:Person {copy: $copy}) OPTIONAL MATCH (n)-[r]->(m)
		WITH n, r, m ORDER BY n.name, r.name
		RETURN collect([n.name, n.v, n.code IS NULL, labels(n), size(keys(n)), type(r), r.name, r.v, m.name])`,
		map[string]any{"copy": g.copyName})
}

// generatedTwins are two equal graphs and generated operations, for one graph one by one and for the other together.
type generatedTwins struct {
	steps            []generatedStep
	single, together *generatedGraph
	operations       []graph.Operation // for together
}

func newGeneratedTwins(t *testing.T, h Harness, seed int) generatedTwins {
	t.Helper()
	twins := generatedTwins{
		steps:  generatedSteps().Example(seed),
		single: newGeneratedGraph(t, h, fmt.Sprintf("single%d", seed)), together: newGeneratedGraph(t, h, fmt.Sprintf("together%d", seed)),
	}
	for _, s := range twins.steps {
		twins.operations = append(twins.operations, twins.together.operation(s, func(name string) graph.EntityRef {
			if existing := twins.together.ids[name]; existing != "" {
				return withID(existing)
			}
			return withRef(name)
		}))
	}
	return twins
}

// applySingly applies the steps until one fails. The last result is that of the failed one.
func (twins generatedTwins) applySingly() (results []graph.OperationResult, err error) {
	for _, s := range twins.steps {
		if err == nil {
			var r graph.OperationResult
			r, err = twins.single.applySingly(s)
			results = append(results, r)
		}
	}
	return results, err
}

// AppliedEqualsSingles requires that generated operations that are applied together leave the same graph as one by one, or that both fail
// and applying them together changes nothing.
func AppliedEqualsSingles(t *testing.T, h Harness, apply func(operations []graph.Operation) error) {
	h.Cypher(t, "CREATE CONSTRAINT code FOR (n:Person) REQUIRE n.code IS UNIQUE", nil)
	for i := range generatedBatches {
		twins := newGeneratedTwins(t, h, i)
		_, wantErr := twins.applySingly()
		before := twins.together.content(t)
		err := apply(twins.operations)
		require.Equal(t, wantErr == nil, err == nil, "%+v: %v, %v", twins.steps, wantErr, err)
		if err != nil {
			require.Equal(t, before, twins.together.content(t))
			continue
		}
		require.Equal(t, twins.single.content(t), twins.together.content(t), "%+v", twins.steps)
	}
}

func batchEqualsSingles(t *testing.T, h Harness) {
	h.Cypher(t, "CREATE CONSTRAINT code FOR (n:Person) REQUIRE n.code IS UNIQUE", nil)
	failed := 0
	for i := range generatedBatches {
		twins := newGeneratedTwins(t, h, i)
		steps, single, batch, operations := twins.steps, twins.single, twins.together, twins.operations
		want, wantErr := twins.applySingly()
		before := batch.content(t)
		outcome, err := h.Batches.Apply(context.Background(), operations, graph.BatchOptions{})
		if wantErr != nil {
			failed++
			requireCode(t, fault.CodeOf(wantErr), err)
			require.Contains(t, fault.As(err).Details[0].Field, fmt.Sprintf("operations[%d].", len(want)-1), "%+v", steps)
			require.Equal(t, before, batch.content(t))
			continue
		}
		require.NoError(t, err, "%+v", steps)
		require.Equal(t, single.content(t), batch.content(t), "%+v", steps)
		for k, r := range withoutIDs(outcome.Results) {
			one := withoutIDs(want[k : k+1])[0]
			for _, result := range []graph.OperationResult{r, one} {
				if result.Node != nil {
					delete(result.Node.Properties, "copy")
					delete(result.Node.Properties, "code")
				}
				if result.Edge != nil {
					delete(result.Edge.Properties, "copy")
				}
			}
			require.Equal(t, one, r, "result %d of %+v", k, steps)
		}
	}
	t.Logf("%d of %d batches failed, as their operations one by one", failed, generatedBatches)
}
