package declared

import (
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
)

// empty is a description that contains what the translated schemas refer to.
const empty = `{"openapi": "3.0.3", "info": {"title": "x", "version": "1"}, "paths": {},
	"components": {"schemas": {"Node": {"type": "object"}, "Edge": {"type": "object"}}}}`

func TestDescriptionContainsDeclaredTypes(t *testing.T) {
	text, err := AddToDescription([]byte(empty), []graph.DeclaredType{{Declaration: graph.Declaration{
		Kind: graph.NodeKind, Type: "Air port", Level: graph.LevelStrict, Schema: `{"required": ["code"], "properties": {
			"code": {"$ref": "#/$defs/a~1b"}, "gates": {"type": ["integer", "null"], "exclusiveMinimum": 0}, "opened": {"neo4jType": "Date"},
			"closed": {"type": "null"}}, "additionalProperties": false, "$defs": {"a/b": {"type": "string", "maxLength": 3}}}`,
	}}})
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
			err := schema.Value.VisitJSON(map[string]any{"type": "Air port", "properties": test.properties})
			require.Equal(t, test.valid, err == nil, "%v", err)
		})
	}
}
