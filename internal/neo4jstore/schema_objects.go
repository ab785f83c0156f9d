package neo4jstore

import (
	"context"
	"slices"
	"strings"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
)

// schemaIndexes reads all indexes, including internal ones: they show which properties are indexed.
func (s *Store) schemaIndexes(ctx context.Context) ([]graph.Index, error) {
	rows, err := s.client.ReadRows(ctx, cypher.SchemaIndexes.Text(nil), nil)
	if err != nil {
		return nil, err
	}
	indexes := make([]graph.Index, 0, len(rows))
	for _, row := range rows {
		indexes = append(indexes, graph.Index{
			Name: bolt.Column[string](row, "name"), Kind: bolt.Column[string](row, "kind"), Entity: entityName(bolt.Column[string](row, "entity")),
			Types: bolt.TextColumn(row, "types"), Properties: bolt.TextColumn(row, "properties"), State: bolt.Column[string](row, "state"),
		})
	}
	slices.SortFunc(indexes, func(a, b graph.Index) int { return compareText(a.Name, b.Name) })
	return indexes, nil
}

func (s *Store) schemaConstraints(ctx context.Context) ([]graph.Constraint, error) {
	rows, err := s.client.ReadRows(ctx, cypher.SchemaConstraints.Text(nil), nil)
	if err != nil {
		return nil, err
	}
	constraints := make([]graph.Constraint, 0, len(rows))
	for _, row := range rows {
		constraints = append(constraints, graph.Constraint{
			Name: bolt.Column[string](row, "name"), Kind: constraintKind(bolt.Column[string](row, "kind")),
			Entity: entityName(bolt.Column[string](row, "entity")), Types: bolt.TextColumn(row, "types"), Properties: bolt.TextColumn(row,
				"properties"),
		})
	}
	slices.SortFunc(constraints, func(a, b graph.Constraint) int { return compareText(a.Name, b.Name) })
	return constraints, nil
}

func entityName(neo4jName string) string {
	if neo4jName == "RELATIONSHIP" {
		return "edge"
	}
	return "node"
}

// constraintKind unifies the names of the same kind in Neo4j's versions: UNIQUENESS, RELATIONSHIP_UNIQUENESS and NODE_PROPERTY_UNIQUENESS.
// Entity distinguishes them.
func constraintKind(kind string) string {
	if strings.HasSuffix(kind, "UNIQUENESS") {
		return "UNIQUENESS"
	}
	return kind
}

func indexesOnly(i graph.Index, entity, name, key string) bool {
	return i.Kind == "RANGE" && (!internalName(i.Name) || isUniqueKeyName(i.Name) || managedIndex(i.Name)) && i.Entity == entity &&
		slices.Equal(i.Types, []string{name}) && slices.Equal(i.Properties, []string{key})
}

func uniqueOnly(c graph.Constraint, entity, name, key string) bool {
	return (c.Kind == "UNIQUENESS" || strings.HasSuffix(c.Kind, "_KEY")) && (!internalName(c.Name) || isUniqueKeyName(c.Name)) && c.Entity == entity &&
		slices.Equal(c.Types, []string{name}) && slices.Equal(c.Properties, []string{key})
}

// visibleIndexes excludes indexes with a reserved name and those on internal types only. Indexes that requests created have the name from
// the request.
func visibleIndexes(all []graph.Index) []graph.Index {
	visible := make([]graph.Index, 0, len(all))
	for _, i := range all {
		if name, managed := searchIndexName(i.Name); managed && i.Kind == "FULLTEXT" {
			i.Name = name
		} else if managedIndex(i.Name) {
			i.Name = strings.TrimPrefix(i.Name, indexPrefix)
		}
		if types, ok := visibleTypes(i.Name, i.Types); ok {
			i.Types = types
			visible = append(visible, i)
		}
	}
	return visible
}

func visibleConstraints(all []graph.Constraint) []graph.Constraint {
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
	if internalName(name) {
		return nil, false
	}
	kept := slices.DeleteFunc(slices.Clone(types), internalName)
	return kept, len(kept) > 0 || len(types) == 0
}

// valueTypeName converts a type of valueType() (Neo4j manual, "valueType()") to the contract's vocabulary: the $type names of typed JSON,
// String, Integer and Boolean for JSON's own types, and List<...>; an empty list is List.
func valueTypeName(valueType string) string {
	name := strings.ReplaceAll(valueType, " NOT NULL", "")
	if inner, isList := strings.CutPrefix(name, "LIST<"); isList {
		inner = strings.TrimSuffix(inner, ">")
		if inner == "NOTHING" {
			return "List"
		}
		return "List<" + valueTypeName(inner) + ">"
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
