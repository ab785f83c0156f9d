package httpapi

import (
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
)

// TestIndexAdviceNamesPropertiesAsRequestsDo: a property of edges that is called as one of an end has another name in requests.
func TestIndexAdviceNamesPropertiesAsRequestsDo(t *testing.T) {
	l := graph.AskedList{Filter: [][2]string{{"source:x", "eq"}, {"km", "gt"}}, Sort: []string{"+km", "-target:y"}}
	edges := askedListDocument(graph.EdgeKind, l)
	require.Equal(t, []string{"filter[edge:source:x][eq]", "filter[km][gt]"}, edges.Filter)
	require.Equal(t, "km,-edge:target:y", edges.Sort)
	nodes := askedListDocument(graph.NodeKind, l)
	require.Equal(t, []string{"filter[source:x][eq]", "filter[km][gt]"}, nodes.Filter)
	require.Equal(t, "km,-target:y", nodes.Sort)
}
