package neo4jstore_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/testmark"
)

// statementCount counts the runs of one statement.
type statementCount struct {
	name string
	mu   sync.Mutex
	runs int
}

func (c *statementCount) Statement(_ context.Context, name, _ string, _ time.Time, _ string) {
	if name == c.name {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.runs++
	}
}

// exhaustedBytes is a budget with nothing left.
type exhaustedBytes struct{}

func (exhaustedBytes) Take(bytes int64) error {
	if bytes <= 0 {
		return nil
	}
	return fault.New(fault.DatabaseUnavailable, "nothing left")
}

// The result of an update is charged to the byte budget, and an entity that is known to be large is not updated in a batch.
func TestUpdatesChargeTheBytesOfTheirAnswers(t *testing.T) {
	testmark.Concurrent(t)
	const many, each = 20, 200 << 10
	ctx := context.Background()
	counted := &statementCount{name: "update_nodes"}
	s, db := open(t, func(c *settings) { c.client.Statements = []bolt.StatementObserver{counted} })
	var ids []string
	for _, row := range db.Query(t, "UNWIND range(1, $many) AS i CREATE (n:Large {text: $text}) RETURN elementId(n) AS id",
		map[string]any{"many": many, "text": strings.Repeat("x", each)}) {
		ids = append(ids, row["id"].(string))
	}
	for round := range 2 {
		t.Run(fmt.Sprint("round ", round), func(t *testing.T) {
			before := counted.runs
			budget := new(takenBytes)
			var updating sync.WaitGroup
			for _, id := range ids {
				updating.Go(func() {
					n, err := s.UpdateNode(graph.WithByteBudget(ctx, budget), id, graph.Change{Properties: graph.Properties{"round": int64(round)}})
					assert.NoError(t, err)
					assert.Len(t, n.Properties["text"], each)
				})
			}
			updating.Wait()
			require.Greater(t, budget.taken, int64(many*each))
			require.Less(t, budget.taken, int64(2*many*each))
			if round > 0 {
				require.GreaterOrEqual(t, counted.runs-before, many, "each is updated alone, because it is known to be large; some once more")
			}
		})
	}

	rejectedValueOf := func(id string) any {
		return db.Query(t, "MATCH (n) WHERE elementId(n) = $id RETURN n.refused AS v", map[string]any{"id": id})[0]["v"]
	}
	rejected := graph.Change{Properties: graph.Properties{"refused": true}}
	_, err := s.UpdateNode(graph.WithByteBudget(ctx, exhaustedBytes{}), ids[0], rejected)
	require.Equal(t, fault.DatabaseUnavailable, fault.CodeOf(err))
	require.Nil(t, rejectedValueOf(ids[0]), "a rejected update of an entity that is known to be large changes nothing")

	unknown, err := s.CreateNode(ctx, graph.NewNode{Type: "Small"})
	require.NoError(t, err)
	made := graph.Change{Properties: graph.Properties{"made": true}}
	_, err = s.UpdateNode(graph.WithByteBudget(ctx, exhaustedBytes{}), unknown.Entity.ID, made)
	require.Equal(t, fault.DatabaseUnavailable, fault.CodeOf(err))
	require.Contains(t, fault.As(err).Message, "The change was made", "its size was not known before")
	require.Positive(t, fault.As(err).After)
	require.EqualValues(t, 1, db.Count(t, "MATCH (n:Small {made: true}) RETURN count(n)", nil))

	budget := new(takenBytes)
	conditional := graph.Change{Properties: graph.Properties{"refused": false}, Unchanged: []string{"refused"}}
	_, err = s.UpdateNode(graph.WithByteBudget(ctx, budget), ids[1], conditional)
	require.Equal(t, fault.Validation, fault.CodeOf(err))
	require.Greater(t, budget.max, int64(each), "what a change reads is charged too")
	_, err = s.UpdateNode(graph.WithByteBudget(ctx, exhaustedBytes{}), ids[1], conditional)
	require.Equal(t, fault.DatabaseUnavailable, fault.CodeOf(err))
}

// A batch of updates keeps no more of its results than a page may have; the others are read alone, and each caller gets its own.
func TestABatchOfUpdatesKeepsResultsUpToItsBytes(t *testing.T) {
	const many, each = 32, 50 << 10 // below the size from which an entity is known to be large
	ctx := context.Background()
	changed, read := &statementCount{name: "update_nodes"}, &statementCount{name: "nodes_by_element"}
	s, _ := open(t, func(c *settings) {
		c.MaxPageBytes = 2 * each
		c.client.Statements = []bolt.StatementObserver{changed, read}
	})
	var ids []string // of nodes that the store created, so that an update needs no look-up
	for i := range many {
		properties := graph.Properties{"text": strings.Repeat("x", each), "i": int64(i + 1)}
		n, err := s.CreateNode(ctx, graph.NewNode{Type: "Large", Properties: properties})
		require.NoError(t, err)
		ids = append(ids, n.Entity.ID)
	}
	for round := range 2 {
		before, budget := read.runs, new(takenBytes)
		var updating sync.WaitGroup
		for i, id := range ids {
			updating.Go(func() {
				change := graph.Change{Properties: graph.Properties{"round": int64(round)}}
				n, err := s.UpdateNode(graph.WithByteBudget(ctx, budget), id, change)
				if assert.NoError(t, err) {
					assert.Equal(t, id, n.ID)
					assert.EqualValues(t, i+1, n.Properties["i"])
					assert.EqualValues(t, round, n.Properties["round"])
					assert.Len(t, n.Properties["text"], each)
				}
			})
		}
		updating.Wait()
		require.Less(t, changed.runs, many*(round+1), "updates were merged")
		require.Greater(t, read.runs, before, "what a batch did not keep is read alone")
		require.Greater(t, budget.taken, int64(many*each))
		require.Less(t, budget.taken, int64(2*many*each))
	}
}
