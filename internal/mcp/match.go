package mcp

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
)

const matchHelp = `A chain alternates nodes and hops and begins and ends with a node. Node: {"as","type",` +
	`"id" (one, or an array of ids, of which it has one),"filter","any"}; hop: {"edge","direction","as","filter","any",` +
	`"hops":[min,max]}; any is an array of filters. The same "as" is the same node. Every chain has a node with type or id`

// matchTool asks a question over several hops.
func matchTool() tool {
	list := func(name, description string, items map[string]any) parameter {
		return parameter{name: name, schema: map[string]any{"type": "array", "items": items, "description": description}}
	}
	chain := map[string]any{"type": "array", "items": map[string]any{"type": "object"}}
	text := map[string]any{"type": "string"}
	return tool{
		name: "match", title: "Match a pattern", method: http.MethodPost, pattern: "/api/match",
		description: `Answers a question over several hops, with groups and measures: {"match":[[{"as":"p","type":"Person"},` +
			`{"edge":"ACTED_IN"},{"as":"m","type":"Movie"}]],"columns":["p.name","m.title"]}.`,
		parameters: []parameter{
			list("match", matchHelp, chain).must(), list("without", "Chains that must not exist", chain),
			list("columns", `Names, such as "p", and properties, such as "p.name"`, text),
			list("group_by", "As columns; the rows are grouped", text),
			list("measures", `{"op":"count" or "sum", "mean", "min", "max","of":"p.born","as"}`, map[string]any{"type": "object"}),
			list("sort", "Columns; - before one descends", text),
			integer("limit", 1, 1000, "Rows; default "+modelLimit), integer("offset", 0, 10000, "Rows to skip"),
		},
		output: map[string]any{"type": "object", "properties": map[string]any{
			"columns": anyList, "rows": map[string]any{"type": "array"}, "nodes": anyList, "edges": anyList,
		}},
		answer: func(ctx context.Context, c *toolCall) (any, error) {
			if _, given := c.arguments["limit"]; !given {
				c.arguments["limit"] = json.RawMessage(modelLimit)
			}
			return c.rows(ctx)
		},
	}
}

// rows asks for rows. If they do not fit, it asks for as many as fit, so that the offset leads to the next ones.
func (c *toolCall) rows(ctx context.Context) (any, error) {
	names := make([]string, len(c.tool.parameters))
	for i, p := range c.tool.parameters {
		names[i] = p.name
	}
	var shown int
	for asked := 0; ; {
		d, err := c.ask(ctx, Request{Method: c.tool.method, Path: c.tool.pattern, Body: c.body(names...)})
		if err != nil {
			return nil, err
		}
		data, _ := d.Data.(map[string]any)
		shown = len(asList(data["rows"]))
		asked = max(asked, shown)
		size := jsonSize(d)
		if fits := shown * (c.maxBytes - reserved) / max(size, 1); size > c.maxBytes-reserved && shown > 1 {
			c.arguments["limit"] = json.RawMessage(strconv.Itoa(min(max(fits*9/10, 1), shown-1)))
			continue
		}
		if shown < asked {
			d.set("cut", map[string]any{
				"shown": shown, "of": asked, "why": "the answer would be larger than max_bytes",
				"go_on": "call again with offset increased by " + strconv.Itoa(shown) + "; or name fewer columns, or set max_bytes",
			})
		}
		return c.finish(d), nil
	}
}
