package storetest

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

var nodeRules = []rule{
	{"a created node can be read, and is stored as an analyst expects", nodeCreatedIsRead},
	{"an update changes only the given properties", nodeUpdateChangesOnlyGiven},
	{"an update with null removes the property; removing an absent property is a no-op", nodeUpdateRemoves},
	{"an empty update is a no-op and returns the node", nodeEmptyUpdate},
	{"deleting a node deletes its edges too, and returns their number", nodeDelete},
	{"with detach=false a node without edges is deleted; one with edges is a CONFLICT and is kept", nodeDeleteUndetached},
	{"a node that does not exist is NOT_FOUND for read, update and delete", nodeMissing},
	{"a create that violates a database constraint is CONFLICT and creates nothing", nodeConstraintOnCreate},
	{"an update that violates a database constraint is CONFLICT and changes nothing", nodeConstraintOnUpdate},
	{"a type name that contains Cypher is only stored as a name", nodeHostileType},
	{"a property key that contains Cypher is only stored as a key", nodeHostileKey},
	{"a repeated create without a key creates two nodes", nodeRepeatedCreate},
}

func nodeCreatedIsRead(t *testing.T, h Harness) {
	made := h.node(t, "Person", graph.Properties{"name": "Ann", "born": int64(1960)})
	require.NotEmpty(t, made.ID)
	require.Equal(t, "Person", made.Type)
	require.Equal(t, []string{"Person"}, made.Labels)
	require.Equal(t, graph.Properties{"name": "Ann", "born": int64(1960)}, made.Properties)
	read, err := h.Nodes.Node(context.Background(), made.ID)
	require.NoError(t, err)
	require.Equal(t, made, read)
	rows := h.Cypher(t, "MATCH (n) WHERE n:Person RETURN labels(n) AS labels, properties(n) AS properties", nil)
	require.Equal(t, []map[string]any{{
		"labels":     []any{"Person"},
		"properties": map[string]any{"name": "Ann", "born": int64(1960), h.IDProperty: made.ID},
	}}, rows)
}

func nodeUpdateChangesOnlyGiven(t *testing.T, h Harness) {
	made := h.node(t, "Person", graph.Properties{"name": "Ann", "born": int64(1960)})
	after, err := h.Nodes.UpdateNode(context.Background(), made.ID, graph.Change{Properties: graph.Properties{"name": "Bea", "age": 1.5}})
	require.NoError(t, err)
	require.Equal(t, graph.Properties{"name": "Bea", "born": int64(1960), "age": 1.5}, after.Properties)
	require.Equal(t, made.ID, after.ID)
	read, err := h.Nodes.Node(context.Background(), made.ID)
	require.NoError(t, err)
	require.Equal(t, after, read)
}

func nodeUpdateRemoves(t *testing.T, h Harness) {
	made := h.node(t, "Person", graph.Properties{"name": "Ann", "born": int64(1960)})
	after, err := h.Nodes.UpdateNode(context.Background(), made.ID, graph.Change{Properties: graph.Properties{"born": nil, "never": nil}})
	require.NoError(t, err)
	require.Equal(t, graph.Properties{"name": "Ann"}, after.Properties)
}

func nodeEmptyUpdate(t *testing.T, h Harness) {
	made := h.node(t, "Person", graph.Properties{"name": "Ann"})
	after, err := h.Nodes.UpdateNode(context.Background(), made.ID, graph.Change{})
	require.NoError(t, err)
	require.Equal(t, made, after)
}

func nodeDelete(t *testing.T, h Harness) {
	ctx := context.Background()
	a, b := h.node(t, "Person", nil), h.node(t, "Person", nil)
	out := h.edge(t, "KNOWS", a.ID, b.ID, nil)
	h.edge(t, "KNOWS", b.ID, a.ID, nil)
	h.edge(t, "KNOWS", a.ID, a.ID, nil)
	gone, err := h.Nodes.DeleteNode(ctx, a.ID, graph.Removal{})
	require.NoError(t, err)
	require.Equal(t, graph.Deletion{ID: a.ID, DeletedEdges: 3}, gone)
	_, err = h.Nodes.Node(ctx, a.ID)
	requireCode(t, fault.NotFound, err)
	_, err = h.Edges.Edge(ctx, out.ID)
	requireCode(t, fault.NotFound, err)
	_, err = h.Nodes.DeleteNode(ctx, a.ID, graph.Removal{})
	requireCode(t, fault.NotFound, err)
	_, err = h.Nodes.Node(ctx, b.ID)
	require.NoError(t, err)
	require.EqualValues(t, 0, h.one(t, "MATCH ()-[r]->() WHERE NOT type(r) STARTS WITH '_Graphrest' RETURN count(r)", nil))
}

func nodeDeleteUndetached(t *testing.T, h Harness) {
	ctx := context.Background()
	keep, force := false, true
	a, b, alone := h.node(t, "Person", nil), h.node(t, "Person", nil), h.node(t, "Person", nil)
	h.edge(t, "KNOWS", a.ID, b.ID, nil)
	_, err := h.Nodes.DeleteNode(ctx, b.ID, graph.Removal{Detach: &keep})
	requireCode(t, fault.Conflict, err)
	_, err = h.Nodes.Node(ctx, b.ID)
	require.NoError(t, err)
	gone, err := h.Nodes.DeleteNode(ctx, alone.ID, graph.Removal{Detach: &keep})
	require.NoError(t, err)
	require.EqualValues(t, 0, gone.DeletedEdges)
	gone, err = h.Nodes.DeleteNode(ctx, b.ID, graph.Removal{Detach: &force})
	require.NoError(t, err)
	require.EqualValues(t, 1, gone.DeletedEdges)
}

func nodeMissing(t *testing.T, h Harness) {
	ctx := context.Background()
	made := h.node(t, "Person", nil)
	_, err := h.Nodes.DeleteNode(ctx, made.ID, graph.Removal{})
	require.NoError(t, err)
	for _, id := range missingIDs(made.ID) {
		_, err := h.Nodes.Node(ctx, id)
		requireCode(t, fault.NotFound, err)
		_, err = h.Nodes.UpdateNode(ctx, id, graph.Change{Properties: graph.Properties{"a": int64(1)}})
		requireCode(t, fault.NotFound, err)
		_, err = h.Nodes.DeleteNode(ctx, id, graph.Removal{})
		requireCode(t, fault.NotFound, err)
	}
	require.EqualValues(t, 0, h.one(t, "MATCH (n) WHERE n:Person RETURN count(n)", nil))
}

// missingIDs returns texts that identify no entity: a deleted id, an unused one, and malformed ones.
func missingIDs(deleted string) []string {
	return []string{
		deleted, "018f0000-0000-7000-8000-000000000000", "4:00000000-0000-0000-0000-000000000000:0",
		"4:00000000-0000-0000-0000-000000000000:99999999999999999999999", "nothing", "' OR 1=1 //", "4:x:1", "0", "é",
	}
}

func nodeConstraintOnCreate(t *testing.T, h Harness) {
	h.Cypher(t, "CREATE CONSTRAINT account_mail FOR (a:Account) REQUIRE a.mail IS UNIQUE", nil)
	h.node(t, "Account", graph.Properties{"mail": "a@x"})
	_, err := h.Nodes.CreateNode(context.Background(), graph.NewNode{Type: "Account", Properties: graph.Properties{"mail": "a@x"}})
	requireCode(t, fault.Conflict, err)
	require.EqualValues(t, 1, h.one(t, "MATCH (n:Account) RETURN count(n)", nil))
	h.node(t, "Account", graph.Properties{"mail": "b@x"})
}

func nodeConstraintOnUpdate(t *testing.T, h Harness) {
	h.Cypher(t, "CREATE CONSTRAINT account_mail FOR (a:Account) REQUIRE a.mail IS UNIQUE", nil)
	h.node(t, "Account", graph.Properties{"mail": "a@x"})
	second := h.node(t, "Account", graph.Properties{"mail": "b@x"})
	_, err := h.Nodes.UpdateNode(context.Background(), second.ID, graph.Change{Properties: graph.Properties{"mail": "a@x", "other": "x"}})
	requireCode(t, fault.Conflict, err)
	read, err := h.Nodes.Node(context.Background(), second.ID)
	require.NoError(t, err)
	require.Equal(t, graph.Properties{"mail": "b@x"}, read.Properties)
}

// hostileNames are names that would be an injection if they became Cypher text.
var hostileNames = []string{
	"A`) DETACH DELETE n //", `x\u0060) CREATE (m:Pwned) //`, `\\u0060`, "a b", `"'`, "{{type}}", "$(x)", "é漢🎬", "%", "A|B", "``", `\`,
}

// createHostile creates an entity of a type of each hostile name, all at once: after each new type, the database plans every statement
// again.
func createHostile[T any](t *testing.T, create func(graph.TypeName) (T, error)) []T {
	t.Helper()
	made, errs := make([]T, len(hostileNames)), make([]error, len(hostileNames))
	var all sync.WaitGroup
	for i, name := range hostileNames {
		all.Go(func() { made[i], errs[i] = create(graph.TypeName(name)) })
	}
	all.Wait()
	for i, err := range errs {
		require.NoError(t, err, hostileNames[i])
	}
	return made
}

func nodeHostileType(t *testing.T, h Harness) {
	witness := h.node(t, "Witness", nil)
	made := createHostile(t, func(name graph.TypeName) (graph.Node, error) {
		created, err := h.Nodes.CreateNode(context.Background(), graph.NewNode{Type: name, Properties: graph.Properties{"a": int64(1)}})
		return created.Entity, err
	})
	for i, name := range hostileNames {
		made := made[i]
		require.Equal(t, []string{name}, made.Labels)
		read, err := h.Nodes.Node(context.Background(), made.ID)
		require.NoError(t, err, name)
		require.Equal(t, made, read)
		page, err := h.Nodes.Nodes(context.Background(), graph.NodeQuery{Type: graph.TypeName(name), Paging: graph.Paging{Limit: 10}})
		require.NoError(t, err, name)
		require.Equal(t, []string{made.ID}, nodeIDs(page.Items), name)
	}
	_, err := h.Nodes.Node(context.Background(), witness.ID)
	require.NoError(t, err)
	require.EqualValues(t, len(hostileNames)+1, h.one(t, "MATCH (n) WHERE none(l IN labels(n) WHERE l STARTS WITH '_G') RETURN count(n)", nil))
}

func nodeHostileKey(t *testing.T, h Harness) {
	properties := graph.Properties{}
	for _, name := range hostileNames {
		properties[name] = "x"
	}
	made := h.node(t, "Thing", properties)
	require.Equal(t, properties, made.Properties)
	change := graph.Properties{}
	for _, name := range hostileNames {
		change[name] = "y"
	}
	after, err := h.Nodes.UpdateNode(context.Background(), made.ID, graph.Change{Properties: change})
	require.NoError(t, err)
	require.Equal(t, change, after.Properties)
	require.EqualValues(t, 1, h.one(t, "MATCH (n) WHERE none(l IN labels(n) WHERE l STARTS WITH '_G') RETURN count(n)", nil))
}

func nodeRepeatedCreate(t *testing.T, h Harness) {
	a := h.node(t, "Person", graph.Properties{"name": "Ann"})
	b := h.node(t, "Person", graph.Properties{"name": "Ann"})
	require.NotEqual(t, a.ID, b.ID)
	require.EqualValues(t, 2, h.one(t, "MATCH (n:Person) RETURN count(n)", nil))
}
