package httpapi

import (
	"net/http"

	"graphrest/internal/graph"
)

// getSchema answers GET /api/schema.
//
//	@Summary		Describe the graph
//	@Description	Node types, edge types, indexes and constraints as observed in the database, including those that other clients created. A declared
//	@Description	type also has the member "declared", even if the database has no entity of it. Counts come from the
//	@Description	database's count store; properties come from a bounded sample, whose size is "sampled".
//	@Description	A type for which an administrator has set a style has the member "style": how clients draw it for all users.
//	@Tags			Schema
//	@Success		200	{object}	Answer[SchemaDocument]
//	@Router			/api/schema [get]
func (a *API) getSchema(c *call) error {
	return c.sendSchema(func(s graph.Schema) any {
		return SchemaDocument{
			NodeTypes: nodeTypeDocuments(s.NodeTypes), EdgeTypes: edgeTypeDocuments(s.EdgeTypes),
			Indexes: indexDocuments(s.Indexes), Constraints: constraintDocuments(s.Constraints), AsOf: s.AsOf.UTC(),
			IDProperty: a.options.IDProperty,
		}
	})
}

// getNodeTypes answers GET /api/schema/nodes.
//
//	@Summary		List the node types
//	@Description	The member node_types of the schema.
//	@Tags			Schema
//	@Success		200	{object}	Answer[[]NodeTypeDocument]
//	@Router			/api/schema/nodes [get]
func (a *API) getNodeTypes(c *call) error {
	return c.sendSchema(func(s graph.Schema) any { return nodeTypeDocuments(s.NodeTypes) })
}

// getEdgeTypes answers GET /api/schema/edges.
//
//	@Summary		List the edge types
//	@Description	The member edge_types of the schema.
//	@Tags			Schema
//	@Success		200	{object}	Answer[[]EdgeTypeDocument]
//	@Router			/api/schema/edges [get]
func (a *API) getEdgeTypes(c *call) error {
	return c.sendSchema(func(s graph.Schema) any { return edgeTypeDocuments(s.EdgeTypes) })
}

func (c *call) sendSchema(part func(graph.Schema) any) error {
	if err := c.validate(); err != nil {
		return err
	}
	s, err := c.api.options.Schema.Schema(c.ctx())
	if err != nil {
		return err
	}
	c.send(http.StatusOK, appendJSON(part(s)))
	return nil
}

func nodeTypeDocuments(types []graph.NodeType) []NodeTypeDocument {
	return mapSlice(types, func(t graph.NodeType) NodeTypeDocument {
		return NodeTypeDocument{
			Type: t.Type, Count: countOf(t.Count, t.Partial), Managed: t.Managed, Properties: propertyDocuments(t.Properties), Sampled: t.Sampled,
			Declared: declaredDocument(t.Declared), Style: nodeStyleDocument(t.Style), PalettePlace: t.PalettePlace,
			ShapePlace: t.ShapePlace,
		}
	})
}

func edgeTypeDocuments(types []graph.EdgeType) []EdgeTypeDocument {
	return mapSlice(types, func(t graph.EdgeType) EdgeTypeDocument {
		return EdgeTypeDocument{
			Type: t.Type, Count: countOf(t.Count, t.Partial), Managed: t.Managed, Properties: propertyDocuments(t.Properties), Sampled: t.Sampled,
			Connections: mapSlice(t.Connections, func(c graph.Connection) ConnectionDocument {
				return ConnectionDocument{SourceType: orNull(c.SourceType), TargetType: orNull(c.TargetType), Count: c.Count}
			}),
			ConnectionsExact: t.ConnectionsExact, Declared: declaredDocument(t.Declared), Style: edgeStyleDocument(t.Style),
		}
	})
}

// countOf is a type's count; nil if the caller sees only some of its entities.
func countOf(count int64, partial bool) *int64 {
	if partial {
		return nil
	}
	return &count
}

func declaredDocument(d *graph.DeclaredType) *DeclaredDocument {
	if d == nil {
		return nil
	}
	whole := declaredTypeDocument(*d, nil)
	return &DeclaredDocument{
		Level: whole.Level, Schema: whole.Schema, Unique: whole.Unique, SourceTypes: whole.SourceTypes, TargetTypes: whole.TargetTypes,
	}
}

func propertyDocuments(uses []graph.PropertyUse) []PropertyDocument {
	return mapSlice(uses, func(p graph.PropertyUse) PropertyDocument {
		return PropertyDocument{Name: p.Name, Types: nonNil(p.Types), Presence: p.Presence, Indexed: p.Indexed, Unique: p.Unique}
	})
}

func indexDocuments(indexes []graph.Index) []IndexDocument {
	return mapSlice(indexes, func(i graph.Index) IndexDocument {
		return IndexDocument{
			Name: i.Name, Kind: i.Kind, Entity: i.Entity, Types: nonNil(i.Types), Properties: nonNil(i.Properties), State: i.State,
		}
	})
}

func constraintDocuments(constraints []graph.Constraint) []ConstraintDocument {
	return mapSlice(constraints, func(k graph.Constraint) ConstraintDocument {
		return ConstraintDocument{Name: k.Name, Kind: k.Kind, Entity: k.Entity, Types: nonNil(k.Types), Properties: nonNil(k.Properties)}
	})
}
