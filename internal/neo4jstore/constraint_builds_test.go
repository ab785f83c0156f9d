package neo4jstore_test

import (
	"context"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

// A constraint on a large type takes time. An open transaction with the type's lock makes it take as long as this test needs.
func TestALongConstraintBuildDelaysOnlyCreatesOfItsType(t *testing.T) {
	testmark.EveryRelease(t)
	s, db := open(t, func(c *settings) { c.client.QueryTimeout = 3 * time.Second })
	ctx := context.Background()
	db.Exec(t, "CREATE (:Large {n: 1})", nil)
	other, err := s.CreateNode(ctx, graph.NewNode{Type: "Other"})
	require.NoError(t, err)

	session := db.Driver.NewSession(ctx, sessionConfig(db))
	defer session.Close(ctx)
	tx, err := session.BeginTransaction(ctx)
	require.NoError(t, err)
	_, err = tx.Run(ctx, "CREATE (:Large {n: 2})", nil)
	require.NoError(t, err)

	began := time.Now()
	_, err = s.CreateNode(ctx, graph.NewNode{Type: "Large"})
	requireFault(t, err, fault.DatabaseUnavailable)
	require.Positive(t, fault.As(err).After)
	require.Less(t, time.Since(began), 10*time.Second)
	for range 20 {
		_, err := s.UpdateNode(ctx, other.Entity.ID, graph.Change{Properties: graph.Properties{"a": true}})
		require.NoError(t, err)
		_, err = s.CreateNode(ctx, graph.NewNode{Type: "Other"})
		require.NoError(t, err)
		_, err = s.CreateNode(ctx, graph.NewNode{Type: "Another"})
		require.NoError(t, err)
	}
	require.NoError(t, tx.Commit(ctx))
	require.Eventually(t, func() bool {
		_, err = s.CreateNode(ctx, graph.NewNode{Type: "Large"})
		return err == nil
	}, 20*time.Second, 100*time.Millisecond, "the build continued in the background")
	require.EqualValues(t, 3, db.Count(t, "MATCH (n:Large) RETURN count(n)", nil), "the rejected create created nothing")
}

// A gateway whose id property was changed manages the types that it managed before, by constraints with different names.
func TestTypesAreManagedByEachIDProperty(t *testing.T) {
	db := neo4jtest.OpenPrepared(t)
	db.Clean(t)
	prepare(t, db)
	for _, name := range []string{"uuid", "gid", "uuid"} {
		s := openPrepared(t, db, func(c *settings) { c.IDProperty = name })
		created, err := s.CreateNode(t.Context(), graph.NewNode{Type: "Person"})
		require.NoError(t, err, name)
		params := map[string]any{"name": name, "id": created.Entity.ID}
		require.EqualValues(t, 1, db.Count(t, "MATCH (n:Person) WHERE n[$name] = $id RETURN count(n)", params))
	}
	constraints := db.Query(t, "SHOW CONSTRAINTS YIELD labelsOrTypes, properties WHERE labelsOrTypes = ['Person'] RETURN properties", nil)
	require.Len(t, constraints, 2)
}

// The creation of a constraint that is cut off may leave its index, without the constraint.
func TestATypeIsManagedAfterItsConstraintWasCutOff(t *testing.T) {
	testmark.Concurrent(t)
	s, db := open(t, nil)
	_, err := s.CreateNode(t.Context(), graph.NewNode{Type: "Halted"})
	require.NoError(t, err)
	const constraint = "SHOW CONSTRAINTS YIELD name, labelsOrTypes WHERE labelsOrTypes = ['Halted'] RETURN name"
	name := db.Query(t, constraint, nil)[0]["name"].(string)
	db.Exec(t, "DROP CONSTRAINT "+name, nil)
	db.Exec(t, "CREATE INDEX "+name+" FOR (n:Halted) ON (n.uuid)", nil)
	_, err = openPrepared(t, db, nil).CreateNode(t.Context(), graph.NewNode{Type: "Halted"})
	require.NoError(t, err)
	require.Len(t, db.Query(t, constraint, nil), 1)
}

func sessionConfig(db *neo4jtest.DB) neo4j.SessionConfig {
	return neo4j.SessionConfig{DatabaseName: db.Database}
}
