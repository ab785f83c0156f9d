package mcp

import (
	"context"
	"encoding/json"
	"net/http"

	"graphrest/internal/fault"
)

const operationsHelp = `Applied in order, all or none: {"op":"create_node","ref","type","properties"}, ` +
	`{"op":"create_edge","type","source_id","target_id","properties"}, {"op":"update_node" or "update_edge","id","properties","if_match"}, ` +
	`{"op":"delete_node" or "delete_edge","id","if_match"}. An id may be {"ref":"name"}: what an earlier operation created under that ref. ` +
	`In an update only the properties given change; null removes one`

// proposeTool makes a change set, which a person approves.
func proposeTool() tool {
	return tool{
		name: "propose_changes", title: "Propose changes", method: http.MethodPost, pattern: "/api/changesets", writes: true,
		description: "Proposes changes of nodes and edges. Nothing is changed until a person approves and applies the proposal.",
		parameters: []parameter{
			textParameter("title", "What the changes do, in a few words").must(), textParameter("description", "Why, and where it comes from"),
			objects("operations", operationsHelp).must(),
		},
		output: describedObject("id and status of the change set"),
		answer: func(ctx context.Context, c *toolCall) (any, error) {
			body := c.body("title", "description", "operations")
			d, err := c.ask(ctx, Request{Method: http.MethodPost, Path: c.tool.pattern, Body: body})
			if err != nil {
				return nil, err
			}
			made, _ := d.Data.(map[string]any)
			d.Data = map[string]any{"id": made["id"], "title": made["title"], "status": made["status"]}
			d.set("next", "A person with the rights for the operations approves and applies it in the web interface, under Change sets")
			return c.finish(d), nil
		},
	}
}

// applyTool applies a batch.
func applyTool() tool {
	return tool{
		name: "apply_changes", title: "Apply changes", method: http.MethodPost, pattern: "/api/batch", writes: true, destroys: true,
		description: "Changes nodes and edges in one transaction. Try with dry_run first and show the user what it would do. The answer says " +
			"how to undo all of it, if changes are recorded.",
		parameters: []parameter{
			objects("operations", operationsHelp).must(),
			boolean("dry_run", "Do everything and roll it back; the answer is the same, with applied false"),
		},
		output: describedObject("applied, and results: op, id and data of each operation; or, of many, only ids, in the order of the operations"),
		answer: applyChanges,
	}
}

func applyChanges(ctx context.Context, c *toolCall) (any, error) {
	var operations []json.RawMessage
	if err := json.Unmarshal(c.arguments["operations"], &operations); err != nil || len(operations) > c.gateway.MaxBatch() {
		return nil, fault.Invalid("operations", "must be at most %d operations", c.gateway.MaxBatch())
	}
	d, err := c.ask(ctx, Request{Method: http.MethodPost, Path: c.tool.pattern, Body: c.body("operations"), Query: c.query("dry_run")})
	if err != nil {
		return nil, err
	}
	data, _ := d.Data.(map[string]any)
	if data["applied"] == true {
		d.set("undo", undoOf(c.gateway.RequestID()))
	}
	c.cutResults(&d, data)
	return d, nil
}

// cutResults leaves out what get_node can read again: the data of the results and, if that is not enough, all but their ids. These are
// never left out, however many they are, because calling again would apply the changes again.
func (c *toolCall) cutResults(d *document, data map[string]any) {
	if jsonSize(d) <= c.maxBytes {
		return
	}
	d.set("cut", map[string]any{"data": "left out", "go_on": "get_node reads a node by its id; do not apply the changes again"})
	results := asList(data["results"])
	ids := make([]any, len(results))
	for i, result := range results {
		if fields, is := result.(map[string]any); is {
			delete(fields, "data")
			ids[i] = fields["id"]
		}
	}
	if jsonSize(d) > c.maxBytes {
		delete(data, "results")
		data["ids"] = ids
	}
}

// undoOf says how changes are undone.
func undoOf(requestID string) map[string]any {
	if requestID == "" {
		return map[string]any{"how": "not at all: the operator has switched off that changes are recorded"}
	}
	return map[string]any{
		"request_id": requestID,
		"how":        `POST /api/undo with {"request_id": this id} undoes all of it that is recorded, while nothing else has changed it since`,
	}
}
