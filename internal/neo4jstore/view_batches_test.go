package neo4jstore_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jstore"
	"graphrest/internal/rules"
)

// TestBatchesAreAuthorizedAsTheirSingleRequests compares a batch, as a dry run and applied, with the same operations one by one, for
// generated views, operations and graphs.
func TestBatchesAreAuthorizedAsTheirSingleRequests(t *testing.T) {
	s, db := open(t, nil)
	checkRules(t, func(r *rapid.T) {
		g := &writtenGraph{store: s}
		db.Exec(t, "MATCH (n:Person) DETACH DELETE n", nil)
		g.fill(t, r)
		ctx := rules.WithView(t.Context(), drawWriteView(r))
		operations := g.drawOperations(r)
		before := g.read(t)
		outcome, err := s.Batches.Apply(ctx, operations, graph.BatchOptions{DryRun: true})
		require.Equal(r, before, g.read(t), "a dry run changes nothing")
		checked, refused := s.ChangeSets.Check(ctx, operations, true)
		if refused != nil {
			refused = graph.OperationFault(checked.Failed, operations[checked.Failed].Op, refused)
		}
		requireSameJudgement(r, err, refused)
		if err != nil {
			_, again := s.Batches.Apply(ctx, operations, graph.BatchOptions{})
			require.Equal(r, fault.CodeOf(err), fault.CodeOf(again))
			require.Equal(r, fault.As(err).Details, fault.As(again).Details)
			require.Equal(r, before, g.read(t), "a batch that fails changes nothing")
		}
		g.compare(ctx, r, operations, outcome, err)
	})
}

// requireSameJudgement compares the error of a batch with that of its simulation, which does not look for other reasons to fail.
func requireSameJudgement(r *rapid.T, batch, simulated error) {
	switch fault.CodeOf(batch) {
	case fault.NotFound, fault.PermissionDenied, fault.Validation:
		require.Equal(r, fault.CodeOf(batch), fault.CodeOf(simulated), "%v: %v", batch, simulated)
		require.Equal(r, failedOperation(batch), failedOperation(simulated))
	case "":
		require.NoError(r, simulated)
	default:
		require.True(r, simulated == nil || failedOperation(simulated) >= failedOperation(batch), "%v: %v", batch, simulated)
	}
}

// writtenGraph is a small graph of people that batches change.
type writtenGraph struct {
	store        *neo4jstore.Store
	nodes, edges []string
}

var teams = []graph.Value{"a", "b", "c"}

func (g *writtenGraph) fill(t *testing.T, r *rapid.T) {
	for i := range 5 {
		made, err := g.store.CreateNode(t.Context(), graph.NewNode{Type: "Person", Properties: drawPerson(r, i)})
		require.NoError(t, err)
		g.nodes = append(g.nodes, made.Entity.ID)
	}
	for range rapid.IntRange(0, 4).Draw(r, "edges") {
		made, err := g.store.CreateEdge(t.Context(), graph.NewEdge{
			Type: rapid.SampledFrom([]graph.TypeName{"KNOWS", "LIKES"}).Draw(r, "type"), SourceID: rapid.SampledFrom(g.nodes).Draw(r, "source"),
			TargetID: rapid.SampledFrom(g.nodes).Draw(r, "target"), Properties: drawPerson(r, 0),
		})
		require.NoError(t, err)
		g.edges = append(g.edges, made.Entity.ID)
	}
}

func drawPerson(r *rapid.T, n int) graph.Properties {
	p := graph.Properties{"team": rapid.SampledFrom(teams).Draw(r, "team"), "name": fmt.Sprint("n", n)}
	if rapid.Bool().Draw(r, "paid") {
		p["salary"] = int64(n)
	}
	return p
}

func (g *writtenGraph) read(t *testing.T) map[string]graph.Node {
	page, err := g.store.Nodes(t.Context(), graph.NodeQuery{Type: "Person", Paging: graph.Paging{Limit: 100}})
	require.NoError(t, err)
	found := map[string]graph.Node{}
	for _, n := range page.Items {
		found[n.ID] = n
	}
	return found
}

// drawWriteView draws a view with permissions or grants for every action.
func drawWriteView(r *rapid.T) *rules.View {
	var permissions []rules.Action
	role := rules.Role{Name: "r"}
	for _, action := range rules.Actions() {
		if rapid.IntRange(0, 4).Draw(r, "permission") == 0 {
			permissions = append(permissions, action)
		}
		for range rapid.IntRange(0, 2).Draw(r, "node grants") {
			role.Grants = append(role.Grants, drawWriteGrant(r, graph.NodeKind, action, []string{"Person", "Staff", rules.AnyType}))
		}
		for range rapid.IntRange(0, 2).Draw(r, "edge grants") {
			role.Grants = append(role.Grants, drawWriteGrant(r, graph.EdgeKind, action, []string{"KNOWS", "LIKES", rules.AnyType}))
		}
	}
	drawManyConditions(r, graph.NodeKind, &role)
	drawManyConditions(r, graph.EdgeKind, &role)
	return rules.NewView(rules.User{ID: "1", Name: "ann"}, permissions, []rules.Role{role})
}

func drawWriteGrant(r *rapid.T, kind graph.Kind, action rules.Action, types []string) rules.Grant {
	g := rules.Grant{Kind: kind, Type: rapid.SampledFrom(types).Draw(r, "granted"), Actions: []rules.Action{action}}
	switch rapid.IntRange(0, 3).Draw(r, "condition") {
	case 0:
		c := graph.Condition{Property: "team", Operator: graph.OneOf, Value: []graph.Value{"a", rapid.SampledFrom(teams).Draw(r, "allowed")}}
		g.Where = []rules.Condition{{Condition: c}}
	case 1:
		c := graph.Condition{Property: "salary", Operator: graph.Exists, Value: rapid.Bool().Draw(r, "exists")}
		g.Where = []rules.Condition{{Condition: c}}
	}
	if rapid.IntRange(0, 3).Draw(r, "hides") == 0 {
		g.Hidden = []string{rapid.SampledFrom([]string{"salary", "name"}).Draw(r, "hidden")}
	}
	if rapid.IntRange(0, 3).Draw(r, "protects") == 0 {
		g.ReadOnly = []string{rapid.SampledFrom([]string{"salary", "team"}).Draw(r, "read-only")}
	}
	return g
}

// drawOperations draws operations on nodes and edges of the graph, on missing ones, and on those that earlier operations create.
func (g *writtenGraph) drawOperations(r *rapid.T) []graph.Operation {
	names := map[graph.Kind][]graph.EntityRef{graph.NodeKind: {{ID: "missing"}}, graph.EdgeKind: {{ID: "missing"}}}
	for _, id := range g.nodes {
		names[graph.NodeKind] = append(names[graph.NodeKind], graph.EntityRef{ID: id}, graph.EntityRef{ID: id})
	}
	for _, id := range g.edges {
		names[graph.EdgeKind] = append(names[graph.EdgeKind], graph.EntityRef{ID: id}, graph.EntityRef{ID: id})
	}
	deleted := map[string]bool{} // an operation on a deleted ref is not in question
	pick := func(kind graph.Kind) graph.EntityRef {
		return rapid.SampledFrom(names[kind]).Filter(func(e graph.EntityRef) bool { return e.Ref == "" || !deleted[e.Ref] }).Draw(r, "named")
	}
	var operations []graph.Operation
	for i := range rapid.IntRange(1, 6).Draw(r, "operations") {
		o := graph.Operation{Op: rapid.SampledFrom(graph.OperationNames()).Draw(r, "operation")}
		switch o.Op {
		case graph.OpCreateNode:
			o.Ref, o.Type, o.Properties = fmt.Sprint("r", i), "Person", drawPerson(r, i)
		case graph.OpCreateEdge:
			o.Ref, o.Type = fmt.Sprint("r", i), rapid.SampledFrom([]graph.TypeName{"KNOWS", "LIKES"}).Draw(r, "new type")
			o.Properties = drawPerson(r, i)
			o.Source, o.Target = pick(graph.NodeKind), pick(graph.NodeKind)
		case graph.OpUpdateNode, graph.OpUpdateEdge:
			o.Entity = pick(o.Op.Kind())
			key := rapid.SampledFrom([]string{"team", "salary"}).Draw(r, "set")
			o.Properties = graph.Properties{key: rapid.SampledFrom([]graph.Value{"a", "b", nil}).Draw(r, "to")}
		default:
			o.Entity = pick(o.Op.Kind())
			deleted[o.Entity.Ref] = true
		}
		if rapid.IntRange(0, 5).Draw(r, "any") == 0 && !o.Op.Creates() {
			o.If = graph.Precondition{Any: true}
		}
		if o.Ref != "" {
			names[o.Op.Kind()] = append(names[o.Op.Kind()], graph.EntityRef{Ref: o.Ref}, graph.EntityRef{Ref: o.Ref})
		}
		operations = append(operations, o)
	}
	return operations
}

// compare runs the operations one by one, until one fails, and compares their outcomes with those of the batch.
func (g *writtenGraph) compare(ctx context.Context, r *rapid.T, operations []graph.Operation, batch graph.BatchOutcome, failure error) {
	made := map[string]string{}
	for i, o := range operations {
		for _, e := range []*graph.EntityRef{&o.Entity, &o.Source, &o.Target} {
			if e.Ref != "" {
				*e = graph.EntityRef{ID: made[e.Ref]}
			}
		}
		got, err := g.runSingle(ctx, o)
		if err != nil {
			require.Equal(r, fault.CodeOf(err), fault.CodeOf(failure), "operation %d of %+v: alone %v, in a batch %v", i, operations, err, failure)
			require.Equal(r, i, failedOperation(failure), "%v: %v", operations, failure)
			return
		}
		if failure != nil {
			require.Greater(r, failedOperation(failure), i, "%+v: %v", operations, failure)
			made[o.Ref] = got.ID
			continue
		}
		made[o.Ref] = got.ID
		requireSameResult(r, got, batch.Results[i], o)
	}
	require.NoError(r, failure, "%+v", operations)
}

func requireSameResult(r *rapid.T, alone, inBatch graph.OperationResult, o graph.Operation) {
	require.Equal(r, alone.DeletedEdges, inBatch.DeletedEdges, "%+v", o)
	if alone.Node != nil && inBatch.Node != nil {
		require.Equal(r, alone.Node.Properties, inBatch.Node.Properties, "%+v", o)
		require.Equal(r, alone.Node.Labels, inBatch.Node.Labels)
		require.Equal(r, alone.Node.Type, inBatch.Node.Type)
	}
	if alone.Edge != nil && inBatch.Edge != nil {
		require.Equal(r, alone.Edge.Properties, inBatch.Edge.Properties, "%+v", o)
	}
	require.Equal(r, alone.Node == nil, inBatch.Node == nil)
	require.Equal(r, alone.Edge == nil, inBatch.Edge == nil)
}

// failedOperation is the index of the operation that a batch's fault names.
func failedOperation(err error) int {
	index := -1
	if f := fault.As(err); f != nil && len(f.Details) > 0 {
		_, _ = fmt.Sscanf(strings.ReplaceAll(f.Details[0].Field, "]", " "), "operations[%d", &index)
	}
	return index
}

func (g *writtenGraph) runSingle(ctx context.Context, o graph.Operation) (graph.OperationResult, error) {
	result := graph.OperationResult{Op: o.Op}
	change := graph.Change{Properties: o.Properties, If: o.If}
	switch o.Op {
	case graph.OpCreateNode:
		made, err := g.store.CreateNode(ctx, graph.NewNode{Type: o.Type, Properties: o.Properties})
		result.ID, result.Node = made.Entity.ID, &made.Entity
		return result, err
	case graph.OpCreateEdge:
		made, err := g.store.CreateEdge(ctx, graph.NewEdge{
			Type: o.Type, SourceID: o.Source.ID, TargetID: o.Target.ID, Properties: o.Properties,
		})
		result.ID, result.Edge = made.Entity.ID, &made.Entity
		return result, err
	case graph.OpUpdateNode:
		n, err := g.store.UpdateNode(ctx, o.Entity.ID, change)
		result.ID, result.Node = n.ID, &n
		return result, err
	case graph.OpUpdateEdge:
		e, err := g.store.UpdateEdge(ctx, o.Entity.ID, change)
		result.ID, result.Edge = e.ID, &e
		return result, err
	case graph.OpDeleteNode:
		d, err := g.store.DeleteNode(ctx, o.Entity.ID, graph.Removal{If: o.If})
		result.ID, result.DeletedEdges = d.ID, d.DeletedEdges
		return result, err
	default:
		d, err := g.store.DeleteEdge(ctx, o.Entity.ID, graph.Removal{If: o.If})
		result.ID = d.ID
		return result, err
	}
}

// TestABatchAuthorizesAnEdgeBeforeLaterUpdatesOfItsEnds: although updates of nodes may share a statement with earlier ones, an edge between
// them is checked by its ends as they were at its place.
func TestABatchAuthorizesAnEdgeBeforeLaterUpdatesOfItsEnds(t *testing.T) {
	s, _ := open(t, nil)
	var people []string
	for range 2 {
		made, err := s.CreateNode(t.Context(), graph.NewNode{Type: "Person", Properties: graph.Properties{"team": "a"}})
		require.NoError(t, err)
		people = append(people, made.Entity.ID)
	}
	edge, err := s.CreateEdge(t.Context(), graph.NewEdge{Type: "KNOWS", SourceID: people[0], TargetID: people[1]})
	require.NoError(t, err)
	grants, f := rules.ParseGrants("grants", `[{"kind":"node","type":"Person","actions":["read"],"where":{"team":{"eq":"a"}}},
		{"kind":"node","type":"Person","actions":["edit"]},{"kind":"edge","type":"KNOWS","actions":["read","edit"]}]`)
	require.Nil(t, f)
	ctx := rules.WithView(t.Context(), rules.NewView(rules.User{}, nil, []rules.Role{{Name: "r", Grants: grants}}))
	set := func(op graph.OperationName, id string, p graph.Properties) graph.Operation {
		return graph.Operation{Op: op, Entity: graph.EntityRef{ID: id}, Properties: p}
	}
	operations := []graph.Operation{
		set(graph.OpUpdateNode, people[0], graph.Properties{"name": "x"}),
		set(graph.OpUpdateEdge, edge.Entity.ID, graph.Properties{"since": int64(1)}),
		set(graph.OpUpdateNode, people[1], graph.Properties{"team": "c"}),
		set(graph.OpUpdateEdge, edge.Entity.ID, graph.Properties{"since": int64(2)}),
	}
	_, err = s.Batches.Apply(ctx, operations, graph.BatchOptions{})
	require.Equal(t, fault.NotFound, fault.CodeOf(err), "an end is not visible any more")
	require.Equal(t, 3, failedOperation(err))
	outcome, err := s.Batches.Apply(ctx, operations[:3], graph.BatchOptions{})
	require.NoError(t, err)
	require.Equal(t, graph.Properties{"since": int64(1)}, outcome.Results[1].Edge.Properties, "both ends were visible")
	require.Nil(t, outcome.Results[2].Node.Properties)
}

// TestABatchDeletesNodesOnlyWithEdgesOfTheUser: the edges that would go with a node are checked, also those of nodes that share a
// statement.
func TestABatchDeletesNodesOnlyWithEdgesOfTheUser(t *testing.T) {
	s, _ := open(t, nil)
	var ids []string
	for range 3 {
		made, err := s.CreateNode(t.Context(), graph.NewNode{Type: "Person"})
		require.NoError(t, err)
		ids = append(ids, made.Entity.ID)
	}
	for typ, target := range map[graph.TypeName]string{"KNOWS": ids[0], "LIKES": ids[2]} {
		_, err := s.CreateEdge(t.Context(), graph.NewEdge{Type: typ, SourceID: ids[1], TargetID: target})
		require.NoError(t, err)
	}
	grants, f := rules.ParseGrants("grants", `[{"kind":"node","type":"Person","actions":["read","delete"]},
		{"kind":"edge","type":"KNOWS","actions":["read","delete"]},{"kind":"edge","type":"LIKES","actions":["read"]}]`)
	require.Nil(t, f)
	ctx := rules.WithView(t.Context(), rules.NewView(rules.User{}, nil, []rules.Role{{Name: "r", Grants: grants}}))
	remove := func(id string) graph.Operation {
		return graph.Operation{Op: graph.OpDeleteNode, Entity: graph.EntityRef{ID: id}}
	}
	_, err := s.Batches.Apply(ctx, []graph.Operation{remove(ids[0]), remove(ids[1])}, graph.BatchOptions{})
	require.Equal(t, fault.PermissionDenied, fault.CodeOf(err))
	require.Equal(t, 1, failedOperation(err))
	outcome, err := s.Batches.Apply(ctx, []graph.Operation{remove(ids[0])}, graph.BatchOptions{})
	require.NoError(t, err)
	require.EqualValues(t, 1, outcome.Results[0].DeletedEdges)
}

// TestABatchConnectsANodeThatALaterOperationDeletes: a node of the graph that the user does not see is an end for who may create all edges,
// whether or not a later operation names it, and that operation alone fails.
func TestABatchConnectsANodeThatALaterOperationDeletes(t *testing.T) {
	s, _ := open(t, nil)
	made, err := s.CreateNode(t.Context(), graph.NewNode{Type: "Person", Properties: graph.Properties{"team": "b"}})
	require.NoError(t, err)
	id := made.Entity.ID
	for _, grant := range []string{ // without the right to delete the node it is missing, with it the hidden edge prevents that
		`{"kind":"node","type":"Person","actions":["delete"],"where":{"team":{"eq":"a"}}}`,
		`{"kind":"node","type":"Person","actions":["delete"]}`,
	} {
		grants, f := rules.ParseGrants("grants", `[`+grant+`,{"kind":"node","type":"Staff","actions":["read"]}]`)
		require.Nil(t, f)
		view := rules.NewView(rules.User{}, []rules.Action{rules.Create}, []rules.Role{{Name: "r", Grants: grants}})
		_, err = s.Batches.Apply(rules.WithView(t.Context(), view), []graph.Operation{
			{Op: graph.OpCreateEdge, Type: "KNOWS", Source: graph.EntityRef{ID: id}, Target: graph.EntityRef{ID: id}},
			{Op: graph.OpDeleteNode, Entity: graph.EntityRef{ID: id}},
		}, graph.BatchOptions{})
		require.Error(t, err)
		require.Equal(t, 1, failedOperation(err), "%v", err)
	}
}

// TestACreatedEdgeIsShownToWhoSeesEverythingByGrants, alone and in a batch, also with the permission to create, which needs no visible
// ends.
func TestACreatedEdgeIsShownToWhoSeesEverythingByGrants(t *testing.T) {
	s, _ := open(t, nil)
	made, err := s.CreateNode(t.Context(), graph.NewNode{Type: "Person"})
	require.NoError(t, err)
	grants, f := rules.ParseGrants("grants", `[{"kind":"node","type":"*","actions":["read"]},
		{"kind":"edge","type":"*","actions":["read"]}]`)
	require.Nil(t, f)
	view := rules.NewView(rules.User{}, []rules.Action{rules.Create}, []rules.Role{{Name: "r", Grants: grants}})
	ctx := rules.WithView(t.Context(), view)
	id, since := made.Entity.ID, graph.Properties{"since": int64(1)}
	alone, err := s.CreateEdge(ctx, graph.NewEdge{Type: "KNOWS", SourceID: id, TargetID: id, Properties: since})
	require.NoError(t, err)
	require.Equal(t, since, alone.Entity.Properties)
	end := graph.EntityRef{ID: id}
	again := graph.Operation{Op: graph.OpCreateEdge, Type: "KNOWS", Source: end, Target: end, Properties: since}
	outcome, err := s.Batches.Apply(ctx, []graph.Operation{again}, graph.BatchOptions{})
	require.NoError(t, err)
	require.Equal(t, since, outcome.Results[0].Edge.Properties)
}
