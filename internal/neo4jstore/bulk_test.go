package neo4jstore_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/graphgen"
	"graphrest/internal/neo4jdev"
	"graphrest/internal/neo4jstore"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

// exportedGraph is an export in the form of an import's input, and a description of it that does not depend on ids.
type exportedGraph struct {
	labels  []graph.TypeName
	lines   []graph.BulkLine
	content []string
	ids     map[string]bool
}

func exportAll(t *testing.T, s *neo4jstore.Store) exportedGraph {
	t.Helper()
	var all exportedGraph
	all.ids = map[string]bool{}
	content := map[string]string{}
	add := func(line graph.BulkLine, text string) {
		line.Number = int64(len(all.lines)) + 1
		all.lines = append(all.lines, line)
		all.content = append(all.content, text)
	}
	require.NoError(t, s.Bulk.Export(t.Context(), graph.ExportQuery{}, graph.Receiver{
		Types: func(labels []string) error {
			for _, l := range labels {
				all.labels = append(all.labels, graph.TypeName(l))
			}
			return nil
		},
		Node: func(n *graph.Node) error {
			line := &graph.BulkNode{ID: n.ID, Properties: n.Properties}
			for _, l := range n.Labels {
				line.Labels = append(line.Labels, graph.TypeName(l))
			}
			all.ids[n.ID] = true
			n.ID = ""
			content[line.ID] = string(n.Revision())
			add(graph.BulkLine{Node: line}, content[line.ID])
			return nil
		},
		Edge: func(e *graph.Edge) error {
			line := &graph.BulkEdge{
				ID: e.ID, Type: graph.TypeName(e.Type), Properties: e.Properties, Source: graph.BulkEnd{ID: e.SourceID},
				Target: graph.BulkEnd{ID: e.TargetID},
			}
			all.ids[e.ID] = true
			e.ID, e.SourceID, e.TargetID = "", content[e.SourceID], content[e.TargetID]
			add(graph.BulkLine{Edge: line}, string(e.Revision()))
			return nil
		},
	}))
	slices.Sort(all.content)
	return all
}

func importAll(t *testing.T, s *neo4jstore.Store, from exportedGraph) {
	t.Helper()
	to := s.Bulk.Import(graph.OnConflictError)
	require.NoError(t, to.Types(t.Context(), from.labels))
	for batch := range slices.Chunk(from.lines, 700) {
		results, err := to.Write(t.Context(), batch)
		require.NoError(t, err)
		for i, r := range results {
			require.Nil(t, r.Fault, "line %d: %+v %+v", batch[i].Number, batch[i].Node, batch[i].Edge)
		}
	}
}

// A foreign graph with every kind of name and value, and generated nodes, is exported and imported into an empty database: an export of
// that is the same, including types of values and the order of labels. The second time the ids are the same too.
func TestExportAndImportPreserveTheGraph(t *testing.T) {
	testmark.Long(t)
	s, db := open(t, withGID)
	db.SeedForeign(t, 500, 1000)
	for i := range 120 {
		_, err := s.CreateNode(t.Context(), graph.NewNode{Type: "Generated", Properties: graphgen.Properties().Example(i)})
		require.NoError(t, err)
	}
	first := exportAll(t, s)
	require.Len(t, first.lines, 500+1000+120)

	server := neo4jtest.Connect(t, neo4jtest.FreshServer(t, neo4jdev.Options{}))
	target := openOn(t, server, withGID)
	importAll(t, target, first)
	second := exportAll(t, target)
	require.Equal(t, first.content, second.content)
	require.Len(t, second.ids, len(first.ids))

	server.Exec(t, "MATCH (n) WHERE none(l IN labels(n) WHERE l STARTS WITH '_Graphrest') DETACH DELETE n", nil)
	importAll(t, target, second)
	third := exportAll(t, target)
	require.Equal(t, first.content, third.content)
	for id := range third.ids {
		if id[1] != ':' { // a node without a label cannot have its own id
			require.True(t, second.ids[id], id)
		}
	}
}

// A receiver's error ends an export and is returned unchanged; cancellation of the caller ends it too.
func TestExportEndsWithItsReceiver(t *testing.T) {
	testmark.Concurrent(t)
	s, db := open(t, nil)
	db.Exec(t, "UNWIND range(1, 5000) AS i CREATE (:Person {n: i})", nil)
	enough := errors.New("enough")
	n := 0
	to := graph.Receiver{
		Types: func([]string) error { return nil },
		Node: func(*graph.Node) error {
			if n++; n == 10 {
				return enough
			}
			return nil
		},
	}
	require.ErrorIs(t, s.Bulk.Export(t.Context(), graph.ExportQuery{}, to), enough)
	ctx, leave := context.WithCancel(t.Context())
	to.Node = func(*graph.Node) error { leave(); return nil }
	require.ErrorIs(t, s.Bulk.Export(ctx, graph.ExportQuery{}, to), context.Canceled)
}

// Of two concurrent imports with the same ids, one creates each line.
func TestParallelImportsOfTheSameIDs(t *testing.T) {
	testmark.Concurrent(t)
	s, db := open(t, nil)
	other := openPrepared(t, db, nil)
	var lines []graph.BulkLine
	for i := range 300 {
		lines = append(lines,
			graph.BulkLine{Number: int64(i) + 1, Node: &graph.BulkNode{ID: fmt.Sprintf("id-%d", i), Labels: []graph.TypeName{"Person"}}})
	}
	results := make(chan int, 2)
	for _, store := range []*neo4jstore.Store{s, other} {
		go func() {
			created := 0
			got, err := store.Bulk.Import(graph.OnConflictSkip).Write(context.Background(), lines)
			if err != nil {
				created = -1000
			}
			for _, r := range got {
				if r.Done == graph.BulkCreated {
					created++
				}
			}
			results <- created
		}()
	}
	require.Equal(t, 300, <-results+<-results)
	require.EqualValues(t, 300, db.Count(t, "MATCH (n:Person) RETURN count(n)", nil))
}

// An element id in a stream means the entity in the source, never an entity that this import has created with the same element id.
func TestImportIgnoresReusedElementIDs(t *testing.T) {
	s, db := open(t, nil)
	to := s.Bulk.Import(graph.OnConflictMerge)
	write := func(line graph.BulkLine) graph.BulkResult {
		got, err := to.Write(t.Context(), []graph.BulkLine{line})
		require.NoError(t, err)
		return got[0]
	}
	node := func(id, name string) *graph.BulkNode {
		return &graph.BulkNode{ID: id, Labels: []graph.TypeName{"Person"}, Properties: graph.Properties{"name": name}}
	}
	require.Equal(t, graph.BulkCreated, write(graph.BulkLine{Number: 1, Node: node("", "first")}).Done)
	element := db.Query(t, "MATCH (n:Person) RETURN elementId(n) AS element", nil)[0]["element"].(string)
	edge := &graph.BulkEdge{Type: "KNOWS", Source: graph.BulkEnd{ID: element}, Target: graph.BulkEnd{ID: element}}
	require.Equal(t, fault.Validation, write(graph.BulkLine{Number: 2, Edge: edge}).Fault.Code)
	require.Equal(t, graph.BulkCreated, write(graph.BulkLine{Number: 3, Node: node(element, "second")}).Done)
	require.Equal(t, graph.BulkCreated, write(graph.BulkLine{Number: 4, Edge: edge}).Done)
	require.EqualValues(t, 1, db.Count(t, "MATCH (n:Person {name: 'second'})-[:KNOWS]->(n) RETURN count(*)", nil))
	require.EqualValues(t, 1, db.Count(t, "MATCH (n:Person {name: 'first'}) RETURN count(*)", nil))
}
