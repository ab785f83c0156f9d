package neo4jstore_test

import (
	"context"
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
	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

// afterStatement calls a function each time a statement with a name succeeded.
type afterStatement struct {
	name string
	call func()
}

func (a *afterStatement) Statement(_ context.Context, name, _ string, _ time.Time, failure string) {
	if name == a.name && failure == "" && a.call != nil {
		a.call()
	}
}

// hubStore is a store whose large deletes can be interrupted after each of their transactions.
type hubStore struct {
	s     *neo4jstore.Store
	db    *neo4jtest.DB
	after *afterStatement
}

func openHubStore(t *testing.T) hubStore {
	t.Helper()
	after := &afterStatement{name: "delete_edges_of_node"}
	s, db := open(t, func(c *settings) {
		c.audit.Mode, c.MaxDetach, c.client.QueryTimeout = audit.All, 2000, 20*time.Second
		c.client.Statements = []bolt.StatementObserver{after}
	})
	return hubStore{s, db, after}
}

// receive receives a value that is sent only while a large delete runs.
func receive[T any](t *testing.T, from <-chan T) T {
	t.Helper()
	select {
	case got := <-from:
		return got
	case <-time.After(time.Minute):
		require.FailNow(t, "no edges were deleted separately from their node")
		panic("not reached")
	}
}

// createHub creates a node with edges in both directions to nodes that have no other edges.
func (w hubStore) createHub(t *testing.T, edges int) graph.Node {
	t.Helper()
	created, err := w.s.CreateNode(t.Context(), graph.NewNode{Type: "Hub", Properties: graph.Properties{"n": int64(edges)}})
	require.NoError(t, err)
	_, err = w.s.CreateEdge(t.Context(), graph.NewEdge{Type: "LOOP", SourceID: created.Entity.ID, TargetID: created.Entity.ID})
	require.NoError(t, err)
	w.db.Exec(t, `MATCH (h:Hub {uuid: $id}) UNWIND range(2, $edges) AS i CREATE (s:Spoke {i: i})
		FOREACH (_ IN CASE WHEN i % 2 = 0 THEN [1] ELSE [] END | CREATE (h)-[:TO]->(s))
		FOREACH (_ IN CASE WHEN i % 2 = 1 THEN [1] ELSE [] END | CREATE (h)<-[:FROM]-(s))`,
		map[string]any{"id": created.Entity.ID, "edges": edges})
	return created.Entity
}

func (w hubStore) countEdges(t *testing.T, n graph.Node) int64 {
	t.Helper()
	return w.db.Count(t, "OPTIONAL MATCH (h:Hub {uuid: $id}) RETURN CASE WHEN h IS NULL THEN -1 ELSE COUNT { (h)-[r]-() } END",
		map[string]any{"id": n.ID})
}

func detach() graph.Removal {
	yes := true
	return graph.Removal{Detach: &yes}
}

func detachIf(revision graph.Revision) graph.Removal {
	r := detach()
	r.If = graph.Precondition{Revisions: []graph.Revision{revision}}
	return r
}

func TestLargeDelete(t *testing.T) {
	testmark.Concurrent(t)
	testmark.Long(t)
	w := openHubStore(t)
	ctx := actor("ann")
	for name, run := range map[string]func(*testing.T){
		"counts all edges, in transactions within the limit": func(t *testing.T) {
			hub := w.createHub(t, 2500)
			deletion, err := w.s.DeleteNode(ctx, hub.ID, detach())
			require.NoError(t, err)
			require.Equal(t, graph.Deletion{ID: hub.ID, DeletedEdges: 2500}, deletion)
			require.EqualValues(t, -1, w.countEdges(t, hub))
			sizes := w.db.Query(t,
				"MATCH (e:_GraphrestAudit {kind: 'edge', action: 'delete'}) RETURN collect(e.changes) AS sizes, sum(e.changes) AS total", nil)[0]
			require.EqualValues(t, 2500, sizes["total"])
			for _, size := range sizes["sizes"].([]any) {
				require.LessOrEqual(t, size, int64(neo4jstore.EdgesPerDelete))
			}
		},
		"respects the maximum number of edges without detach": func(t *testing.T) {
			hub := w.createHub(t, 2001)
			no := false
			for _, r := range []graph.Removal{{}, {Detach: &no}} {
				_, err := w.s.DeleteNode(ctx, hub.ID, r)
				requireFault(t, err, fault.Conflict, "detach")
			}
			require.EqualValues(t, 2001, w.countEdges(t, hub))
			w.db.Exec(t, "MATCH (:Hub {uuid: $id})-[r:TO]->() WITH r LIMIT 1 DELETE r", map[string]any{"id": hub.ID})
			deletion, err := w.s.DeleteNode(ctx, hub.ID, graph.Removal{})
			require.NoError(t, err)
			require.EqualValues(t, 2000, deletion.DeletedEdges)
		},
		"compares the version before the first edge is deleted": func(t *testing.T) {
			hub := w.createHub(t, 1200)
			_, err := w.s.DeleteNode(ctx, hub.ID, detachIf("old"))
			requireFault(t, err, fault.PreconditionFailed, "If-Match")
			require.EqualValues(t, 1200, w.countEdges(t, hub))
			deletion, err := w.s.DeleteNode(ctx, hub.ID, detachIf(hub.Revision()))
			require.NoError(t, err)
			require.EqualValues(t, 1200, deletion.DeletedEdges)
		},
		"compares the version again before the node is deleted": func(t *testing.T) {
			hub := w.createHub(t, 1200)
			var once sync.Once
			w.after.call = func() {
				once.Do(func() { w.db.Exec(t, "MATCH (h:Hub {uuid: $id}) SET h.n = 0", map[string]any{"id": hub.ID}) })
			}
			_, err := w.s.DeleteNode(ctx, hub.ID, detachIf(hub.Revision()))
			requireFault(t, err, fault.PreconditionFailed, "deleted_edges", "If-Match")
			require.Zero(t, w.countEdges(t, hub), "the node remains")
		},
		"deletes edges that are created meanwhile": func(t *testing.T) {
			hub := w.createHub(t, 1200)
			var once sync.Once
			w.after.call = func() {
				once.Do(func() {
					w.db.Exec(t, "MATCH (h:Hub {uuid: $id}) UNWIND range(1, 1500) AS i CREATE (h)-[:LATE]->(:Spoke)", map[string]any{"id": hub.ID})
				})
			}
			deletion, err := w.s.DeleteNode(ctx, hub.ID, detach())
			require.NoError(t, err)
			require.EqualValues(t, 2700, deletion.DeletedEdges)
		},
		"stops at its deadline, reports its progress, and continues when it is sent again": func(t *testing.T) {
			hub := w.createHub(t, 2500)
			var held atomic.Bool
			unlock := make(chan func(), 1)
			w.after.call = func() { // its next transaction waits for this one
				if held.CompareAndSwap(false, true) {
					tx := begin(context.WithoutCancel(ctx), t, w.db, "MATCH (h:Hub {uuid: $id}) SET h += {}", map[string]any{"id": hub.ID})
					unlock <- func() { require.NoError(t, tx.Rollback(context.WithoutCancel(ctx))) }
				}
			}
			short, cancel := context.WithTimeout(ctx, 4*time.Second)
			defer cancel()
			_, err := w.s.DeleteNode(short, hub.ID, detach())
			requireFault(t, err, fault.DatabaseTimeout, "deleted_edges")
			require.Contains(t, fault.As(err).Details[0].Message, "1000 edges are deleted, about 1500 are left")
			require.Positive(t, fault.As(err).After)
			receive(t, unlock)()
			require.EqualValues(t, 1500, w.countEdges(t, hub))
			deletion, err := w.s.DeleteNode(ctx, hub.ID, detach())
			require.NoError(t, err)
			require.EqualValues(t, 1500, deletion.DeletedEdges)
		},
		"succeeds once of concurrent requests": func(t *testing.T) {
			hub := w.createHub(t, 2500)
			var group sync.WaitGroup
			var mu sync.Mutex
			var deleted []int64
			for range 4 {
				group.Go(func() {
					deletion, err := w.s.DeleteNode(ctx, hub.ID, detach())
					mu.Lock()
					defer mu.Unlock()
					if err == nil {
						deleted = append(deleted, deletion.DeletedEdges)
						return
					}
					require.Equal(t, fault.NotFound, fault.CodeOf(err), err)
				})
			}
			group.Wait()
			require.Equal(t, []int64{2500}, deleted)
		},
		"counts no edges of internal data, and keeps internal nodes": func(t *testing.T) {
			hub := w.createHub(t, 1)
			w.db.Exec(t, "MATCH (h:Hub {uuid: $id}) UNWIND range(1, 600) AS i CREATE (h)-[:TO]->(:_GraphrestSeed {i: i})",
				map[string]any{"id": hub.ID})
			no := false
			_, err := w.s.DeleteNode(ctx, hub.ID, graph.Removal{Detach: &no})
			requireFault(t, err, fault.Conflict, "detach")
			deletion, err := w.s.DeleteNode(ctx, hub.ID, graph.Removal{})
			require.NoError(t, err)
			require.EqualValues(t, 1, deletion.DeletedEdges)
			require.EqualValues(t, 600, w.db.Count(t, "MATCH (n:_GraphrestSeed) RETURN count(n)", nil))
		},
	} {
		t.Run(name, func(t *testing.T) {
			w.after.call = nil
			w.db.Exec(t, "MATCH (e:_GraphrestAudit) DELETE e", nil)
			run(t)
		})
	}
}

// A node with many edges does not share its transactions with others, so that its waits delay no other delete.
func TestAWaitingLargeDeleteDelaysNoOther(t *testing.T) {
	testmark.Concurrent(t)
	testmark.Long(t)
	w := openHubStore(t)
	ctx := actor("ann")
	hub := w.createHub(t, 2500)
	var others []string
	for range 30 {
		other, err := w.s.CreateNode(ctx, graph.NewNode{Type: "Other"})
		require.NoError(t, err)
		others = append(others, other.Entity.ID)
	}
	held, release := make(chan struct{}), make(chan func(), 1)
	var once sync.Once
	w.after.call = func() {
		once.Do(func() {
			tx := begin(context.WithoutCancel(ctx), t, w.db, "MATCH (h:Hub {uuid: $id}) SET h += {}", map[string]any{"id": hub.ID})
			release <- func() { require.NoError(t, tx.Rollback(context.WithoutCancel(ctx))) }
			close(held)
		})
	}
	var group sync.WaitGroup
	for range 2 { // the second is a repeated request
		group.Go(func() {
			_, err := w.s.DeleteNode(ctx, hub.ID, detach())
			if err != nil {
				require.Equal(t, fault.NotFound, fault.CodeOf(err), err)
			}
		})
		receive(t, held)
	}
	var small sync.WaitGroup
	for _, id := range others {
		small.Go(func() {
			_, err := w.s.DeleteNode(ctx, id, graph.Removal{})
			require.NoError(t, err)
		})
	}
	small.Wait() // the hub is still locked
	require.Positive(t, w.countEdges(t, hub))
	receive(t, release)()
	group.Wait()
	require.EqualValues(t, -1, w.countEdges(t, hub))
}

// Edges that are deleted with their node are in the audit, each by its id, up to a limit; the rest are counted under the node's id.
func TestAuditNamesEdgesDeletedWithTheirNode(t *testing.T) {
	w := openHubStore(t)
	ctx := actor("ann")
	a, err := w.s.CreateNode(ctx, graph.NewNode{Type: "Person"})
	require.NoError(t, err)
	own, err := w.s.CreateEdge(ctx, graph.NewEdge{Type: "KNOWS", SourceID: a.Entity.ID, TargetID: a.Entity.ID})
	require.NoError(t, err)
	foreign := w.db.Query(t, "MATCH (p:Person) CREATE (p)-[r:OLD {uuid: 'not an id here'}]->(:Other) RETURN elementId(r) AS id",
		nil)[0]["id"].(string)
	_, err = w.s.DeleteNode(actor("bob"), a.Entity.ID, graph.Removal{})
	require.NoError(t, err)
	require.ElementsMatch(t, []string{
		"bob delete node " + a.Entity.ID + " Person [] 1", "bob delete edge " + own.Entity.ID + " KNOWS [] 1",
		"bob delete edge " + foreign + " OLD [] 1",
	}, formatEntries(readEntries(t, w.s, audit.Query{User: "bob"}, 2)))
	require.Len(t, readEntries(t, w.s, audit.Query{Entity: own.Entity.ID, Action: audit.Delete}, 10), 1)

	hub := w.createHub(t, 1500)
	_, err = w.s.DeleteNode(actor("cid"), hub.ID, detach())
	require.NoError(t, err)
	named, counted := 0, int64(0)
	for _, e := range readEntries(t, w.s, audit.Query{User: "cid", Kind: audit.Edge}, 60) {
		if e.Entity == hub.ID {
			counted += e.Count
		} else {
			named++
		}
	}
	require.Equal(t, neo4jstore.MaxNamedEdges, named)
	require.EqualValues(t, 1500-named, counted)
}
