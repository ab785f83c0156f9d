package neo4jlist

import (
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/cypher"
	"graphrest/internal/graph"
	"graphrest/internal/keyset"
	"graphrest/internal/neo4jentity"
)

// TestATypeIsReadByItsSizeAndItsIDs: a type that is small, or of unknown size, is sorted; a large one is read by its ids and then in the
// database's order, or only in that order if it is not managed. The type of the cursor position keeps the order in which the list began.
func TestATypeIsReadByItsSizeAndItsIDs(t *testing.T) {
	id := cypher.Quote("uuid")
	m := &neo4jentity.ManagedTypes{
		Nodes: neo4jentity.NewTypeSet(graph.NodeKind, []string{"Managed", "Small"}, id), Edges: neo4jentity.NewTypeSet(graph.EdgeKind, nil, id),
	}
	sizes := map[string]int64{"Small": keyset.SmallType, "Managed": keyset.SmallType + 1, "Foreign": keyset.SmallType + 1}
	orders := func(name string, at *keyset.Position) (read []string) {
		types := newListTypes(graph.NodeKind, m, nil, sizes, at)
		texts := newListTexts(newListQuery(graph.NodeKind, graph.EdgeQuery{}), &neo4jentity.Texts{IDName: id}, types.params())
		byType := &typeSegments[graph.Node]{texts: texts, types: types, totals: &listTotals{texts: texts}}
		for _, segment := range byType.buildSegments(typePart{name: name}) {
			require.Equal(t, []string{name}, segment.Types)
			switch segment.Phases {
			case keyset.OwnPhase:
				read = append(read, "by id")
			case keyset.ElementPhase:
				read = append(read, "in the database's order")
			default:
				read = append(read, "sorted")
			}
		}
		return read
	}
	require.Equal(t, []string{"sorted"}, orders("Small", nil))
	require.Equal(t, []string{"by id", "in the database's order"}, orders("Managed", nil))
	require.Equal(t, []string{"in the database's order"}, orders("Foreign", nil))
	require.Equal(t, []string{"in the database's order"}, orders("Unknown", nil))
	require.Equal(t, []string{"in the database's order"}, orders("Managed", &keyset.Position{Type: "Managed"}))
	require.Equal(t, []string{"sorted"}, orders("Foreign", &keyset.Position{Type: "Foreign", Managed: true}), "its id index is gone")
}
