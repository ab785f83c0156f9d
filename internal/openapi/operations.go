package openapi

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/httpapi"
)

// refineOperations completes every operation with the data of its route and the rules for all responses.
func refineOperations(doc *openapi3.T) error {
	rows := map[string]httpapi.Route{}
	for _, r := range httpapi.Routes() {
		rows[r.Method+" "+r.Template()] = r
	}
	for path, item := range doc.Paths.Map() {
		for method, operation := range item.Operations() {
			row, known := rows[method+" "+path]
			if !known {
				return fmt.Errorf("%s %s is annotated but is not a route", method, path)
			}
			if err := refineOperation(operation, row); err != nil {
				return fmt.Errorf("%s %s: %w", method, path, err)
			}
			shareErrors(doc, operation, row)
		}
	}
	return addLinks(doc)
}

func refineOperation(o *openapi3.Operation, row httpapi.Route) error {
	o.OperationID = row.Operation()
	o.Extensions = map[string]any{"x-permission": row.Access.String()}
	o.Description = strings.TrimSpace(o.Description + "\n\n" + describeAccess(row))
	if row.Access.Public() {
		o.Security = openapi3.NewSecurityRequirements()
	}
	if row.TakesBookmark() {
		o.Parameters = append(o.Parameters, bookmarkParameter())
	}
	for _, p := range o.Parameters {
		p.Value.Extensions = nil
		refineParameter(p.Value)
	}
	if o.RequestBody != nil {
		o.RequestBody.Value.Extensions = nil
	}
	for status, response := range o.Responses.Map() {
		code, err := strconv.Atoi(status)
		if err != nil {
			return fmt.Errorf("response %q: %w", status, err)
		}
		if err := refineResponse(response.Value, code, row); err != nil {
			return fmt.Errorf("response %d: %w", code, err)
		}
	}
	return nil
}

// describeAccess returns who may call the operation, as text.
func describeAccess(row httpapi.Route) string {
	switch who := row.Access.String(); who {
	case "public":
		return "Needs no token."
	case "signed in":
		return "Needs a token, and no permission."
	case "admin":
		return "Needs a token of an administrator."
	default:
		return "Needs the permission **" + who + "**."
	}
}

// bookmarkParameter returns the header that every operation on the graph accepts.
func bookmarkParameter() *openapi3.ParameterRef {
	p := openapi3.NewHeaderParameter(graph.BookmarkHeader).WithSchema(openapi3.NewStringSchema().WithPattern(`^[A-Za-z0-9_-]+$`).WithMinLength(1).WithMaxLength(8192))
	p.Description = "The value of this header in the answer to a write: the request sees at least that write, whichever gateway and database server it reaches"
	return &openapi3.ParameterRef{Value: p}
}

const (
	entityTags = `^(\*|(W/)?"[\x21\x23-\x7e]*"(, ?(W/)?"[\x21\x23-\x7e]*")*)$`
	maxID      = 1024
)

// refineParameter adds constraints on a parameter's values that swag cannot express.
func refineParameter(p *openapi3.Parameter) {
	s := p.Schema.Value
	switch p.Name {
	case "type", "edge_type", "node_type":
		p.Schema = openapi3.NewSchemaRef("#/components/schemas/TypeName", nil)
	case "limit", "depth", "max_depth", "max_degree":
		s.Format = "int32"
	case "offset":
		s.Format = "int64"
		s.Default = nil // Swagger UI would send it with every request, and it excludes a cursor
	case "cursor":
		s.WithPattern(`^[A-Za-z0-9_-]+$`).WithMaxLength(8192)
	case "filter": // filter[name]=value; a second pair of brackets contains the operator
		explode := true
		p.Style, p.Explode = openapi3.SerializationDeepObject, &explode
		p.Schema = openapi3.NewSchemaRef("", openapi3.NewObjectSchema().WithAdditionalProperties(openapi3.NewStringSchema()))
		p.Schema.Value.Example = map[string]any{"born": "1960"}
	case "node_id", "id":
		s.WithMaxLength(maxID)
		if p.In == "path" {
			s.WithMinLength(1)
		}
	case "source_id", "target_id":
		s.WithMaxLength(maxID)
	case "q":
		s.WithMinLength(1)
	case "kind":
		if p.In == openapi3.ParameterInPath {
			s.WithEnum("nodes", "edges")
		}
	case "username", "name", "user", "entity", "request_id":
		s.WithMinLength(1).WithMaxLength(maxID)
	case "If-Match", "If-None-Match":
		s.WithPattern(entityTags).WithMinLength(1)
	case "Idempotency-Key":
		s.WithPattern(`^[\x21-\x7e]+$`).WithMinLength(1).WithMaxLength(255)
	}
}

// responseHeaders returns the headers of every response with the status, besides the annotated ones. Requests with an invalid token,
// and requests that fail in the service, may not have been counted, so they have no rate-limit headers.
func responseHeaders(status int, row httpapi.Route) []string {
	names := []string{"X-Request-ID"}
	switch {
	case status == 401:
		names = append(names, "WWW-Authenticate")
	case !row.Access.Public() && status < 500:
		names = append(names, "RateLimit-Policy", "RateLimit", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")
	}
	switch {
	case status == 429 || status == 503:
		names = append(names, "Retry-After")
	case status == 304:
		names = append(names, "ETag")
	case status < 300 && row.GivesBookmark():
		names = append(names, graph.BookmarkHeader)
	}
	return names
}

func refineResponse(r *openapi3.Response, status int, row httpapi.Route) error {
	if r.Headers == nil {
		r.Headers = openapi3.Headers{}
	}
	names := responseHeaders(status, row)
	for name := range r.Headers {
		names = append(names, name)
	}
	for _, name := range names {
		r.Headers[name] = &openapi3.HeaderRef{Ref: "#/components/headers/" + name}
	}
	if status < 400 {
		return nil
	}
	codes, err := errorCodes(*r.Description, status)
	if err != nil {
		return err
	}
	for media, content := range r.Content { // errors are JSON, even if a successful response is NDJSON
		delete(r.Content, media)
		r.Content["application/json"] = content
	}
	content := r.Content.Get("application/json")
	content.Schema = errorSchema(codes)
	content.Example = exampleError(codes[0])
	return nil
}

var codeFormat = regexp.MustCompile(`\b[A-Z]+(?:_[A-Z]+)+\b|\b[A-Z]{8,}\b`)

// errorCodes returns the error codes that a response's description names; all must have its status.
func errorCodes(description string, status int) ([]fault.Code, error) {
	var codes []fault.Code
	for _, word := range codeFormat.FindAllString(description, -1) {
		code := fault.Code(word)
		if !slices.Contains(fault.Codes(), code) {
			return nil, fmt.Errorf("%s is not an error code", word)
		}
		if httpapi.StatusOf(code) != status {
			return nil, fmt.Errorf("%s has the status %d", word, httpapi.StatusOf(code))
		}
		codes = append(codes, code)
	}
	if len(codes) == 0 {
		return nil, fmt.Errorf("%q names no error code", description)
	}
	return codes, nil
}

var noNameCharacters = regexp.MustCompile(`[^A-Za-z0-9]+`)

// shareErrors moves error responses to the components, since many operations share them. Responses with the same description are
// equal, except those of public operations, which have no rate-limit headers.
func shareErrors(doc *openapi3.T, o *openapi3.Operation, row httpapi.Route) {
	if doc.Components.Responses == nil {
		doc.Components.Responses = openapi3.ResponseBodies{}
	}
	for status, response := range o.Responses.Map() {
		if status < "400" {
			continue
		}
		name := strings.Trim(noNameCharacters.ReplaceAllString(*response.Value.Description, "_"), "_")
		if row.Access.Public() {
			name += "_public"
		}
		doc.Components.Responses[name] = &openapi3.ResponseRef{Value: response.Value}
		o.Responses.Set(status, &openapi3.ResponseRef{Ref: "#/components/responses/" + name})
	}
}

// errorSchema returns the schema of an error with one of these codes.
func errorSchema(codes []fault.Code) *openapi3.SchemaRef {
	code := openapi3.NewStringSchema()
	for _, c := range codes {
		code.Enum = append(code.Enum, string(c))
	}
	narrowed := openapi3.NewObjectSchema().WithProperty("error", openapi3.NewObjectSchema().WithProperty("code", code))
	return &openapi3.SchemaRef{Value: &openapi3.Schema{AllOf: openapi3.SchemaRefs{
		openapi3.NewSchemaRef("#/components/schemas/ErrorAnswer", nil), narrowed.NewRef(),
	}}}
}

// exampleMessages are the messages in the examples.
var exampleMessages = map[fault.Code]string{
	fault.Validation:           "Invalid input",
	fault.Unauthenticated:      "A bearer token is needed: Authorization: Bearer <token>",
	fault.InvalidCredentials:   "Wrong user name or password",
	fault.PermissionDenied:     "Permission denied",
	fault.NotFound:             "There is no such entity",
	fault.Conflict:             "The database does not allow this",
	fault.PreconditionFailed:   "The content of the entity does not match If-Match",
	fault.PayloadTooLarge:      "The request body is too large",
	fault.UnsupportedMediaType: "The request body must be JSON",
	fault.IdempotencyKeyReused: "The Idempotency-Key was used for another request",
	fault.RateLimited:          "The limit of 1000 requests in 1h0m0s is used up",
	fault.Internal:             "Internal error",
	fault.DatabaseUnavailable:  "The database cannot be reached",
	fault.DatabaseTimeout:      "The request ran out of time",
}

func exampleError(code fault.Code) map[string]any {
	details := []any{}
	switch code {
	case fault.Validation:
		details = append(details, map[string]any{"field": "type", "message": "must not be empty"})
	case fault.PayloadTooLarge:
		details = append(details, map[string]any{"field": "body", "message": "must be at most 1048576 bytes long"})
	case fault.UnsupportedMediaType:
		details = append(details, map[string]any{"field": "Content-Type", "message": "must be application/json"})
	}
	return map[string]any{"error": map[string]any{"code": string(code), "message": exampleMessages[code], "details": details}}
}
