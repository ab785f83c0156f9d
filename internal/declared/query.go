package declared

// Query is a saved query as its own operation in a description.
type Query struct {
	Name        string // as in the path, such as top_movies
	Description string
	Parameters  []QueryParameter // those that a caller gives
	Columns     []QueryColumn
}

// QueryParameter is a parameter of a saved query.
type QueryParameter struct {
	Name     string
	Schema   any // a JSON Schema with neo4jType, as a parsed tree
	Required bool
}

// QueryColumn is a column of the answer of a saved query.
type QueryColumn struct {
	Name  string
	Types []string // as GET /api/schema names them; empty if that is not known
}

// The extensions of the operation of a saved query.
const (
	extensionQuery   = "x-query"
	extensionColumns = "x-columns"
)

func (q Query) path() string { return "/api/queries/" + q.Name + "/run" }

// pathItem returns the operation that runs the query with parameters in typed JSON. The schemas of the columns are extensions, because
// rows are arrays, whose elements OpenAPI 3.0 does not describe one by one.
func (q Query) pathItem() map[string]any {
	columns := make([]any, len(q.Columns))
	for i, c := range q.Columns {
		columns[i] = map[string]any{"name": c.Name, "types": toAny(c.Types)}
	}
	return map[string]any{"post": map[string]any{
		"operationId": "run_" + q.Name, "summary": "Run the saved query " + q.Name, "description": q.Description,
		"tags":         []any{"Saved queries"},
		extensionQuery: q.Name, extensionColumns: columns,
		"security":    []any{map[string]any{"BearerAuth": []any{}}},
		"requestBody": map[string]any{"required": true, "content": jsonContent(q.bodySchema())},
		"responses": map[string]any{
			"200":     map[string]any{"description": "OK", "content": jsonContent(resultSchema())},
			"default": map[string]any{"description": "An error", "content": jsonContent(reference("Error"))},
		},
	}}
}

// bodySchema returns the schema of {"parameters": {...}}.
func (q Query) bodySchema() map[string]any {
	properties, required := map[string]any{}, []any{}
	for _, p := range q.Parameters {
		described, _ := translator{p.Schema}.translate(p.Schema).(map[string]any)
		if types := namesOfTypes(p.Schema, p.Schema); len(types) > 0 {
			described[extensionTypes] = types
		}
		properties[p.Name] = described
		if p.Required {
			required = append(required, p.Name)
		}
	}
	parameters := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	body := map[string]any{"type": "object", "additionalProperties": false, "properties": map[string]any{"parameters": parameters}}
	if len(required) > 0 {
		parameters["required"], body["required"] = required, []any{"parameters"}
	}
	return body
}

// resultSchema describes the answer of every saved query.
func resultSchema() map[string]any {
	list := func(items map[string]any) map[string]any { return map[string]any{"type": "array", "items": items} }
	data := map[string]any{
		"type": "object", "required": []any{"columns", "rows", "nodes", "edges"},
		"properties": map[string]any{
			"columns": list(map[string]any{"type": "object"}), "rows": list(list(map[string]any{})),
			"nodes": list(reference("Node")), "edges": list(reference("Edge")),
		},
	}
	return map[string]any{
		"type": "object", "required": []any{"data", "meta"},
		"properties": map[string]any{"data": data, "meta": map[string]any{"type": "object"}},
	}
}

func reference(name string) map[string]any {
	return map[string]any{"$ref": "#/components/schemas/" + name}
}

func jsonContent(schema map[string]any) map[string]any {
	return map[string]any{"application/json": map[string]any{"schema": schema}}
}
