package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

var idRules = []rule{
	{"an id is a UUIDv7 in the id property, has a uniqueness constraint, and is not shown among the properties", idStored},
	{"the id property of a managed type cannot be set or removed", idProtected},
	{"in a type that is not managed the id property is an ordinary property", idOrdinary},
	{"in a managed type an entity without the id property is addressed by its element id and cannot be given an id", idMissing},
	{"an element id is accepted wherever an id is, and the answer has the entity's id", idByElement},
	{"an id is valid as long as its entity exists, whatever labels analysts add", idSurvivesLabels},
	{"an id that occurs in two types is that of the type in its hint, or else a CONFLICT; element ids still work", idAmbiguous},
	{"an id that analysts set in a managed type is found", idByOthers},
	{"an element id that Neo4j reuses after a deletion identifies the new node, which has its own id", idNotReused},
}

func idStored(t *testing.T, h Harness) {
	require.False(t, h.managed(t, "NODE")["Stored"], "a new type")
	require.False(t, h.managed(t, "RELATIONSHIP")["STORED"], "a new type")
	made := h.node(t, "Stored", nil)
	hint, isUUIDv7 := graph.HintOf(made.ID)
	require.True(t, isUUIDv7, made.ID)
	require.Equal(t, graph.TypeHint("Stored"), hint)
	require.Equal(t, made.ID, h.one(t, "MATCH (n:Stored) RETURN n[$id]", map[string]any{"id": h.IDProperty}))
	require.NotContains(t, made.Properties, h.IDProperty)
	edge := h.edge(t, "STORED", made.ID, made.ID, nil)
	require.NotContains(t, edge.Properties, h.IDProperty)
	require.True(t, h.managed(t, "NODE")["Stored"])
	require.True(t, h.managed(t, "RELATIONSHIP")["STORED"])
}

func idProtected(t *testing.T, h Harness) {
	ctx := context.Background()
	field := "properties." + h.IDProperty
	for _, value := range []graph.Value{"mine", int64(1)} {
		_, err := h.Nodes.CreateNode(ctx, graph.NewNode{Type: "Person", Properties: graph.Properties{h.IDProperty: value}})
		requireInvalid(t, err, field)
	}
	made := h.node(t, "Person", nil)
	edge := h.edge(t, "KNOWS", made.ID, made.ID, nil)
	_, err := h.Edges.CreateEdge(ctx,
		graph.NewEdge{Type: "KNOWS", SourceID: made.ID, TargetID: made.ID, Properties: graph.Properties{h.IDProperty: "mine"}})
	requireInvalid(t, err, field)
	for _, value := range []graph.Value{"mine", int64(1), nil} {
		change := graph.Change{Properties: graph.Properties{h.IDProperty: value, "other": "x"}}
		_, err := h.Nodes.UpdateNode(ctx, made.ID, change)
		requireInvalid(t, err, field)
		_, err = h.Edges.UpdateEdge(ctx, edge.ID, change)
		requireInvalid(t, err, field)
	}
	read, err := h.Nodes.Node(ctx, made.ID)
	require.NoError(t, err)
	require.Equal(t, made, read)
}

func idOrdinary(t *testing.T, h Harness) {
	ctx := context.Background()
	element := h.element(t, "CREATE (n:Legacy) SET n[$id] = 'theirs' RETURN elementId(n)", map[string]any{"id": h.IDProperty})
	read, err := h.Nodes.Node(ctx, element)
	require.NoError(t, err)
	require.Equal(t, element, read.ID)
	require.Equal(t, graph.Properties{h.IDProperty: "theirs"}, read.Properties)
	_, err = h.Nodes.Node(ctx, "theirs")
	requireCode(t, fault.NotFound, err)
	after, err := h.Nodes.UpdateNode(ctx, element, graph.Change{Properties: graph.Properties{h.IDProperty: "changed"}})
	require.NoError(t, err)
	require.Equal(t, graph.Properties{h.IDProperty: "changed"}, after.Properties)
	require.Equal(t, element, after.ID)
}

func idMissing(t *testing.T, h Harness) {
	ctx := context.Background()
	h.node(t, "Person", nil)
	element := h.element(t, "CREATE (n:Person {name: 'x'}) RETURN elementId(n)", nil)
	read, err := h.Nodes.Node(ctx, element)
	require.NoError(t, err)
	require.Equal(t, element, read.ID)
	_, err = h.Nodes.UpdateNode(ctx, element, graph.Change{Properties: graph.Properties{h.IDProperty: "mine"}})
	requireInvalid(t, err, "properties."+h.IDProperty)
	after, err := h.Nodes.UpdateNode(ctx, element, graph.Change{Properties: graph.Properties{h.IDProperty: int64(5)}})
	require.NoError(t, err)
	require.Equal(t, element, after.ID)
	require.Equal(t, graph.Properties{"name": "x", h.IDProperty: int64(5)}, after.Properties)
}

func idByElement(t *testing.T, h Harness) {
	ctx := context.Background()
	made := h.node(t, "Person", graph.Properties{"name": "Ann"})
	element := h.element(t, "MATCH (n:Person) RETURN elementId(n)", nil)
	read, err := h.Nodes.Node(ctx, element)
	require.NoError(t, err)
	require.Equal(t, made, read)
	after, err := h.Nodes.UpdateNode(ctx, element, graph.Change{Properties: graph.Properties{"name": "Bea"}})
	require.NoError(t, err)
	require.Equal(t, made.ID, after.ID)
	edge := h.edge(t, "KNOWS", element, made.ID, nil)
	require.Equal(t, made.ID, edge.SourceID)
	edgeElement := h.element(t, "MATCH ()-[r:KNOWS]->() RETURN elementId(r)", nil)
	readEdge, err := h.Edges.Edge(ctx, edgeElement)
	require.NoError(t, err)
	require.Equal(t, edge, readEdge)
	gone, err := h.Edges.DeleteEdge(ctx, edgeElement, graph.Removal{})
	require.NoError(t, err)
	require.Equal(t, edge.ID, gone.ID)
	deleted, err := h.Nodes.DeleteNode(ctx, element, graph.Removal{})
	require.NoError(t, err)
	require.Equal(t, made.ID, deleted.ID)
}

func idSurvivesLabels(t *testing.T, h Harness) {
	made := h.node(t, "Person", nil)
	h.Cypher(t, "MATCH (n:Person) SET n:Aaa:Zzz", nil)
	read, err := h.Nodes.Node(context.Background(), made.ID)
	require.NoError(t, err)
	require.Equal(t, made.ID, read.ID)
	require.ElementsMatch(t, []string{"Person", "Aaa", "Zzz"}, read.Labels)
	require.Equal(t, read.Labels[0], read.Type)
}

func idAmbiguous(t *testing.T, h Harness) {
	ctx := context.Background()
	person := h.node(t, "Person", nil)
	h.node(t, "City", nil)
	h.Cypher(t, "CREATE (c:City {name: 'thief'}) SET c[$id] = $value", map[string]any{"id": h.IDProperty, "value": person.ID})
	read, err := h.Nodes.Node(ctx, person.ID)
	require.NoError(t, err)
	require.Equal(t, "Person", read.Type, "an id made for a person cannot be taken over by a city")
	for _, label := range []string{"Person", "City"} {
		h.Cypher(t, "CREATE (n:"+label+" {twin: true}) SET n[$id] = 'shared'", map[string]any{"id": h.IDProperty})
	}
	_, err = h.Nodes.Node(ctx, "shared")
	requireCode(t, fault.Conflict, err)
	_, err = h.Nodes.DeleteNode(ctx, "shared", graph.Removal{})
	requireCode(t, fault.Conflict, err)
	element := h.element(t, "MATCH (n:City {twin: true}) RETURN elementId(n)", nil)
	read, err = h.Nodes.Node(ctx, element)
	require.NoError(t, err)
	require.Equal(t, "shared", read.ID)
}

func idByOthers(t *testing.T, h Harness) {
	h.Cypher(t, "CREATE CONSTRAINT theirs FOR (n:Theirs) REQUIRE n.`"+h.IDProperty+"` IS UNIQUE", nil)
	h.Cypher(t, "CREATE (n:Theirs {name: 'x'}) SET n[$id] = 'order-17'", map[string]any{"id": h.IDProperty})
	h.settle(t)
	var read graph.Node
	require.Eventually(t, func() (found bool) { // a busy machine may take longer than that
		var err error
		read, err = h.Nodes.Node(context.Background(), "order-17")
		return err == nil
	}, 20*time.Second, 50*time.Millisecond)
	require.Equal(t, "order-17", read.ID)
	require.Equal(t, graph.Properties{"name": "x"}, read.Properties)
	require.Equal(t, []string{"order-17"}, h.walkNodes(t, graph.NodeQuery{Type: "Theirs"}, 10))
}

func idNotReused(t *testing.T, h Harness) {
	ctx := context.Background()
	old := h.node(t, "Person", nil)
	read, err := h.Nodes.Node(ctx, old.ID) // whatever is remembered of it now is about to be wrong
	require.NoError(t, err)
	h.Cypher(t, "MATCH (n:Person) DELETE n", nil)
	h.Cypher(t, "UNWIND range(1, 2000) AS i CREATE (:Person {i: i})", nil)
	_, err = h.Nodes.Node(ctx, read.ID)
	requireCode(t, fault.NotFound, err)
	_, err = h.Nodes.UpdateNode(ctx, read.ID, graph.Change{Properties: graph.Properties{"hit": true}})
	requireCode(t, fault.NotFound, err)
	_, err = h.Nodes.DeleteNode(ctx, read.ID, graph.Removal{})
	requireCode(t, fault.NotFound, err)
	require.EqualValues(t, 2000, h.one(t, "MATCH (n:Person) WHERE n.hit IS NULL RETURN count(n)", nil))
}
