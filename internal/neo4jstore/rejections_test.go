package neo4jstore_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jdev"
	"graphrest/internal/neo4jstoretest"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

func requireFault(t *testing.T, err error, code fault.Code, fields ...string) {
	t.Helper()
	f := neo4jstoretest.RequireFault(t, err, code, fields...)
	for _, text := range []string{"Neo4j", "Node(", "schema", "{", "_Graphrest"} {
		require.NotContains(t, f.Message, text)
	}
}

func TestAZoneThatTheServerDoesNotKnowIsAValidationError(t *testing.T) {
	testmark.EveryRelease(t)
	s, db := open(t, nil)
	ctx := context.Background()
	created, err := s.CreateNode(ctx, graph.NewNode{Type: "Zoned", Properties: graph.Properties{"n": int64(1)}})
	require.NoError(t, err)
	for name, value := range map[string]graph.Value{
		"alone": graph.DateTime{Seconds: 1, Zone: "Nowhere/Here"}, "in a list": []graph.Value{graph.DateTime{Seconds: 1, Zone: "Nowhere/Here"}},
	} {
		t.Run(name, func(t *testing.T) {
			invalid := graph.Properties{"fine": graph.DateTime{Seconds: 1, Zone: "Europe/Berlin"}, "when": value}
			var group sync.WaitGroup
			for i := range 24 {
				group.Go(func() {
					switch i % 4 {
					case 0:
						_, err := s.CreateNode(ctx, graph.NewNode{Type: "Zoned", Properties: invalid})
						requireFault(t, err, fault.Validation, "properties.when")
					case 1:
						_, err := s.UpdateNode(ctx, created.Entity.ID, graph.Change{Properties: invalid})
						requireFault(t, err, fault.Validation, "properties.when")
					case 2:
						_, err := s.CreateNode(ctx, graph.NewNode{Type: "Zoned", Properties: graph.Properties{"good": true}})
						require.NoError(t, err, "a neighbor")
					default:
						_, err := s.Node(ctx, created.Entity.ID)
						require.NoError(t, err, "a reader")
					}
				})
			}
			group.Wait()
		})
	}
	require.EqualValues(t, 12, db.Count(t, "MATCH (n:Zoned) WHERE n.good RETURN count(n)", nil))
	require.EqualValues(t, 13, db.Count(t, "MATCH (n:Zoned) RETURN count(n)", nil))
}

func TestAValueTooLargeForAnIndexIsNamed(t *testing.T) {
	testmark.EveryRelease(t)
	s, db := open(t, nil)
	ctx := context.Background()
	db.Exec(t, "CREATE INDEX FOR (n:Sized) ON (n.large)", nil)
	db.Exec(t, "CREATE INDEX FOR ()-[r:SIZED]-() ON (r.large)", nil)
	db.Exec(t, "CALL db.awaitIndexes(60)", nil)
	created, err := s.CreateNode(ctx, graph.NewNode{Type: "Sized", Properties: graph.Properties{"other": strings.Repeat("x", 20_000)}})
	require.NoError(t, err)
	large := graph.Properties{"other": "x", "large": strings.Repeat("x", 20_000)}
	_, err = s.CreateNode(ctx, graph.NewNode{Type: "Sized", Properties: large})
	requireFault(t, err, fault.Validation, "properties.large")
	_, err = s.UpdateNode(ctx, created.Entity.ID, graph.Change{Properties: large})
	requireFault(t, err, fault.Validation, "properties.large")
	_, err = s.CreateEdge(ctx, graph.NewEdge{Type: "SIZED", SourceID: created.Entity.ID, TargetID: created.Entity.ID, Properties: large})
	requireFault(t, err, fault.Validation, "properties.large")
	require.EqualValues(t, 1, db.Count(t, "MATCH (n:Sized) WHERE size(n.other) = 20000 RETURN count(n)", nil))
	require.EqualValues(t, 0, db.Count(t, "MATCH ()-[r:SIZED]->() RETURN count(r)", nil))
}

func TestAViolatedConstraintIsNamedIfItIsVisible(t *testing.T) {
	testmark.EveryRelease(t)
	s, db := open(t, nil)
	ctx := context.Background()
	db.Exec(t, "CREATE CONSTRAINT FOR (n:Account) REQUIRE n.mail IS UNIQUE", nil)
	db.Exec(t, "CREATE CONSTRAINT FOR (n:Account) REQUIRE (n.a, n.b) IS UNIQUE", nil)
	_, err := s.CreateNode(ctx, graph.NewNode{Type: "Account", Properties: graph.Properties{"mail": "a@x", "a": int64(1), "b": int64(2)}})
	require.NoError(t, err)
	_, err = s.CreateNode(ctx, graph.NewNode{Type: "Account", Properties: graph.Properties{"mail": "a@x"}})
	requireFault(t, err, fault.Conflict, "properties.mail")
	_, err = s.CreateNode(ctx, graph.NewNode{Type: "Account", Properties: graph.Properties{"a": int64(1), "b": int64(2)}})
	requireFault(t, err, fault.Conflict)
}

// A call that the database rejects fails alone, although it shared its transaction with others.
func TestARejectedRowFailsAloneInItsBatch(t *testing.T) {
	s, db := open(t, nil)
	ctx := context.Background()
	db.Exec(t, "CREATE CONSTRAINT FOR (n:Account) REQUIRE n.mail IS UNIQUE", nil)
	var group sync.WaitGroup
	for i := range 200 {
		group.Go(func() {
			_, err := s.CreateNode(ctx, graph.NewNode{Type: "Account", Properties: graph.Properties{"mail": fmt.Sprint(i / 2)}})
			if err != nil {
				requireFault(t, err, fault.Conflict, "properties.mail")
			}
		})
	}
	group.Wait()
	require.EqualValues(t, 100, db.Count(t, "MATCH (n:Account) RETURN count(n)", nil))
}

func TestATypeThatCannotBecomeManagedRejectsCreates(t *testing.T) {
	s, db := open(t, nil)
	ctx := context.Background()
	db.Exec(t, "CREATE (:Twice {uuid: 'same'}), (:Twice {uuid: 'same'}), (:Indexed {uuid: 'one'})", nil)
	db.Exec(t, "CREATE INDEX FOR (n:Indexed) ON (n.uuid)", nil)
	for _, typ := range []graph.TypeName{"Twice", "Indexed"} {
		_, err := s.CreateNode(ctx, graph.NewNode{Type: typ})
		requireFault(t, err, fault.Conflict, "type")
	}
	require.EqualValues(t, 3, db.Count(t, "MATCH (n) WHERE n:Twice OR n:Indexed RETURN count(n)", nil))
	db.Exec(t, "MATCH (n:Twice) SET n.uuid = elementId(n)", nil)
	_, err := s.CreateNode(ctx, graph.NewNode{Type: "Twice"})
	require.NoError(t, err, "after the ids were made unique")
}

// Neo4j never frees a name, so this needs a separate server.
func TestNewNamesAreCappedAndRejectedRequestsAddNone(t *testing.T) {
	testmark.Long(t)
	server := neo4jtest.FreshServer(t, neo4jdev.Options{})
	db := neo4jtest.Connect(t, server)
	ctx := context.Background()
	plain := openOn(t, db, nil)
	a, err := plain.CreateNode(ctx, graph.NewNode{Type: "First", Properties: graph.Properties{"known": true}})
	require.NoError(t, err)
	keys := int(db.Count(t, "CALL db.propertyKeys() YIELD propertyKey WHERE NOT propertyKey STARTS WITH '_graphrest' RETURN count(*)", nil))
	s := openOn(t, db, func(c *settings) { c.MaxNodeTypes, c.MaxEdgeTypes, c.MaxPropertyKeys = 2, 1, keys+2 })
	names := func() any {
		return db.Query(t, "CALL db.stats.retrieve('TOKENS') YIELD data RETURN data", nil)[0]["data"]
	}
	_, err = s.CreateNode(ctx, graph.NewNode{Type: "Second", Properties: graph.Properties{"fresh": true}})
	require.NoError(t, err)
	_, err = s.CreateEdge(ctx, graph.NewEdge{Type: "FIRST", SourceID: a.Entity.ID, TargetID: a.Entity.ID})
	require.NoError(t, err)
	before := names()

	_, err = s.CreateNode(ctx, graph.NewNode{Type: "Third"})
	requireFault(t, err, fault.Validation, "type")
	_, err = s.CreateEdge(ctx, graph.NewEdge{Type: "SECOND", SourceID: a.Entity.ID, TargetID: a.Entity.ID})
	requireFault(t, err, fault.Validation, "type")
	_, err = s.CreateEdge(ctx, graph.NewEdge{Type: "SECOND", SourceID: a.Entity.ID, TargetID: "nothing"})
	requireFault(t, err, fault.Validation, "target_id")
	for range 2 { // a rejected name is not cached as known
		_, err = s.UpdateNode(ctx, a.Entity.ID, graph.Change{Properties: graph.Properties{"one": 1.0, "two": 2.0, "removed": nil}})
		requireFault(t, err, fault.Validation, "properties.two")
	}
	require.Equal(t, before, names(), "a rejected request added a name")

	_, err = s.UpdateNode(ctx, a.Entity.ID, graph.Change{Properties: graph.Properties{"one": 1.0, "never": nil, "known": false}})
	require.NoError(t, err)
	_, err = s.CreateNode(ctx, graph.NewNode{Type: "First", Properties: graph.Properties{"known": true}})
	require.NoError(t, err, "known names are always accepted")
	capped := openOn(t, db, func(c *settings) { c.MaxNodeTypes, c.MaxDetach = -1, -1 })
	_, err = capped.CreateNode(ctx, graph.NewNode{Type: "Third"})
	requireFault(t, err, fault.Validation, "type")
	_, err = capped.DeleteNode(ctx, a.Entity.ID, graph.Removal{})
	requireFault(t, err, fault.Conflict, "detach")
}
