package declared

import (
	"slices"
	"strings"

	"graphrest/internal/graph"
	"graphrest/internal/typedjson"
)

// Propose drafts a declaration from the observations of a type: its properties with their types, those that all entities have as
// required, and the unique ones as keys. It allows no other properties. A string property with few values, as given by enums, is
// limited to them. An edge type is limited to the observed node types of its ends, unless an end without a type was observed.
func Propose(
	k graph.Kind, t graph.TypeName, uses []graph.PropertyUse, enums map[string][]string, connections []graph.Connection,
) graph.Declaration {
	d := graph.Declaration{Kind: k, Type: t, Level: graph.LevelNew}
	properties, required := map[string]any{}, []any{}
	for _, use := range uses {
		properties[use.Name] = propertySchema(use.Types)
		if texts := enums[use.Name]; len(texts) > 0 && slices.Equal(use.Types, []string{"String"}) {
			properties[use.Name] = enumSchema(texts)
		}
		if use.Presence >= 1 {
			required = append(required, use.Name)
		}
		if use.Unique && len(d.Unique) < maxUniqueKeys {
			d.Unique = append(d.Unique, []string{use.Name})
		}
	}
	schema := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		schema["required"] = required
	}
	d.Schema = string(typedjson.AppendTree(nil, schema))
	d.SourceTypes = endTypes(connections, func(c graph.Connection) string { return c.SourceType })
	d.TargetTypes = endTypes(connections, func(c graph.Connection) string { return c.TargetType })
	return d
}

// plainTypes are the types that JSON Schema has a name for.
var plainTypes = map[string]string{"String": "string", "Integer": "integer", "Boolean": "boolean"}

// propertySchema returns the schema of a property with these observed types.
func propertySchema(types []string) any {
	if slices.ContainsFunc(types, func(name string) bool { return !knownType(name) }) {
		return map[string]any{} // a type of a newer database
	}
	if plain, is := plainTypes[strings.Join(types, " ")]; is {
		return map[string]any{"type": plain}
	}
	if len(types) == 1 {
		return map[string]any{typeKeyword: types[0]}
	}
	var names []any
	for _, name := range types {
		names = append(names, name)
	}
	return map[string]any{typeKeyword: names}
}

func enumSchema(texts []string) any {
	all := make([]any, len(texts))
	for i, text := range texts {
		all[i] = text
	}
	return map[string]any{"type": "string", "enum": all}
}

func endTypes(connections []graph.Connection, end func(graph.Connection) string) []graph.TypeName {
	var types []graph.TypeName
	for _, c := range connections {
		if end(c) == "" {
			return nil
		}
		types = append(types, graph.TypeName(end(c)))
	}
	slices.Sort(types)
	if types = slices.Compact(types); len(types) > maxEndTypes {
		return nil
	}
	return types
}
