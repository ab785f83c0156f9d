package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
)

var schemaRules = []rule{
	{"the schema of an empty database has empty lists, not absent ones", schemaEmpty},
	{"the schema has new types of the gateway and of analysts, with counts", schemaTypes},
	{"the schema lists properties with their value types, shares and indexes", schemaProperties},
	{"the schema distinguishes bytes from lists of integers", schemaBytes},
	{"the schema lists the pairs of node types that an edge type connects, with counts", schemaConnections},
	{"the schema has the indexes and constraints of analysts, not those of the gateway", schemaObjects},
	{"the schema omits a type after its last entity is deleted", schemaDeletedType},
}

func (h Harness) schema(t testing.TB) graph.Schema {
	t.Helper()
	schema, err := h.Schema.Schema(context.Background())
	require.NoError(t, err)
	require.WithinDuration(t, time.Now(), schema.AsOf, 5*time.Minute)
	return schema
}

func schemaEmpty(t *testing.T, h Harness) {
	schema := h.schema(t)
	require.Empty(t, schema.NodeTypes)
	require.NotNil(t, schema.NodeTypes)
	require.Empty(t, schema.EdgeTypes)
	require.NotNil(t, schema.EdgeTypes)
	require.NotNil(t, schema.Indexes)
	require.Empty(t, schema.Constraints)
	require.NotNil(t, schema.Constraints)
}

func schemaTypes(t *testing.T, h Harness) {
	a := h.node(t, "Recent", nil)
	h.node(t, "Recent", nil)
	h.edge(t, "RECENT", a.ID, a.ID, nil)
	h.Cypher(t, "CREATE (:Legacy:Old)-[:LINK]->(:Old), ()", nil)
	schema := h.schema(t)
	type summary struct {
		name    string
		count   int64
		managed bool
	}
	var nodes, edges []summary
	for _, n := range schema.NodeTypes {
		nodes = append(nodes, summary{n.Type, n.Count, n.Managed})
		require.Equal(t, n.Count, n.Sampled)
	}
	for _, e := range schema.EdgeTypes {
		edges = append(edges, summary{e.Type, e.Count, e.Managed})
		require.True(t, e.ConnectionsExact)
	}
	require.Equal(t, []summary{{"Legacy", 1, false}, {"Old", 2, false}, {"Recent", 2, true}}, nodes)
	require.Equal(t, []summary{{"LINK", 1, false}, {"RECENT", 1, true}}, edges)
}

func schemaProperties(t *testing.T, h Harness) {
	h.Cypher(t, "CREATE CONSTRAINT mail FOR (n:Person) REQUIRE n.mail IS UNIQUE", nil)
	h.Cypher(t, "CREATE INDEX born FOR (n:Person) ON (n.born)", nil)
	h.Cypher(t, "CREATE INDEX both FOR (n:Person) ON (n.born, n.name)", nil)
	h.Cypher(t, "CREATE INDEX since FOR ()-[r:KNOWS]-() ON (r.since)", nil)
	a := h.node(t, "Person", graph.Properties{"mail": "a", "born": int64(1), "name": "x"})
	h.node(t, "Person", graph.Properties{"mail": "b", "born": 1.5})
	h.node(t, "Person", graph.Properties{"born": graph.Date{Days: 1}})
	h.node(t, "Person", graph.Properties{"tags": []graph.Value{"a"}})
	h.edge(t, "KNOWS", a.ID, a.ID, graph.Properties{"since": int64(1)})
	h.edge(t, "KNOWS", a.ID, a.ID, nil)
	h.Cypher(t,
		`CREATE (:All {a: time('10:00Z'), b: localtime('10:00'), c: localdatetime('2020-01-01T10:00'), d: datetime('2020-01-01T10:00Z'),
		e: datetime('2020-01-01T10:00[Europe/Berlin]'), f: duration('P1D'), g: point({x: 1, y: 2}), h: true, i: [1, 2],
		j: [date('2020-01-01')], k: []})`, nil)
	schema := h.schema(t)
	require.Equal(t, []graph.PropertyUse{
		{Name: "born", Types: []string{"Date", "Float", "Integer"}, Presence: 0.75, Indexed: true},
		{Name: "mail", Types: []string{"String"}, Presence: 0.5, Indexed: true, Unique: true},
		{Name: "name", Types: []string{"String"}, Presence: 0.25},
		{Name: "tags", Types: []string{"List<String>"}, Presence: 0.25},
	}, schema.NodeTypes[1].Properties)
	require.Equal(t, []graph.PropertyUse{{Name: "since", Types: []string{"Integer"}, Presence: 0.5, Indexed: true}},
		schema.EdgeTypes[0].Properties)
	kinds := map[string]string{}
	for _, p := range schema.NodeTypes[0].Properties {
		require.Len(t, p.Types, 1)
		kinds[p.Name] = p.Types[0]
	}
	require.Equal(t, map[string]string{
		"a": "Time", "b": "LocalTime", "c": "LocalDateTime", "d": "ZonedDateTime", "e": "ZonedDateTime", "f": "Duration", "g": "Point",
		"h": "Boolean", "i": "List<Integer>", "j": "List<Date>", "k": "List",
	}, kinds)
}

// The database reports bytes as a list of integers; the schema does not.
func schemaBytes(t *testing.T, h Harness) {
	h.Cypher(t, `CREATE (a:A {bytes: $bytes, none: $none, both: $bytes, long: [i IN range(1, 50001) | i]}), (b:A {both: [1, 2]})
		CREATE (a)-[:R {bytes: $bytes, both: $bytes}]->(b), (a)-[:R {both: [1, 2]}]->(b)`,
		map[string]any{"bytes": []byte{1, 200}, "none": []byte{}})
	types := func(uses []graph.PropertyUse) map[string][]string {
		all := map[string][]string{}
		for _, use := range uses {
			all[use.Name] = use.Types
		}
		return all
	}
	schema := h.schema(t)
	require.Equal(t, map[string][]string{
		"bytes": {"Base64"}, "none": {"Base64"}, "both": {"Base64", "List<Integer>"}, "long": {"List<Integer>"},
	}, types(schema.NodeTypes[0].Properties))
	require.Equal(t, map[string][]string{"bytes": {"Base64"}, "both": {"Base64", "List<Integer>"}}, types(schema.EdgeTypes[0].Properties))
}

func schemaConnections(t *testing.T, h Harness) {
	h.Cypher(t, `CREATE (a:A), (b:B), (c) CREATE (a)-[:R]->(b), (a)-[:R]->(b), (b)-[:R]->(a), (a)-[:R]->(a), (c)-[:R]->(a), (c)-[:S]->(c)`,
		nil)
	schema := h.schema(t)
	require.Equal(t, []graph.Connection{
		{SourceType: "", TargetType: "A", Count: 1},
		{SourceType: "A", TargetType: "A", Count: 1},
		{SourceType: "A", TargetType: "B", Count: 2},
		{SourceType: "B", TargetType: "A", Count: 1},
	}, schema.EdgeTypes[0].Connections)
	require.Equal(t, []graph.Connection{{Count: 1}}, schema.EdgeTypes[1].Connections)
}

func schemaObjects(t *testing.T, h Harness) {
	a := h.node(t, "Person", nil)
	h.edge(t, "KNOWS", a.ID, a.ID, nil)
	h.Cypher(t, "CREATE CONSTRAINT mail FOR (n:Person) REQUIRE n.mail IS UNIQUE", nil)
	h.Cypher(t, "CREATE TEXT INDEX words FOR (n:Person) ON (n.name)", nil)
	h.Cypher(t, "CREATE INDEX pair FOR ()-[r:KNOWS]-() ON (r.a, r.b)", nil)
	h.Cypher(t, "CALL db.awaitIndexes(30)", nil)
	schema := h.schema(t)
	require.Equal(t,
		[]graph.Constraint{{Name: "mail", Kind: "UNIQUENESS", Entity: "node", Types: []string{"Person"}, Properties: []string{"mail"}}},
		schema.Constraints)
	var indexes []graph.Index
	for _, i := range schema.Indexes {
		if i.Kind != "LOOKUP" {
			indexes = append(indexes, i)
		}
	}
	require.Equal(t, []graph.Index{
		{Name: "mail", Kind: "RANGE", Entity: "node", Types: []string{"Person"}, Properties: []string{"mail"}, State: "ONLINE"},
		{Name: "pair", Kind: "RANGE", Entity: "edge", Types: []string{"KNOWS"}, Properties: []string{"a", "b"}, State: "ONLINE"},
		{Name: "words", Kind: "TEXT", Entity: "node", Types: []string{"Person"}, Properties: []string{"name"}, State: "ONLINE"},
	}, indexes)
}

func schemaDeletedType(t *testing.T, h Harness) {
	made := h.node(t, "Person", nil)
	h.node(t, "City", nil)
	require.Len(t, h.schema(t).NodeTypes, 2)
	_, err := h.Nodes.DeleteNode(context.Background(), made.ID, graph.Removal{})
	require.NoError(t, err)
	require.Len(t, h.schema(t).NodeTypes, 1)
}
