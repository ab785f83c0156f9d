package declared

import (
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
)

// empty is a description that contains what the translated schemas refer to.
const empty = `{"openapi": "3.0.3", "info": {"title": "x", "version": "1"}, "paths": {},
	"components": {
	"securitySchemes": {"BearerAuth": {"type": "http", "scheme": "bearer"}}, "schemas": {
	"Node": {"type": "object"}, "Edge": {"type": "object"}, "Error": {"type": "object"}}}}`

func TestDescriptionContainsDeclaredTypes(t *testing.T) {
	text, err := AddToDescription([]byte(empty), declaredNodes(graph.Declaration{
		Kind: graph.NodeKind, Type: "Air port", Level: graph.LevelStrict, Schema: `{"required": ["code"], "properties": {
			"code": {"$ref": "#/$defs/a~1b"}, "gates": {"type": ["integer", "null"], "exclusiveMinimum": 0}, "opened": {"neo4jType": "Date"},
			"closed": {"type": "null"}}, "additionalProperties": false, "$defs": {"a/b": {"type": "string", "maxLength": 3}}}`,
	}), nil)
	require.NoError(t, err)
	doc, err := openapi3.NewLoader().LoadFromData(text)
	require.NoError(t, err)
	require.NoError(t, doc.Validate(t.Context()))
	schema := doc.Components.Schemas["Node.Air_port-66430df6"]
	require.NotNil(t, schema, "%s", text)
	opened := map[string]any{"$type": "Date", "_value": "2020-10-31"}
	for _, test := range []struct {
		name       string
		properties map[string]any
		valid      bool
	}{
		{"all", map[string]any{"code": "BER", "gates": 1.0, "closed": nil, "opened": opened}, true},
		{"null is one of the types", map[string]any{"code": "BER", "gates": nil}, true},
		{"null only", map[string]any{"code": "BER", "closed": "no"}, false},
		{"a bound that is excluded", map[string]any{"code": "BER", "gates": 0.0}, false},
		{"a reference", map[string]any{"code": "Berlin"}, false},
		{"a date without its type", map[string]any{"code": "BER", "opened": "2020-10-31"}, false},
		{"an unknown property", map[string]any{"code": "BER", "other": 1.0}, false},
		{"a missing property", map[string]any{}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := schema.Value.VisitJSON(map[string]any{
				"id": "1", "type": "Air port", "labels": []any{"Air port"}, "properties": test.properties,
			})
			require.Equal(t, test.valid, err == nil, "%v", err)
		})
	}
}

// declaredNodes is the schema of a graph without nodes in which these node types are declared.
func declaredNodes(declarations ...graph.Declaration) graph.Schema {
	var schema graph.Schema
	for _, d := range declarations {
		schema.NodeTypes = append(schema.NodeTypes, graph.NodeType{Type: string(d.Type), Declared: &graph.DeclaredType{Declaration: d}})
	}
	return schema
}

// describeSchema returns the description with a schema and queries, and the same parsed and validated.
func describeSchema(t *testing.T, schema graph.Schema, queries ...Query) ([]byte, *openapi3.T) {
	t.Helper()
	text, err := AddToDescription([]byte(empty), schema, queries)
	require.NoError(t, err)
	doc, err := openapi3.NewLoader().LoadFromData(text)
	require.NoError(t, err)
	require.NoError(t, doc.Validate(t.Context()))
	return text, doc
}

func TestDescriptionContainsObservedTypes(t *testing.T) {
	hostile := []string{
		"Person", "person", "Air port", "Air_port", "Air_port-66430df6", `quo"te`, "class", "Ünïcode", "日本", "a/b", "a~b", "$ref",
		strings.Repeat("x", 254) + "1", strings.Repeat("x", 254) + "2", // the longest
	}
	var schema graph.Schema
	for _, name := range hostile {
		properties := []graph.PropertyUse{
			{Name: "born", Types: []string{"Integer"}, Presence: 0.5},
			{Name: "__proto__", Types: []string{"String", "List<Date>"}},
			{Name: "newer", Types: []string{"Vector"}},
		}
		schema.NodeTypes = append(schema.NodeTypes, graph.NodeType{Type: name, Count: 7, Properties: properties})
		schema.EdgeTypes = append(schema.EdgeTypes, graph.EdgeType{Type: name})
	}
	text, doc := describeSchema(t, schema)
	names := map[string]bool{}
	for component, s := range doc.Components.Schemas {
		if name, is := s.Value.Extensions["x-type"].(string); is {
			kind, _ := s.Value.Extensions["x-kind"].(string)
			names[kind+" "+name] = true
			require.Equal(t, map[string]string{"node": "Node.", "edge": "Edge."}[kind], component[:5])
			require.LessOrEqual(t, len(component), 100, "generators make names of files from it, which have at most 255 bytes")
		}
	}
	require.Len(t, names, 2*len(hostile), "each type has a schema of its own")
	person := doc.Components.Schemas["Node.Person"].Value.Properties["properties"].Value.Properties
	require.Equal(t, []any{"Integer"}, person["born"].Value.Extensions["x-neo4j-types"])
	require.Equal(t, []any{"String", "List<Date>"}, person["__proto__"].Value.Extensions["x-neo4j-types"])
	require.Empty(t, person["newer"].Value.Extensions)

	for i := range schema.NodeTypes { // what changes with the entities and not with the schema
		schema.NodeTypes[i].Count, schema.NodeTypes[i].Sampled, schema.NodeTypes[i].Properties[0].Presence = 8, 8, 0.25
	}
	again, _ := describeSchema(t, schema)
	require.Equal(t, string(text), string(again))
	fewer, _ := describeSchema(t, graph.Schema{NodeTypes: schema.NodeTypes[:1]})
	require.Contains(t, string(fewer), `"Node.Person":`, "names do not depend on other types")
}

func TestDescriptionOfDeclaredTypeNamesTypesOfValues(t *testing.T) {
	schema := declaredNodes(
		graph.Declaration{Type: "Open", Level: graph.LevelNew, Schema: `{"properties": {"n": {"type": ["number", "null"]},
			"d": {"neo4jType": ["Date", "List<Date>"]}, "any": {}, "r": {"$ref": "#/$defs/x"}}, "$defs": {"x": {"type": "string"}}}`},
		graph.Declaration{Type: "Closed", Level: graph.LevelStrict, Schema: `{
			"properties": {"n": {"type": "integer"}}, "additionalProperties": false}`},
		graph.Declaration{Type: "Anything", Level: graph.LevelNone, Schema: `true`},
	)
	for i := range schema.NodeTypes {
		schema.NodeTypes[i].Properties = []graph.PropertyUse{{Name: "n", Types: []string{"String"}}, {Name: "seen", Types: []string{"Boolean"}}}
	}
	_, doc := describeSchema(t, schema)
	types := func(component, property string) any {
		p := doc.Components.Schemas[component].Value.Properties["properties"].Value.Properties[property]
		if p == nil {
			return "absent"
		}
		return p.Value.Extensions["x-neo4j-types"]
	}
	require.Equal(t, []any{"Integer", "Float"}, types("Node.Open", "n"), "a declaration wins over what was observed")
	require.Equal(t, []any{"Date", "List<Date>"}, types("Node.Open", "d"))
	require.Equal(t, []any{"String"}, types("Node.Open", "r"))
	require.Nil(t, types("Node.Open", "any"))
	require.Equal(t, []any{"Boolean"}, types("Node.Open", "seen"))
	require.Equal(t, "absent", types("Node.Closed", "seen"))
	require.Equal(t, []any{"String"}, types("Node.Anything", "n"))
	require.Equal(t, true, doc.Components.Schemas["Node.Closed"].Value.Extensions["x-closed"])
}

func TestDescriptionContainsSavedQueries(t *testing.T) {
	_, doc := describeSchema(t, graph.Schema{}, Query{
		Name: "top_movies", Description: "The best.",
		Parameters: []QueryParameter{
			{Name: "since", Schema: map[string]any{"neo4jType": "Date"}, Required: true},
			{Name: "limit", Schema: map[string]any{"type": "integer", "default": int64(10)}},
		},
		Columns: []QueryColumn{{Name: "m", Types: []string{"Node"}}},
	})
	operation := doc.Paths.Find("/api/queries/top_movies/run").Post
	require.Equal(t, "run_top_movies", operation.OperationID)
	require.Equal(t, "top_movies", operation.Extensions["x-query"])
	require.Equal(t, []any{map[string]any{"name": "m", "types": []any{"Node"}}}, operation.Extensions["x-columns"])
	body := operation.RequestBody.Value.Content.Get("application/json").Schema.Value
	require.Equal(t, []string{"since"}, body.Properties["parameters"].Value.Required)
	require.Error(t, body.VisitJSON(map[string]any{"parameters": map[string]any{"since": "2020-01-01"}}))
	require.Equal(t, "#/components/schemas/Error", operation.Responses.Default().Value.Content.Get("application/json").Schema.Ref)
}
