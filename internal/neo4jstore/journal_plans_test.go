package neo4jstore_test

import (
	"context"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/require"

	"graphrest/internal/bolt"
	"graphrest/internal/changeset"
	"graphrest/internal/graph"
	"graphrest/internal/journal"
	"graphrest/internal/testmark"
)

// journalGraphVariable sets the number of nodes of the graph of TestJournalScansNoType; default 4,000.
const journalGraphVariable = "GRAPHREST_TEST_JOURNAL_GRAPH"

// scanOperators read all entities of a type, or all entities, by the beginning of their names.
var scanOperators = []string{
	"AllNodesScan", "NodeByLabelScan", "UnionNodeByLabelsScan", "IntersectionNodeByLabelsScan", "NodeIndexScan",
	"DirectedAllRelationshipsScan", "UndirectedAllRelationshipsScan", "DirectedRelationshipTypeScan", "UndirectedRelationshipTypeScan",
	"DirectedRelationshipIndexScan", "UndirectedRelationshipIndexScan", "DirectedUnionRelationshipTypesScan",
	"UndirectedUnionRelationshipTypesScan",
}

// statementTexts records the text of each statement, by its name.
type statementTexts struct {
	mu    sync.Mutex
	texts map[string]string
}

func (s *statementTexts) Statement(_ context.Context, name, text string, _ time.Time, _ string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.texts[name] = text
}

// take returns the statements since the last call.
func (s *statementTexts) take() map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	taken := s.texts
	s.texts = map[string]string{}
	return taken
}

// On a graph that Cypher made, without ids and indexes, nothing of history, undo, trash, feed, batches and change sets scans a type.
func TestJournalScansNoType(t *testing.T) {
	testmark.EveryRelease(t)
	size := 4000
	if text := os.Getenv(journalGraphVariable); text != "" {
		var err error
		size, err = strconv.Atoi(text)
		require.NoError(t, err)
	}
	sent := &statementTexts{texts: map[string]string{}}
	g := openJournal(t, func(c *settings) { c.client.Statements = []bolt.StatementObserver{sent} })
	g.db.Exec(t, `UNWIND range(1, $size) AS i CALL (i) { CREATE (:Legacy:Old {n: i, name: 'name ' + i}) } IN TRANSACTIONS OF 5000 ROWS`,
		map[string]any{"size": size})
	g.db.Exec(t, "CREATE (:Legacy:Hub {name: 'hub'})", nil)
	g.db.Exec(t, "MATCH (h:Hub), (n:Old) CALL (h, n) { CREATE (n)-[:LINKS {n: n.n}]->(h) } IN TRANSACTIONS OF 5000 ROWS", nil)
	node := func(n int) string {
		return g.db.Query(t, "MATCH (n:Old {n: $n}) RETURN elementId(n) AS id", map[string]any{"n": n})[0]["id"].(string)
	}
	edge := g.db.Query(t, "MATCH (:Old {n: 5})-[r:LINKS]->() RETURN elementId(r) AS id", nil)[0]["id"].(string)
	one, other, gone := node(1), node(2), node(3)
	sent.take()
	step := func(what string, run func(ctx context.Context) error) {
		t.Helper()
		began := time.Now()
		require.NoError(t, run(as(t, what)), what)
		took := time.Since(began)
		texts := sent.take()
		delete(texts, "journal_order") // gives positions to all records that have none
		for name, text := range texts {
			if strings.HasPrefix(name, "schema_") || slices.Contains([]string{"names_in_use", "managed_types", "declarations_read"}, name) {
				continue // the schema and the declarations are read in the background
			}
			for _, operator := range explainOperators(t, g.db.Driver, g.db.Database, text) {
				require.NotContains(t, scanOperators, operator, "%s: %s", what, name)
			}
		}
		t.Logf("%s: %d ms; %s", what, took.Milliseconds(), strings.Join(slices.Sorted(maps.Keys(texts)), " "))
	}
	change := func(r journal.UndoRequest) func(context.Context) error {
		return func(ctx context.Context) error {
			_, err := g.j.Undo(ctx, r)
			return err
		}
	}
	step("an update", func(ctx context.Context) error {
		_, err := g.UpdateNode(ctx, one, graph.Change{Properties: graph.Properties{"x": true}})
		return err
	})
	step("an update of an edge", func(ctx context.Context) error {
		_, err := g.UpdateEdge(ctx, edge, graph.Change{Properties: graph.Properties{"x": true}})
		return err
	})
	for k, id := range map[graph.Kind]string{graph.NodeKind: one, graph.EdgeKind: edge} {
		var last string
		step("history", func(ctx context.Context) error {
			page, err := g.j.History(ctx, journal.HistoryQuery{Kind: k, ID: id, Limit: 10})
			last = page.Records[0].ID
			return err
		})
		step("the past", func(ctx context.Context) error {
			_, err := g.j.AsOf(ctx, k, id, journal.Moment{Change: last})
			return err
		})
		step("undo of an update", change(journal.UndoRequest{Change: last}))
	}
	step("a delete", func(ctx context.Context) error {
		_, err := g.DeleteNode(ctx, gone, graph.Removal{})
		return err
	})
	var trash journal.TrashPage
	step("trash", func(ctx context.Context) (err error) {
		trash, err = g.j.Trash(ctx, journal.TrashQuery{Limit: 10})
		return err
	})
	step("history of what was deleted", func(ctx context.Context) error {
		_, err := g.j.History(ctx, journal.HistoryQuery{Kind: graph.NodeKind, ID: gone, Limit: 10})
		return err
	})
	step("undo, dry run", change(journal.UndoRequest{Change: trash.Deleted[0].Change, DryRun: true}))
	step("undo of a delete", change(journal.UndoRequest{Change: trash.Deleted[0].Change}))
	operations := []graph.Operation{
		updateOf(graph.OpUpdateNode, other, graph.Properties{"x": true}), deletionOf(graph.OpDeleteNode, node(4)),
		{Op: graph.OpCreateEdge, Type: "LINKS", Source: graph.EntityRef{ID: one}, Target: graph.EntityRef{ID: other}},
	}
	sent.take()
	step("a change set", func(ctx context.Context) error {
		set, _, err := g.ChangeSets.Propose(ctx, changeset.Set{Title: "T", Author: ada}, operations, nil)
		require.NoError(t, err)
		_, err = g.ChangeSets.Diff(ctx, set, ada, operations)
		return err
	})
	step("a batch", func(ctx context.Context) error {
		_, err := g.Batches.Apply(ctx, operations, graph.BatchOptions{})
		return err
	})
	step("the feed", func(ctx context.Context) error {
		_, err := g.j.Feed(ctx, journal.FeedQuery{Since: journal.FeedStart, Limit: 100})
		return err
	})
	step("the last changes", func(ctx context.Context) error {
		_, err := g.j.Feed(ctx, journal.FeedQuery{Last: 10, Limit: 100})
		return err
	})
	// With one id, a scan of its index costs as much as a seek.
	for range 50 {
		_, err := g.CreateEdge(as(t, "more ids"), graph.NewEdge{Type: "LINKS", SourceID: one, TargetID: other})
		require.NoError(t, err)
	}
	g.db.Exec(t, "CALL db.prepareForReplanning(60)", nil) // counts the index on the ids
	sent.take()
	step("undo of a request", change(journal.UndoRequest{RequestID: "a batch"}))
}

// explainOperators are the names of the operators of a statement's plan.
func explainOperators(t *testing.T, driver neo4j.DriverWithContext, database, text string) (names []string) {
	t.Helper()
	session := driver.NewSession(t.Context(), neo4j.SessionConfig{DatabaseName: database})
	defer func() { require.NoError(t, session.Close(context.Background())) }()
	result, err := session.Run(t.Context(), "EXPLAIN "+text, nil)
	require.NoError(t, err, text)
	summary, err := result.Consume(t.Context())
	require.NoError(t, err, text)
	var add func(neo4j.Plan)
	add = func(p neo4j.Plan) {
		if p == nil {
			return
		}
		name, _, _ := strings.Cut(p.Operator(), "@")
		names = append(names, name)
		for _, child := range p.Children() {
			add(child)
		}
	}
	add(summary.Plan())
	return names
}
