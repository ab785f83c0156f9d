package sample

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
)

// The sample has a few thousand lines, each valid, ids and codes once, and a distance that is known.
func TestLines(t *testing.T) {
	lines, err := Lines()
	require.NoError(t, err)
	require.Greater(t, len(lines), 2000)
	require.Less(t, len(lines), 6000)
	ids := map[string]bool{}
	counts := map[graph.TypeName]int{}
	for _, l := range lines {
		var id string
		var p graph.Properties
		if l.Node != nil {
			id, p = l.Node.ID, l.Node.Properties
			counts[l.Node.Labels[0]]++
		} else {
			id, p = l.Edge.ID, l.Edge.Properties
			counts[l.Edge.Type]++
			require.True(t, ids[l.Edge.Source.ID] && ids[l.Edge.Target.ID], "nodes come before their edges")
		}
		require.False(t, ids[id], id)
		ids[id] = true
		_, ok := graph.HintOf(id)
		require.True(t, ok, id)
		over, faults := graph.CheckProperties("properties", p, graph.DefaultLimits, false)
		require.Empty(t, over)
		require.Empty(t, faults)
	}
	require.Equal(t, counts["Airport"], counts["SERVES"])
	require.Equal(t, counts["City"], counts["IN_COUNTRY"])
	t.Log(counts)

	airports, err := readAirports()
	require.NoError(t, err)
	byCode := map[string]airport{}
	for _, a := range airports {
		require.Regexp(t, regexp.MustCompile(`^[A-Z]{3}$`), a.code)
		byCode[a.code] = a
	}
	require.InDelta(t, 5540, distance(byCode["LHR"], byCode["JFK"]), 15)
	require.InDelta(t, 17016, distance(byCode["LHR"], byCode["SYD"]), 30)
}
