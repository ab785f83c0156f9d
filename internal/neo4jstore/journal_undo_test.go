package neo4jstore_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/cypher"
	"graphrest/internal/audit"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/journal"
	"graphrest/internal/testmark"
)

// A deletion is undone once, also of an entity that comes back under another element id, and by concurrent requests.
func TestADeletionIsUndoneOnce(t *testing.T) {
	testmark.Concurrent(t)
	s := openJournal(t, nil)
	row := s.db.Query(t, "CREATE (a:Foreign)-[r:LINK]->(:Other) RETURN elementId(a) AS node, elementId(r) AS edge", nil)[0]
	_, err := s.DeleteEdge(as(t, "r1"), row["edge"].(string), graph.Removal{})
	require.NoError(t, err)
	require.Len(t, s.undo(t, "r2", journal.UndoRequest{RequestID: "r1"}).IDs, 1)
	var conflict *journal.ConflictError
	_, err = s.j.Undo(as(t, "r3"), journal.UndoRequest{RequestID: "r1"})
	require.ErrorAs(t, err, &conflict)
	require.Contains(t, conflict.Conflicts[0].Message, "restored already")
	require.EqualValues(t, 1, s.db.Count(t, "MATCH (:Foreign)-[r:LINK]->() RETURN count(r)", nil))

	_, err = s.DeleteNode(as(t, "r4"), row["node"].(string), graph.Removal{})
	require.NoError(t, err)
	var group sync.WaitGroup
	errs := make([]error, 4)
	for i := range errs {
		group.Go(func() { _, errs[i] = s.j.Undo(as(t, "r5"), journal.UndoRequest{RequestID: "r4"}) })
	}
	group.Wait()
	undone := 0
	for _, err := range errs {
		if err == nil {
			undone++
		} else {
			require.Equal(t, fault.Conflict, fault.CodeOf(err), "%v", err)
		}
	}
	require.Equal(t, 1, undone)
	require.EqualValues(t, 1, s.db.Count(t, "MATCH (n:Foreign)-[:LINK]->() RETURN count(n)", nil))
}

// Clients choose request ids: a user who sends one of another user's does not take part in what is undone.
func TestUndoOfARequestIDThatUsersShare(t *testing.T) {
	s := openJournal(t, nil)
	by := func(user string) context.Context {
		return audit.WithActor(t.Context(), audit.Actor{User: user, UserID: user, RequestID: "shared"})
	}
	for _, user := range []string{"ann", "bob"} {
		_, err := s.CreateNode(by(user), graph.NewNode{Type: "Person", Properties: graph.Properties{"by": user}})
		require.NoError(t, err)
	}
	_, err := s.j.Undo(as(t, "r1"), journal.UndoRequest{RequestID: "shared"})
	requireFault(t, err, fault.Conflict)
	done, err := s.j.Undo(by("ann"), journal.UndoRequest{RequestID: "shared"})
	require.NoError(t, err)
	require.Equal(t, 1, done.Undone)
	require.EqualValues(t, 1, s.db.Count(t, "MATCH (n:Person {by: 'bob'}) RETURN count(n)", nil))
}

// A value that must be unique is free again before another entity gets it back.
func TestUndoGivesUniqueValuesBack(t *testing.T) {
	testmark.EveryRelease(t)
	s := openJournal(t, nil)
	s.db.Exec(t, "CREATE CONSTRAINT FOR (n:Account) REQUIRE n.mail IS UNIQUE", nil)
	account := func(mail string) graph.Operation {
		return graph.Operation{Op: graph.OpCreateNode, Type: "Account", Properties: graph.Properties{"mail": mail}}
	}
	made, err := s.Batches.Apply(as(t, "r1"), []graph.Operation{account("x"), account("y"), account("z")}, graph.BatchOptions{})
	require.NoError(t, err)
	id := func(i int) graph.EntityRef { return graph.EntityRef{ID: made.Results[i].ID} }
	set := func(i int, mail string) graph.Operation {
		return graph.Operation{Op: graph.OpUpdateNode, Entity: id(i), Properties: graph.Properties{"mail": mail}}
	}
	_, err = s.Batches.Apply(as(t, "r2"), []graph.Operation{
		{Op: graph.OpDeleteNode, Entity: id(0)}, account("x"), set(1, "free"), set(2, "y"), account("z"),
	}, graph.BatchOptions{})
	require.NoError(t, err)
	require.Equal(t, 5, s.undo(t, "r3", journal.UndoRequest{RequestID: "r2"}).Undone)
	for i, mail := range []string{"x", "y", "z"} {
		n, err := s.Node(t.Context(), made.Results[i].ID)
		require.NoError(t, err)
		require.Equal(t, mail, n.Properties["mail"])
	}
	require.Equal(t, 5, s.undo(t, "r4", journal.UndoRequest{RequestID: "r3"}).Undone)
}

// A node that is deleted again comes back with the edges of its last deletion only.
func TestUndoRestoresTheEdgesOfTheLastDeletion(t *testing.T) {
	s := openJournal(t, nil)
	ada, bob, eve := s.createPerson(t, "r1", nil), s.createPerson(t, "r1", nil), s.createPerson(t, "r1", nil)
	s.connect(t, "r1", ada, bob, nil)
	remove := func(request, id string) {
		_, err := s.DeleteNode(as(t, request), id, graph.Removal{})
		require.NoError(t, err)
	}
	change := func() string { return s.history(t, graph.NodeKind, ada.ID)[0].ID }
	remove("r2", ada.ID)
	s.db.Exec(t, "MATCH (n:Person {uuid: $id}) DETACH DELETE n", map[string]any{"id": bob.ID})
	require.Equal(t, 1, s.undo(t, "r3", journal.UndoRequest{Change: change(), SkipConflicts: true}).Undone)
	s.connect(t, "r4", ada, eve, nil)
	remove("r5", ada.ID)
	require.Equal(t, 2, s.undo(t, "r6", journal.UndoRequest{Change: change()}).Undone)
	require.EqualValues(t, 1, s.db.Count(t, "MATCH (:Person {uuid: $id})--() RETURN count(*)", map[string]any{"id": ada.ID}))
}

// The ends of an edge whose update is undone are known to the rules of its type.
func TestUndoOfAnEdgeKnowsItsEnds(t *testing.T) {
	s := openJournal(t, nil)
	ada := s.createPerson(t, "r1", nil)
	edge := s.connect(t, "r1", ada, ada, graph.Properties{"n": int64(1)})
	declare(t, s.Store, graph.Declaration{
		Kind: graph.EdgeKind, Type: "KNOWS", Level: graph.LevelStrict, Schema: `{}`,
		SourceTypes: []graph.TypeName{"Person"}, TargetTypes: []graph.TypeName{"Person"},
	})
	_, err := s.UpdateEdge(as(t, "r2"), edge.ID, graph.Change{Properties: graph.Properties{"n": int64(2)}})
	require.NoError(t, err)
	require.Equal(t, 1, s.undo(t, "r3", journal.UndoRequest{RequestID: "r2"}).Undone)
	restored, err := s.Edge(t.Context(), edge.ID)
	require.NoError(t, err)
	require.Equal(t, edge, restored)
}

// A date-time in a zone that this program does not know is recorded and restored like other values.
func TestUndoOfUnknownZones(t *testing.T) {
	testmark.EveryRelease(t)
	s := openJournal(t, nil)
	n := s.createPerson(t, "r1", nil)
	s.db.Exec(t, "MATCH (n:Person) SET n.at = datetime('2024-05-01T12:00[SystemV/AST4]'), "+
		"n.all = [datetime('2024-05-01T12:00[SystemV/PST8PDT]')]", nil)
	before, err := s.Node(t.Context(), n.ID)
	require.NoError(t, err)
	_, err = s.UpdateNode(as(t, "r2"), n.ID, graph.Change{Properties: graph.Properties{"n": int64(1), "at": nil}})
	require.NoError(t, err)
	records := s.history(t, graph.NodeKind, n.ID)
	require.Equal(t, before.Properties["at"], records[0].Before().Properties["at"])
	require.Equal(t, 1, s.undo(t, "r3", journal.UndoRequest{RequestID: "r2"}).Undone)
	after, err := s.Node(t.Context(), n.ID)
	require.NoError(t, err)
	require.Equal(t, before.Revision(), after.Revision())
	require.False(t, s.history(t, graph.NodeKind, n.ID)[0].HasGap())
	then, err := s.j.AsOf(t.Context(), graph.NodeKind, n.ID, journal.Moment{Change: records[0].ID})
	require.NoError(t, err)
	require.False(t, then.Gap)
}

// What was recorded before an entity got its own id belongs to it; what another entity with the same element id did does not.
func TestHistoryBeforeAnOwnID(t *testing.T) {
	s := openJournal(t, nil)
	s.createPerson(t, "r0", nil)
	element := s.db.Query(t, "CREATE (n:Person {n: 1}) RETURN elementId(n) AS id", nil)[0]["id"].(string)
	_, err := s.UpdateNode(as(t, "r1"), element, graph.Change{Properties: graph.Properties{"n": int64(2)}})
	require.NoError(t, err)
	first := s.history(t, graph.NodeKind, element)
	s.db.Exec(t, "MATCH (n:Person {n: 2}) SET n.uuid = 'own'", nil)
	_, err = s.UpdateNode(as(t, "r2"), "own", graph.Change{Properties: graph.Properties{"n": int64(3)}})
	require.NoError(t, err)
	require.Equal(t, []journal.Action{journal.Update, journal.Update}, actions(s.history(t, graph.NodeKind, "own")))
	then, err := s.j.AsOf(t.Context(), graph.NodeKind, "own", journal.Moment{Change: first[0].ID})
	require.NoError(t, err)
	require.Equal(t, int64(2), then.Node.Properties["n"])

	s.db.Exec(t, "MATCH (c:_GraphrestChange {_graphrest_request: 'r1'}) SET c._graphrest_meta = ['delete'] + c._graphrest_meta[1..]", nil)
	require.Equal(t, []journal.Action{journal.Update}, actions(s.history(t, graph.NodeKind, "own")), "it ended another entity")
	erased, err := s.j.Erase(as(t, "r3"), graph.NodeKind, "own")
	require.NoError(t, err)
	require.EqualValues(t, 2, erased)
}

// A reader may begin at a change that was made a moment ago, and after the last change although that was erased.
func TestFeedBeginsAtTheLastChange(t *testing.T) {
	testmark.Concurrent(t)
	s := openJournal(t, nil)
	s.createPerson(t, "r1", nil)
	last := s.createPerson(t, "r1", nil)
	_, err := s.j.Feed(t.Context(), journal.FeedQuery{Limit: 1})
	require.NoError(t, err)
	for range 5 {
		made := s.createPerson(t, "r2", nil)
		page, err := s.j.Feed(t.Context(), journal.FeedQuery{Since: s.history(t, graph.NodeKind, made.ID)[0].ID, Limit: 10})
		require.NoError(t, err)
		require.Empty(t, page.Records)
		last = made
	}
	_, err = s.j.Erase(as(t, "r3"), graph.NodeKind, last.ID)
	require.NoError(t, err)
	now, err := s.j.Feed(t.Context(), journal.FeedQuery{Limit: 10})
	require.NoError(t, err)
	made := s.createPerson(t, "r4", nil)
	require.NoError(t, s.j.Await(t.Context(), now.Next))
	page, err := s.j.Feed(t.Context(), journal.FeedQuery{Since: now.Next, Limit: 10})
	require.NoError(t, err)
	require.Len(t, page.Records, 1)
	require.Equal(t, made.ID, page.Records[0].Entity)
	_, err = s.j.Feed(t.Context(), journal.FeedQuery{Since: page.Next[:len(page.Next)-1] + "999999", Limit: 10})
	require.Equal(t, fault.Validation, fault.CodeOf(err), "a position that the feed never had")
	require.WithinDuration(t, time.Now(), page.Records[0].At, time.Minute)
}

// The dry run of an undo only reads, in a number of statements that grows with thousands of changes only, and takes no locks.
func TestDryRunOfALargeUndoOnlyReads(t *testing.T) {
	const count = 2500
	sent := &sentStatements{}
	s := openJournal(t, func(c *settings) { c.client.Statements = []bolt.StatementObserver{sent} })
	for part := range slices.Chunk(make([]graph.BulkLine, count), 500) {
		for i := range part {
			part[i] = graph.BulkLine{Number: int64(i + 1), Node: &graph.BulkNode{Labels: []graph.TypeName{"Person"}}}
		}
		_, err := s.Bulk.Import(graph.OnConflictError).Write(as(t, "import"), part)
		require.NoError(t, err)
	}
	waiting := begin(t.Context(), t, s.db, "MATCH (n:Person) WITH n LIMIT 1 SET n.locked = NULL", nil)
	sent.take()
	dry := s.dryUndo(t, "undo", journal.UndoRequest{Import: "import"})
	require.Equal(t, count, dry.Undone)
	names := sent.take()
	require.Less(t, len(names), 30)
	for _, statement := range cypher.All() {
		require.False(t, slices.Contains(names, statement.Name) && statement.Access != cypher.Read, statement.Name)
	}
	require.NoError(t, waiting.Rollback(t.Context()))
	require.EqualValues(t, count, s.db.Count(t, "MATCH (n:Person) RETURN count(n)", nil))
}
