package neo4jsearch

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
)

// TestAPopulationDoesNotRepeatSearches: the progress of a population does not change a search; everything else of an index may.
func TestAPopulationDoesNotRepeatSearches(t *testing.T) {
	known := []searchIndex{
		{stored: "built", SearchIndex: graph.SearchIndex{Name: "built", Types: []string{"Note"}, State: graph.SearchOnline, Progress: 100}},
		{stored: "new", SearchIndex: graph.SearchIndex{Name: "new", Types: []string{"Note"}, State: graph.SearchBuilding, Progress: 1}},
	}
	later := slices.Clone(known)
	later[1].Progress = 2
	require.True(t, areSearchedAlike(known, later))
	later[1].State = graph.SearchOnline
	require.False(t, areSearchedAlike(known, later))
	require.False(t, areSearchedAlike(known, known[:1]))
	renamed := slices.Clone(known)
	renamed[0].stored = "other"
	require.False(t, areSearchedAlike(known, renamed))
	require.EqualValues(t, 100, known[0].Progress)
}
