package neo4jstore_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/audit"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jstore"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

func codeDeclaration(level graph.DeclarationLevel) graph.Declaration {
	return graph.Declaration{Kind: graph.NodeKind, Type: "Airport", Level: level, Schema: `{"properties":{"code":{"type":"string"}}}`}
}

func declare(t *testing.T, s *neo4jstore.Store, d graph.Declaration) {
	t.Helper()
	_, _, err := s.Declare(context.Background(), d)
	require.NoError(t, err)
}

func TestADeclarationIsInForceOnEveryReplica(t *testing.T) {
	testmark.Concurrent(t)
	stores, _ := twoReplicas(t)
	ctx := context.Background()
	bad := graph.NewNode{Type: "Airport", Properties: graph.Properties{"code": int64(1)}}
	created, err := stores[1].CreateNode(ctx, bad)
	require.NoError(t, err)
	for round := range 3 {
		local, remote := stores[round%2], stores[(round+1)%2]
		declare(t, local, codeDeclaration(graph.LevelStrict))
		_, err = local.CreateNode(ctx, bad)
		requireFault(t, err, fault.Validation, "properties.code")
		require.Eventually(t, func() bool {
			_, err := remote.CreateNode(ctx, bad)
			return fault.CodeOf(err) == fault.Validation
		}, 20*time.Second, 50*time.Millisecond)
		_, err = remote.UpdateNode(ctx, created.Entity.ID, graph.Change{Properties: graph.Properties{"round": int64(round)}})
		requireFault(t, err, fault.Validation, "properties.code")
		require.NoError(t, remote.Undeclare(ctx, graph.NodeKind, "Airport"))
		_, err = remote.CreateNode(ctx, bad)
		require.NoError(t, err)
		require.Eventually(t, func() bool {
			_, err := local.CreateNode(ctx, bad)
			return err == nil
		}, 20*time.Second, 50*time.Millisecond)
	}
}

// Calls share a batch; the rejection of one of them does not affect the others.
func TestARejectedEntityFailsOnlyItsOwnCall(t *testing.T) {
	testmark.Concurrent(t)
	s, db := open(t, nil)
	ctx := context.Background()
	declare(t, s, codeDeclaration(graph.LevelStrict))
	airport, err := s.CreateNode(ctx, graph.NewNode{Type: "Airport"})
	require.NoError(t, err)
	city, err := s.CreateNode(ctx, graph.NewNode{Type: "City"})
	require.NoError(t, err)
	var group sync.WaitGroup
	for i := range 60 {
		group.Go(func() {
			properties := graph.Properties{"code": "BER", "n": int64(i)}
			if i%3 == 0 {
				properties["code"] = int64(i)
			}
			for _, err := range []error{
				errorOf(s.CreateNode(ctx, graph.NewNode{Type: "Airport", Properties: properties})),
				errorOf(s.UpdateNode(ctx, airport.Entity.ID, graph.Change{Properties: properties})),
			} {
				if i%3 == 0 {
					requireFault(t, err, fault.Validation, "properties.code")
				} else {
					require.NoError(t, err)
				}
			}
			require.NoError(t, errorOf(s.UpdateNode(ctx, city.Entity.ID, graph.Change{Properties: properties})))
		})
	}
	group.Wait()
	require.EqualValues(t, 41, db.Count(t, "MATCH (n:Airport) RETURN count(n)", nil))
}

func errorOf[T any](_ T, err error) error { return err }

func TestOnlyDeclaredTypesWhereConfigured(t *testing.T) {
	s, db := open(t, func(c *settings) { c.OnlyDeclared = true })
	ctx := context.Background()
	_, err := s.CreateNode(ctx, graph.NewNode{Type: "Airport"})
	requireFault(t, err, fault.Validation, "type")
	declare(t, s, codeDeclaration(graph.LevelNone))
	created, err := s.CreateNode(ctx, graph.NewNode{Type: "Airport", Properties: graph.Properties{"code": int64(1)}})
	require.NoError(t, err)
	_, err = s.CreateEdge(ctx, graph.NewEdge{Type: "ROUTE", SourceID: created.Entity.ID, TargetID: created.Entity.ID})
	requireFault(t, err, fault.Validation, "type")
	db.Exec(t, "CREATE (:Legacy {n: 1})", nil)
	page, err := s.Nodes(ctx, graph.NodeQuery{Type: "Legacy", Paging: graph.Paging{Limit: 1}})
	require.NoError(t, err)
	_, err = s.UpdateNode(ctx, page.Items[0].ID, graph.Change{Properties: graph.Properties{"n": int64(2)}})
	require.NoError(t, err, "existing entities can be changed")
	results, err := s.Bulk.Import(graph.OnConflictError).Write(ctx, []graph.BulkLine{
		{Number: 1, Node: &graph.BulkNode{Labels: []graph.TypeName{"Airport"}}},
		{Number: 2, Node: &graph.BulkNode{Labels: []graph.TypeName{"Airport", "Legacy"}}},
		{Number: 3, Node: &graph.BulkNode{}},
	})
	require.NoError(t, err)
	require.Nil(t, results[0].Fault)
	requireFault(t, results[1].Fault, fault.Validation, "type")
	requireFault(t, results[2].Fault, fault.Validation, "type")
}

// An open transaction with the type's lock makes the constraint take as long as this test needs.
func TestALongBuildOfAUniqueKeyGoesOnInTheBackground(t *testing.T) {
	testmark.EveryRelease(t)
	s, db := open(t, func(c *settings) { c.client.QueryTimeout = 3 * time.Second })
	ctx := context.Background()
	session := db.Driver.NewSession(ctx, sessionConfig(db))
	defer session.Close(ctx)
	tx, err := session.BeginTransaction(ctx)
	require.NoError(t, err)
	_, err = tx.Run(ctx, "CREATE (:Airport {code: 'BER'})", nil)
	require.NoError(t, err)
	d := codeDeclaration(graph.LevelNew)
	d.Unique = [][]string{{"code"}}
	_, _, err = s.Declare(ctx, d)
	requireFault(t, err, fault.DatabaseUnavailable)
	require.Positive(t, fault.As(err).After)
	_, err = s.DeclaredType(ctx, graph.NodeKind, "Airport")
	requireFault(t, err, fault.NotFound)
	require.NoError(t, tx.Commit(ctx))
	require.Eventually(t, func() bool {
		_, _, err := s.Declare(ctx, d)
		return err == nil
	}, 20*time.Second, 100*time.Millisecond)
	_, err = s.CreateNode(ctx, graph.NewNode{Type: "Airport", Properties: graph.Properties{"code": "BER"}})
	requireFault(t, err, fault.Conflict, "properties.code")
}

func TestADeclarationDamagedByHandRejectsEverything(t *testing.T) {
	s, db := open(t, nil)
	ctx := context.Background()
	declare(t, s, codeDeclaration(graph.LevelNew))
	db.Exec(t, "MATCH (t:_GraphrestType) MATCH (s:_GraphrestState {name: 'types'}) SET t.schema = '{\"new\": 1}', s.version = s.version + 1",
		nil)
	require.Eventually(t, func() bool {
		_, err := s.CreateNode(ctx, graph.NewNode{Type: "Airport"})
		return fault.CodeOf(err) == fault.Validation
	}, 20*time.Second, 50*time.Millisecond)
	declare(t, s, codeDeclaration(graph.LevelNew))
	_, err := s.CreateNode(ctx, graph.NewNode{Type: "Airport"})
	require.NoError(t, err)
}

// gate stops a store after one statement, once, so that another replica can act in between.
type gate struct {
	statement     string
	armed         atomic.Bool
	reached, open chan struct{}
}

func (g *gate) Statement(_ context.Context, name, _ string, _ time.Time, _ string) {
	if name == g.statement && g.armed.CompareAndSwap(true, false) {
		close(g.reached)
		<-g.open
	}
}

// The keys of the declaration that is written last exist, although one replica read the constraints before the other changed them: b is
// stopped after that read. In the first case a writes last, in the second b.
func TestReplicasThatDeclareATypeConcurrentlyKeepItsKeys(t *testing.T) {
	testmark.Concurrent(t)
	withKeys := codeDeclaration(graph.LevelNew)
	withKeys.Unique = [][]string{{"code"}, {"name"}}
	for name, c := range map[string]struct{ held, other graph.Declaration }{
		"one drops what the other asks for":       {codeDeclaration(graph.LevelNew), withKeys},
		"one relies on what the other then drops": {withKeys, codeDeclaration(graph.LevelNew)},
	} {
		t.Run(name, func(t *testing.T) {
			a, db := open(t, nil)
			g := &gate{statement: "schema_constraints", reached: make(chan struct{}), open: make(chan struct{})}
			b := openPrepared(t, db, func(c *settings) { c.client.Statements = append(c.client.Statements, g) })
			declare(t, a, withKeys)
			g.armed.Store(true)
			done := make(chan error)
			go func() {
				_, _, err := b.Declare(context.Background(), c.held)
				done <- err
			}()
			<-g.reached
			declare(t, a, c.other)
			close(g.open)
			require.NoError(t, <-done)

			keys, err := a.UniqueKeys(context.Background(), withKeys)
			require.NoError(t, err)
			for _, key := range keys {
				require.Equal(t, graph.KeyEnforced, key.State, "%v", key.Properties)
			}
			require.EqualValues(t, 2, db.Count(t, "SHOW CONSTRAINTS YIELD labelsOrTypes, properties "+
				"WHERE labelsOrTypes = ['Airport'] AND properties <> ['uuid'] RETURN count(*)", nil), "besides that of ids")
		})
	}
}

// The database commits a change and the connection is lost before the reply: the change is sent again, and applied once.
func TestADeclarationChangeWhoseReplyIsLostIsAppliedOnce(t *testing.T) {
	testmark.Concurrent(t)
	db := neo4jtest.OpenPrepared(t)
	s, cut := openCutter(t, db, func(c *settings) { c.audit.Mode = audit.All })
	ctx := actor("ann")
	version := func() int64 { return db.Count(t, "MATCH (s:_GraphrestState {name: 'types'}) RETURN s.version", nil) }
	lose := func(statement string) { cut.commit.Store(&statement) }
	lose("declaration_write")
	_, created, err := s.Declare(ctx, codeDeclaration(graph.LevelNew))
	require.NoError(t, err)
	require.True(t, created)
	require.EqualValues(t, 1, version())
	lose("declaration_write")
	_, created, err = s.Declare(ctx, codeDeclaration(graph.LevelStrict))
	require.NoError(t, err)
	require.False(t, created)
	require.EqualValues(t, 2, version())
	lose("declaration_remove")
	require.NoError(t, s.Undeclare(ctx, graph.NodeKind, "Airport"))
	require.EqualValues(t, 3, version())
	requireFault(t, s.Undeclare(ctx, graph.NodeKind, "Airport"), fault.NotFound)
	require.EqualValues(t, 3, cut.cuts.Load())
	require.EqualValues(t, 3, version())
	require.Equal(t, []string{
		"ann delete type nodes/Airport Airport [] 1", "ann update type nodes/Airport Airport [] 1", "ann create type nodes/Airport Airport [] 1",
	}, formatEntries(readEntries(t, s, audit.Query{}, 10)))
}
