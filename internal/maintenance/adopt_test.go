package maintenance_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"graphrest/cypher"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/maintenance"
	"graphrest/internal/neo4jstoretest"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

// adoptedTypes are some of the types of SeedForeign: each needs a constraint, which takes time to build.
var adoptedTypes = []string{"Person", "Actor", "Back`tick", "KNOWS", "has spaces"}

func adoptAll(t *testing.T, s *maintenance.Store, batch int) (assigned int64) {
	t.Helper()
	found, err := s.Adoptable(t.Context(), adoptedTypes)
	require.NoError(t, err)
	begun, err := s.Begin(t.Context(), found, func(a graph.Adoption, cause error) { assert.NoError(t, cause, a.Type) })
	require.NoError(t, err)
	for _, a := range begun {
		n, err := s.Adopt(t.Context(), a, batch, func(int64) {})
		require.NoError(t, err, a.Type)
		assigned += n
	}
	return assigned
}

func undoAll(t *testing.T, s *maintenance.Store) (removed int64) {
	t.Helper()
	runs, err := s.Adopted(t.Context(), nil)
	require.NoError(t, err)
	for _, run := range runs {
		n, err := s.Undo(t.Context(), run, 70, func(int64) {})
		require.NoError(t, err, run.Type)
		removed += n
	}
	for _, run := range runs {
		require.NoError(t, s.Forget(t.Context(), run), run.Type)
	}
	return removed
}

const missingGID = "MATCH (n) WHERE any(l IN labels(n) WHERE l IN $types) AND n.gid IS NULL RETURN count(n)"

// A foreign graph is adopted by two concurrent runs while a client creates nodes; one run is stopped and repeated. Then every entity has an
// id, a second run changes nothing, and undo restores the database, except for the client's nodes.
func TestAdoptAndUndo(t *testing.T) {
	testmark.Concurrent(t)
	testmark.EveryRelease(t)
	db := neo4jstoretest.OpenPrepared(t)
	s, gateway := openStore(t, db, "gid")
	other, _ := openStore(t, db, "gid")
	db.SeedForeign(t, 600, 900)
	before := db.Checksum(t, neo4jtest.IgnoreInternal())

	found, err := s.Adoptable(t.Context(), []string{"Person"})
	require.NoError(t, err)
	require.Len(t, found, 1)
	ctx, stop := context.WithCancel(t.Context())
	assigned, err := s.Adopt(ctx, found[0], 40, func(int64) { stop() })
	require.ErrorIs(t, err, context.Canceled)
	require.Positive(t, assigned)
	require.Less(t, assigned, found[0].Missing, "it stopped before the end")

	var createdID string
	var all sync.WaitGroup
	all.Go(func() {
		for range 20 {
			n, err := gateway.CreateNode(t.Context(), graph.NewNode{Type: "Person", Properties: graph.Properties{"name": "new"}})
			require.NoError(t, err)
			createdID = n.Entity.ID
		}
	})
	all.Go(func() { adoptAll(t, other, 50) })
	adoptAll(t, s, 50)
	all.Wait()
	require.Zero(t, db.Count(t, missingGID, map[string]any{"types": adoptedTypes}))
	require.Zero(t, db.Count(t, "MATCH ()-[r]->() WHERE r.gid IS NULL AND type(r) IN $types RETURN count(r)",
		map[string]any{"types": adoptedTypes}))
	require.Zero(t, adoptAll(t, s, 1000))

	id := db.Query(t, "MATCH (n:Person {name: 'Name 00000'}) RETURN n.gid AS id", nil)[0]["id"].(string)
	n, err := gateway.Node(t.Context(), id)
	require.NoError(t, err)
	require.Equal(t, id, n.ID)

	_, err = gateway.Node(t.Context(), createdID)
	require.NoError(t, err)
	undoAll(t, s)
	_, err = gateway.Node(t.Context(), createdID)
	require.NoError(t, err, "ids that adopt did not assign remain")
	require.EqualValues(t, 20, db.Count(t, "MATCH (n:Person) WHERE n.gid IS NOT NULL RETURN count(n)", nil))
	require.Zero(t, db.Count(t, "MATCH (a:_GraphrestAdoption) RETURN count(a)", nil))
	db.Exec(t, "MATCH (n:Person {name: 'new'}) DETACH DELETE n", nil)
	for _, row := range db.Query(t, "SHOW CONSTRAINTS YIELD name, labelsOrTypes WHERE labelsOrTypes = ['Person'] RETURN name", nil) {
		db.Exec(t, "DROP CONSTRAINT `"+row["name"].(string)+"`", nil)
	}
	require.Equal(t, before, db.Checksum(t, neo4jtest.IgnoreInternal()))
}

// A run that has begun has its record and its constraint, and no id yet: it can be undone, or continued.
func TestAdoptContinuesARunThatHasBegun(t *testing.T) {
	testmark.Concurrent(t)
	testmark.EveryRelease(t)
	db := neo4jstoretest.OpenPrepared(t)
	s, _ := openStore(t, db, "")
	db.Exec(t, "UNWIND range(1, 25) AS i CREATE (:Begun)", nil)
	db.Exec(t, "CREATE (:Refused {uuid: 'same'}), (:Refused {uuid: 'same'})", nil)
	var refused []string
	both := []graph.Adoption{{Kind: graph.NodeKind, Type: "Refused"}, {Kind: graph.NodeKind, Type: "Begun", Missing: 25}}
	begun, err := s.Begin(t.Context(), both, func(a graph.Adoption, cause error) {
		assert.Equal(t, fault.Conflict, fault.CodeOf(cause))
		refused = append(refused, a.Type)
	})
	require.NoError(t, err)
	require.Equal(t, []string{"Refused"}, refused)
	require.Len(t, begun, 1)
	a := begun[0]
	require.Len(t, db.Query(t, "SHOW CONSTRAINTS WHERE labelsOrTypes = ['Begun']", nil), 1)
	withID := func() int64 { return db.Count(t, "MATCH (n:Begun) WHERE n.uuid IS NOT NULL RETURN count(n)", nil) }
	require.Zero(t, withID())

	n, err := s.Adopt(t.Context(), a, 10, func(int64) {})
	require.NoError(t, err)
	require.EqualValues(t, 25, n)
	require.EqualValues(t, 25, withID())
	runs, err := s.Adopted(t.Context(), nil)
	require.NoError(t, err)
	require.Len(t, runs, 1)
	require.Equal(t, a.Run.Tag(), runs[0].Tag)
	require.EqualValues(t, 25, undoAll(t, s))
	require.Empty(t, db.Query(t, "SHOW CONSTRAINTS WHERE labelsOrTypes = ['Begun']", nil))
}

// A node has its id from the run of one of its types only. Undo leaves no constraint on the other either, also if that was undone first.
func TestUndoOfTypesThatShareNodes(t *testing.T) {
	testmark.Concurrent(t)
	testmark.EveryRelease(t)
	db := neo4jstoretest.OpenPrepared(t)
	s, _ := openStore(t, db, "")
	db.Exec(t, "CREATE (:Shared:Sharing)", nil)
	for _, name := range []string{"Shared", "Sharing"} {
		_, err := s.Adopt(t.Context(), graph.Adoption{Kind: graph.NodeKind, Type: name, Missing: 1}, 10, func(int64) {})
		require.NoError(t, err)
	}
	constraints := func() int { return len(db.Query(t, "SHOW CONSTRAINTS WHERE labelsOrTypes[0] STARTS WITH 'Shar'", nil)) }
	runs, err := s.Adopted(t.Context(), []string{"Sharing"})
	require.NoError(t, err)
	removed, err := s.Undo(t.Context(), runs[0], 10, func(int64) {})
	require.NoError(t, err)
	require.Zero(t, removed)
	require.NoError(t, s.Forget(t.Context(), runs[0]))
	require.Equal(t, 2, constraints(), "the node has its id")
	require.EqualValues(t, 1, undoAll(t, s))
	require.Zero(t, constraints())
	require.Zero(t, db.Count(t, "MATCH (a:_GraphrestAdoption) RETURN count(a)", nil))
}

// A run that is undone while it assigns ids ends with a CONFLICT, and leaves no id that undo does not know.
func TestAdoptEndsWhenItIsUndone(t *testing.T) {
	testmark.Concurrent(t)
	testmark.EveryRelease(t)
	db := neo4jstoretest.OpenPrepared(t)
	s, _ := openStore(t, db, "")
	db.Exec(t, "UNWIND range(1, 30) AS i CREATE (:Undone)", nil)
	var removed int64
	given, err := s.Adopt(t.Context(), graph.Adoption{Kind: graph.NodeKind, Type: "Undone", Missing: 30}, 10, func(int64) {
		runs, err := s.Adopted(t.Context(), nil)
		assert.NoError(t, err)
		n, err := s.Undo(t.Context(), runs[0], 70, func(int64) {})
		assert.NoError(t, err)
		removed += n
	})
	require.Equal(t, fault.Conflict, fault.CodeOf(err), "%v", err)
	require.EqualValues(t, 10, given)
	require.EqualValues(t, 10, removed)
	require.Zero(t, db.Count(t, "MATCH (n:Undone) WHERE n.uuid IS NOT NULL RETURN count(n)", nil))
	require.Zero(t, undoAll(t, s), "no id was given after that")
	require.Empty(t, db.Query(t, "SHOW CONSTRAINTS WHERE labelsOrTypes = ['Undone']", nil))
}

// A batch whose reply was lost is written again: it counts the same entities and changes nothing.
func TestABatchOfIDsIsWrittenTwice(t *testing.T) {
	testmark.Concurrent(t)
	testmark.EveryRelease(t)
	db := neo4jstoretest.OpenPrepared(t)
	db.Exec(t, "CREATE (:_GraphrestAdoption {tag: 'twice'}), (:Twice)-[:TWICE]->(:Twice)", nil)
	for _, each := range []struct {
		statement             cypher.Statement
		name, elements, given string
	}{
		{
			cypher.AdoptNodes, "Twice", "MATCH (e:Twice) RETURN elementId(e) AS element",
			"MATCH (e:Twice) WHERE e.uuid = 'id of ' + elementId(e) RETURN count(e)",
		},
		{
			cypher.AdoptEdges, "TWICE", "MATCH ()-[e:TWICE]->() RETURN elementId(e) AS element",
			"MATCH ()-[e:TWICE]->() WHERE e.uuid = 'id of ' + elementId(e) RETURN count(e)",
		},
	} {
		text := each.statement.Text(cypher.Slots{"type": cypher.Quote(each.name), "id": cypher.Quote("uuid")})
		var rows []any
		for _, row := range db.Query(t, each.elements, nil) {
			rows = append(rows, map[string]any{"element": row["element"], "id": "id of " + row["element"].(string)})
		}
		for range 2 {
			found := db.Query(t, text.String(), map[string]any{"rows": []any{rows}, "tag": "twice"})
			require.EqualValues(t, len(rows), found[0]["total"], each.name)
			require.EqualValues(t, len(rows), db.Count(t, each.given, nil))
		}
	}
}

// If ids are not unique adopt writes nothing; doctor reports the problem before and changes nothing either.
func TestAdoptRejectsDuplicatesAndDoctorReportsThem(t *testing.T) {
	testmark.Concurrent(t)
	testmark.EveryRelease(t)
	db := neo4jstoretest.OpenPrepared(t)
	db.DropInternalOfCases(t) // doctor reports their labels
	s, _ := openStore(t, db, "")
	// The checksum counts the names of property keys, which stay: a first adoption makes those of the records.
	db.Exec(t, "CREATE (:Adopted)", nil)
	_, err := s.Adopt(t.Context(), graph.Adoption{Kind: graph.NodeKind, Type: "Adopted", Missing: 1}, 10, func(int64) {})
	require.NoError(t, err)
	require.EqualValues(t, 1, undoAll(t, s))
	db.Exec(t, "MATCH (n:Adopted) DELETE n", nil)

	db.Exec(t, `CREATE (:Twin {uuid: 'a'}), (:Twin {uuid: 'a'}), (:Twin), (:Named {uuid: 'b'}), (:Named {uuid: 7}), (:Blocked),
		(:Plain)-[:LINKS]->(), (:_graphRESTful)`, nil)
	db.Exec(t, "CREATE INDEX blocker FOR (n:Blocked) ON (n.uuid)", nil)
	db.Exec(t, "CALL db.awaitIndexes(60)", nil)
	before := db.Checksum(t)

	d, err := s.Diagnose(t.Context())
	require.NoError(t, err)
	require.Equal(t, before, db.Checksum(t), "doctor writes nothing")
	require.True(t, d.Prepared)
	require.Regexp(t, `^\d+\.\d+`, d.Server.Version)
	require.Equal(t, "community", d.Server.Edition)
	require.EqualValues(t, 1, d.Unlabelled)
	require.Equal(t, []graph.TypeDiagnosis{
		{Kind: "node", Type: "Blocked", Count: 1, WithoutID: 1},
		{Kind: "node", Type: "Named", Count: 2, WithID: 1, Unusable: 1},
		{Kind: "node", Type: "Plain", Count: 1, WithoutID: 1},
		{Kind: "node", Type: "Twin", Count: 3, WithID: 2, WithoutID: 1, Duplicates: 1},
		{Kind: "edge", Type: "LINKS", Count: 1, WithoutID: 1},
	}, d.Types)
	problems := []string{}
	for _, f := range d.Findings {
		if f.Level == graph.Problem {
			problems = append(problems, f.Subject)
		}
	}
	slices.Sort(problems)
	require.Equal(t, []string{"node type Blocked", "node type Twin", "type _graphRESTful"}, problems)

	for _, name := range []string{"Twin", "Blocked"} {
		_, err = s.Adopt(t.Context(), graph.Adoption{Kind: graph.NodeKind, Type: name, Missing: 1}, 10, func(int64) {})
		require.Equal(t, fault.Conflict, fault.CodeOf(err), "%s: %v", name, err)
	}
	require.Equal(t, before, db.Checksum(t), "nothing was written, not even a record")
	_, err = s.Adoptable(t.Context(), []string{"Nobody"})
	require.Equal(t, fault.Validation, fault.CodeOf(err))

	// An integer in the id property is user data; it remains.
	assigned := int64(0)
	for _, name := range []string{"Named", "Plain"} {
		n, err := s.Adopt(t.Context(), graph.Adoption{Kind: graph.NodeKind, Type: name, Missing: 1}, 10, func(int64) {})
		require.NoError(t, err)
		assigned += n
	}
	require.EqualValues(t, 1, assigned)
	require.EqualValues(t, 1, db.Count(t, "MATCH (n:Named {uuid: 7}) RETURN count(n)", nil))
	require.Equal(t, int64(1), undoAll(t, s))
	require.EqualValues(t, 2, db.Count(t, "MATCH (n:Named) WHERE n.uuid IS NOT NULL RETURN count(n)", nil))
}
