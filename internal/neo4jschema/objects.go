package neo4jschema

import (
	"context"
	"slices"
	"strings"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
)

// ReadIndexes reads all indexes, including internal ones: they show which properties are indexed.
func ReadIndexes(ctx context.Context, client *bolt.Client) ([]graph.Index, error) {
	rows, err := client.ReadRows(ctx, cypher.SchemaIndexes.Text(nil), nil)
	if err != nil {
		return nil, err
	}
	indexes := make([]graph.Index, 0, len(rows))
	for _, row := range rows {
		indexes = append(indexes, graph.Index{
			Name: bolt.Column[string](row, "name"), Kind: bolt.Column[string](row, "kind"), Entity: EntityName(bolt.Column[string](row, "entity")),
			Types: bolt.TextColumn(row, "types"), Properties: bolt.TextColumn(row, "properties"), State: bolt.Column[string](row, "state"),
		})
	}
	slices.SortFunc(indexes, func(a, b graph.Index) int { return strings.Compare(a.Name, b.Name) })
	return indexes, nil
}

// ReadConstraints reads all constraints, including internal ones.
func ReadConstraints(ctx context.Context, client *bolt.Client) ([]graph.Constraint, error) {
	rows, err := client.ReadRows(ctx, cypher.SchemaConstraints.Text(nil), nil)
	if err != nil {
		return nil, err
	}
	constraints := make([]graph.Constraint, 0, len(rows))
	for _, row := range rows {
		constraints = append(constraints, graph.Constraint{
			Name: bolt.Column[string](row, "name"), Kind: constraintKind(bolt.Column[string](row, "kind")),
			Entity: EntityName(bolt.Column[string](row, "entity")), Types: bolt.TextColumn(row, "types"), Properties: bolt.TextColumn(row,
				"properties"),
		})
	}
	slices.SortFunc(constraints, func(a, b graph.Constraint) int { return strings.Compare(a.Name, b.Name) })
	return constraints, nil
}

// EntityName is an entity type of the database in the words of the API: node or edge.
func EntityName(neo4jName string) string {
	if neo4jName == "RELATIONSHIP" {
		return "edge"
	}
	return "node"
}

// IndexState is a state of an index in the words of the API.
func IndexState(state string) graph.SearchIndexState {
	switch state {
	case "ONLINE":
		return graph.SearchOnline
	case "FAILED":
		return graph.SearchFailed
	default:
		return graph.SearchBuilding
	}
}

// constraintKind unifies the names of the same kind in Neo4j's versions: UNIQUENESS, RELATIONSHIP_UNIQUENESS and NODE_PROPERTY_UNIQUENESS.
// Entity distinguishes them.
func constraintKind(kind string) string {
	if strings.HasSuffix(kind, "UNIQUENESS") {
		return "UNIQUENESS"
	}
	return kind
}

// IndexesOnly reports whether an index is a range index on one property of one type.
func IndexesOnly(i graph.Index, entity, name, key string) bool {
	return i.Kind == "RANGE" && (!graph.Reserved(i.Name) || IsUniqueKeyName(i.Name) || IsManagedIndexName(i.Name)) && i.Entity == entity &&
		slices.Equal(i.Types, []string{name}) && slices.Equal(i.Properties, []string{key})
}

// UniqueOnly reports whether a constraint makes one property of one type unique.
func UniqueOnly(c graph.Constraint, entity, name, key string) bool {
	return IsUnique(c) && (!graph.Reserved(c.Name) || IsUniqueKeyName(c.Name)) && c.Entity == entity &&
		slices.Equal(c.Types, []string{name}) && slices.Equal(c.Properties, []string{key})
}

// IsUnique reports whether a constraint makes values unique.
func IsUnique(c graph.Constraint) bool {
	return c.Kind == "UNIQUENESS" || strings.HasSuffix(c.Kind, "_KEY")
}

// VisibleIndexes excludes indexes with a reserved name and those on internal types only. Indexes that requests created have the name from
// the request.
func VisibleIndexes(all []graph.Index) []graph.Index {
	visible := make([]graph.Index, 0, len(all))
	for _, i := range all {
		if name, managed := SearchIndexName(i.Name); managed && i.Kind == "FULLTEXT" {
			i.Name = name
		} else if IsManagedIndexName(i.Name) {
			i.Name = strings.TrimPrefix(i.Name, IndexPrefix)
		}
		if types, ok := visibleTypes(i.Name, i.Types); ok {
			i.Types = types
			visible = append(visible, i)
		}
	}
	return visible
}

// VisibleConstraints excludes constraints with a reserved name and those on internal types only.
func VisibleConstraints(all []graph.Constraint) []graph.Constraint {
	visible := make([]graph.Constraint, 0, len(all))
	for _, c := range all {
		if types, ok := visibleTypes(c.Name, c.Types); ok {
			c.Types = types
			visible = append(visible, c)
		}
	}
	return visible
}

func visibleTypes(name string, types []string) ([]string, bool) {
	if graph.Reserved(name) {
		return nil, false
	}
	kept := slices.DeleteFunc(slices.Clone(types), graph.Reserved)
	return kept, len(kept) > 0 || len(types) == 0
}

// ValueTypeName converts a type of valueType() (Neo4j manual, "valueType()") to the contract's vocabulary: the $type names of typed JSON,
// String, Integer and Boolean for JSON's own types, and List<...>; an empty list is List.
func ValueTypeName(valueType string) string {
	name := strings.ReplaceAll(valueType, " NOT NULL", "")
	if inner, isList := strings.CutPrefix(name, "LIST<"); isList {
		inner = strings.TrimSuffix(inner, ">")
		if inner == "NOTHING" {
			return "List"
		}
		return "List<" + ValueTypeName(inner) + ">"
	}
	if known, ok := valueTypeNames[name]; ok {
		return known
	}
	return name
}

var valueTypeNames = map[string]string{
	"BOOLEAN": "Boolean", "INTEGER": "Integer", "FLOAT": "Float", "STRING": "String", "POINT": "Point", "DURATION": "Duration",
	"DATE": "Date", "LOCAL TIME": "LocalTime", "ZONED TIME": "Time", "LOCAL DATETIME": "LocalDateTime", "ZONED DATETIME": "ZonedDateTime",
}
