package neo4jtest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	defaultForeignNodes = 5_000
	defaultForeignEdges = 10_000
	foreignBatch        = 1_000
)

// Foreign describes a graph that SeedForeign made.
type Foreign struct {
	// NodeIDs and EdgeIDs are the element ids in the order of creation.
	NodeIDs, EdgeIDs []string
	// Labels counts the nodes that have a label, Types the edges of a relationship type.
	Labels, Types map[string]int
	// Unlabelled counts the nodes without a label, SelfLoops the edges that end where they start, Parallel the edges
	// with the same ends, direction and type as an earlier one.
	Unlabelled, SelfLoops, Parallel int
}

// foreignLabels are the label sets in use; node i has set i modulo their number.
var foreignLabels = [][]string{
	{"Person"},
	{"Person"},
	{"Person"},
	{"Person", "Actor"},
	{"Person", "Actor", "Director"},
	{"Movie"},
	{"Movie"},
	{"Zebra", "Movie", "Award Winner"},
	{"City"},
	{},
	{"Person"},
	{"person"},
	{"Strange Label"},
	{"Back`tick"},
	{"``"},
	{"Ünïcödé", "数据"},
	{`quote"'s`, "Movie"},
	{"with.dot"},
	{"a:b|c&!d%"},
	{"$(row.x)"},
	{`\u0060) DETACH DELETE n //`},
	{"🎬"},
	{"123"},
	{},
}

// foreignTypes are the relationship types in use, likewise.
var foreignTypes = []string{
	"KNOWS", "KNOWS", "ACTED_IN", "ACTED_IN", "LIVES_IN", "KNOWS", "Follows", "follows",
	"has spaces", "back`tick", `quo"te's`, "ÉTÉ 数据", "a|b:c", "]->() //", `\u0060`, "🎬",
}

// SeedForeign makes a graph as somebody else's programs would have left it, in Cypher and without the gateway: no id
// property, no constraint, several labels per node, nodes without a label, self-loops, parallel edges, every kind of
// value Neo4j can store (one property "value" that is of another type from node to node, and on some nodes an ordinary
// property named uuid), and names with odd characters. The same numbers always give the same graph, element ids
// aside. 0 stands for 5,000 nodes and 10,000 edges. It adds to what is there.
func (db *DB) SeedForeign(t testing.TB, nodes, edges int) Foreign {
	t.Helper()
	if nodes == 0 {
		nodes = defaultForeignNodes
	}
	if edges == 0 {
		edges = defaultForeignEdges
	}
	made := Foreign{Labels: map[string]int{}, Types: map[string]int{}}
	db.seedNodes(t, &made, nodes)
	db.seedEdges(t, &made, edges)
	return made
}

func (db *DB) seedNodes(t testing.TB, made *Foreign, count int) {
	t.Helper()
	values := foreignValues()
	rows := make([]any, count)
	for i := range rows {
		labels := foreignLabels[i%len(foreignLabels)]
		rows[i] = map[string]any{"labels": labels, "properties": foreignNodeProperties(i, values)}
		for _, label := range labels {
			made.Labels[label]++
		}
		if len(labels) == 0 {
			made.Unlabelled++
		}
	}
	made.NodeIDs = db.createBatches(t, rows,
		"UNWIND $rows AS row CREATE (n:$(row.labels)) SET n = row.properties RETURN elementId(n) AS id")
}

func (db *DB) seedEdges(t testing.TB, made *Foreign, count int) {
	t.Helper()
	if len(made.NodeIDs) == 0 {
		return
	}
	values := foreignValues()
	rows := make([]any, count)
	seen := map[string]bool{}
	for i := range rows {
		source, target, kind := foreignEdge(i, len(made.NodeIDs))
		rows[i] = map[string]any{
			"source": made.NodeIDs[source], "target": made.NodeIDs[target], "type": kind,
			"properties": foreignEdgeProperties(i, values),
		}
		made.Types[kind]++
		if source == target {
			made.SelfLoops++
		}
		signature := fmt.Sprintf("%d %d %s", source, target, kind)
		if seen[signature] {
			made.Parallel++
		}
		seen[signature] = true
	}
	made.EdgeIDs = db.createBatches(t, rows,
		"UNWIND $rows AS row MATCH (a) WHERE elementId(a) = row.source MATCH (b) WHERE elementId(b) = row.target "+
			"CREATE (a)-[r:$(row.type)]->(b) SET r = row.properties RETURN elementId(r) AS id")
}

// foreignEdge spreads edges over the nodes by a fixed rule: most go somewhere new, every 16th comes back to its
// source, every 8th repeats the edge before it, and node 0 is a hub.
func foreignEdge(i, nodes int) (source, target int, kind string) {
	if i%8 == 7 {
		return foreignEdge(i-1, nodes)
	}
	kind = foreignTypes[(i/3)%len(foreignTypes)]
	source = (i * 7919) % nodes
	switch {
	case i%16 == 3:
		return source, source, kind
	case i%16 == 5:
		return source, 0, kind
	default:
		return source, (i*104729 + 17) % nodes, kind
	}
}

func (db *DB) createBatches(t testing.TB, rows []any, cypher string) []string {
	t.Helper()
	ids := make([]string, 0, len(rows))
	for from := 0; from < len(rows); from += foreignBatch {
		batch := rows[from:min(from+foreignBatch, len(rows))]
		made := db.Query(t, cypher, map[string]any{"rows": batch})
		require.Len(t, made, len(batch), "rows made by %s", cypher)
		for _, row := range made {
			ids = append(ids, row["id"].(string))
		}
	}
	return ids
}
