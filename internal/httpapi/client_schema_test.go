package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"

	"graphrest/internal/graph"
	"graphrest/internal/httpapi"
)

func (c *client) Schema(ctx context.Context) (graph.Schema, error) {
	a, err := c.do(ctx, request{method: "GET", path: "/api/schema"})
	if err != nil {
		return graph.Schema{}, err
	}
	var d httpapi.SchemaDocument
	if err := json.Unmarshal(a.Data, &d); err != nil {
		return graph.Schema{}, err
	}
	if d.NodeTypes == nil || d.EdgeTypes == nil || d.Indexes == nil || d.Constraints == nil {
		return graph.Schema{}, fmt.Errorf("a list is null in %s", a.Data)
	}
	s := graph.Schema{
		NodeTypes: []graph.NodeType{}, EdgeTypes: []graph.EdgeType{}, Indexes: []graph.Index{}, Constraints: []graph.Constraint{},
		AsOf: d.AsOf,
	}
	for _, t := range d.NodeTypes {
		s.NodeTypes = append(s.NodeTypes, graph.NodeType{
			Type: t.Type, Count: *t.Count, Managed: t.Managed, Properties: uses(t.Properties), Sampled: t.Sampled,
			Declared: declaredAs(t.Declared), Style: nodeStyle(t.Style), PalettePlace: t.PalettePlace,
			ShapePlace: t.ShapePlace,
		})
	}
	for _, t := range d.EdgeTypes {
		edgeType := graph.EdgeType{
			Type: t.Type, Count: *t.Count, Managed: t.Managed, Properties: uses(t.Properties), Sampled: t.Sampled,
			ConnectionsExact: t.ConnectionsExact, Declared: declaredAs(t.Declared), Style: edgeStyle(t.Style),
		}
		for _, k := range t.Connections {
			edgeType.Connections = append(edgeType.Connections, graph.Connection{
				SourceType: orEmpty(k.SourceType), TargetType: orEmpty(k.TargetType), Count: k.Count,
			})
		}
		s.EdgeTypes = append(s.EdgeTypes, edgeType)
	}
	for _, i := range d.Indexes {
		s.Indexes = append(s.Indexes, graph.Index(i))
	}
	for _, k := range d.Constraints {
		s.Constraints = append(s.Constraints, graph.Constraint(k))
	}
	return s, nil
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func uses(documents []httpapi.PropertyDocument) []graph.PropertyUse {
	var list []graph.PropertyUse
	for _, p := range documents {
		list = append(list, graph.PropertyUse(p))
	}
	return list
}
