package storetest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

func declaredViolations(t *testing.T, h Harness) {
	ctx := context.Background()
	_, err := h.Types.Violations(ctx, graph.NodeKind, "Airport", graph.Paging{Limit: 10})
	requireCode(t, fault.NotFound, err)
	var bad []string
	for i := range 5 {
		bad = append(bad, h.node(t, "Airport", graph.Properties{"code": int64(i)}).ID)
		h.node(t, "Airport", graph.Properties{"code": "BER"})
	}
	bad = append(bad, h.element(t, "CREATE (n:Airport) RETURN elementId(n)", nil))
	h.declare(t, airports(graph.LevelNone))
	var found []string
	page := graph.Paging{Limit: 4}
	for {
		v, err := h.Types.Violations(ctx, graph.NodeKind, "Airport", page)
		require.NoError(t, err)
		require.EqualValues(t, 6, *v.Total)
		for _, one := range v.Items {
			require.Equal(t, "properties.code", one.Problems[0].Field)
			found = append(found, one.ID)
		}
		if v.Next == nil {
			break
		}
		page.After = v.Next
	}
	require.ElementsMatch(t, bad, found)

	h.Cypher(t, "MATCH (a:Airport) WITH a LIMIT 1 CREATE (a)-[:ROUTE {km: 1}]->(:City), (a)-[:ROUTE {km: 1.5}]->(a)", nil)
	h.declare(t, graph.Declaration{
		Kind: graph.EdgeKind, Type: "ROUTE", Level: graph.LevelNone, Schema: `{"properties":{"km":{"type":"integer"}}}`,
		TargetTypes: []graph.TypeName{"Airport"},
	})
	v, err := h.Types.Violations(ctx, graph.EdgeKind, "ROUTE", graph.Paging{Limit: 10})
	require.NoError(t, err)
	var fields []string
	for _, one := range v.Items {
		fields = append(fields, one.Problems[0].Field)
	}
	require.ElementsMatch(t, []string{"target_id", "properties.km"}, fields)
}

func declaredDraft(t *testing.T, h Harness) {
	ctx := context.Background()
	_, err := h.Types.Propose(ctx, graph.NodeKind, "Airport")
	requireCode(t, fault.NotFound, err)
	h.Cypher(t, "CREATE CONSTRAINT theirs FOR (n:Airport) REQUIRE n.code IS UNIQUE", nil)
	a := h.node(t, "Airport",
		graph.Properties{"code": "BER", "at": graph.Point{SRID: 4326}, "h": int64(1), "tags": []graph.Value{"a"}, "raw": graph.Bytes{1}})
	b := h.node(t, "Airport", graph.Properties{"code": "MUC", "at": graph.Point{SRID: 4326}, "h": 1.5, "big": 1.0, "tags": []graph.Value{}})
	h.edge(t, "ROUTE", a.ID, b.ID, nil)
	p, err := h.Types.Propose(ctx, graph.NodeKind, "Airport")
	require.NoError(t, err)
	require.EqualValues(t, 2, p.Count)
	require.EqualValues(t, 2, p.Sampled)
	require.JSONEq(t, `{"type":"object","additionalProperties":false,"required":["at","code","h","tags"],"properties":{
		"at":{"neo4jType":"Point"},"big":{"neo4jType":"Float"},"code":{"type":"string"},"h":{"neo4jType":["Float","Integer"]},
		"raw":{"neo4jType":"Base64"},"tags":{"neo4jType":["List","List<String>"]}}}`, p.Schema)
	require.Equal(t, [][]string{{"code"}}, p.Unique)
	h.declare(t, p.Declaration)
	v, err := h.Types.Violations(ctx, graph.NodeKind, "Airport", graph.Paging{Limit: 10})
	require.NoError(t, err)
	require.EqualValues(t, 0, *v.Total)
	p, err = h.Types.Propose(ctx, graph.EdgeKind, "ROUTE")
	require.NoError(t, err)
	require.Equal(t, []graph.TypeName{"Airport"}, p.SourceTypes)
	require.Equal(t, []graph.TypeName{"Airport"}, p.TargetTypes)
}

// A draft enumerates the texts of a property if there are few, each occurs several times, and there are no other values.
func declaredDraftOfTexts(t *testing.T, h Harness) {
	ctx := context.Background()
	h.Cypher(t, `UNWIND range(0, 59) AS i
		CREATE (a:Airport {kind: ['small', 'large', 'closed'][i % 3], name: 'n' + i, rare: CASE i WHEN 7 THEN 'c' ELSE ['a', 'b'][i % 2] END,
			mixed: CASE i WHEN 7 THEN 7 ELSE 'a' END, long: reduce(t = '', x IN range(1, 101) | t + 'x'), list: ['a'], many: 'm' + (i % 11)})
		CREATE (a)-[:ROUTE {by: ['day', 'night'][i % 2]}]->(a)
		FOREACH (x IN CASE WHEN i < 5 THEN [1] ELSE [] END | SET a.some = 'it')
		FOREACH (x IN CASE WHEN i < 4 THEN [1] ELSE [] END | SET a.few = 'it')`, nil)
	h.Cypher(t, "UNWIND range(1, 20) AS i CREATE (:Airport:_GraphrestX {kind: 'internal'})", nil)
	p, err := h.Types.Propose(ctx, graph.NodeKind, "Airport")
	require.NoError(t, err)
	require.JSONEq(t,
		`{"type":"object","additionalProperties":false,"required":["kind","list","long","many","mixed","name","rare"],"properties":{
		"kind":{"type":"string","enum":["closed","large","small"]},"some":{"type":"string","enum":["it"]},"few":{"type":"string"},
		"name":{"type":"string"},"rare":{"type":"string"},"mixed":{"neo4jType":["Integer","String"]},"long":{"type":"string"},
		"list":{"neo4jType":"List<String>"},"many":{"type":"string"}}}`, p.Schema)
	h.declare(t, p.Declaration)
	p, err = h.Types.Propose(ctx, graph.EdgeKind, "ROUTE")
	require.NoError(t, err)
	require.JSONEq(t,
		`{"type":"object","additionalProperties":false,"required":["by"],"properties":{"by":{"type":"string","enum":["day","night"]}}}`, p.Schema)
}

func declaredSchema(t *testing.T, h Harness) {
	h.node(t, "City", graph.Properties{"name": "Berlin"})
	d := airports(graph.LevelModerate)
	d.Unique = [][]string{{"code"}}
	h.declare(t, d)
	h.declare(t, graph.Declaration{Kind: graph.NodeKind, Type: "City", Level: graph.LevelNew, Schema: `{}`})
	h.declare(t,
		graph.Declaration{Kind: graph.EdgeKind, Type: "ROUTE", Level: graph.LevelNew, Schema: `{}`, SourceTypes: []graph.TypeName{"Airport"}})
	schema := h.schema(t)
	require.Len(t, schema.NodeTypes, 2)
	require.Equal(t, "Airport", schema.NodeTypes[0].Type)
	require.Zero(t, schema.NodeTypes[0].Count)
	require.Equal(t, graph.LevelModerate, schema.NodeTypes[0].Declared.Level)
	require.JSONEq(t, airportSchema, schema.NodeTypes[0].Declared.Schema)
	require.Equal(t, [][]string{{"code"}}, schema.NodeTypes[0].Declared.Unique)
	require.EqualValues(t, 1, schema.NodeTypes[1].Count)
	require.NotNil(t, schema.NodeTypes[1].Declared)
	require.Equal(t, []graph.TypeName{"Airport"}, schema.EdgeTypes[0].Declared.SourceTypes)
	require.Empty(t, schema.Constraints, "what a declaration brings is shown by the declaration")
	h.node(t, "Airport", graph.Properties{"code": "BER"})
	schema = h.schema(t)
	require.Equal(t, []graph.PropertyUse{{Name: "code", Types: []string{"String"}, Presence: 1, Indexed: true, Unique: true}},
		schema.NodeTypes[0].Properties)
}

func declaredValues(t *testing.T, h Harness) {
	h.declare(t, graph.Declaration{Kind: graph.NodeKind, Type: "All", Level: graph.LevelStrict, Schema: `{"properties":{
		"date":{"neo4jType":"Date"},"time":{"neo4jType":"Time"},"clock":{"neo4jType":"LocalTime"},"local":{"neo4jType":"LocalDateTime"},
		"zoned":{"neo4jType":"ZonedDateTime"},"span":{"neo4jType":"Duration"},"point":{"neo4jType":"Point"},"raw":{"neo4jType":"Base64"},
		"dates":{"neo4jType":"List<Date>"},"big":{"enum":[9007199254740993]},"float":{"neo4jType":"Float"},"flag":{"type":"boolean"}
	}}`})
	good := graph.Properties{
		"date": graph.Date{Days: 1}, "time": graph.OffsetTime{Nanos: 1}, "clock": graph.LocalTime{Nanos: 1},
		"local": graph.LocalDateTime{Seconds: 1},
		"zoned": graph.DateTime{Seconds: 1, Zone: "Europe/Berlin"}, "span": graph.Duration{Days: 1}, "point": graph.Point{SRID: 7203, X: 1},
		"raw":   graph.Bytes{1},
		"dates": []graph.Value{graph.Date{Days: 1}}, "big": int64(9007199254740993), "float": 1.0, "flag": true,
	}
	made := h.node(t, "All", good)
	require.NoError(t, h.updateNode(made.ID, good))
	for key := range good {
		requireInvalid(t, h.createNode("All", graph.Properties{key: "text"}), "properties."+key)
		requireInvalid(t, h.updateNode(made.ID, graph.Properties{key: "text"}), "properties."+key)
	}
	requireInvalid(t, h.createNode("All", graph.Properties{"big": int64(9007199254740992)}), "properties.big")
	requireInvalid(t, h.createNode("All", graph.Properties{"float": int64(1)}), "properties.float")
}

// failedFields returns the invalid fields of each line that failed.
func failedFields(tally BulkTally) map[int64][]string {
	fields := map[int64][]string{}
	for line, f := range tally.Faults {
		for _, d := range f.Details {
			fields[line] = append(fields[line], d.Field)
		}
	}
	return fields
}
