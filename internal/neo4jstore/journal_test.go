package neo4jstore_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"graphrest/internal/audit"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/graphgen"
	"graphrest/internal/journal"
	"graphrest/internal/neo4jjournal"
	"graphrest/internal/neo4jstore"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

// journalStore is a store whose journal is on.
type journalStore struct {
	*neo4jstore.Store
	j  *neo4jjournal.Journal
	db *neo4jtest.DB
}

func openJournal(t *testing.T, change func(*settings)) journalStore {
	t.Helper()
	s, db := open(t, func(c *settings) {
		c.Journal, c.audit.Mode = true, audit.All
		if change != nil {
			change(c)
		}
	})
	return journalStore{s, s.Journal, db}
}

// as returns a context of a user's request.
func as(t *testing.T, request string) context.Context {
	return audit.WithActor(t.Context(), audit.Actor{User: "ada", UserID: "1", RequestID: request})
}

func (s journalStore) createPerson(t *testing.T, request string, p graph.Properties) graph.Node {
	t.Helper()
	created, err := s.CreateNode(as(t, request), graph.NewNode{Type: "Person", Properties: p})
	require.NoError(t, err)
	return created.Entity
}

func (s journalStore) connect(t *testing.T, request string, from, to graph.Node, p graph.Properties) graph.Edge {
	t.Helper()
	created, err := s.CreateEdge(as(t, request), graph.NewEdge{Type: "KNOWS", SourceID: from.ID, TargetID: to.ID, Properties: p})
	require.NoError(t, err)
	return created.Entity
}

func (s journalStore) history(t *testing.T, k graph.Kind, id string) []journal.Record {
	t.Helper()
	page, err := s.j.History(t.Context(), journal.HistoryQuery{Kind: k, ID: id, Limit: 50})
	require.NoError(t, err)
	require.Empty(t, page.Next)
	return page.Records
}

func actions(records []journal.Record) (all []journal.Action) {
	for _, r := range records {
		all = append(all, r.Action)
	}
	return all
}

func (s journalStore) undo(t *testing.T, request string, r journal.UndoRequest) journal.UndoResult {
	t.Helper()
	dry := s.dryUndo(t, request, r)
	result, err := s.j.Undo(as(t, request), r)
	require.NoError(t, err)
	if r.DryRun {
		return result
	}
	require.Equal(t, dry.Undone, result.Undone, "a dry run expects the same")
	require.Equal(t, dry.Skipped, result.Skipped, "a dry run expects the same")
	require.Equal(t, slices.Sorted(maps.Keys(dry.IDs)), slices.Sorted(maps.Keys(result.IDs)), "a dry run expects the same")
	return result
}

func (s journalStore) dryUndo(t *testing.T, request string, r journal.UndoRequest) journal.UndoResult {
	t.Helper()
	r.DryRun = true
	result, err := s.j.Undo(as(t, request), r)
	require.NoError(t, err)
	require.Empty(t, result.Changes)
	return result
}

// Every change of a node is in its history with the values before and after, also once it is deleted; and the past can be read.
func TestHistoryShowsEveryChange(t *testing.T) {
	s := openJournal(t, nil)
	n := s.createPerson(t, "r1", graph.Properties{"name": "Ada", "n": int64(1)})
	_, err := s.UpdateNode(as(t, "r2"), n.ID, graph.Change{Properties: graph.Properties{"n": 2.0, "name": nil, "city": "Rome"}})
	require.NoError(t, err)
	_, err = s.UpdateNode(as(t, "r3"), n.ID, graph.Change{Properties: graph.Properties{"city": "Rome"}}) // changes nothing
	require.NoError(t, err)
	s.db.Exec(t, "MATCH (n:Person) SET n.past = 'the gateway'", nil)
	_, err = s.DeleteNode(as(t, "r4"), n.ID, graph.Removal{})
	require.NoError(t, err)

	all := s.history(t, graph.NodeKind, n.ID)
	require.Equal(t, []journal.Action{journal.Delete, journal.Update, journal.Create}, actions(all))
	require.Zero(
		t,
		s.db.Count(t, "MATCH (n) WHERE n.city IS NOT NULL OR n.past IS NOT NULL RETURN count(n)", nil),
		"a query for a property finds no record",
	)
	require.Equal(t, []bool{true, false, false}, []bool{all[0].HasGap(), all[1].HasGap(), all[2].HasGap()})
	before, after := all[1].Changed()
	require.Equal(t, graph.Properties{"n": int64(1), "name": "Ada", "city": nil}, before)
	require.Equal(t, graph.Properties{"n": 2.0, "name": nil, "city": "Rome"}, after)
	require.Equal(t, graph.Properties{"n": 2.0, "city": "Rome", "past": "the gateway"}, all[0].Before().Properties)
	require.Equal(t, "ada", all[0].User)
	require.Equal(t, []string{"r4", "r2", "r1"}, []string{all[0].RequestID, all[1].RequestID, all[2].RequestID})

	then, err := s.j.AsOf(t.Context(), graph.NodeKind, n.ID, journal.Moment{Change: all[2].ID})
	require.NoError(t, err)
	require.Equal(t, n, *then.Node)
	require.False(t, then.Gap)
	then, err = s.j.AsOf(t.Context(), graph.NodeKind, n.ID, journal.Moment{Time: all[0].At.Add(-time.Microsecond)})
	require.NoError(t, err)
	require.Equal(t, graph.Properties{"n": 2.0, "city": "Rome"}, then.Node.Properties)
	require.True(t, then.Gap)
	_, err = s.j.AsOf(t.Context(), graph.NodeKind, n.ID, journal.Moment{Time: all[2].At.Add(-time.Hour)})
	require.Equal(t, fault.NotFound, fault.CodeOf(err))
	_, err = s.j.AsOf(t.Context(), graph.NodeKind, n.ID, journal.Moment{Time: time.Now()})
	require.Equal(t, fault.NotFound, fault.CodeOf(err))
	_, err = s.j.History(t.Context(), journal.HistoryQuery{Kind: graph.NodeKind, ID: "never", Limit: 5})
	require.Equal(t, fault.NotFound, fault.CodeOf(err))

	first, err := s.j.History(t.Context(), journal.HistoryQuery{Kind: graph.NodeKind, ID: n.ID, Limit: 2})
	require.NoError(t, err)
	rest, err := s.j.History(t.Context(), journal.HistoryQuery{Kind: graph.NodeKind, ID: n.ID, Limit: 2, Cursor: first.Next})
	require.NoError(t, err)
	require.Equal(t, actions(all), append(actions(first.Records), actions(rest.Records)...))
}

// A deleted node comes back with its edges, and all of them are what they were; undoing the undo deletes them again.
func TestUndoRestoresANodeWithItsEdges(t *testing.T) {
	s := openJournal(t, nil)
	ada, bob := s.createPerson(t, "r1", graph.Properties{"name": "Ada"}), s.createPerson(t, "r1", nil)
	parallel := []graph.Edge{
		s.connect(t, "r1", ada, bob, graph.Properties{"n": int64(1)}),
		s.connect(t, "r1", ada, bob, nil),
		s.connect(t, "r1", ada, ada, nil),
	}
	s.db.Exec(
		t,
		"MATCH (a:Person {uuid: $a}) SET a:Pilot CREATE (a)<-[:OLD {k: date('2024-02-29')}]-(:Legacy {n: -0.0})",
		map[string]any{"a": ada.ID},
	)
	ada, err := s.Node(t.Context(), ada.ID)
	require.NoError(t, err)
	deletion, err := s.DeleteNode(as(t, "r2"), ada.ID, graph.Removal{})
	require.NoError(t, err)
	require.EqualValues(t, 4, deletion.DeletedEdges)

	trash, err := s.j.Trash(t.Context(), journal.TrashQuery{Limit: 10})
	require.NoError(t, err)
	require.Len(t, trash.Deleted, 1)
	require.Equal(t, ada.ID, trash.Deleted[0].ID)
	require.EqualValues(t, 4, trash.Deleted[0].Edges)

	change := s.history(t, graph.NodeKind, ada.ID)[0].ID
	_, err = s.j.Undo(
		as(t, "r3"),
		journal.UndoRequest{Change: change, Allows: func(a journal.Action, k graph.Kind) bool { return k == graph.NodeKind }},
	)
	require.Equal(t, fault.PermissionDenied, fault.CodeOf(err))
	dry := s.undo(t, "r3", journal.UndoRequest{Change: change, DryRun: true})
	require.Equal(t, 5, dry.Undone)
	_, err = s.Node(t.Context(), ada.ID)
	require.Equal(t, fault.NotFound, fault.CodeOf(err))

	result := s.undo(t, "r3", journal.UndoRequest{Change: change})
	require.Equal(t, 5, result.Undone)
	require.Len(t, result.Changes, 5)
	require.Len(t, result.IDs, 1) // the edge that Cypher made
	again, err := s.Node(t.Context(), ada.ID)
	require.NoError(t, err)
	require.Equal(t, ada.Revision(), again.Revision())
	for _, edge := range parallel {
		e, err := s.Edge(t.Context(), edge.ID)
		require.NoError(t, err)
		require.Equal(t, edge.Revision(), e.Revision())
	}
	require.EqualValues(t, 1, s.db.Count(t, "MATCH (:Pilot)<-[r:OLD {k: date('2024-02-29')}]-(l:Legacy) RETURN count(r)", nil))
	trash, err = s.j.Trash(t.Context(), journal.TrashQuery{Limit: 10})
	require.NoError(t, err)
	require.Empty(t, trash.Deleted)
	require.Equal(t, change, s.history(t, graph.NodeKind, ada.ID)[0].Cause.Undo)

	_, err = s.j.Undo(as(t, "r4"), journal.UndoRequest{Change: change})
	var conflict *journal.ConflictError
	require.ErrorAs(t, err, &conflict)
	require.Equal(t, fault.Conflict, fault.CodeOf(err))
	redo := s.undo(t, "r5", journal.UndoRequest{RequestID: "r3"})
	require.Equal(t, 5, redo.Undone)
	_, err = s.Node(t.Context(), ada.ID)
	require.Equal(t, fault.NotFound, fault.CodeOf(err))
	require.Equal(t, 5, s.undo(t, "r6", journal.UndoRequest{RequestID: "r5"}).Undone)
}

// An undo fails as a whole if one entity was changed since, and skips it if it is asked to.
func TestUndoDetectsConflicts(t *testing.T) {
	s := openJournal(t, nil)
	ada, bob, eve := s.createPerson(t, "r1", nil), s.createPerson(t, "r1", nil), s.createPerson(t, "r1", nil)
	for _, n := range []graph.Node{ada, bob} {
		_, err := s.UpdateNode(as(t, "r2"), n.ID, graph.Change{Properties: graph.Properties{"n": int64(1)}})
		require.NoError(t, err)
	}
	s.db.Exec(t, "MATCH (n:Person {uuid: $id}) SET n.n = 2", map[string]any{"id": bob.ID})
	_, err := s.j.Undo(as(t, "r3"), journal.UndoRequest{RequestID: "r2"})
	var conflict *journal.ConflictError
	require.True(t, errors.As(err, &conflict))
	require.Len(t, conflict.Conflicts, 1)
	require.Equal(t, bob.ID, conflict.Conflicts[0].ID)
	found, err := s.Node(t.Context(), bob.ID)
	require.NoError(t, err)
	require.Equal(t, string(found.Revision()), conflict.Conflicts[0].Found)
	now, err := s.Node(t.Context(), ada.ID)
	require.NoError(t, err)
	require.Equal(t, graph.Properties{"n": int64(1)}, now.Properties)

	result := s.undo(t, "r4", journal.UndoRequest{RequestID: "r2", SkipConflicts: true})
	require.Equal(t, 1, result.Undone)
	require.Len(t, result.Skipped, 1)
	now, err = s.Node(t.Context(), ada.ID)
	require.NoError(t, err)
	require.Empty(t, now.Properties)

	s.connect(t, "r5", eve, ada, nil)
	_, err = s.j.Undo(as(t, "r6"), journal.UndoRequest{Change: s.history(t, graph.NodeKind, eve.ID)[0].ID})
	require.True(t, errors.As(err, &conflict))
	require.Contains(t, conflict.Conflicts[0].Message, "attached")
}

// A reader of the feed sees each change once, in an order that keeps that of each entity, whatever the concurrency of the writers.
func TestFeedDeliversEachChangeOnce(t *testing.T) {
	testmark.Concurrent(t)
	s := openJournal(t, nil)
	start, err := s.j.Feed(t.Context(), journal.FeedQuery{Limit: 10})
	require.NoError(t, err)
	require.Empty(t, start.Records)
	const writers, changes = 8, 10
	done := make(chan error, writers)
	for w := range writers {
		go func() {
			ctx := as(t, fmt.Sprintf("w%d", w))
			created, err := s.CreateNode(ctx, graph.NewNode{Type: "Person"})
			for i := 1; i < changes && err == nil; i++ {
				_, err = s.UpdateNode(ctx, created.Entity.ID, graph.Change{Properties: graph.Properties{"n": int64(i)}})
			}
			done <- err
		}()
	}
	seen, last := map[string]bool{}, map[string]int64{}
	for since := start.Next; len(seen) < writers*changes; {
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		require.NoError(t, s.j.Await(ctx, since))
		require.NoError(t, ctx.Err(), "%d changes", len(seen))
		cancel()
		page, err := s.j.Feed(t.Context(), journal.FeedQuery{Since: since, Limit: 7})
		require.NoError(t, err)
		for _, r := range page.Records {
			require.False(t, seen[r.ID])
			require.False(t, r.HasGap())
			seen[r.ID] = true
			n, _ := r.After().Properties["n"].(int64)
			require.Equal(t, last[r.Entity], n, "the order of one entity")
			last[r.Entity] = n + 1
		}
		since = page.Next
	}
	for range writers {
		require.NoError(t, <-done)
	}
	all, err := s.j.Feed(t.Context(), journal.FeedQuery{Since: journal.FeedStart, Action: journal.Create, Limit: 100})
	require.NoError(t, err)
	require.Len(t, all.Records, writers)
	_, err = s.j.Feed(t.Context(), journal.FeedQuery{Since: "x", Limit: 1})
	require.Equal(t, fault.Validation, fault.CodeOf(err))
}

// Whatever the values, deleting and undoing gives everything back, and the journal shows what was written.
func TestUndoIsExactForEveryValue(t *testing.T) {
	testmark.EveryRelease(t)
	s := openJournal(t, nil)
	round := 0
	rapid.Check(t, func(t2 *rapid.T) {
		round++
		p, q := graphgen.Properties().Draw(t2, "first"), graphgen.Properties().Draw(t2, "second")
		delete(p, "uuid")
		delete(q, "uuid")
		n := s.createPerson(t, fmt.Sprintf("a%d", round), p)
		e := s.connect(t, fmt.Sprintf("a%d", round), n, n, p)
		_, err := s.UpdateNode(as(t, fmt.Sprintf("b%d", round)), n.ID, graph.Change{Properties: q})
		require.NoError(t, err)
		updated, err := s.Node(t.Context(), n.ID)
		require.NoError(t, err)
		_, err = s.DeleteNode(as(t, fmt.Sprintf("c%d", round)), n.ID, graph.Removal{})
		require.NoError(t, err)
		for _, r := range s.history(t, graph.NodeKind, n.ID) {
			require.False(t, r.HasGap(), "%v", r)
		}
		s.undo(t, fmt.Sprintf("d%d", round), journal.UndoRequest{RequestID: fmt.Sprintf("c%d", round)})
		again, err := s.Node(t.Context(), n.ID)
		require.NoError(t, err)
		require.Equal(t, updated.Revision(), again.Revision())
		edge, err := s.Edge(t.Context(), e.ID)
		require.NoError(t, err)
		require.Equal(t, e.Revision(), edge.Revision())
		if slices.ContainsFunc(
			s.history(t, graph.NodeKind, n.ID),
			func(r journal.Record) bool { return r.RequestID == fmt.Sprintf("b%d", round) },
		) {
			s.undo(t, fmt.Sprintf("e%d", round), journal.UndoRequest{RequestID: fmt.Sprintf("b%d", round)})
		}
		first, err := s.Node(t.Context(), n.ID)
		require.NoError(t, err)
		require.Equal(t, n.Revision(), first.Revision())
	})
}

// A user who may not edit cannot give the id of a deleted entity to another one.
func TestImportRejectsIDsOfDeletedEntities(t *testing.T) {
	s := openJournal(t, nil)
	n := s.createPerson(t, "r1", nil)
	_, err := s.DeleteNode(as(t, "r2"), n.ID, graph.Removal{})
	require.NoError(t, err)
	line := graph.BulkLine{Number: 1, UnusedID: true, Node: &graph.BulkNode{ID: n.ID, Labels: []graph.TypeName{"Person"}}}
	results, err := s.Bulk.Import(graph.OnConflictError).Write(as(t, "r3"), []graph.BulkLine{line})
	require.NoError(t, err)
	require.NotNil(t, results[0].Fault)
	require.Equal(t, fault.Conflict, results[0].Fault.Code)
	line.UnusedID = false
	results, err = s.Bulk.Import(graph.OnConflictError).Write(as(t, "r4"), []graph.BulkLine{line})
	require.NoError(t, err)
	require.Equal(t, graph.BulkCreated, results[0].Done)
	require.Equal(t, "r4", s.history(t, graph.NodeKind, n.ID)[0].Cause.Import)
}

// Pages of history and of the feed end when their records have as many bytes as a page of a list may have.
func TestPagesOfChangesAreBoundedByBytes(t *testing.T) {
	s := openJournal(t, func(c *settings) { c.MaxPageBytes = 3000 })
	n := s.createPerson(t, "r0", graph.Properties{"text": strings.Repeat("x", 1000)})
	const updates = 5
	for i := range updates {
		_, err := s.UpdateNode(as(t, fmt.Sprintf("r%d", i+1)), n.ID, graph.Change{Properties: graph.Properties{"n": int64(i)}})
		require.NoError(t, err)
	}
	pages := 0
	var all []journal.Record
	for q := (journal.HistoryQuery{Kind: graph.NodeKind, ID: n.ID, Limit: 50}); pages == 0 || q.Cursor != ""; pages++ {
		page, err := s.j.History(t.Context(), q)
		require.NoError(t, err)
		all, q.Cursor = append(all, page.Records...), page.Next
	}
	require.Len(t, all, updates+1)
	require.Greater(t, pages, 2)
	for i, r := range all {
		require.False(t, r.HasGap())
		require.Equal(t, i == updates, r.Previous == nil)
	}
	seen := 0
	for q := (journal.FeedQuery{Since: journal.FeedStart, Limit: 50}); ; {
		page, err := s.j.Feed(t.Context(), q)
		require.NoError(t, err)
		seen += len(page.Records)
		require.Less(t, len(page.Records), updates)
		if q.Since = page.Next; page.AtEnd {
			break
		}
	}
	require.Equal(t, updates+1, seen)
}
