package neo4jstore_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/require"

	"graphrest/cypher"
	"graphrest/internal/graph"
	"graphrest/internal/maintenance"
	"graphrest/internal/neo4jstore"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

// Every statement that reads an entity and then writes it takes the write lock first. In each case the entity has another id than requested
// and nothing is written, so only the lock can make another transaction wait.
func TestLocks(t *testing.T) {
	testmark.EveryRelease(t)
	db := neo4jtest.OpenPrepared(t)
	ids := db.Query(t, `CREATE (a:Locked {uuid: 'a'})-[r:LOCKED {uuid: 'r'}]->(:Locked)
		RETURN elementId(a) AS node, elementId(r) AS edge`, nil)[0]
	row := func(element any) map[string]any {
		return map[string]any{
			"rows":            [][]map[string]any{{{"element": element, "id": "other", "clear": map[string]any{}, "set": map[string]any{}}}},
			"validated_types": [][]string{{}}, "managed": [][]string{{}}, "audit": nil, "journal": nil,
		}
	}
	slots := cypher.Slots{"id": cypher.Quote("uuid")}
	elements := func(element any) map[string]any { return map[string]any{"elements": [][]any{{element}}} }
	adopt := func(element any) map[string]any {
		return map[string]any{"rows": [][]map[string]any{{{"element": element, "id": "other"}}}, "tag": "locks"}
	}
	db.Exec(t, "CREATE (:_GraphrestAdoption {tag: 'locks'})", nil)
	of := cypher.Slots{"id": cypher.Quote("uuid"), "type": cypher.Quote("Other")}
	const writeNode, writeEdge = "MATCH (n:Locked {uuid: 'a'}) SET n.x = 1", "MATCH ()-[r:LOCKED]->() SET r.x = 1"
	const undo = "MATCH (a:_GraphrestAdoption {tag: 'locks'}) SET a.x = 1"
	cases := []struct {
		statement cypher.Statement
		slots     cypher.Slots
		params    map[string]any
		write     string
	}{
		{cypher.LockNodes, nil, elements(ids["node"]), writeNode},
		{cypher.LockEdges, cypher.Slots{"id": cypher.Quote("uuid"), "ends": cypher.NoEnds}, elements(ids["edge"]), writeEdge},
		{cypher.UpdateNodes, slots, row(ids["node"]), writeNode},
		{cypher.UpdateEdges, slots, row(ids["edge"]), writeEdge},
		{cypher.DeleteNodes, slots, row(ids["node"]), writeNode},
		{cypher.DeleteEdges, slots, row(ids["edge"]), writeEdge},
		{cypher.AdoptNodes, of, adopt(ids["node"]), writeNode},
		{cypher.AdoptEdges, of, adopt(ids["edge"]), writeEdge},
		{cypher.AdoptNodes, of, adopt("none"), undo},
		{cypher.AdoptEdges, of, adopt("none"), undo},
	}
	for _, c := range cases {
		t.Run(c.statement.Name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			tx := begin(ctx, t, db, c.statement.Text(c.slots).String(), c.params)
			waits := make(chan error, 1)
			go func() {
				_, err := neo4j.ExecuteQuery(ctx, db.Driver, c.write+" /* waits */", nil, neo4j.EagerResultTransformer,
					neo4j.ExecuteQueryWithDatabase(db.Database))
				waits <- err
			}()
			awaitBlocked(t, db, waits)
			require.NoError(t, tx.Commit(ctx))
			require.NoError(t, <-waits)
		})
	}
}

// begin runs a statement in a transaction and leaves it open.
func begin(ctx context.Context, t *testing.T, db *neo4jtest.DB, text string, params map[string]any) neo4j.ExplicitTransaction {
	t.Helper()
	session := db.Driver.NewSession(ctx, neo4j.SessionConfig{DatabaseName: db.Database})
	t.Cleanup(func() { require.NoError(t, session.Close(context.WithoutCancel(ctx))) })
	tx, err := session.BeginTransaction(ctx)
	require.NoError(t, err)
	result, err := tx.Run(ctx, text, params)
	require.NoError(t, err)
	_, err = result.Consume(ctx)
	require.NoError(t, err)
	return tx
}

// awaitBlocked waits until a statement marked "waits" is blocked on a lock. It fails if that statement ends instead.
func awaitBlocked(t *testing.T, db *neo4jtest.DB, ended <-chan error) {
	t.Helper()
	for {
		select {
		case err := <-ended:
			require.Fail(t, "the other transaction did not wait for the lock", "%v", err)
		default:
		}
		blocked := db.Count(t, `SHOW TRANSACTIONS YIELD status, currentQuery
			WHERE currentQuery ENDS WITH '/* waits */' AND status STARTS WITH 'Blocked' RETURN count(*)`, nil)
		if blocked > 0 {
			return
		}
	}
}

// A property with a name like the gateway's own belongs to its owner.
func TestPropertiesWithReservedNamesSurviveWrites(t *testing.T) {
	testmark.EveryRelease(t)
	s, db := open(t, nil)
	ctx := t.Context()
	keys := []string{"_GraphrestLock", "_graphrestlock", "_GRAPHREST_LOCK", "_Graphrest"}
	theirs := graph.Properties{}
	for _, key := range keys {
		theirs[key] = "theirs"
	}
	kept := func(what string, p graph.Properties) {
		t.Helper()
		for _, key := range keys {
			require.Equal(t, "theirs", p[key], "%s lost %s", what, key)
		}
	}
	node, err := s.CreateNode(ctx, graph.NewNode{Type: "Owner", Properties: theirs})
	require.NoError(t, err)
	edge, err := s.CreateEdge(ctx, graph.NewEdge{Type: "OWNS", SourceID: node.Entity.ID, TargetID: node.Entity.ID, Properties: theirs})
	require.NoError(t, err)
	change := graph.Change{Properties: graph.Properties{"x": int64(1)}}
	n, err := s.UpdateNode(ctx, node.Entity.ID, change)
	require.NoError(t, err)
	kept("an update of a node", n.Properties)
	e, err := s.UpdateEdge(ctx, edge.Entity.ID, change)
	require.NoError(t, err)
	kept("an update of an edge", e.Properties)

	ifNode := graph.Precondition{Revisions: []graph.Revision{n.Revision()}}
	n, err = s.UpdateNode(ctx, n.ID, graph.Change{Properties: graph.Properties{"x": int64(2)}, If: ifNode})
	require.NoError(t, err)
	kept("a conditional update of a node", n.Properties)
	_, err = s.DeleteNode(ctx, n.ID, graph.Removal{If: ifNode})
	require.Error(t, err, "the version is outdated")
	no := false
	_, err = s.DeleteNode(ctx, n.ID, graph.Removal{Detach: &no})
	require.Error(t, err, "there is an edge")
	_, err = s.DeleteEdge(ctx, e.ID, graph.Removal{If: ifNode})
	require.Error(t, err, "the version is of another entity")
	into := s.Bulk.Import(graph.OnConflictMerge)
	results, err := into.Write(ctx, []graph.BulkLine{
		{Number: 1, Node: &graph.BulkNode{ID: n.ID, Labels: []graph.TypeName{"Owner"}, Properties: graph.Properties{"x": int64(3)}}},
		{Number: 2, Edge: &graph.BulkEdge{ID: e.ID, Type: "OWNS", Source: graph.BulkEnd{ID: n.ID}, Target: graph.BulkEnd{ID: n.ID}}},
	})
	require.NoError(t, err)
	for _, r := range results {
		require.Equal(t, graph.BulkUpdated, r.Done, r.Fault)
	}
	n, err = s.Node(ctx, n.ID)
	require.NoError(t, err)
	kept("an import, or a refused delete, of a node", n.Properties)
	e, err = s.Edge(ctx, e.ID)
	require.NoError(t, err)
	kept("an import, or a refused delete, of an edge", e.Properties)

	adoptable := db.Query(t, "CREATE (n:Adopted $p)-[r:ADOPTED $p]->(n) RETURN elementId(n) AS n",
		map[string]any{"p": map[string]any{"_GraphrestLock": "theirs"}})
	require.Len(t, adoptable, 1)
	adopter := maintenance.New(neo4jstore.ClientOf(s), s.Constraints, s.Names, "uuid")
	all, err := adopter.Adoptable(ctx, nil)
	require.NoError(t, err)
	for _, a := range all {
		_, err := adopter.Adopt(ctx, a, 100, func(int64) {})
		require.NoError(t, err)
	}
	require.EqualValues(t, 2, db.Count(t, `MATCH (n:Adopted)-[r:ADOPTED]->() UNWIND [properties(n), properties(r)] AS p
		WITH p WHERE p._GraphrestLock = 'theirs' AND p.uuid IS NOT NULL RETURN count(p)`, nil))
	for _, key := range db.PropertyKeys(t) {
		require.False(t, strings.HasPrefix(key, "_Graphrest") && theirs[key] == nil, "the gateway created the property key %s", key)
	}
}
