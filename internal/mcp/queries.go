package mcp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"graphrest/internal/audit"
)

const (
	queriesPattern = "/api/queries"
	runPattern     = queriesPattern + "/:name/run"
	// queryPrefix begins the names of the tools of saved queries.
	queryPrefix = "query_"
	// queryTool is the name under which the tools of all saved queries are counted: anybody who saves one would make another series.
	queryTool = "query"
)

var tableData = map[string]any{"type": "object", "properties": map[string]any{
	"columns": anyList, "rows": map[string]any{"type": "array"}, "nodes": anyList, "edges": anyList,
}}

// savedQuery is a saved query that the caller may run.
type savedQuery struct {
	Name        string                    `json:"name"`
	Description string                    `json:"description"`
	Parameters  map[string]map[string]any `json:"parameters"`
}

// concernsQueries reports whether a message lists tools or calls one of a saved query.
func concernsQueries(body []byte) bool {
	return slices.ContainsFunc([]string{"tools/list", `tools\/list`, `query_`, "list_queries", "run_query"}, func(part string) bool {
		return bytes.Contains(body, []byte(part))
	})
}

// queryTools are the tools of the saved queries that a caller may run: one for each or, if there are many, two for all.
func (h *Handler) queryTools(r *http.Request, g Gateway) []tool {
	if !g.Allows(http.MethodGet, queriesPattern) {
		return nil
	}
	answer := g.Do(r.Context(), audit.Agent{Via: audit.MCP}, Request{
		Method: http.MethodGet, Path: queriesPattern, Query: url.Values{"limit": {"1000"}},
	})
	var found struct {
		Data []savedQuery `json:"data"`
	}
	if answer.Status != http.StatusOK || decode(answer.Body, &found) != nil {
		return nil // the tools of the graph remain
	}
	if len(found.Data) > h.config.QueryTools {
		return []tool{listQueriesTool(), runQueryTool()}
	}
	tools := make([]tool, len(found.Data))
	for i, q := range found.Data {
		tools[i] = toolOfQuery(q)
	}
	return tools
}

func toolOfQuery(q savedQuery) tool {
	t := tool{
		name: queryPrefix + q.Name, counted: queryTool, title: strings.ReplaceAll(q.Name, "_", " "), method: http.MethodPost, pattern: runPattern,
		description: cmp.Or(q.Description, "The saved query "+q.Name), output: tableData,
		answer: func(ctx context.Context, c *toolCall) (any, error) {
			given := map[string]json.RawMessage{}
			for name, value := range c.arguments {
				if name != maxBytesArgument || q.Parameters[name] != nil {
					given[name] = value
				}
			}
			return c.runQuery(ctx, q.Name, given)
		},
	}
	for name, schema := range q.Parameters {
		_, hasDefault := schema["default"]
		t.parameters = append(t.parameters, parameter{name: name, schema: schema, required: !hasDefault, foreign: true})
	}
	slices.SortFunc(t.parameters, func(x, y parameter) int { return cmp.Compare(x.name, y.name) })
	return t
}

// runQuery answers what a saved query returns. Rows that do not fit are cut.
func (c *toolCall) runQuery(ctx context.Context, name string, parameters map[string]json.RawMessage) (any, error) {
	body, _ := json.Marshal(map[string]any{"parameters": parameters}) // parts of a valid text
	path := strings.ReplaceAll(runPattern, ":name", url.PathEscape(name))
	d, err := c.ask(ctx, Request{Method: http.MethodPost, Path: path, Body: body})
	if err != nil {
		return nil, err
	}
	if data, _ := d.Data.(map[string]any); jsonSize(d) > c.maxBytes {
		c.cutTable(&d, data)
	}
	return c.finish(d), nil
}

// cutTable leaves out the nodes and edges of a table and, if that is not enough, its last rows.
func (c *toolCall) cutTable(d *document, data map[string]any) {
	rows := asList(data["rows"])
	cut := map[string]any{"go_on": "narrow the parameters, or set max_bytes"}
	if len(asList(data["nodes"]))+len(asList(data["edges"])) > 0 {
		cut["nodes_and_edges"] = "left out: get_node reads one"
	}
	delete(data, "nodes")
	delete(data, "edges")
	d.set("cut", cut)
	data["rows"] = []any{}
	fits := min(max(c.countFitting(*d, rows), 1), len(rows))
	data["rows"], cut["shown"], cut["of"] = rows[:fits], fits, len(rows)
}

func listQueriesTool() tool {
	return tool{
		name: "list_queries", title: "List saved queries", method: http.MethodGet, pattern: queriesPattern,
		description: "Lists the saved queries that run_query runs, with their parameters.", parameters: paging, output: anyList,
		answer: answerList,
	}
}

func runQueryTool() tool {
	return tool{
		name: "run_query", title: "Run a saved query", method: http.MethodPost, pattern: runPattern,
		description: "Runs a saved query; list_queries names them and their parameters.",
		parameters:  []parameter{textParameter("name", "Name of the query").must(), object("parameters", "Values by name")}, output: tableData,
		answer: func(ctx context.Context, c *toolCall) (any, error) {
			given := map[string]json.RawMessage{}
			if raw := c.arguments["parameters"]; raw != nil {
				_ = json.Unmarshal(raw, &given) // an object: readArguments has checked it
			}
			return c.runQuery(ctx, c.scalar("name"), given)
		},
	}
}
