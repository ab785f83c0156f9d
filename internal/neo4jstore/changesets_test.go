package neo4jstore_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/changeset"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/journal"
	"graphrest/internal/neo4jchangeset"
	"graphrest/internal/storetest"
	"graphrest/internal/testmark"
)

var (
	ada = changeset.User{ID: "1", Name: "ada"}
	bob = changeset.User{ID: "2", Name: "bob"}
)

// changeSetStore is a store whose journal is on, with its change sets.
type changeSetStore struct {
	journalStore
	c *neo4jchangeset.Store
}

func openChangeSets(t *testing.T, change func(*settings)) changeSetStore {
	t.Helper()
	s := openJournal(t, change)
	// A refused apply leaves no key, but the names of the key's properties, which a checksum has.
	s.db.Exec(t, "CREATE (k:_GraphrestIdempotencyKey {key: '', id: '', fingerprint: '', expires_at: 0, results: ''}) DELETE k", nil)
	return changeSetStore{s, s.ChangeSets}
}

func (s changeSetStore) propose(t *testing.T, operations ...graph.Operation) changeset.Set {
	t.Helper()
	set, _, err := s.c.Propose(as(t, "propose"), changeset.Set{Title: "T", Author: ada}, operations, nil)
	require.NoError(t, err)
	return set
}

func (s changeSetStore) change(t *testing.T, set changeset.Set, by changeset.User, a changeset.Action) changeset.Set {
	t.Helper()
	set, err := s.c.Change(as(t, string(a)), set, changeset.Event{User: by, Action: a}, changeset.Edited{})
	require.NoError(t, err)
	return set
}

// approved proposes operations and approves them; based are the operations as they are stored.
func (s changeSetStore) approved(t *testing.T, operations ...graph.Operation) (set changeset.Set, based []graph.Operation) {
	t.Helper()
	set = s.change(t, s.propose(t, operations...), bob, changeset.Approve)
	based, _, err := s.ChangeSets.SetBases(t.Context(), operations)
	require.NoError(t, err)
	return set, based
}

func (s changeSetStore) apply(t *testing.T, set changeset.Set, based []graph.Operation) (changeset.Set, error) {
	t.Helper()
	return s.c.Apply(as(t, "apply-"+set.ID), set, changeset.Event{User: bob, Action: changeset.Apply}, based)
}

func requireConflicts(t *testing.T, err error) []changeset.Conflict {
	t.Helper()
	var conflict *changeset.ConflictError
	require.ErrorAs(t, err, &conflict)
	require.Equal(t, fault.Conflict, fault.CodeOf(err))
	for i, c := range conflict.Conflicts {
		require.Equal(t, c.Field(), fault.As(err).Details[i].Field)
	}
	return conflict.Conflicts
}

func updateOf(k graph.OperationName, id string, p graph.Properties) graph.Operation {
	return graph.Operation{Op: k, Entity: graph.EntityRef{ID: id}, Properties: p}
}

func deletionOf(k graph.OperationName, id string) graph.Operation {
	return graph.Operation{Op: k, Entity: graph.EntityRef{ID: id}}
}

// Generated change sets leave the graph that their operations leave one by one, or change nothing. And a diff without conflicts says what
// applying does.
func TestChangeSetsEqualTheirOperationsOneByOne(t *testing.T) {
	testmark.Long(t)
	s := openChangeSets(t, nil)
	h := storetest.Harness{Nodes: s.Store, Edges: s.Store, Cypher: func(t testing.TB, query string, params map[string]any) []map[string]any {
		return s.db.Query(t, query, params)
	}}
	compared := 0
	storetest.AppliedEqualsSingles(t, h, func(operations []graph.Operation) error {
		set, based := s.approved(t, operations...)
		diff, err := s.c.Diff(t.Context(), changeset.Set{}, ada, based)
		require.NoError(t, err)
		conflicts := slices.ContainsFunc(diff.Entities, func(e *changeset.Entity) bool { return e.Conflict != nil })
		applied, err := s.apply(t, set, based)
		if err != nil {
			read, err := s.c.ChangeSet(t.Context(), set.ID)
			require.NoError(t, err)
			require.Equal(t, set, read, "it remains approved")
		} else {
			require.False(t, conflicts)
			require.Equal(t, changeset.Applied, applied.Status)
			compared += s.requireAfter(t, diff)
		}
		return err
	})
	require.Greater(t, compared, 10)
}

// requireAfter requires that existing entities are what a diff says, and returns how many it compared.
func (s changeSetStore) requireAfter(t *testing.T, diff changeset.Diff) (compared int) {
	t.Helper()
	for _, e := range diff.Entities {
		if e.ID == "" {
			continue
		}
		compared++
		var properties graph.Properties
		var err error
		if e.Kind == graph.EdgeKind {
			var edge graph.Edge
			edge, err = s.Edge(t.Context(), e.ID)
			properties = edge.Properties
		} else {
			var node graph.Node
			node, err = s.Node(t.Context(), e.ID)
			properties = node.Properties
		}
		if e.After == nil {
			requireFault(t, err, fault.NotFound)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, e.After.Properties, properties)
	}
	return compared
}

// Of calls on two replicas at the same moment one applies the change set; the others get a conflict.
func TestTwoReplicasApplyAChangeSetOnce(t *testing.T) {
	testmark.Concurrent(t)
	a := openChangeSets(t, nil)
	b := openOn(t, a.db, func(c *settings) { c.Journal = true }).ChangeSets
	counter := a.createPerson(t, "r", graph.Properties{"n": int64(0)})
	for round := range 5 {
		set, based := a.approved(
			t, updateOf(graph.OpUpdateNode, counter.ID, graph.Properties{"n": int64(round + 1)}),
			graph.Operation{Op: graph.OpCreateNode, Type: "Thing", Properties: graph.Properties{"round": int64(round)}},
		)
		var group sync.WaitGroup
		errs := make([]error, 8)
		for i := range errs {
			on := a.c
			if i%2 == 1 {
				on = b
			}
			group.Go(func() {
				_, errs[i] = on.Apply(as(t, fmt.Sprintf("race-%d-%d", round, i)), set, changeset.Event{User: bob, Action: changeset.Apply}, based)
			})
		}
		group.Wait()
		succeeded := 0
		for _, err := range errs {
			if err == nil {
				succeeded++
				continue
			}
			requireFault(t, err, fault.Conflict)
			require.ErrorContains(t, err, "is applied")
		}
		require.Equal(t, 1, succeeded)
		require.EqualValues(t, 1, a.db.Count(t, "MATCH (n:Thing {round: $round}) RETURN count(n)", map[string]any{"round": round}))
		read, err := a.c.ChangeSet(t.Context(), set.ID)
		require.NoError(t, err)
		require.Equal(t, changeset.Applied, read.Status)
		require.Len(t, read.Changes, 2)
	}
}

// What was approved is what is applied: an edit in between is a conflict, whoever comes first.
func TestAnEditAndAnApplyExcludeEachOther(t *testing.T) {
	s := openChangeSets(t, nil)
	set, based := s.approved(t, graph.Operation{Op: graph.OpCreateNode, Type: "Thing", Properties: graph.Properties{"v": "approved"}})
	title := "other"
	edited, err := s.c.Change(as(t, "edit"), set, changeset.Event{User: ada, Action: changeset.Edit}, changeset.Edited{
		Title: &title, Operations: []graph.Operation{{Op: graph.OpCreateNode, Type: "Thing", Properties: graph.Properties{"v": "swapped"}}},
	})
	require.NoError(t, err)
	require.Equal(t, changeset.Open, edited.Status)
	_, err = s.apply(t, set, based)
	requireFault(t, err, fault.Conflict)
	again := s.change(t, edited, bob, changeset.Approve)
	_, err = s.apply(t, set, based)
	requireFault(t, err, fault.Conflict)
	require.ErrorContains(t, err, "at the same time", "it is approved, but another version")
	_, err = s.c.Change(as(t, "late"), set, changeset.Event{User: bob, Action: changeset.Reject}, changeset.Edited{})
	requireFault(t, err, fault.Conflict)
	require.Zero(t, s.db.Count(t, "MATCH (n:Thing) RETURN count(n)", nil))
	read, err := s.c.ChangeSet(t.Context(), set.ID)
	require.NoError(t, err)
	require.Equal(t, again, read)
	require.Contains(t, read.Operations, "swapped")
}

func TestAChangeSetWhoseCommitIsLostIsAppliedOnce(t *testing.T) {
	testmark.Concurrent(t)
	s := openChangeSets(t, nil)
	through, cut := openCutter(t, s.db, func(c *settings) { c.Journal = true })
	c := through.ChangeSets
	for i := range 3 {
		cut.explicit.Store(true)
		set, _, err := c.Propose(as(t, "p"), changeset.Set{Title: "T", Author: ada}, []graph.Operation{
			{Op: graph.OpCreateNode, Type: "Thing", Properties: graph.Properties{"i": int64(i)}},
		}, &graph.IdempotencyKey{UserID: "1", Key: fmt.Sprint(i), Fingerprint: "p"})
		require.NoError(t, err)
		cut.explicit.Store(true)
		set, err = c.Change(as(t, "a"), set, changeset.Event{User: bob, Action: changeset.Approve}, changeset.Edited{})
		require.NoError(t, err)
		cut.explicit.Store(true)
		applied, err := c.Apply(as(t, fmt.Sprint("x", i)), set, changeset.Event{User: bob, Action: changeset.Apply}, []graph.Operation{
			{Op: graph.OpCreateNode, Type: "Thing", Properties: graph.Properties{"i": int64(i)}},
		})
		require.NoError(t, err)
		require.EqualValues(t, 3*(i+1), cut.cuts.Load())
		require.EqualValues(t, i+1, s.db.Count(t, "MATCH (n:Thing) RETURN count(n)", nil))
		read, err := s.c.ChangeSet(t.Context(), set.ID)
		require.NoError(t, err)
		require.Equal(t, applied, read)
		require.Len(t, read.Changes, 1)
		require.Len(t, read.Events, 3)
	}
	require.EqualValues(t, 3, s.db.Count(t, "MATCH (c:_GraphrestChangeSet) RETURN count(c)", nil))
}

// Every entity that is not what the proposal was based on is in the error, and nothing is changed.
func TestConflictsOfAChangeSet(t *testing.T) {
	s := openChangeSets(t, nil)
	var people []graph.Node
	for i := range 5 {
		people = append(people, s.createPerson(t, "r", graph.Properties{"n": int64(i)}))
	}
	edge := s.connect(t, "r", people[0], people[1], nil)
	set, based := s.approved(
		t, updateOf(graph.OpUpdateNode, people[0].ID, graph.Properties{"x": true}),
		updateOf(graph.OpUpdateNode, people[0].ID, graph.Properties{"y": true}), // based on the same ETag
		deletionOf(graph.OpDeleteEdge, edge.ID),
		deletionOf(graph.OpDeleteNode, people[2].ID),
		updateOf(graph.OpUpdateNode, people[4].ID, graph.Properties{"x": true}),
		updateOf(graph.OpUpdateNode, "never", graph.Properties{"x": true}),
		graph.Operation{
			Op: graph.OpCreateEdge, Type: "NEW", Source: graph.EntityRef{ID: people[3].ID}, Target: graph.EntityRef{ID: people[0].ID},
		},
	)
	etag := based[0].If.Revisions[0]
	require.Equal(t, people[0].Revision(), etag)
	s.db.Exec(t, "MATCH (n:Person {n: 0}) SET n.n = 10 WITH n MATCH (:Person)-[r:KNOWS]->() SET r.late = true", nil)
	s.db.Exec(t, "MATCH (n:Person) WHERE n.n IN [2, 3] DETACH DELETE n", nil)
	before := s.db.Checksum(t)

	diff, err := s.c.Diff(t.Context(), changeset.Set{}, ada, based)
	require.NoError(t, err)
	shown := 0
	for _, e := range diff.Entities {
		if e.Conflict != nil {
			shown++
		}
	}
	require.Equal(t, 5, shown, "the node once")
	_, err = s.apply(t, set, based)
	conflicts := requireConflicts(t, err)
	operations := make([]int, len(conflicts))
	for i, c := range conflicts {
		operations[i] = c.Operation
	}
	require.Equal(t, []int{0, 1, 2, 3, 5, 6}, operations)
	require.Equal(t, []changeset.Conflict{
		{Operation: 3, ID: people[2].ID, Expected: string(people[2].Revision()), Message: "does not exist"},
		{Operation: 5, ID: "never", Message: "does not exist"},
	}, conflicts[3:5])
	require.Equal(t, people[3].ID, conflicts[5].ID)
	require.Equal(t, before, s.db.Checksum(t), "no type is added either")

	set, based = s.approved(t, graph.WithoutPreconditions([]graph.Operation{based[0], based[1], based[2], based[4]})...)
	etag = based[0].If.Revisions[0]
	s.db.Exec(t, "MATCH (n:Person {n: 10}) SET n.n = 11 WITH n MATCH (:Person)-[r:KNOWS]->() SET r.late = 2", nil)
	_, err = s.apply(t, set, based)
	conflicts = requireConflicts(t, err)
	now, err := s.Node(t.Context(), people[0].ID)
	require.NoError(t, err)
	require.Len(t, conflicts, 3)
	for i, c := range conflicts[:2] {
		require.Equal(t, changeset.Conflict{
			Operation: i, ID: now.ID, Expected: string(etag), Found: string(now.Revision()), Message: "was changed since",
		}, c)
	}
	require.Equal(t, edge.ID, conflicts[2].ID)
	read, err := s.c.ChangeSet(t.Context(), set.ID)
	require.NoError(t, err)
	require.Equal(t, changeset.Approved, read.Status)
}

// An edit by the author replaces the ETags that its operations are based on with the current ones.
func TestEditingRebasesAChangeSet(t *testing.T) {
	s := openChangeSets(t, nil)
	n := s.createPerson(t, "r", graph.Properties{"n": int64(1)})
	element := s.db.Query(t, "MATCH (n:Person) RETURN elementId(n) AS id", nil)[0]["id"].(string)
	o := updateOf(graph.OpUpdateNode, element, graph.Properties{"n": int64(2)})
	set := s.propose(t, o)
	require.Contains(t, set.Operations, `"id":"`+n.ID+`"`, "not an element id, which another entity may get")
	require.Contains(t, set.Operations, `"if_match":"\"`+string(n.Revision())+`\""`)
	s.db.Exec(t, "MATCH (n:Person) SET n.late = true", nil)
	set, err := s.c.Change(as(t, "edit"), set, changeset.Event{User: ada, Action: changeset.Edit}, changeset.Edited{
		Operations: []graph.Operation{o},
	})
	require.NoError(t, err)
	now, err := s.Node(t.Context(), n.ID)
	require.NoError(t, err)
	require.Contains(t, set.Operations, string(now.Revision()))
}

// An applied change set is one cause in the history, and undoing it gives back what was.
func TestUndoOfAChangeSet(t *testing.T) {
	s := openChangeSets(t, nil)
	a := s.createPerson(t, "r", graph.Properties{"n": int64(1), "when": graph.Date{Days: 19000}})
	b := s.createPerson(t, "r", graph.Properties{"n": int64(2)})
	edge := s.connect(t, "r", a, b, graph.Properties{"since": 1999.0})
	content := func() []map[string]any {
		return s.db.Query(t, `MATCH (n) WHERE n:Person|Thing OPTIONAL MATCH (n)-[r]->(m)
			RETURN n.uuid AS id, properties(n) AS p, properties(r) AS r, m.uuid AS m ORDER BY id`, nil)
	}
	before := content()
	set, based := s.approved(
		t, graph.Operation{Op: graph.OpCreateNode, Ref: "x", Type: "Thing", Properties: graph.Properties{}},
		graph.Operation{Op: graph.OpCreateEdge, Type: "HAS", Source: graph.EntityRef{ID: b.ID}, Target: graph.EntityRef{Ref: "x"}},
		updateOf(graph.OpUpdateNode, b.ID, graph.Properties{"n": nil, "m": "new"}),
		deletionOf(graph.OpDeleteNode, a.ID),
	)
	_, err := s.j.Undo(as(t, "early"), journal.UndoRequest{ChangeSet: set.ID})
	requireFault(t, err, fault.NotFound)
	applied, err := s.apply(t, set, based)
	require.NoError(t, err)
	require.Len(t, applied.Changes, 5, "the edge went with the node")
	after := content()
	for _, id := range []string{a.ID, b.ID} {
		record := s.history(t, graph.NodeKind, id)[0]
		require.Equal(t, journal.Cause{ChangeSet: set.ID}, record.Cause)
		require.Contains(t, applied.Changes, record.ID)
	}
	require.Equal(t, set.ID, s.history(t, graph.EdgeKind, edge.ID)[0].Cause.ChangeSet)

	undone := s.undo(t, "undo", journal.UndoRequest{ChangeSet: set.ID})
	require.Equal(t, 5, undone.Undone)
	require.Equal(t, before, content())
	s.undo(t, "redo", journal.UndoRequest{RequestID: "undo"})
	require.Equal(t, after, content())
	_, err = s.j.Undo(as(t, "none"), journal.UndoRequest{ChangeSet: "none"})
	requireFault(t, err, fault.NotFound)
}
