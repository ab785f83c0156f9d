package neo4jstore_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// Look-ups of ids of many types at once share statements that look at more types than each id hints at; what a look-up
// finds must not depend on that.
func TestLookUpsOfManyTypesAtOnceFindWhatEachAloneFinds(t *testing.T) {
	maker, db := open(t, nil)
	ctx := context.Background()
	const types = 24
	var nodes []graph.Node
	var edges []graph.Edge
	for i := range types {
		made, err := maker.CreateNode(ctx, graph.NewNode{Type: graph.TypeName(fmt.Sprintf("Many%d", i))})
		require.NoError(t, err)
		edge, err := maker.CreateEdge(ctx, graph.NewEdge{Type: graph.TypeName(fmt.Sprintf("MANY%d", i)), SourceID: made.Entity.ID, TargetID: made.Entity.ID})
		require.NoError(t, err)
		nodes, edges = append(nodes, made.Entity), append(edges, edge.Entity)
	}
	for i, node := range nodes { // another type holds the same id, and the same statement looks there too
		thief := fmt.Sprintf("Many%d", (i+1)%types)
		db.Exec(t, "CREATE (:"+thief+" {uuid: $id, thief: true})", map[string]any{"id": node.ID})
	}
	for round := range 5 {
		s := openPrepared(t, db, nil) // remembers nothing
		_, err := s.Node(ctx, "nothing")
		requireFault(t, err, fault.NotFound)
		var group sync.WaitGroup
		for i := range types {
			group.Go(func() {
				read, err := s.Node(ctx, nodes[i].ID)
				require.NoError(t, err)
				require.Equal(t, nodes[i], read)
			})
			group.Go(func() {
				read, err := s.Edge(ctx, edges[i].ID)
				require.NoError(t, err, round)
				require.Equal(t, edges[i].Type, read.Type)
			})
			group.Go(func() {
				missing, err := graph.NewID(graph.TypeName(nodes[i].Type))
				require.NoError(t, err)
				_, err = s.Node(ctx, missing)
				requireFault(t, err, fault.NotFound)
			})
		}
		group.Wait()
	}
}
