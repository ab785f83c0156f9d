package neo4jstore_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/audit"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jstore"
	"graphrest/internal/testmark"
)

// soughtDeletes is a store that has planned the deletes of entities which it does not know, and that has not seen any of the graph.
type soughtDeletes struct {
	hubStore
	sent statementNames
}

func openSoughtDeletes(t *testing.T, create func(hubStore)) *soughtDeletes {
	t.Helper()
	d := &soughtDeletes{hubStore: openHubStore(t)}
	create(d.hubStore)
	d.s = openPrepared(t, d.db, func(c *settings) {
		c.audit.Mode, c.PlanAhead, c.Journal = audit.All, true, true
		c.client.Statements = []bolt.StatementObserver{&d.sent}
	})
	require.Eventually(t, func() bool { return neo4jstore.PlanDeletes(t.Context(), d.s) }, time.Minute, 20*time.Millisecond)
	return d
}

// statementsOf are the statements that work sends to look entities up and to delete them.
func (d *soughtDeletes) statementsOf(work func()) []string {
	return slices.DeleteFunc(d.sent.sentDuring(work), func(name string) bool {
		return !slices.Contains([]string{
			"nodes_by_id", "nodes_by_id_each", "nodes_by_element", "edges_by_id", "edges_by_id_each", "edges_by_element",
			"delete_nodes", "delete_edges",
		}, name)
	})
}

// A delete of an entity that the gateway does not know takes one statement, and deletes it once, in the type that its id hints at.
func TestDeleteLooksItsEntityUp(t *testing.T) {
	testmark.EveryRelease(t)
	ctx := actor("ann")
	var city, person, large graph.Node
	var edge graph.Edge
	w := openSoughtDeletes(t, func(w hubStore) {
		city, person, large = w.createTyped(t, "City"), w.createTyped(t, "Person"), w.createHub(t, 400)
		made, err := w.s.CreateEdge(ctx, graph.NewEdge{Type: "KNOWS", SourceID: city.ID, TargetID: person.ID})
		require.NoError(t, err)
		edge = made.Entity
		w.db.Exec(t, "CREATE (:City {uuid: $id, thief: true})", map[string]any{"id": person.ID})
	})
	require.Equal(t, []string{"delete_edges"}, w.statementsOf(func() {
		_, err := w.s.DeleteEdge(ctx, edge.ID, graph.Removal{})
		require.NoError(t, err)
	}))
	require.Equal(t, []string{"delete_nodes"}, w.statementsOf(func() {
		deletion, err := w.s.DeleteNode(ctx, person.ID, graph.Removal{})
		require.NoError(t, err)
		require.Equal(t, graph.Deletion{ID: person.ID}, deletion)
	}))
	require.EqualValues(t, 1, w.db.Count(t, "MATCH (n {uuid: $id}) RETURN count(n)", map[string]any{"id": person.ID}), "of another type")
	for _, id := range []string{edge.ID, person.ID} {
		require.EqualValues(t, 1, w.db.Count(t,
			"MATCH (e:_GraphrestAudit {action: 'delete'}) WHERE any(l IN e.lines WHERE l CONTAINS $id) RETURN count(e)",
			map[string]any{"id": "\t" + id + "\t"}))
		require.EqualValues(t, 1, w.db.Count(t,
			"MATCH (c:_GraphrestChange) WHERE c._graphrest_entity ENDS WITH $id AND c._graphrest_meta[0] = 'delete' RETURN count(c)",
			map[string]any{"id": " " + id}))
	}
	_, err := w.s.DeleteEdge(ctx, edge.ID, graph.Removal{})
	requireFault(t, err, fault.NotFound)
	no := false
	_, err = w.s.DeleteNode(ctx, large.ID, graph.Removal{Detach: &no})
	requireFault(t, err, fault.Conflict, "detach")
	deletion, err := w.s.DeleteNode(ctx, large.ID, graph.Removal{})
	require.NoError(t, err)
	require.Equal(t, graph.Deletion{ID: large.ID, DeletedEdges: 400}, deletion)
}

// Of concurrent deletes of entities, known and unknown, each deletes what it names, once.
func TestConcurrentDeletesOfUnknownEntities(t *testing.T) {
	testmark.Concurrent(t)
	ctx := actor("ann")
	var made []graph.Node
	w := openSoughtDeletes(t, func(w hubStore) {
		for i := range 60 {
			made = append(made, w.createTyped(t, graph.TypeName(fmt.Sprintf("Type%d", i%3))))
		}
	})
	var group sync.WaitGroup
	deleted := make([]atomic.Int32, len(made))
	for i, n := range made {
		id := n.ID
		if i%2 == 0 {
			_, err := w.s.Node(ctx, id)
			require.NoError(t, err)
		}
		for range 3 {
			group.Go(func() {
				if _, err := w.s.DeleteNode(ctx, id, graph.Removal{}); err == nil {
					deleted[i].Add(1)
				} else {
					requireFault(t, err, fault.NotFound)
				}
			})
		}
	}
	group.Wait()
	for i := range deleted {
		require.EqualValues(t, 1, deleted[i].Load())
	}
	require.Zero(t, w.db.Count(t, "MATCH (n:Type0|Type1|Type2) RETURN count(n)", nil))
}

// createTyped creates a node of a type.
func (w hubStore) createTyped(t *testing.T, name graph.TypeName) graph.Node {
	t.Helper()
	made, err := w.s.CreateNode(context.Background(), graph.NewNode{Type: name})
	require.NoError(t, err)
	return made.Entity
}
