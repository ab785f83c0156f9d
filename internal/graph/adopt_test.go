package graph_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
)

// The test generates more ids than the counter of one millisecond allows: all differ, ascend, contain the hint of their type and the tag of
// their run, and are UUIDs of version 7.
func TestAdoptionIDs(t *testing.T) {
	ids := graph.NewAdoptionIDs("Person")
	require.Len(t, ids.Tag(), 12)
	last := ""
	for range 50_000 {
		id := ids.Next()
		require.Greater(t, id, last)
		require.True(t, strings.HasSuffix(id, ids.Tag()))
		last = id
	}
	parsed, err := uuid.Parse(last)
	require.NoError(t, err)
	require.EqualValues(t, 7, parsed.Version())
	require.Equal(t, uuid.RFC4122, parsed.Variant())
	seconds, _ := parsed.Time().UnixTime()
	require.InDelta(t, time.Now().Unix(), seconds, 60)
	hint, ok := graph.HintOf(last)
	require.True(t, ok)
	require.Equal(t, graph.TypeHint("Person"), hint)
	require.NotEqual(t, ids.Tag(), graph.NewAdoptionIDs("Person").Tag())
}
