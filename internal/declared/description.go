package declared

import (
	"encoding/hex"
	"encoding/json"
	"hash/fnv"
	"regexp"

	"graphrest/internal/graph"
	"graphrest/internal/typedjson"
)

// The extensions of the description, which generators of clients read.
const (
	extensionKind   = "x-kind"        // of the schema of a type: "node" or "edge"
	extensionType   = "x-type"        // of the schema of a type: its name
	extensionTypes  = "x-neo4j-types" // of a property: the names of the types of its values, as GET /api/schema shows them
	extensionClosed = "x-closed"      // of the schema of a type: it allows no other properties
)

// AddToDescription adds to an OpenAPI 3.0 description a schema for each type that the caller sees, components Node.Airport and Edge.ROUTE,
// and an operation for each saved query that the caller may run. The same types and queries give the same bytes: nothing of the result
// depends on the number of entities.
func AddToDescription(description []byte, schema graph.Schema, queries []Query) ([]byte, error) {
	var whole, components, schemas, paths map[string]json.RawMessage
	for _, part := range []struct {
		text func() []byte
		into *map[string]json.RawMessage
	}{
		{func() []byte { return description }, &whole},
		{func() []byte { return whole["components"] }, &components},
		{func() []byte { return components["schemas"] }, &schemas},
		{func() []byte { return whole["paths"] }, &paths},
	} {
		if err := json.Unmarshal(part.text(), part.into); err != nil {
			return nil, err
		}
	}
	for _, t := range schema.NodeTypes {
		seen := describedType{kind: graph.NodeKind, name: t.Type, properties: t.Properties, declared: t.Declared}
		schemas[seen.component()] = typedjson.AppendTree(nil, seen.schema())
	}
	for _, t := range schema.EdgeTypes {
		seen := describedType{kind: graph.EdgeKind, name: t.Type, properties: t.Properties, declared: t.Declared}
		schemas[seen.component()] = typedjson.AppendTree(nil, seen.schema())
	}
	for _, q := range queries {
		paths[q.path()] = typedjson.AppendTree(nil, q.pathItem())
	}
	components["schemas"], _ = json.Marshal(schemas) // parts of what was parsed, and trees
	whole["components"], _ = json.Marshal(components)
	whole["paths"], _ = json.Marshal(paths)
	return json.Marshal(whole)
}

// describedType is a type as the caller sees it.
type describedType struct {
	kind       graph.Kind
	name       string
	properties []graph.PropertyUse // observed
	declared   *graph.DeclaredType // nil if the type is not declared
}

var (
	noComponentCharacters = regexp.MustCompile(`[^A-Za-z0-9_-]+`)
	endsLikeHash          = regexp.MustCompile(`-[0-9a-f]{8}$`)
)

// longestComponent is the length of a type's name from which it is cut in a component: generators make names of files from it.
const longestComponent = 80

// component returns Node.Airport or Edge.ROUTE. Characters that OpenAPI does not allow are replaced, a long name is cut, and a hash is
// appended, also to a name that ends as if it had one. So the name depends on the type's own name only, and differs from that of every
// other type.
func (t describedType) component() string {
	name := noComponentCharacters.ReplaceAllString(t.name, "_")
	name = name[:min(len(name), longestComponent)]
	if name != t.name || endsLikeHash.MatchString(name) {
		sum := fnv.New32a()
		_, _ = sum.Write([]byte(t.name))
		name += "-" + hex.EncodeToString(sum.Sum(nil))
	}
	return t.entity() + "." + name
}

func (t describedType) entity() string {
	if t.kind == graph.EdgeKind {
		return "Edge"
	}
	return "Node"
}

// schema returns the OpenAPI 3.0 schema of an entity of the type. OpenAPI 3.0 has fewer keywords than JSON Schema; x-json-schema contains
// the original of a declaration.
func (t describedType) schema() map[string]any {
	described := map[string]any{
		extensionKind: string(t.kind), extensionType: t.name,
		"description": "Observed: an entity may have other properties, and values of other types.",
	}
	propertySchemas := map[string]any{"type": "object"}
	if t.declared != nil {
		declaration, f := typedjson.ParseTree("schema", t.declared.Schema)
		if f != nil {
			declaration = map[string]any{}
		}
		described["description"] = "Declared; level " + string(t.declared.Level) + "."
		described["x-json-schema"] = declaration
		propertySchemas = describeDeclared(declaration)
	}
	if propertySchemas["additionalProperties"] == false {
		described[extensionClosed] = true
	} else {
		addObserved(propertySchemas, t.properties)
	}
	t.addMembers(described, propertySchemas)
	return described
}

// addMembers adds the members of an entity. It is no allOf with the schema Node or Edge, because generators fail to combine the type, a
// text or null there, with the one that it is here.
func (t describedType) addMembers(described, properties map[string]any) {
	text := map[string]any{"type": "string"}
	members := map[string]any{"id": text, "type": map[string]any{"type": "string", "enum": []any{t.name}}, "properties": properties}
	required := []any{"id", "type", "properties"}
	if t.kind == graph.EdgeKind {
		members["source_id"], members["target_id"] = text, text
		required = append(required, "source_id", "target_id")
	} else {
		members["labels"] = map[string]any{"type": "array", "items": text}
		required = append(required, "labels")
	}
	described["type"], described["properties"], described["required"] = "object", members, required
}

// describeDeclared translates a declaration and states the types of its properties where the declaration has them in so many words.
func describeDeclared(declaration any) map[string]any {
	translated, _ := translator{declaration}.translate(declaration).(map[string]any)
	whole, _ := declaration.(map[string]any)
	members, _ := whole["properties"].(map[string]any)
	described, _ := translated["properties"].(map[string]any)
	for name, property := range members {
		types := namesOfTypes(declaration, property)
		if of, is := described[name].(map[string]any); is && len(types) > 0 {
			of[extensionTypes] = types
		}
	}
	return translated
}

// addObserved adds the properties that the schema does not have yet.
func addObserved(schema map[string]any, uses []graph.PropertyUse) {
	members, _ := schema["properties"].(map[string]any)
	if members == nil {
		members = map[string]any{}
	}
	for _, use := range uses {
		if _, known := members[use.Name]; known {
			continue
		}
		described, _ := translator{}.translate(propertySchema(use.Types)).(map[string]any)
		if len(described) > 0 { // of a type that this version knows
			described[extensionTypes] = toAny(use.Types)
		}
		members[use.Name] = described
	}
	if len(members) > 0 {
		schema["properties"] = members
	}
}

// namesOfTypes returns the names of the types that a schema of a property allows; none if that is not stated by its type or by neo4jType.
func namesOfTypes(root, schema any) []any {
	members, _ := schema.(map[string]any)
	if target, given := members["$ref"].(string); given && len(members) == 1 {
		referenced, _ := resolvePointer(root, target)
		members, _ = referenced.(map[string]any)
	}
	if names := stringOrList(members[typeKeyword]); len(names) > 0 {
		return toAny(names)
	}
	var names []any
	for _, name := range stringOrList(members["type"]) {
		switch name {
		case "string":
			names = append(names, "String")
		case "integer":
			names = append(names, "Integer")
		case "number":
			names = append(names, "Integer", "Float")
		case "boolean":
			names = append(names, "Boolean")
		case "null":
		default:
			return nil
		}
	}
	return names
}

func toAny(texts []string) []any {
	all := make([]any, len(texts))
	for i, text := range texts {
		all[i] = text
	}
	return all
}
