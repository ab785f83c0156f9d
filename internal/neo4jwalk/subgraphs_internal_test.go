package neo4jwalk

import (
	"testing"

	"graphrest/internal/neo4jentitytest"
	"graphrest/internal/neo4jtest"

	"github.com/stretchr/testify/require"
)

// TestASubgraphHasNoEdgeWithoutItsEnds: an edge whose other end is not wanted is left out, and the nodes keep their order.
func TestASubgraphHasNoEdgeWithoutItsEnds(t *testing.T) {
	db := neo4jtest.OpenPrepared(t)
	reads := neo4jentitytest.Open(t, db).Reads
	subgraphs := &subgraphReader{elements: reads.Elements, reads: reads}
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
