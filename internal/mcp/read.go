package mcp

import (
	"context"
	"net/http"
)

var (
	anyObject = map[string]any{"type": "object"}
	anyList   = map[string]any{"type": "array", "items": map[string]any{"type": "object"}}
	oneNode   = describedObject("id, type, labels, properties")
	graphData = map[string]any{"type": "object", "properties": map[string]any{
		"nodes": anyList, "edges": anyList, "paths": map[string]any{"type": "array"}, "truncated": map[string]any{"type": "boolean"},
	}}
)

func describedObject(description string) map[string]any {
	return map[string]any{"type": "object", "description": description}
}

const (
	filterHelp = `{property: {operator: value}}, all of which must hold. Operators: eq, ne, lt, lte, gt, gte, in, nin, exists, contains, ` +
		`icontains, starts_with, ends_with; has for members of lists. Values of other types are tagged: {"$type":"Date","_value":"2020-10-31"}`
	anyHelp    = `Alternatives, each like filter, of which one must hold`
	sortHelp   = "Properties with commas between; - before one descends"
	fieldsHelp = "Only these properties, with commas between"
	cursorHelp = "meta.page.next_cursor of the page before"
	// modelLimit is the size of a page if nothing is said: a model reads less than a program.
	modelLimit = "50"
)

var paging = []parameter{
	integer("limit", 1, 1000, "Entities of a page; default "+modelLimit), integer("offset", 0, 1<<31-1, "Entities to skip"),
	textParameter("cursor", cursorHelp),
}

var listing = []parameter{
	object("filter", filterHelp), objects("any", anyHelp), textParameter("sort", sortHelp), textParameter("fields", fieldsHelp),
	choice("count", "exact counts all in meta.page.total", "exact"),
}

func readTools() []tool {
	return []tool{
		{
			name: "list_nodes", title: "List nodes", method: http.MethodGet, pattern: "/api/nodes",
			description: "Lists nodes of a type, with a filter, in an order. Give a type: that is much faster.",
			parameters:  join([]parameter{textParameter("type", "A node type")}, paging, listing), output: anyList, answer: answerList,
		},
		{
			name: "list_edges", title: "List edges", method: http.MethodGet, pattern: "/api/edges",
			description: "Lists edges of a type or of a node, with a filter, in an order. In filter and sort, source: and target: before a name " +
				"mean a property of the node at that end.",
			parameters: join([]parameter{
				textParameter("type", "An edge type"), textParameter("source_id", "Id of the node where the edges begin"),
				textParameter("target_id", "Id of the node where they end"), textParameter("node_id", "Id of the node at either end"),
			}, paging, listing),
			output: anyList, answer: answerList,
		},
		{
			name: "get_node", title: "Read a node", method: http.MethodGet, pattern: "/api/nodes/:node_id",
			description: "Reads one node with all its properties.",
			parameters:  []parameter{nodeID()}, output: oneNode,
			answer: func(ctx context.Context, c *toolCall) (any, error) {
				return c.read(ctx, Request{Method: http.MethodGet, Path: c.pathOf("node_id")})
			},
		},
		{
			name: "search", title: "Search", method: http.MethodGet, pattern: "/api/search",
			description: "Finds nodes and edges by words in their properties, best first.",
			parameters: join([]parameter{
				textParameter("q", "Words to find").must(), choice("kind", "Only nodes, or only edges", "node", "edge"),
				textParameter("type", "Only of this type"), textParameter("property", "Only in this property"),
			}, paging),
			output: anyList, answer: answerList,
		},
	}
}

func nodeID() parameter {
	p := textParameter("node_id", "Id of the node").must()
	p.alternative = "id"
	return p
}

func join(lists ...[]parameter) []parameter {
	var all []parameter
	for _, list := range lists {
		all = append(all, list...)
	}
	return all
}

// answerList asks the route of a tool for a page, with all arguments as query parameters.
func answerList(ctx context.Context, c *toolCall) (any, error) {
	r := Request{Method: c.tool.method, Path: c.tool.pattern}
	var names []string
	for _, p := range c.tool.parameters {
		if p.name != "filter" && p.name != "any" {
			names = append(names, p.name)
		}
	}
	r.Query = c.query(names...)
	if !r.Query.Has("limit") {
		r.Query.Set("limit", modelLimit)
	}
	if err := c.addFilters(r.Query); err != nil {
		return nil, err
	}
	return c.list(ctx, r)
}

// read answers what a request answers, within the size of the call.
func (c *toolCall) read(ctx context.Context, r Request) (any, error) {
	d, err := c.ask(ctx, r)
	if err != nil {
		return nil, err
	}
	return c.finish(d), nil
}

// walk answers a graph and, if the gateway has cut it, how to go on.
func (c *toolCall) walk(ctx context.Context, r Request, goOn string) (any, error) {
	d, err := c.ask(ctx, r)
	if err != nil {
		return nil, err
	}
	if data, _ := d.Data.(map[string]any); data["truncated"] == true {
		d.set("cut", map[string]any{"go_on": goOn})
	}
	return c.finish(d), nil
}

// walkTools follow edges.
func walkTools() []tool {
	direction := choice("direction", "Of the edges; default both", "out", "in", "both")
	edgeType := textParameter("edge_type", "Only edges of this type")
	return []tool{
		{
			name: "neighbors", title: "Neighbors of a node", method: http.MethodGet, pattern: "/api/nodes/:node_id/neighbors",
			description: "Reads the nodes around a node, and the edges between, up to a depth.",
			parameters: []parameter{
				nodeID(), direction, edgeType, textParameter("node_type", "Only nodes of this type"),
				integer("depth", 1, 3, "Number of edges to follow; default 1"),
				integer("limit", 1, 1000, "Most nodes; default "+modelLimit),
				integer("max_degree", 1, 1<<31-1, "Do not follow the edges of nodes with more edges than this"),
			},
			output: graphData,
			answer: func(ctx context.Context, c *toolCall) (any, error) {
				r := Request{Method: http.MethodGet, Path: c.pathOf("node_id")}
				r.Query = c.query("direction", "edge_type", "node_type", "depth", "limit", "max_degree")
				if !r.Query.Has("limit") {
					r.Query.Set("limit", modelLimit)
				}
				return c.walk(ctx, r, "there are more nodes: raise limit or max_degree, or ask for less: edge_type, node_type, depth; list_edges with "+
					"node_id reads all edges of a node, page by page")
			},
		},
		{
			name: "find_paths", title: "Paths between two nodes", method: http.MethodGet, pattern: "/api/paths",
			description: "Finds the shortest path between two nodes, or all shortest ones.",
			parameters: []parameter{
				textParameter("source_id", "Id of the first node").must(), textParameter("target_id", "Id of the last node").must(),
				direction, edgeType,
				integer("max_depth", 1, 12, "Most edges of a path; default 6"), boolean("all", "All shortest paths instead of one"),
			},
			output: graphData,
			answer: func(ctx context.Context, c *toolCall) (any, error) {
				return c.walk(ctx, Request{
					Method: http.MethodGet, Path: c.tool.pattern,
					Query: c.query("source_id", "target_id", "edge_type", "direction", "max_depth", "all"),
				}, "there are more paths: ask for less: edge_type, direction")
			},
		},
	}
}
