package neo4jtest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

func TestChecksumSeesEveryChange(t *testing.T) {
	testmark.Long(t)
	db := neo4jtest.Open(t)
	db.SeedForeign(t, 400, 600)
	before := db.Checksum(t)
	require.Equal(t, before, db.Checksum(t), "reading changes nothing")
	db.Exec(t, "MATCH (n) WITH n LIMIT 1 SET n.name = n.name", nil)
	require.Equal(t, before, db.Checksum(t), "writing back what is there changes nothing")

	db.Exec(t, "CREATE (:Probe {zero: 0.0, nothing: '', bytes: $bytes, at: datetime('2024-05-01T12:00Z')})",
		map[string]any{"bytes": []byte{1}})
	tests := []struct{ name, change string }{
		{"a node", "CREATE ()"},
		{"an edge", "MATCH (n:Probe) CREATE (n)-[:LOOP]->(n)"},
		{"a label", "MATCH (n:Probe) SET n:Other"},
		{"a property", "MATCH (n:Probe) SET n.extra = 1"},
		{"a property of an edge", "MATCH (:Probe)-[r]->() SET r.extra = 1"},
		{"a float that becomes an integer", "MATCH (n:Probe) SET n.zero = 0"},
		{"an integer that becomes a float", "MATCH (n:Probe) SET n.zero = 0.0"},
		{"a zero that becomes minus zero", "MATCH (n:Probe) REMOVE n.zero SET n.zero = -0.0"}, // without REMOVE, Neo4j leaves 0.0 in place
		{"a removed property", "MATCH (n:Probe) REMOVE n.nothing"},
		{"another zone of the same instant", "MATCH (n:Probe) SET n.at = datetime('2024-05-01T14:00+02:00')"},
		{"an index", "CREATE INDEX probe FOR (n:Probe) ON (n.zero)"},
		{"a constraint", "CREATE CONSTRAINT probes FOR (n:Probe) REQUIRE n.extra IS UNIQUE"},
		{"a removed edge", "MATCH (:Probe)-[r]->() DELETE r"},
	}
	for _, test := range tests {
		was := db.Checksum(t)
		db.Exec(t, test.change, nil)
		require.NotEqual(t, was, db.Checksum(t), test.name)
	}
}

func TestChecksumIgnoresInternalData(t *testing.T) {
	testmark.Long(t)
	db := neo4jtest.Open(t)
	db.Exec(t, "CREATE (:Person {name: 'Ann'})-[:KNOWS]->(:Person)", nil)
	before := db.Checksum(t, neo4jtest.IgnoreInternal())
	whole := db.Checksum(t)

	db.Exec(t, "CREATE CONSTRAINT FOR (n:_GraphrestUser) REQUIRE n.name IS UNIQUE", nil)
	db.Exec(t, "CREATE (u:_GraphrestUser {hash: 'x'})-[:_GraphrestHas]->(:_GraphrestPermission)", nil)
	require.Equal(t, before, db.Checksum(t, neo4jtest.IgnoreInternal()))
	require.NotEqual(t, whole, db.Checksum(t))

	db.Exec(t, "MATCH (n:Person {name: 'Ann'}) SET n:_GraphrestMarked", nil)
	require.NotEqual(t, before, db.Checksum(t, neo4jtest.IgnoreInternal()), "an analyst's node that gets an internal label")
}
