package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"graphrest/internal/fault"
)

// parameter is an argument of a tool, named as in the REST API.
type parameter struct {
	name        string
	schema      map[string]any
	required    bool
	alternative string // another name that is accepted
	foreign     bool   // of a saved query, which checks the value
}

// maxBytesArgument is an argument of every tool that reads.
const maxBytesArgument = "max_bytes"

const (
	defaultMaxBytes = 16 << 10
	minMaxBytes     = 1 << 10
	maxMaxBytes     = 256 << 10
)

func textParameter(name, description string) parameter {
	return parameter{name: name, schema: map[string]any{"type": "string", "description": description}}
}

func integer(name string, low, high int, description string) parameter {
	return parameter{
		name: name, schema: map[string]any{"type": "integer", "minimum": low, "maximum": high, "description": description},
	}
}

func boolean(name, description string) parameter {
	return parameter{name: name, schema: map[string]any{"type": "boolean", "description": description}}
}

func choice(name, description string, values ...string) parameter {
	return parameter{name: name, schema: map[string]any{"type": "string", "enum": values, "description": description}}
}

func object(name, description string) parameter {
	return parameter{
		name: name, schema: map[string]any{"type": "object", "additionalProperties": true, "description": description},
	}
}

func objects(name, description string) parameter {
	return parameter{name: name, schema: map[string]any{
		"type": "array", "items": map[string]any{"type": "object", "additionalProperties": true}, "description": description,
	}}
}

func (p parameter) must() parameter {
	p.required = true
	return p
}

func (t *tool) inputSchema() map[string]any {
	properties, required := map[string]any{}, []string{}
	for _, p := range t.allParameters() {
		properties[p.name] = p.schema
		if p.required {
			required = append(required, p.name)
		}
	}
	schema := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		schema["required"] = required
	}
	return schema
}

// takesMaxBytes reports whether the size of a tool's answer can be chosen. A saved query may have a parameter of that name.
func (t *tool) takesMaxBytes() bool {
	return !t.writes && !slices.ContainsFunc(t.parameters, func(p parameter) bool { return p.name == maxBytesArgument })
}

// allParameters are those of a tool and, if it reads, the size of its answer.
func (t *tool) allParameters() []parameter {
	if !t.takesMaxBytes() {
		return t.parameters
	}
	return append(slices.Clip(t.parameters), integer(maxBytesArgument, minMaxBytes, maxMaxBytes,
		"Bytes of the answer; default 16384. What is beyond is cut."))
}

// outputSchema describes the answer of a tool. An error has the member error instead, with isError set, so that no member is required.
func (t *tool) outputSchema() map[string]any {
	text := map[string]any{"type": "string"}
	return map[string]any{"type": "object", "properties": map[string]any{
		"data": t.output,
		"meta": map[string]any{"type": "object", "description": "page: how to read the next page; cut: what was left out, and how to go on"},
		"error": map[string]any{"type": "object", "properties": map[string]any{
			"code": text, "message": text, "remedy": text, "details": map[string]any{"type": "array", "items": map[string]any{
				"type": "object", "properties": map[string]any{"field": text, "message": text},
			}},
		}},
	}}
}

// readArguments checks the names and kinds of arguments; the REST API checks their values. null means absent.
func (t *tool) readArguments(raw json.RawMessage) (map[string]json.RawMessage, error) {
	given := map[string]json.RawMessage{}
	if len(bytes.TrimSpace(raw)) > 0 {
		if err := decode(raw, &given); err != nil || given == nil {
			return nil, fault.Invalid("arguments", "must be an object")
		}
	}
	var faults []*fault.Error
	arguments := map[string]json.RawMessage{}
	for _, p := range t.allParameters() {
		value, name := given[p.name], p.name
		if alternative, is := given[p.alternative]; is && value == nil && p.alternative != "" {
			value, name = alternative, p.alternative
		}
		delete(given, name)
		switch {
		case value == nil || string(value) == "null":
			if p.required {
				faults = append(faults, fault.Invalid(p.name, "is required"))
			}
		case p.foreign:
			arguments[p.name] = value
		case !hasKind(value, p.schema["type"].(string)):
			faults = append(faults, fault.Invalid(name, "must be of the type %s", p.schema["type"]))
		default:
			arguments[p.name] = value
		}
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		faults = append(faults, fault.Invalid(name, "is not an argument of %s", t.name))
	}
	return arguments, fault.Merge(faults...)
}

// hasKind reports whether a JSON value is of a type of JSON Schema. Models often send numbers and booleans as texts: the REST API reads
// both from texts.
func hasKind(value json.RawMessage, kind string) bool {
	isText := value[0] == '"'
	switch kind {
	case "integer", "number":
		return isText || value[0] == '-' || value[0] >= '0' && value[0] <= '9'
	case "boolean":
		return isText || value[0] == 't' || value[0] == 'f'
	case "object":
		return value[0] == '{'
	case "array":
		return value[0] == '['
	default:
		return isText
	}
}

// scalar returns a text, or the literal of a number or a boolean; empty if it is absent.
func (c *toolCall) scalar(name string) string {
	value := c.arguments[name]
	var text string
	if len(value) > 0 && value[0] == '"' && json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}

// query returns the named arguments as query parameters, of which absent ones are left out.
func (c *toolCall) query(names ...string) url.Values {
	values := url.Values{}
	for _, name := range names {
		if _, given := c.arguments[name]; given {
			values.Set(name, c.scalar(name))
		}
	}
	return values
}

// addFilters adds the arguments filter, {property: {operator: value}}, and any, an array of such, as the query parameters of the REST API.
func (c *toolCall) addFilters(values url.Values) error {
	if raw, given := c.arguments["filter"]; given {
		if err := addFilter(values, "filter", raw); err != nil {
			return err
		}
	}
	raw, given := c.arguments["any"]
	if !given {
		return nil
	}
	var alternatives []json.RawMessage
	if err := json.Unmarshal(raw, &alternatives); err != nil || len(alternatives) == 0 {
		return fault.Invalid("any", "must be an array of objects {property: {operator: value}}")
	}
	for i, alternative := range alternatives {
		prefix := fmt.Sprintf("any[%d]", i+1) // as the faults of the REST API name it
		before := len(values)
		if err := addFilter(values, prefix, alternative); err != nil {
			return err
		}
		if len(values) == before {
			return fault.Invalid(prefix, "must have a condition at least")
		}
	}
	return nil
}

// addFilter adds conditions as query parameters with a prefix, which faults name too.
func addFilter(values url.Values, prefix string, raw json.RawMessage) error {
	var filter map[string]json.RawMessage
	if err := json.Unmarshal(raw, &filter); err != nil || filter == nil {
		return fault.Invalid(prefix, "must be an object {property: {operator: value}}")
	}
	for _, property := range slices.Sorted(maps.Keys(filter)) {
		conditions := map[string]json.RawMessage{}
		if value := filter[property]; value[0] != '{' || isTagged(value) {
			conditions["eq"] = value
		} else if err := json.Unmarshal(value, &conditions); err != nil || len(conditions) == 0 {
			return fault.Invalid(prefix+"."+property, "must be an object {operator: value}")
		}
		for _, operator := range slices.Sorted(maps.Keys(conditions)) {
			values.Add(prefix+"["+property+"]["+operator+"]", literal(operator, conditions[operator]))
		}
	}
	return nil
}

// plainOperators take a text as it stands; the others read JSON, so that a text that looks like a number stays one.
var plainOperators = []string{"contains", "icontains", "starts_with", "ends_with", "exists"}

func literal(operator string, value json.RawMessage) string {
	var plain string
	if slices.Contains(plainOperators, operator) && json.Unmarshal(value, &plain) == nil {
		return plain
	}
	return string(value)
}

// isTagged reports whether a value is a tagged one, such as a date.
func isTagged(value json.RawMessage) bool {
	var tagged map[string]json.RawMessage
	return json.Unmarshal(value, &tagged) == nil && tagged["$type"] != nil
}

// pathOf replaces the parameter of a pattern by the escaped argument of that name.
func (c *toolCall) pathOf(name string) string {
	return strings.ReplaceAll(c.tool.pattern, ":"+name, url.PathEscape(c.scalar(name)))
}

// body returns the named arguments as a JSON object.
func (c *toolCall) body(names ...string) []byte {
	members := map[string]json.RawMessage{}
	for _, name := range names {
		if value, given := c.arguments[name]; given {
			members[name] = value
		}
	}
	text, _ := json.Marshal(members) // parts of a valid text
	return text
}

func (c *toolCall) readMaxBytes() (int, error) {
	raw, given := c.arguments[maxBytesArgument]
	if !given || !c.tool.takesMaxBytes() {
		return defaultMaxBytes, nil
	}
	var size int
	if json.Unmarshal([]byte(c.scalar(maxBytesArgument)), &size) != nil || size < minMaxBytes || size > maxMaxBytes {
		return 0, fault.Invalid(maxBytesArgument, "must be a whole number from %d to %d, not %s", minMaxBytes, maxMaxBytes, raw)
	}
	return size, nil
}
