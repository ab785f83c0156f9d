package declared

import (
	"maps"
	"strings"
)

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
			all = append(all, map[string]any{key: translateEach(list, t.translate)})
		}
	}
	if not, given := from["not"]; given {
		all = append(all, map[string]any{"not": t.translate(not)})
	}
	if target, given := from["$ref"].(string); given {
		referenced, _ := resolvePointer(t.root, target) // a stored declaration refers to nothing that is missing
		all = append(all, t.translate(referenced))
	}
	all = append(all, typeAlternatives(from["type"], translateType)...)
	all = append(all, typeAlternatives(from["neo4jType"], translateNeo4jType)...)
	t.translateParts(from, to)
	if len(all) == 1 && addDisjoint(to, all[0]) {
		return to
	}
	if len(all) > 0 {
		to["allOf"] = all
	}
	return to
}

// addDisjoint adds the keywords of a schema that has none in common with another, and reports whether it did. Generators make a class for
// each allOf.
func addDisjoint(to map[string]any, schema any) bool {
	from, _ := schema.(map[string]any)
	for key := range from {
		if _, given := to[key]; given {
			return false
		}
	}
	maps.Copy(to, from)
	return true
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

// typeAlternatives returns the schema of one name, or an anyOf of several; none for no name.
func typeAlternatives(names any, one func(string) map[string]any) []any {
	switch names := names.(type) {
	case string:
		return []any{one(names)}
	case []any:
		return []any{map[string]any{"anyOf": translateEach(names, func(name any) any {
			text, _ := name.(string)
			return one(text)
		})}}
	}
	return nil
}

func translateEach(items []any, translate func(any) any) []any {
	to := make([]any, len(items))
	for i, item := range items {
		to[i] = translate(item)
	}
	return to
}

func translateType(name string) map[string]any {
	switch name {
	case "integer":
		return map[string]any{"type": "integer", "format": "int64"}
	case "number":
		return map[string]any{"type": "number", "format": "double"}
	case "array":
		return map[string]any{"type": "array", "items": map[string]any{}}
	case "null":
		return map[string]any{"type": "string", "nullable": true, "enum": []any{nil}} // nullable needs a type
	}
	return map[string]any{"type": name}
}

func translateNeo4jType(name string) map[string]any {
	if inner, isList := strings.CutPrefix(name, "List"); isList {
		items := map[string]any{}
		if inner != "" {
			items = translateNeo4jType(strings.Trim(inner, "<>"))
		}
		return map[string]any{"type": "array", "items": items}
	}
	switch name {
	case "String", "Boolean", "Integer":
		return translateType(strings.ToLower(name))
	case "Float":
		return translateType("number")
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
