package neo4jstore

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestASubgraphHasNoEdgeWithoutItsEnds: an edge whose other end is not wanted is left out, and the nodes keep their order.
func TestASubgraphHasNoEdgeWithoutItsEnds(t *testing.T) {
	client, db := openClient(t)
	schema, _ := openSchema(t, client)
	finder := newFinder(t, client)
	reads := newEntityReader(client, finder, &valueDecoder{client: client, config: finder.config}, schema)
	subgraphs := &subgraphReader{elements: reads.elements, reads: reads}
	at := db.Query(t, `CREATE (a:Person)-[inside:KNOWS]->(b:Person), (b)-[outside:KNOWS]->(:Person)
		RETURN elementId(a) AS a, elementId(b) AS b, elementId(inside) AS inside, elementId(outside) AS outside`, nil)[0]
	element := func(name string) string { return at[name].(string) }
	found, err := subgraphs.read(t.Context(), wantedEntities{
		nodes: []string{element("b"), element("a")}, edges: []string{element("outside"), element("inside")},
	})
	require.NoError(t, err)
	require.False(t, found.graph.Truncated)
	require.Len(t, found.graph.Nodes, 2)
	require.Equal(t, []string{element("b"), element("a")}, []string{found.graph.Nodes[0].ID, found.graph.Nodes[1].ID})
	require.Len(t, found.graph.Edges, 1)
	require.Equal(t, element("inside"), found.graph.Edges[0].ID)
	require.Equal(t, element("a"), found.graph.Edges[0].SourceID)
}
