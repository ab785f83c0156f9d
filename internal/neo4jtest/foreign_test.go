package neo4jtest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

func TestSeedForeign(t *testing.T) {
	testmark.Long(t)
	db := neo4jtest.Open(t)
	made := db.SeedForeign(t, 0, 0)

	require.Len(t, made.NodeIDs, 5_000)
	require.Len(t, made.EdgeIDs, 10_000)
	require.EqualValues(t, 5_000, db.Count(t, "MATCH (n) RETURN count(n)", nil))
	require.EqualValues(t, 10_000, db.Count(t, "MATCH ()-[r]->() RETURN count(r)", nil))
	require.EqualValues(t, made.Unlabelled, db.Count(t, "MATCH (n) WHERE labels(n) = [] RETURN count(n)", nil))
	require.EqualValues(t, made.SelfLoops, db.Count(t, "MATCH (n)-[r]->(n) RETURN count(r)", nil))
	require.NotZero(t, made.Parallel)
	require.EqualValues(t, 10_000-made.Parallel,
		db.Count(t, "MATCH (a)-[r]->(b) WITH DISTINCT a, b, type(r) AS kind RETURN count(*)", nil))
	for label, count := range made.Labels {
		require.EqualValues(t, count, db.Count(t, "MATCH (n) WHERE $label IN labels(n) RETURN count(n)",
			map[string]any{"label": label}), "label %q", label)
	}
	for kind, count := range made.Types {
		require.EqualValues(t, count, db.Count(t, "MATCH ()-[r]->() WHERE type(r) = $type RETURN count(r)",
			map[string]any{"type": kind}), "type %q", kind)
	}

	var kinds []string
	for _, row := range db.Query(t, "MATCH (n) RETURN DISTINCT valueType(n.value) AS kind", nil) {
		kinds = append(kinds, row["kind"].(string))
	}
	want := []string{"NULL", "LIST<NOTHING> NOT NULL"} // no value, and an empty array
	for _, kind := range []string{
		"BOOLEAN", "INTEGER", "FLOAT", "STRING", "DATE", "LOCAL TIME", "ZONED TIME", "LOCAL DATETIME", "ZONED DATETIME",
		"DURATION", "POINT",
	} {
		want = append(want, kind+" NOT NULL", "LIST<"+kind+" NOT NULL> NOT NULL")
	}
	require.ElementsMatch(t, want, kinds)
}

func TestSeedForeignIsDeterministic(t *testing.T) {
	testmark.Long(t)
	content := func(name string) (rows []map[string]any) {
		t.Run(name, func(t *testing.T) {
			db := neo4jtest.Open(t)
			db.SeedForeign(t, 300, 600)
			rows = db.Query(t, "MATCH (n) RETURN labels(n) AS labels, toStringOrNull(n.value) AS value, n.name AS name, "+
				"COUNT { (n)-->() } AS out ORDER BY name, value, out, labels", nil)
		})
		return rows
	}
	require.Equal(t, content("once"), content("again"))
}
