package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"graphrest/internal/audit"
	"graphrest/internal/fault"
)

// tool is a tool of agents.
type tool struct {
	name, title, description string
	counted                  string // the name in the metrics, if it is another one
	method, pattern          string // of the route that it uses
	parameters               []parameter
	output                   map[string]any // schema of the member data of its answer
	writes, destroys         bool
	// run answers a call: see document.
	answer func(ctx context.Context, c *toolCall) (any, error)
}

// toolCall is a call of a tool with checked arguments.
type toolCall struct {
	gateway   Gateway
	by        audit.Agent
	tool      *tool
	arguments map[string]json.RawMessage
	maxBytes  int
}

func (t *tool) isAllowed(g Gateway) bool { return g.Allows(t.method, t.pattern) }

// describe returns what clients see of a tool. All four hints are set, because their defaults are the worst case.
func (t *tool) describe() *sdk.Tool {
	no := false
	return &sdk.Tool{
		Name: t.name, Title: t.title, Description: t.description, InputSchema: t.inputSchema(), OutputSchema: t.outputSchema(),
		Annotations: &sdk.ToolAnnotations{
			Title: t.title, ReadOnlyHint: !t.writes, DestructiveHint: &t.destroys, IdempotentHint: !t.writes, OpenWorldHint: &no,
		},
	}
}

func (t *tool) run(ctx context.Context, g Gateway, by audit.Agent, raw json.RawMessage) (any, error) {
	arguments, err := t.readArguments(raw)
	if err != nil {
		return nil, err
	}
	c := &toolCall{gateway: g, by: by, tool: t, arguments: arguments}
	if c.maxBytes, err = c.readMaxBytes(); err != nil {
		return nil, err
	}
	return t.answer(ctx, c)
}

// ask sends a request and decodes its answer, as a model reads it. The fault of a refusal is that of the answer.
func (c *toolCall) ask(ctx context.Context, r Request) (document, error) {
	answer := c.gateway.Do(ctx, c.by, r)
	if answer.Status >= http.StatusBadRequest {
		return document{}, readFault(answer)
	}
	var envelope struct {
		Data any            `json:"data"`
		Meta map[string]any `json:"meta"`
	}
	if err := decode(answer.Body, &envelope); err != nil {
		return document{}, fault.Wrap(fmt.Errorf("answer of %s %s: %w", r.Method, r.Path, err), fault.Internal, "Internal error")
	}
	omitted := 0
	d := document{Data: readable(envelope.Data, &omitted)}
	if omitted > 0 {
		d.set("omitted_lists", omitted)
	}
	for _, name := range []string{"page", "truncated", "elapsed_ms"} {
		if value, given := envelope.Meta[name]; given {
			d.set(name, value)
		}
	}
	return d, nil
}

// document is the answer of a tool: that of the REST API, with the members of meta that a model needs.
type document struct {
	Data any            `json:"data"`
	Meta map[string]any `json:"meta,omitempty"`
}

// set sets a member of meta.
func (d *document) set(name string, value any) {
	if d.Meta == nil {
		d.Meta = map[string]any{}
	}
	d.Meta[name] = value
}

func toolResult(value any) *sdk.CallToolResult {
	text, err := encode(value)
	if err != nil {
		return errorResult(fault.Wrap(err, fault.Internal, "Internal error"))
	}
	return &sdk.CallToolResult{StructuredContent: json.RawMessage(text), Content: []sdk.Content{&sdk.TextContent{Text: string(text)}}}
}

// failure is the answer to a call that failed.
type failure struct {
	Code    fault.Code     `json:"code"`
	Message string         `json:"message"`
	Details []fault.Detail `json:"details"`
	Remedy  string         `json:"remedy"`
}

// errorResult is a result that a model can read and mend.
func errorResult(err error) *sdk.CallToolResult {
	f := fault.As(err)
	shown := failure{f.Code, f.Message, []fault.Detail{}, remedyOf(f)}
	for _, d := range f.Details[:min(len(f.Details), fault.MaxDetails)] { // they may name what the caller sent
		shown.Details = append(shown.Details, fault.Detail{Field: shortenText(d.Field, 255), Message: shortenText(d.Message, 500)})
	}
	result := toolResult(map[string]any{"error": shown})
	result.IsError = true
	return result
}

// readFault is the fault of an error answer.
func readFault(a Answer) error {
	var answer struct {
		Error failure        `json:"error"`
		Meta  map[string]any `json:"meta"`
	}
	if err := json.Unmarshal(a.Body, &answer); err != nil || answer.Error.Code == "" {
		return fault.Wrap(fmt.Errorf("status %d: %w", a.Status, err), fault.Internal, "Internal error")
	}
	return fault.New(answer.Error.Code, answer.Error.Message, answer.Error.Details...)
}

// remedies say what a model can do about an error.
var remedies = map[fault.Code]string{
	fault.Validation:          "Correct the arguments that details name, and call again.",
	fault.NotFound:            "Nothing of this id or name is visible to you. Find ids with search or list_nodes, types with list_types.",
	fault.PermissionDenied:    "Your user may not do this. Do not try again; tell the user.",
	fault.Conflict:            "Read the present state, and decide again.",
	fault.PreconditionFailed:  "It was changed since you read it. Read it again, and decide again.",
	fault.QueryRejected:       "Change the request as details say.",
	fault.RateLimited:         "Wait as long as the message says, and make fewer calls.",
	fault.DatabaseUnavailable: "The database does not answer at the moment. Try again in some seconds.",
	fault.DatabaseTimeout:     "It took too long. Ask for less: a type, a narrower filter, a lower limit, depth or max_depth.",
	fault.PayloadTooLarge:     "Send fewer operations or smaller values.",
	fault.TokenRevoked:        "The credential has ended. Tell the user.",
	fault.TokenExpired:        "The credential has expired. Tell the user.",
}

func remedyOf(f *fault.Error) string {
	if remedy, known := remedies[f.Code]; known {
		return remedy
	}
	return "Tell the user; this cannot be mended by other arguments."
}
