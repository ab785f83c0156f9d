package changeset_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/changeset"
	"graphrest/internal/declared"
	"graphrest/internal/graph"
)

// The graph of these tests: a node a with a loop and two edges to b, and c without edges.
func before() changeset.Before {
	node := func(id string) *graph.Node {
		return &graph.Node{ID: id, Type: "Person", Labels: []string{"Person"}, Properties: graph.Properties{"n": int64(1)}}
	}
	edge := func(id, source, target string) graph.Edge {
		return graph.Edge{ID: id, Type: "KNOWS", SourceID: source, TargetID: target, Properties: graph.Properties{"since": int64(1999)}}
	}
	loop, one, two := edge("loop", "a", "a"), edge("one", "a", "b"), edge("two", "b", "a")
	return changeset.Before{
		Nodes:    map[string]*graph.Node{"a": node("a"), "b": node("b"), "c": node("c"), "4:x:7": node("c")},
		Edges:    map[string]*graph.Edge{"loop": &loop, "one": &one, "two": &two},
		Attached: map[string][]graph.Edge{"a": {loop, one, two}, "b": {one, two}},
		TooMany:  map[string]bool{"hub": true}, MaxDetach: 2,
	}
}

// based gives updates and deletes the ETags of the graph, as a proposal does.
func based(operations []graph.Operation) []graph.Operation {
	b := before()
	for i, o := range operations {
		n, e := b.Nodes[o.Entity.ID], b.Edges[o.Entity.ID]
		switch {
		case o.Op.Creates() || o.If.Present():
		case o.Op.Kind() == graph.NodeKind && n != nil:
			operations[i].If.Revisions = []graph.Revision{n.Revision()}
		case o.Op.Kind() == graph.EdgeKind && e != nil:
			operations[i].If.Revisions = []graph.Revision{e.Revision()}
		}
	}
	return operations
}

func id(text string) graph.EntityRef  { return graph.EntityRef{ID: text} }
func ref(name string) graph.EntityRef { return graph.EntityRef{Ref: name} }

func create(name string) graph.Operation {
	return graph.Operation{Op: graph.OpCreateNode, Ref: name, Type: "Person", Properties: graph.Properties{"n": int64(2)}}
}

func connect(name string, source, target graph.EntityRef) graph.Operation {
	return graph.Operation{Op: graph.OpCreateEdge, Ref: name, Type: "KNOWS", Source: source, Target: target}
}

func update(e graph.EntityRef, p graph.Properties) graph.Operation {
	return graph.Operation{Op: graph.OpUpdateNode, Entity: e, Properties: p}
}

func remove(e graph.EntityRef, detach ...bool) graph.Operation {
	o := graph.Operation{Op: graph.OpDeleteNode, Entity: e}
	for i := range detach {
		o.Detach = &detach[i]
	}
	return o
}

func onEdge(o graph.Operation) graph.Operation {
	o.Op = map[graph.OperationName]graph.OperationName{
		graph.OpUpdateNode: graph.OpUpdateEdge, graph.OpDeleteNode: graph.OpDeleteEdge,
	}[o.Op]
	return o
}

// describe is an entity of a diff in a few words: kind and id, status, and the conflict.
func describe(e *changeset.Entity) string {
	text := fmt.Sprintf("%s %s%s %s", e.Kind, e.ID, e.Ref, e.Status())
	if e.Conflict != nil {
		text += fmt.Sprintf(" [%d %s: %s]", e.Conflict.Operation, e.Conflict.ID, e.Conflict.Message)
	}
	return text
}

func TestComputeDiff(t *testing.T) {
	n := func(v graph.Value) graph.Properties { return graph.Properties{"n": v} }
	for _, test := range []struct {
		name       string
		operations []graph.Operation
		want       []string
	}{
		{"creates, and edges between new and existing nodes", []graph.Operation{
			create("x"), connect("e", ref("x"), id("a")), connect("", ref("x"), ref("x")),
		}, []string{"node x added", "edge e added", "edge  added"}},
		{"an update", []graph.Operation{update(id("a"), n(int64(2)))}, []string{"node a changed"}},
		{"an integer is not a float", []graph.Operation{update(id("a"), n(1.0))}, []string{"node a changed"}},
		{"an update that changes nothing", []graph.Operation{update(id("a"), n(int64(1)))}, []string{"node a unchanged"}},
		{"an update there and back", []graph.Operation{update(id("a"), n(nil)), update(id("a"), n(int64(1)))}, []string{"node a unchanged"}},
		{"an entity by two ids is one", []graph.Operation{update(id("c"), n(nil)), update(id("4:x:7"), n(int64(3)))}, []string{"node c changed"}},
		{
			"a new entity is updated and deleted",
			[]graph.Operation{create("x"), update(ref("x"), n(nil)), remove(ref("x"))},
			[]string{"node x unchanged"},
		},
		{
			"a node takes its edges along",
			[]graph.Operation{remove(id("a"), true)},
			[]string{"node a removed", "edge loop removed", "edge one removed", "edge two removed"},
		},
		{
			"and new ones",
			[]graph.Operation{connect("e", id("c"), id("b")), remove(id("c"), true)},
			[]string{"edge e unchanged", "node c removed"},
		},
		{
			"not those that were deleted before",
			[]graph.Operation{onEdge(remove(id("one"))), onEdge(remove(id("two"))), remove(id("b"), false)},
			[]string{"edge one removed", "edge two removed", "node b removed"},
		},
		{
			"edges of two deleted nodes are taken once",
			[]graph.Operation{remove(id("b")), remove(id("a"), true)},
			[]string{"node b removed", "edge one removed", "edge two removed", "node a removed", "edge loop removed"},
		},
		{
			"detach=false",
			[]graph.Operation{remove(id("b"), false)},
			[]string{"node b removed [0 b: has edges, and detach is false]", "edge one removed", "edge two removed"},
		},
		{"more edges than without detach", []graph.Operation{remove(id("a"))}, []string{
			"node a removed [0 a: has more edges than a delete removes without detach]", "edge loop removed", "edge one removed", "edge two removed",
		}},
		{
			"something that is gone",
			[]graph.Operation{update(id("gone"), n(nil)), onEdge(remove(id("gone")))},
			[]string{"node gone unchanged [0 gone: does not exist]", "edge gone unchanged [1 gone: does not exist]"},
		},
		{"an end that is gone", []graph.Operation{connect("e", id("gone"), id("a"))}, []string{"edge e added [0 gone: its end does not exist]"}},
		{
			"an end that is deleted before",
			[]graph.Operation{remove(id("c")), connect("e", id("a"), id("c"))},
			[]string{"node c removed", "edge e added [1 c: its end is deleted by an earlier operation]"},
		},
		{
			"an entity that is deleted before",
			[]graph.Operation{remove(id("c")), update(id("c"), n(nil))},
			[]string{"node c removed [1 c: is deleted by an earlier operation]"},
		},
		{
			"an edge that went with its node",
			[]graph.Operation{remove(id("b")), onEdge(update(id("one"), n(nil)))},
			[]string{"node b removed", "edge one removed [1 one: is deleted by an earlier operation]", "edge two removed"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			diff := changeset.ComputeDiff(based(test.operations), before(), nil)
			var got []string
			for _, e := range diff.Entities {
				got = append(got, describe(e))
			}
			require.Equal(t, test.want, got)
			require.Empty(t, diff.Violations)
		})
	}
}

func TestConflictsOfADiff(t *testing.T) {
	current := before().Nodes["a"].Revision()
	for _, test := range []struct {
		name            string
		base            graph.Precondition
		expected, found string
		message         string
	}{
		{"the present ETag", graph.Precondition{Revisions: []graph.Revision{"old", current}}, "", "", ""},
		{"any", graph.Precondition{Any: true}, "", "", ""},
		{"an old ETag", graph.Precondition{Revisions: []graph.Revision{"old"}}, "old", string(current), "was changed since"},
		{"an ETag that nothing has", graph.Precondition{Revisions: []graph.Revision{}}, "", string(current), "was changed since"},
		{"none: it did not exist", graph.Precondition{}, "", string(current), "did not exist when this was proposed"},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := update(id("a"), graph.Properties{"n": int64(5)})
			o.If = test.base
			diff := changeset.ComputeDiff([]graph.Operation{o, o}, before(), nil)
			require.Len(t, diff.Entities, 1)
			e := diff.Entities[0]
			require.Equal(t, "changed", e.Status())
			if test.message == "" {
				require.Nil(t, e.Conflict, "both operations are compared with the state before the first")
				return
			}
			require.Equal(t, &changeset.Conflict{ID: "a", Expected: test.expected, Found: test.found, Message: test.message}, e.Conflict)
			require.Equal(t, "operations[0]", e.Conflict.Field())
		})
	}
	t.Run("an ETag of something new", func(t *testing.T) {
		o := update(ref("x"), nil)
		o.If.Revisions = []graph.Revision{"x"}
		diff := changeset.ComputeDiff([]graph.Operation{create("x"), o}, before(), nil)
		require.Contains(t, describe(diff.Entities[0]), "cannot be met")
	})
}

func TestViolationsOfADiff(t *testing.T) {
	person, err := declared.Compile(graph.Declaration{
		Kind: graph.NodeKind, Type: "Person", Level: graph.LevelStrict,
		Schema: `{"properties":{"n":{"type":"integer","maximum":2}},"required":["n"]}`,
	})
	require.NoError(t, err)
	knows, err := declared.Compile(graph.Declaration{
		Kind: graph.EdgeKind, Type: "KNOWS", Level: graph.LevelStrict, Schema: "{}", TargetTypes: []graph.TypeName{"City"},
	})
	require.NoError(t, err)
	types := declared.NewTypes([]*declared.Rules{person, knows}, false)
	wrong := create("x")
	wrong.Properties = graph.Properties{"n": "two"}
	diff := changeset.ComputeDiff(based([]graph.Operation{
		wrong, create("y"), update(id("a"), graph.Properties{"n": nil}), update(id("b"), graph.Properties{"n": int64(2)}),
		connect("", ref("y"), id("a")),
	}), before(), types)
	var fields []string
	for _, v := range diff.Violations {
		fields = append(fields, v.Field)
		require.NotEmpty(t, v.Message)
	}
	require.Equal(t, []string{"operations[0].properties.n", "operations[2].properties.n", "operations[4].target_id"}, fields)
	require.Len(t, diff.Entities, 5, "they are shown all the same")
}

func TestDiffJSON(t *testing.T) {
	diff := changeset.ComputeDiff(based([]graph.Operation{
		create("x"), connect("", ref("x"), id("a")), update(id("gone"), nil), onEdge(update(id("one"), graph.Properties{"since": 1.0})),
	}), before(), nil)
	etag := before().Edges["one"].Revision()
	require.NotEmpty(t, etag)
	require.JSONEq(t, `{"violations":[],"entities":[
		{"kind":"node","ref":"x","operation":0,"type":"Person","status":"added","before":null,"conflict":null,
			"after":{"type":"Person","labels":["Person"],"properties":{"n":2}}},
		{"kind":"edge","ref":null,"operation":1,"type":"KNOWS","status":"added","before":null,"conflict":null,
			"after":{"type":"KNOWS","source_id":{"ref":"x"},"target_id":"a","properties":{}}},
		{"kind":"node","id":"gone","operation":2,"type":null,"status":"unchanged","before":null,"after":null,
			"conflict":{"field":"operations[2]","id":"gone","expected":null,"found":null,"message":"does not exist"}},
		{"kind":"edge","id":"one","operation":3,"type":"KNOWS","status":"changed","conflict":null,
			"before":{"id":"one","type":"KNOWS","source_id":"a","target_id":"b","properties":{"since":1999}},
			"after":{"id":"one","type":"KNOWS","source_id":"a","target_id":"b","properties":{"since":1.0}}}]}`,
		string(changeset.AppendDiff(nil, &diff)))
	require.Contains(t, strings.ReplaceAll(string(changeset.AppendDiff(nil, &diff)), " ", ""), `"since":1.0`)
}
