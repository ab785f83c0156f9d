package cypher

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestABoundOnDBHitsIsTotalOrForEachRowOrEntity(t *testing.T) {
	total, err := parseBound("400")
	require.NoError(t, err)
	require.Equal(t, int64(400), total.Of(100, 8000))
	each, err := parseBound("12 per row")
	require.NoError(t, err)
	require.Equal(t, int64(1200), each.Of(100, 8000))
	all, err := parseBound("3 per entity")
	require.NoError(t, err)
	require.Equal(t, int64(24_000), all.Of(100, 8000))
	for _, invalid := range []string{"", "-", "0", "-1", "12 per page", "3 per entity per row", "per row", "many"} {
		_, err := parseBound(invalid)
		require.Error(t, err, invalid)
	}
}

// TestStatementsOfReadsHaveABound: without a bound in the header, the cost of a list, a search or a walk could grow with the graph
// unnoticed.
func TestStatementsOfReadsHaveABound(t *testing.T) {
	bounded := 0
	matched := map[string]bool{}
	prefixes := []string{"list_", "search_", "paths", "degree", "expand", "node_degrees", "edges_among", "aggregate_"}
	for _, s := range All() {
		reads := slices.ContainsFunc(prefixes, func(prefix string) bool {
			matches := strings.HasPrefix(s.Name, prefix)
			matched[prefix] = matched[prefix] || matches
			return matches
		})
		names := s.Name == "list_labels" || s.Name == "list_relationship_types" // a procedure alone has no plan to profile
		if s.Folder != "graph" || !reads || names {
			continue
		}
		bounded++
		require.NotZero(t, s.Hits, "%s has no line hits", s.Name)
	}
	require.Greater(t, bounded, 50)
	for _, prefix := range prefixes {
		require.True(t, matched[prefix], "no statement begins with %s", prefix)
	}
}
