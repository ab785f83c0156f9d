package neo4jstore_test

import (
	"context"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
)

// Neighbors with much data are read in small records: what the driver allocates for a record grows with the square of its size.
func TestNeighborsWithMuchDataAreReadInSmallRecords(t *testing.T) {
	const each, bound, count = 1 << 20, 4 << 20, 40
	s, db := open(t, func(c *settings) { c.MaxPageBytes = bound })
	for range count / 10 {
		db.Exec(t, "MERGE (hub:Person {name: 'hub'}) FOREACH (i IN range(1, 10) | CREATE (hub)-[:KNOWS]->(:Person {text: $text}))",
			map[string]any{"text": strings.Repeat("x", each)})
	}
	hub := db.Query(t, "MATCH (n:Person {name: 'hub'}) RETURN elementId(n) AS id", nil)[0]["id"].(string)
	q := graph.NeighborQuery{NodeID: hub, Direction: graph.Both, Depth: 1, Limit: count, MaxDegree: 2 * count}
	for range 3 { // with unknown sizes, and with known ones
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		g, err := s.Walks.Neighbors(context.Background(), q)
		runtime.ReadMemStats(&after)
		require.NoError(t, err)
		require.True(t, g.Truncated)
		require.GreaterOrEqual(t, len(g.Nodes), bound/each)
		require.Less(t, len(g.Nodes), count/2)
		allocated := int64(after.TotalAlloc - before.TotalAlloc)
		t.Logf("%d nodes, %d MiB allocated", len(g.Nodes), allocated>>20)
		require.Less(t, allocated, int64(20*bound))
	}
}
