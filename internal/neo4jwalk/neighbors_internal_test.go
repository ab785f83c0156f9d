package neo4jwalk

import (
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/bolt"
	"graphrest/internal/graph"
)

// TestAnExpansionIsTruncatedByDegreeAndByNodes: an edge beyond either limit is not followed, one between nodes that were found is.
func TestAnExpansionIsTruncatedByDegreeAndByNodes(t *testing.T) {
	rows := []bolt.Tuple{{int64(0), "ab", "b"}, {int64(0), "ac", "c"}, {int64(0), "aa", "a"}, {int64(0), "ad", "d"}}
	expand := func(q graph.NeighborQuery) *expansion {
		e := &expansion{query: q, nodes: []string{"a"}, seen: map[string]bool{"a": true}, edges: map[string]bool{}}
		e.addRows([]string{"a"}, rows)
		return e
	}
	all := expand(graph.NeighborQuery{Limit: 3, MaxDegree: 4})
	require.Equal(t, []string{"a", "b", "c", "d"}, all.nodes)
	require.Equal(t, []string{"ab", "ac", "aa", "ad"}, all.edgeOrder)
	require.False(t, all.truncated)
	byDegree := expand(graph.NeighborQuery{Limit: 3, MaxDegree: 2})
	require.Equal(t, []string{"ab", "ac"}, byDegree.edgeOrder)
	require.True(t, byDegree.truncated)
	byNodes := expand(graph.NeighborQuery{Limit: 1, MaxDegree: 4})
	require.Equal(t, []string{"a", "b"}, byNodes.nodes)
	require.Equal(t, []string{"ab", "aa"}, byNodes.edgeOrder)
	require.True(t, byNodes.truncated)
}
