package neo4jstore_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/journal"
	"graphrest/internal/neo4jstore"
	"graphrest/internal/neo4jtest"
)

// sentLookups collects the texts of look-ups of nodes by id.
type sentLookups struct {
	mu    sync.Mutex
	texts []string
}

func (s *sentLookups) Statement(_ context.Context, name, text string, _ time.Time, _ string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if strings.HasPrefix(name, "nodes_by_id") {
		s.texts = append(s.texts, text)
	}
}

// seeks is the number of searches of an index in the plans of what was sent since the last call.
func (s *sentLookups) seeks(t *testing.T, db *neo4jtest.DB) int {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	all := 0
	for _, text := range s.texts {
		all += strings.Count(neo4jtest.Plan(t, db, text, nil), "+NodeUniqueIndexSeek")
	}
	s.texts = nil
	return all
}

// An import looks an id up in the type that the id, or its line names. Only what is not found there is looked up in all types.
func TestImportLooksIDsUpInTheNamedTypes(t *testing.T) {
	sent := &sentLookups{}
	s, db := open(t, func(c *settings) { c.client.Statements = []bolt.StatementObserver{sent} })
	types := []graph.TypeName{"Account", "Airport", "City", "Doc", "Person", "Place", "Port", "Region"}
	made := map[graph.TypeName]string{}
	for _, typ := range types {
		n, err := s.CreateNode(as(t, "fill"), graph.NewNode{Type: typ})
		require.NoError(t, err)
		made[typ] = n.Entity.ID
	}
	// Earlier tests leave managed types, too.
	require.NoError(t, neo4jstore.RefreshCaches(t.Context(), s))
	all := int(db.Count(t, "SHOW CONSTRAINTS YIELD name, properties "+ // those of another id property are of no use
		"WHERE name STARTS WITH '_Graphrest_node_' AND properties = ['uuid'] RETURN count(*)", nil))
	foreign := func(n int) string { // a UUID of version 5 hints at no type
		return uuid.NewSHA1(uuid.Nil, fmt.Append(nil, n)).String()
	}
	var people []graph.BulkLine
	for n := range 4 {
		people = append(people, graph.BulkLine{Number: int64(n + 1), Node: &graph.BulkNode{ID: foreign(n), Labels: []graph.TypeName{"Person"}}})
	}
	done := func(on graph.OnConflict, batches ...[]graph.BulkLine) (seeks []int) {
		to := s.Bulk.Import(on)
		for _, lines := range batches {
			sent.seeks(t, db)
			results, err := to.Write(as(t, "import"), lines)
			require.NoError(t, err)
			for _, r := range results {
				require.Nil(t, r.Fault)
			}
			seeks = append(seeks, sent.seeks(t, db))
		}
		return seeks
	}
	edge := func(number int64, source, target string) graph.BulkLine {
		return graph.BulkLine{Number: number, Edge: &graph.BulkEdge{
			Type: "KNOWS", Source: graph.BulkEnd{ID: source}, Target: graph.BulkEnd{ID: target},
		}}
	}
	require.Equal(t, []int{1 + all}, done(graph.OnConflictError, people), "new ids are free in every type")
	require.Equal(t, []int{1}, done(graph.OnConflictSkip, people), "an existing id is found in the type of its line")
	require.Equal(t, []int{2}, done(graph.OnConflictError, []graph.BulkLine{edge(1, made["City"], made["Person"])}),
		"ids of the gateway name their types")
	require.Equal(t, []int{all, all}, done(graph.OnConflictError,
		[]graph.BulkLine{edge(1, foreign(0), foreign(1))}, []graph.BulkLine{edge(2, foreign(2), foreign(3))}),
		"other ids may be of several types")
	require.Equal(t, []int{1 + all}, done(graph.OnConflictError, []graph.BulkLine{edge(1, made["City"], foreign(0))}))
}

// An undo looks an entity up in the type that its record names.
func TestUndoLooksIDsUpInTheTypeOfTheRecord(t *testing.T) {
	sent := &sentLookups{}
	s := openJournal(t, func(c *settings) { c.client.Statements = []bolt.StatementObserver{sent} })
	for _, typ := range []graph.TypeName{"Account", "Airport", "City", "Doc"} {
		_, err := s.CreateNode(as(t, "fill"), graph.NewNode{Type: typ})
		require.NoError(t, err)
	}
	to := s.Bulk.Import(graph.OnConflictError)
	_, err := to.Write(as(t, "import"), []graph.BulkLine{{Number: 1, Node: &graph.BulkNode{ID: "d-1", Labels: []graph.TypeName{"Doc"}}}})
	require.NoError(t, err)
	sent.seeks(t, s.db)
	result, err := s.j.Undo(as(t, "undo"), journal.UndoRequest{Import: "import"})
	require.NoError(t, err)
	require.Equal(t, 1, result.Undone)
	require.Equal(t, 1, sent.seeks(t, s.db))
}
