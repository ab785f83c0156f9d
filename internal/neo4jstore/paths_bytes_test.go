package neo4jstore_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/testmark"
)

// takenBytes is a budget without a limit that records what was taken from it.
type takenBytes struct {
	mu         sync.Mutex
	taken, max int64
}

func (b *takenBytes) Take(bytes int64) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.taken += bytes
	b.max = max(b.max, b.taken)
	return nil
}

// Many shortest paths over large nodes are truncated at the byte limit, and each path in the result is complete.
func TestPathsEndWhereTheirBytesReachTheBound(t *testing.T) {
	testmark.Concurrent(t)
	const each, bound, paths, steps = 100 << 10, 250 << 10, 60, 11
	s, db := open(t, func(c *settings) { c.MaxPageBytes = bound })
	text := strings.Repeat("x", each)
	ids := db.Query(t, `CREATE (s:Stop), (t:Stop)
		FOREACH (i IN range(1, $paths) | CREATE (s)-[:TO {n: i}]->(:Stop {text: $text})-[:TO {n: -i}]->(t))
		RETURN elementId(s) AS source, elementId(t) AS target`, map[string]any{"paths": paths, "text": text})[0]
	budget := new(takenBytes)
	q := graph.PathQuery{SourceID: ids["source"].(string), TargetID: ids["target"].(string), Direction: graph.Both, MaxDepth: 4, All: true}
	g, err := s.Walks.Paths(graph.WithByteBudget(context.Background(), budget), q)
	require.NoError(t, err)
	require.True(t, g.Truncated)
	require.NotEmpty(t, g.Paths)
	require.Less(t, len(g.Paths), paths/3)
	require.Less(t, budget.max, int64(paths/3*each), "entities beyond the limit are not read")
	require.Greater(t, budget.max, int64(bound))
	requireOnPaths(t, g)

	ids = db.Query(t, `UNWIND range(1, $steps + 1) AS i CREATE (n:Step {text: $text}) WITH collect(n) AS all
		FOREACH (i IN range(1, $steps) | FOREACH (a IN [all[i - 1]] | FOREACH (b IN [all[i]] | CREATE (a)-[:TO]->(b))))
		WITH all[0] AS a, all[$steps] AS b RETURN elementId(a) AS source, elementId(b) AS target`,
		map[string]any{"steps": steps, "text": text})[0]
	q = graph.PathQuery{SourceID: ids["source"].(string), TargetID: ids["target"].(string), Direction: graph.Out, MaxDepth: steps}
	g, err = s.Walks.Paths(context.Background(), q)
	require.NoError(t, err)
	require.Len(t, g.Paths, 1, "one path is returned, whatever the size of its nodes")
	require.False(t, g.Truncated)
	requireOnPaths(t, g)
}

// requireOnPaths checks that a result has exactly the entities of its paths.
func requireOnPaths(t *testing.T, g graph.Subgraph) {
	t.Helper()
	var there []string
	for _, n := range g.Nodes {
		there = append(there, n.ID)
	}
	for _, e := range g.Edges {
		there = append(there, e.ID)
	}
	onPaths := slices.Concat(g.Paths...)
	slices.Sort(onPaths)
	require.ElementsMatch(t, slices.Compact(onPaths), there)
}

// onStatement runs work once, after a statement was answered.
type onStatement struct {
	name string
	once sync.Once
	work func()
}

func (o *onStatement) Statement(_ context.Context, name, _ string, _ time.Time, _ string) {
	if name == o.name && o.work != nil {
		o.once.Do(o.work)
	}
}

// Paths with an entity that is deleted, or becomes internal, after the search are omitted.
func TestPathsOfDeletedEntitiesAreOmitted(t *testing.T) {
	for name, change := range map[string]string{
		"node deleted":         "MATCH (n:Gone) DETACH DELETE n",
		"edge deleted":         "MATCH (:Gone)-[r]->() DELETE r",
		"node became internal": "MATCH (n:Gone) SET n:_GraphrestGone",
	} {
		t.Run(name, func(t *testing.T) {
			found := &onStatement{name: "paths"}
			s, db := open(t, func(c *settings) { c.client.Statements = []bolt.StatementObserver{found} })
			ids := db.Query(t, `CREATE (s:Stop), (t:Stop), (s)-[:TO]->(:Gone)-[:TO]->(t), (s)-[:TO]->(m:Stays)-[:TO]->(t)
				RETURN elementId(s) AS source, elementId(t) AS target, elementId(m) AS stays`, nil)[0]
			found.work = func() { db.Exec(t, change, nil) }
			q := graph.PathQuery{SourceID: ids["source"].(string), TargetID: ids["target"].(string), Direction: graph.Out, MaxDepth: 4, All: true}
			g, err := s.Walks.Paths(context.Background(), q)
			require.NoError(t, err)
			require.Len(t, g.Paths, 1)
			require.Equal(t, ids["stays"], g.Paths[0][2])
			require.False(t, g.Truncated)
			requireOnPaths(t, g)
		})
	}
}
