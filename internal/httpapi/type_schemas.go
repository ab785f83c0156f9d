package httpapi

import (
	"encoding/hex"
	"encoding/json"
	"hash/fnv"
	"net/http"
	"regexp"
	"strings"

	"graphrest/internal/auth"
	"graphrest/internal/graph"
	"graphrest/internal/typedjson"
)

// descriptionPath is the path of the OpenAPI description. It is public; a user with the permission read also gets the declared types.
const descriptionPath = "/docs/openapi.json"

// serveDescription answers a request for the description with a token, and reports whether it did. It returns false if the user may
// not read the declared types or they cannot be read now: the caller then serves the public description.
func (c *call) serveDescription() bool {
	header := c.gin.Request.Header["Authorization"]
	if c.gin.Request.URL.Path != descriptionPath || len(header) == 0 || c.api.options.Description == nil {
		return false
	}
	p, err := c.api.options.Accounts.Authenticate(c.ctx(), header)
	if err != nil || !p.May(auth.Read) {
		return false
	}
	types, err := c.api.options.Types.DeclaredTypes(c.ctx())
	if err != nil || len(types) == 0 {
		return false
	}
	document, err := withTypes(c.api.options.Description, types)
	if err != nil {
		return false
	}
	c.gin.Header("Cache-Control", "no-store")
	c.gin.Header("Vary", "Authorization")
	c.sendRaw(http.StatusOK, document)
	return true
}

// withTypes adds a schema for each declared type to a description.
func withTypes(description []byte, types []graph.DeclaredType) ([]byte, error) {
	var whole, components, schemas map[string]json.RawMessage
	for _, part := range []struct {
		text func() []byte
		into *map[string]json.RawMessage
	}{
		{func() []byte { return description }, &whole},
		{func() []byte { return whole["components"] }, &components},
		{func() []byte { return components["schemas"] }, &schemas},
	} {
		if err := json.Unmarshal(part.text(), part.into); err != nil {
			return nil, err
		}
	}
	for _, d := range types {
		schemas[componentName(d)] = typedjson.AppendTree(nil, typeSchema(d))
	}
	components["schemas"], _ = json.Marshal(schemas) // parts of what was parsed, and trees
	whole["components"], _ = json.Marshal(components)
	return json.Marshal(whole)
}

var noComponentCharacters = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

// componentName returns Node.Airport or Edge.ROUTE; characters that OpenAPI does not allow are replaced and a hash is appended.
func componentName(d graph.DeclaredType) string {
	name := noComponentCharacters.ReplaceAllString(string(d.Type), "_")
	if name != string(d.Type) {
		sum := fnv.New32a()
		_, _ = sum.Write([]byte(d.Type))
		name += "-" + hex.EncodeToString(sum.Sum(nil))
	}
	return entityOf(d.Kind) + "." + name
}

func entityOf(k graph.Kind) string {
	if k == graph.EdgeKind {
		return "Edge"
	}
	return "Node"
}

// typeSchema returns the OpenAPI 3.0 schema of an entity of a declared type. OpenAPI 3.0 has fewer keywords than JSON Schema;
// x-json-schema contains the original.
func typeSchema(d graph.DeclaredType) map[string]any {
	schema, f := typedjson.ParseTree("schema", d.Schema)
	if f != nil {
		schema = map[string]any{}
	}
	narrowed := map[string]any{
		"type": "object",
		"properties": map[string]any{
			"type":       map[string]any{"type": "string", "enum": []any{string(d.Type)}},
			"properties": translator{schema}.translate(schema),
		},
	}
	return map[string]any{
		"title": string(d.Type), "description": "Declared; level " + string(d.Level) + ".",
		"allOf":         []any{map[string]any{"$ref": "#/components/schemas/" + entityOf(d.Kind)}, narrowed},
		"x-json-schema": schema,
	}
}

// translator converts a JSON Schema to OpenAPI 3.0.3. It inlines references; a declaration has no cycles.
type translator struct{ root any }

// sharedKeywords have the same meaning in both.
var sharedKeywords = []string{
	"title", "description", "default", "deprecated", "enum", "multipleOf", "minimum", "maximum", "minLength", "maxLength", "pattern", "format",
	"minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "required",
}

func (t translator) translate(schema any) any {
	from, is := schema.(map[string]any)
	if !is {
		if schema == false {
			return map[string]any{"not": map[string]any{}}
		}
		return map[string]any{}
	}
	to := map[string]any{}
	for _, key := range sharedKeywords {
		if v, given := from[key]; given {
			to[key] = v
		}
	}
	if v, given := from["const"]; given {
		to["enum"] = []any{v}
	}
	for exclusive, bound := range map[string]string{"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"} {
		if v, given := from[exclusive]; given {
			to[bound], to[exclusive] = v, true
		}
	}
	var all []any // further schemas that must match
	for _, key := range []string{"allOf", "anyOf", "oneOf"} {
		if list, given := from[key].([]any); given {
			all = append(all, map[string]any{key: mapSlice(list, t.translate)})
		}
	}
	if not, given := from["not"]; given {
		all = append(all, map[string]any{"not": t.translate(not)})
	}
	if target, given := from["$ref"].(string); given {
		all = append(all, t.translate(t.resolve(target)))
	}
	all = append(all, typeAlternatives(from["type"], plainType)...)
	all = append(all, typeAlternatives(from["neo4jType"], neo4jType)...)
	t.translateParts(from, to)
	if len(all) > 0 {
		to["allOf"] = all
	}
	return to
}

// translateParts translates the schemas of properties and elements.
func (t translator) translateParts(from, to map[string]any) {
	if items, given := from["items"]; given {
		to["items"] = t.translate(items)
	}
	if members, given := from["properties"].(map[string]any); given {
		properties := map[string]any{}
		for name, member := range members {
			properties[name] = t.translate(member)
		}
		to["properties"] = properties
	}
	switch more := from["additionalProperties"].(type) {
	case bool:
		if _, patterns := from["patternProperties"]; !patterns { // OpenAPI 3.0 does not support patternProperties
			to["additionalProperties"] = more
		}
	case map[string]any:
		if _, patterns := from["patternProperties"]; !patterns {
			to["additionalProperties"] = t.translate(more)
		}
	}
}

func (t translator) resolve(target string) any {
	at := t.root
	for _, token := range strings.Split(strings.TrimPrefix(target, "#"), "/")[1:] {
		members, _ := at.(map[string]any)
		at = members[strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")]
	}
	return at
}

// typeAlternatives returns the schema of one name, or an anyOf of several; none for no name.
func typeAlternatives(names any, one func(string) map[string]any) []any {
	switch names := names.(type) {
	case string:
		return []any{one(names)}
	case []any:
		return []any{map[string]any{"anyOf": mapSlice(names, func(name any) any {
			text, _ := name.(string)
			return one(text)
		})}}
	}
	return nil
}

func plainType(name string) map[string]any {
	switch name {
	case "integer":
		return map[string]any{"type": "integer", "format": "int64"}
	case "number":
		return map[string]any{"type": "number", "format": "double"}
	case "array":
		return map[string]any{"type": "array", "items": map[string]any{}}
	case "null":
		return map[string]any{"nullable": true, "enum": []any{nil}}
	}
	return map[string]any{"type": name}
}

func neo4jType(name string) map[string]any {
	if inner, isList := strings.CutPrefix(name, "List"); isList {
		items := map[string]any{}
		if inner != "" {
			items = neo4jType(strings.Trim(inner, "<>"))
		}
		return map[string]any{"type": "array", "items": items}
	}
	switch name {
	case "String", "Boolean", "Integer":
		return plainType(strings.ToLower(name))
	case "Float":
		return plainType("number")
	}
	tags := []any{name}
	if name == "ZonedDateTime" {
		tags = append(tags, "OffsetDateTime")
	}
	return map[string]any{
		"type": "object", "title": name, "required": []any{"$type", "_value"}, "additionalProperties": false,
		"properties": map[string]any{"$type": map[string]any{"type": "string", "enum": tags}, "_value": map[string]any{"type": "string"}},
	}
}
