package mcp

import (
	"context"
	"net/http"

	"graphrest/internal/fault"
)

// maxTypesBytes bounds the answer of list_types with properties; beyond it the properties are left to describe_type.
const maxTypesBytes = 8000

func schemaTools() []tool {
	const pattern = "/api/schema"
	return []tool{
		{
			name: "list_types", title: "List types", method: http.MethodGet, pattern: pattern,
			description: "Lists the types of nodes and edges with how many there are and the names of their properties. Begin here.",
			output:      map[string]any{"type": "object", "properties": map[string]any{"node_types": anyList, "edge_types": anyList}},
			answer:      listTypes,
		},
		{
			name: "describe_type", title: "Describe a type", method: http.MethodGet, pattern: pattern,
			description: "Describes a type of nodes or edges: its properties with their types and how many entities have them, which are " +
				"indexed or unique, and of an edge type which types of nodes it connects.",
			parameters: []parameter{
				textParameter("type", "The name of the type").must(), choice("kind", "node or edge, if both have a type of this name", "node", "edge"),
			},
			output: map[string]any{"type": "object", "properties": map[string]any{"node_type": anyObject, "edge_type": anyObject}},
			answer: describeType,
		},
	}
}

// listTypes answers the types. Properties are named as far as they fit: types come first.
func listTypes(ctx context.Context, c *toolCall) (any, error) {
	schema, err := c.readSchema(ctx)
	if err != nil {
		return nil, err
	}
	brief := func(withProperties bool) document {
		data := map[string]any{}
		for _, kind := range []string{"node_types", "edge_types"} {
			types := []any{}
			for _, one := range asList(schema[kind]) {
				types = append(types, briefType(one, withProperties))
			}
			data[kind] = types
		}
		return document{Data: data}
	}
	d := brief(true)
	if jsonSize(d) <= min(maxTypesBytes, c.maxBytes) {
		return c.finish(d), nil
	}
	d = brief(false)
	d.set("cut", map[string]any{"properties": "left out", "go_on": "call describe_type for those of one type"})
	if jsonSize(d) <= c.maxBytes {
		return c.finish(d), nil
	}
	return c.cutTypes(d), nil
}

// cutTypes keeps the first types of each kind.
func (c *toolCall) cutTypes(d document) document {
	data, _ := d.Data.(map[string]any)
	cut := map[string]any{"properties": "left out", "go_on": "set max_bytes, or call describe_type if you know the name of a type"}
	for kind, types := range data {
		all := asList(types)
		half := c.maxBytes/2 - reserved
		fits := 0
		for fits < len(all) && half > 0 {
			half -= jsonSize(all[fits]) + 1
			fits++
		}
		data[kind], cut[kind] = all[:fits], map[string]any{"shown": fits, "of": len(all)}
	}
	d.set("cut", cut)
	return c.finish(d)
}

func briefType(one any, withProperties bool) any {
	full, _ := one.(map[string]any)
	brief := map[string]any{"type": full["type"], "count": full["count"]}
	if !withProperties {
		return brief
	}
	names := []any{}
	for _, property := range asList(full["properties"]) {
		if fields, is := property.(map[string]any); is {
			names = append(names, fields["name"])
		}
	}
	brief["properties"] = names
	return brief
}

// describeType answers the types with a name: a node type and an edge type may share it.
func describeType(ctx context.Context, c *toolCall) (any, error) {
	schema, err := c.readSchema(ctx)
	if err != nil {
		return nil, err
	}
	kind, data := c.scalar("kind"), map[string]any{}
	for member, list := range map[string]string{"node_type": "node_types", "edge_type": "edge_types"} {
		if kind != "" && kind+"_type" != member {
			continue
		}
		for _, one := range asList(schema[list]) {
			if fields, is := one.(map[string]any); is && fields["type"] == c.scalar("type") {
				delete(fields, "style")
				delete(fields, "managed")
				data[member] = fields
			}
		}
	}
	if kind != "" && kind != "node" && kind != "edge" {
		return nil, fault.Invalid("kind", "must be node or edge")
	}
	if len(data) == 0 {
		return nil, fault.New(fault.NotFound, "There is no such type",
			fault.Detail{Field: "type", Message: "is not in the schema; list_types lists all types"})
	}
	return c.finish(document{Data: data}), nil
}

func (c *toolCall) readSchema(ctx context.Context) (map[string]any, error) {
	d, err := c.ask(ctx, Request{Method: http.MethodGet, Path: c.tool.pattern})
	if err != nil {
		return nil, err
	}
	schema, _ := d.Data.(map[string]any)
	return schema, nil
}
