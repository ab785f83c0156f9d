package storetest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

var conditionRules = []rule{
	{"a write with the current revision succeeds; with an old one it is PRECONDITION_FAILED and changes nothing", conditionOnNodes},
	{"a write to an edge with the current revision succeeds; with an old one it is PRECONDITION_FAILED", conditionOnEdges},
	{"a revision changes when an analyst changes the entity, not when other entities change", conditionSeesAnalysts},
	{"an idempotency key creates one entity, replays it, and rejects a different request", idempotencyKey},
	{"a value over a limit is accepted only if it equals the stored value", unchangedOnly},
}

func conditionOnNodes(t *testing.T, h Harness) {
	ctx := context.Background()
	made := h.node(t, "Person", graph.Properties{"n": int64(1)})
	first := made.Revision()
	after, err := h.Nodes.UpdateNode(ctx, made.ID,
		graph.Change{Properties: graph.Properties{"n": int64(2)}, If: graph.Precondition{Revisions: []graph.Revision{"other", first}}})
	require.NoError(t, err)
	old := graph.Precondition{Revisions: []graph.Revision{first}}
	_, err = h.Nodes.UpdateNode(ctx, made.ID, graph.Change{Properties: graph.Properties{"n": int64(3)}, If: old})
	requireCode(t, fault.PreconditionFailed, err)
	_, err = h.Nodes.DeleteNode(ctx, made.ID, graph.Removal{If: old})
	requireCode(t, fault.PreconditionFailed, err)
	read, err := h.Nodes.Node(ctx, made.ID)
	require.NoError(t, err)
	require.Equal(t, after, read)
	_, err = h.Nodes.UpdateNode(ctx, made.ID, graph.Change{Properties: graph.Properties{"n": int64(4)}, If: graph.Precondition{Any: true}})
	require.NoError(t, err)
	_, err = h.Nodes.UpdateNode(ctx, "nothing", graph.Change{If: graph.Precondition{Any: true}})
	requireCode(t, fault.NotFound, err)
	read, err = h.Nodes.Node(ctx, made.ID)
	require.NoError(t, err)
	_, err = h.Nodes.DeleteNode(ctx, made.ID, graph.Removal{If: graph.Precondition{Revisions: []graph.Revision{read.Revision()}}})
	require.NoError(t, err)
}

func conditionOnEdges(t *testing.T, h Harness) {
	ctx := context.Background()
	a := h.node(t, "Person", nil)
	made := h.edge(t, "KNOWS", a.ID, a.ID, nil)
	first := graph.Precondition{Revisions: []graph.Revision{made.Revision()}}
	after, err := h.Edges.UpdateEdge(ctx, made.ID, graph.Change{Properties: graph.Properties{"n": int64(2)}, If: first})
	require.NoError(t, err)
	_, err = h.Edges.UpdateEdge(ctx, made.ID, graph.Change{Properties: graph.Properties{"n": int64(3)}, If: first})
	requireCode(t, fault.PreconditionFailed, err)
	_, err = h.Edges.DeleteEdge(ctx, made.ID, graph.Removal{If: first})
	requireCode(t, fault.PreconditionFailed, err)
	_, err = h.Edges.DeleteEdge(ctx, made.ID, graph.Removal{If: graph.Precondition{Revisions: []graph.Revision{after.Revision()}}})
	require.NoError(t, err)
}

func conditionSeesAnalysts(t *testing.T, h Harness) {
	ctx := context.Background()
	made := h.node(t, "Person", graph.Properties{"n": int64(1)})
	other := h.node(t, "Person", nil)
	_, err := h.Nodes.UpdateNode(ctx, other.ID, graph.Change{Properties: graph.Properties{"n": int64(9)}})
	require.NoError(t, err)
	current := graph.Precondition{Revisions: []graph.Revision{made.Revision()}}
	_, err = h.Nodes.UpdateNode(ctx, made.ID, graph.Change{If: current})
	require.NoError(t, err)
	h.Cypher(t, "MATCH (n:Person {n: 1}) SET n:Employee", nil)
	_, err = h.Nodes.UpdateNode(ctx, made.ID, graph.Change{If: current})
	requireCode(t, fault.PreconditionFailed, err)
}

func idempotencyKey(t *testing.T, h Harness) {
	ctx := context.Background()
	key := &graph.IdempotencyKey{UserID: "u1", Key: "k", Fingerprint: "f"}
	first, err := h.Nodes.CreateNode(ctx, graph.NewNode{Type: "Person", Properties: graph.Properties{"n": int64(1)}, Key: key})
	require.NoError(t, err)
	require.False(t, first.Replayed)
	again, err := h.Nodes.CreateNode(ctx, graph.NewNode{Type: "Person", Properties: graph.Properties{"n": int64(1)}, Key: key})
	require.NoError(t, err)
	require.True(t, again.Replayed)
	require.Equal(t, first.Entity, again.Entity)
	_, err = h.Nodes.CreateNode(ctx, graph.NewNode{Type: "Person", Key: &graph.IdempotencyKey{UserID: "u1", Key: "k", Fingerprint: "other"}})
	requireCode(t, fault.IdempotencyKeyReused, err)
	other, err := h.Nodes.CreateNode(ctx,
		graph.NewNode{Type: "Person", Key: &graph.IdempotencyKey{UserID: "u2", Key: "k", Fingerprint: "other"}})
	require.NoError(t, err)
	require.NotEqual(t, first.Entity.ID, other.Entity.ID)
	edgeKey := &graph.IdempotencyKey{UserID: "u1", Key: "e", Fingerprint: "f"}
	e := graph.NewEdge{Type: "KNOWS", SourceID: first.Entity.ID, TargetID: other.Entity.ID, Key: edgeKey}
	edge, err := h.Edges.CreateEdge(ctx, e)
	require.NoError(t, err)
	replayed, err := h.Edges.CreateEdge(ctx, e)
	require.NoError(t, err)
	require.True(t, replayed.Replayed)
	require.Equal(t, edge.Entity, replayed.Entity)
	require.EqualValues(t, 2, h.one(t, "MATCH (n:Person) RETURN count(n)", nil))
	require.EqualValues(t, 1, h.one(t, "MATCH ()-[r:KNOWS]->() RETURN count(r)", nil))
}

func unchangedOnly(t *testing.T, h Harness) {
	ctx := context.Background()
	made := h.node(t, "Person", graph.Properties{"long": "as stored", "n": int64(1)})
	after, err := h.Nodes.UpdateNode(ctx, made.ID,
		graph.Change{Properties: graph.Properties{"long": "as stored", "n": int64(2)}, Unchanged: []string{"long"}})
	require.NoError(t, err)
	require.Equal(t, graph.Properties{"long": "as stored", "n": int64(2)}, after.Properties)
	_, err = h.Nodes.UpdateNode(ctx, made.ID,
		graph.Change{Properties: graph.Properties{"long": "another", "n": int64(3)}, Unchanged: []string{"long"}})
	requireInvalid(t, err, "properties.long")
	read, err := h.Nodes.Node(ctx, made.ID)
	require.NoError(t, err)
	require.Equal(t, after, read)
}
