package storetest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

var edgeRules = []rule{
	{"a created edge can be read, and is stored as an analyst expects", edgeCreatedIsRead},
	{"self-loops and parallel edges are allowed", edgeLoopsAndParallels},
	{"a missing end is a VALIDATION_ERROR naming source_id, target_id or both, and creates no edge and no type", edgeMissingEnds},
	{"an update changes the given properties; null removes one", edgeUpdate},
	{"deleting an edge keeps its ends", edgeDelete},
	{"an edge that does not exist is NOT_FOUND for read, update and delete; so is a node's id", edgeMissing},
	{"an edge between nodes that analysts created accepts their element ids, and shows their ids", edgeBetweenForeignNodes},
	{"a type name that contains Cypher is only stored as a name", edgeHostileType},
	{"the ends of edges are named on request, by the same rule in every list", edgeEnds},
	{"an edge that violates a database constraint is CONFLICT and creates nothing", edgeConstraint},
}

func edgeCreatedIsRead(t *testing.T, h Harness) {
	a, b := h.node(t, "Person", nil), h.node(t, "Person", nil)
	made := h.edge(t, "KNOWS", a.ID, b.ID, graph.Properties{"since": int64(1999)})
	require.NotEmpty(t, made.ID)
	require.Equal(t,
		graph.Edge{ID: made.ID, Type: "KNOWS", SourceID: a.ID, TargetID: b.ID, Properties: graph.Properties{"since": int64(1999)}}, made)
	read, err := h.Edges.Edge(context.Background(), made.ID)
	require.NoError(t, err)
	require.Equal(t, made, read)
	rows := h.Cypher(t, "MATCH (a)-[r:KNOWS]->(b) RETURN type(r) AS type, properties(r) AS properties, a["+quote(h.IDProperty)+"] AS a, b["+
		quote(h.IDProperty)+"] AS b", nil)
	require.Equal(t, []map[string]any{{
		"type": "KNOWS", "a": a.ID, "b": b.ID, "properties": map[string]any{"since": int64(1999), h.IDProperty: made.ID},
	}}, rows)
}

func quote(text string) string { return "'" + text + "'" }

func edgeLoopsAndParallels(t *testing.T, h Harness) {
	a, b := h.node(t, "Person", nil), h.node(t, "Person", nil)
	loop := h.edge(t, "KNOWS", a.ID, a.ID, nil)
	require.Equal(t, loop.SourceID, loop.TargetID)
	require.NotEqual(t, h.edge(t, "KNOWS", a.ID, b.ID, nil).ID, h.edge(t, "KNOWS", a.ID, b.ID, nil).ID)
	require.EqualValues(t, 3, h.one(t, "MATCH ()-[r:KNOWS]->() RETURN count(r)", nil))
}

func edgeMissingEnds(t *testing.T, h Harness) {
	ctx := context.Background()
	a := h.node(t, "Person", nil)
	for _, c := range []struct {
		source, target string
		fields         []string
	}{
		{"nothing", a.ID, []string{"source_id"}},
		{a.ID, "nothing", []string{"target_id"}},
		{"nothing", "4:00000000-0000-0000-0000-000000000000:7", []string{"source_id", "target_id"}},
	} {
		_, err := h.Edges.CreateEdge(ctx, graph.NewEdge{Type: "NEVER_MADE", SourceID: c.source, TargetID: c.target})
		requireInvalid(t, err, c.fields...)
	}
	require.EqualValues(t, 0, h.one(t, "MATCH ()-[r]->() WHERE NOT type(r) STARTS WITH '_Graphrest' RETURN count(r)", nil))
	require.EqualValues(t, 0, h.one(t, "SHOW CONSTRAINTS YIELD labelsOrTypes WHERE 'NEVER_MADE' IN labelsOrTypes RETURN count(*)", nil))
}

func edgeUpdate(t *testing.T, h Harness) {
	a := h.node(t, "Person", nil)
	made := h.edge(t, "KNOWS", a.ID, a.ID, graph.Properties{"since": int64(1999), "note": "x"})
	after, err := h.Edges.UpdateEdge(context.Background(), made.ID, graph.Change{Properties: graph.Properties{"note": nil, "weight": 0.5}})
	require.NoError(t, err)
	require.Equal(t, graph.Edge{
		ID: made.ID, Type: "KNOWS", SourceID: a.ID, TargetID: a.ID, Properties: graph.Properties{"since": int64(1999), "weight": 0.5},
	}, after)
	read, err := h.Edges.Edge(context.Background(), made.ID)
	require.NoError(t, err)
	require.Equal(t, after, read)
}

func edgeDelete(t *testing.T, h Harness) {
	ctx := context.Background()
	a, b := h.node(t, "Person", nil), h.node(t, "Person", nil)
	made := h.edge(t, "KNOWS", a.ID, b.ID, nil)
	gone, err := h.Edges.DeleteEdge(ctx, made.ID, graph.Removal{})
	require.NoError(t, err)
	require.Equal(t, made.ID, gone.ID)
	_, err = h.Edges.DeleteEdge(ctx, made.ID, graph.Removal{})
	requireCode(t, fault.NotFound, err)
	require.EqualValues(t, 2, h.one(t, "MATCH (n:Person) RETURN count(n)", nil))
}

func edgeMissing(t *testing.T, h Harness) {
	ctx := context.Background()
	a := h.node(t, "Person", nil)
	made := h.edge(t, "KNOWS", a.ID, a.ID, nil)
	_, err := h.Edges.DeleteEdge(ctx, made.ID, graph.Removal{})
	require.NoError(t, err)
	element := h.element(t, "MATCH (n:Person) RETURN elementId(n)", nil)
	for _, id := range append(missingIDs(made.ID), a.ID, element, "5:00000000-0000-0000-0000-000000000000:0") {
		_, err := h.Edges.Edge(ctx, id)
		requireCode(t, fault.NotFound, err)
		_, err = h.Edges.UpdateEdge(ctx, id, graph.Change{Properties: graph.Properties{"a": int64(1)}})
		requireCode(t, fault.NotFound, err)
		_, err = h.Edges.DeleteEdge(ctx, id, graph.Removal{})
		requireCode(t, fault.NotFound, err)
	}
	_, err = h.Nodes.Node(ctx, a.ID)
	require.NoError(t, err)
}

func edgeBetweenForeignNodes(t *testing.T, h Harness) {
	foreign := h.element(t, "CREATE (n:Legacy {name: 'old'}) RETURN elementId(n)", nil)
	bare := h.element(t, "CREATE (n) RETURN elementId(n)", nil)
	own := h.node(t, "Person", nil)
	ownElement := h.element(t, "MATCH (n:Person) RETURN elementId(n)", nil)
	made := h.edge(t, "KNOWS", foreign, ownElement, nil)
	require.Equal(t, foreign, made.SourceID)
	require.Equal(t, own.ID, made.TargetID)
	made = h.edge(t, "KNOWS", own.ID, bare, nil)
	require.Equal(t, bare, made.TargetID)
	require.EqualValues(t, 0, h.one(t, "MATCH (n:Legacy) RETURN size([k IN keys(n) WHERE k <> 'name'])", nil))
}

func edgeHostileType(t *testing.T, h Harness) {
	a := h.node(t, "Person", nil)
	made := createHostile(t, func(name graph.TypeName) (graph.Edge, error) {
		created, err := h.Edges.CreateEdge(context.Background(), graph.NewEdge{Type: name, SourceID: a.ID, TargetID: a.ID})
		return created.Entity, err
	})
	for i, name := range hostileNames {
		made := made[i]
		require.Equal(t, name, made.Type)
		read, err := h.Edges.Edge(context.Background(), made.ID)
		require.NoError(t, err, name)
		require.Equal(t, made, read)
		for _, q := range []graph.EdgeQuery{{Type: graph.TypeName(name)}, {Type: graph.TypeName(name), SourceID: a.ID}} {
			q.Limit = 10
			page, err := h.Edges.Edges(context.Background(), q)
			require.NoError(t, err, name)
			require.Equal(t, []string{made.ID}, edgeIDs(page.Items), name)
		}
	}
	require.EqualValues(t, len(hostileNames), h.one(t, "MATCH ()-[r]->() WHERE NOT type(r) STARTS WITH '_Graphrest' RETURN count(r)", nil))
}

func edgeConstraint(t *testing.T, h Harness) {
	h.Cypher(t, "CREATE CONSTRAINT owns_deed FOR ()-[r:OWNS]-() REQUIRE r.deed IS UNIQUE", nil)
	a := h.node(t, "Person", nil)
	h.edge(t, "OWNS", a.ID, a.ID, graph.Properties{"deed": "1"})
	_, err := h.Edges.CreateEdge(context.Background(),
		graph.NewEdge{Type: "OWNS", SourceID: a.ID, TargetID: a.ID, Properties: graph.Properties{"deed": "1"}})
	requireCode(t, fault.Conflict, err)
	require.EqualValues(t, 1, h.one(t, "MATCH ()-[r:OWNS]->() RETURN count(r)", nil))
}
