package openapi

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/getkin/kin-openapi/openapi3"

	"graphrest/internal/fault"
	"graphrest/internal/httpapi"
)

// All errors have one schema, so that generated clients have one class for them. A response names its codes in the description and in
// the extension x-error-codes.
const (
	errorSchema     = "Error"
	errorCodeSchema = "ErrorCode"
	errorCodesKey   = "x-error-codes"
)

// addErrorSchemas adds the schemas of the body of every error.
func addErrorSchemas(doc *openapi3.T) {
	code := openapi3.NewStringSchema()
	code.Description = "What went wrong. Each code has one HTTP status."
	for _, c := range fault.Codes() {
		code.Enum = append(code.Enum, string(c))
	}
	message := openapi3.NewStringSchema()
	message.Description, message.Example = "For people; it may change.", exampleMessages[fault.Validation]
	content := openapi3.NewObjectSchema().WithRequired([]string{"code", "message", "details"}).
		WithPropertyRef("code", schemaRef(errorCodeSchema)).
		WithProperty("message", message).
		WithPropertyRef("details", &openapi3.SchemaRef{Value: &openapi3.Schema{
			Type: &openapi3.Types{openapi3.TypeArray}, Items: schemaRef("ErrorDetail"), Description: "The fields that are invalid; often empty.",
		}})
	whole := openapi3.NewObjectSchema().WithRequired([]string{"error"}).WithPropertyRef("error", schemaRef("ErrorInfo"))
	whole.Description = "The body of every error."
	doc.Components.Schemas[errorCodeSchema] = code.NewRef()
	doc.Components.Schemas["ErrorInfo"] = content.NewRef()
	doc.Components.Schemas[errorSchema] = whole.NewRef()
}

func schemaRef(name string) *openapi3.SchemaRef {
	return openapi3.NewSchemaRef("#/components/schemas/"+name, nil)
}

// addErrorResponses completes the annotated error responses of an operation, and adds those that follow from its route and its
// headers. The latter are shared by all operations with the same one. An annotation for such a status must say more than that.
func addErrorResponses(doc *openapi3.T, o *openapi3.Operation, row httpapi.Route) error {
	implied := impliedCodes(o, row)
	for status, response := range o.Responses.Map() {
		number, err := strconv.Atoi(status)
		if err != nil {
			return fmt.Errorf("response %q: %w", status, err)
		}
		if number < http.StatusBadRequest {
			continue
		}
		text := *response.Value.Description
		codes, err := errorCodes(text, number)
		if err != nil {
			return fmt.Errorf("response %s: %w", status, err)
		}
		for _, code := range implied[number] {
			if !slices.Contains(codes, code) {
				return fmt.Errorf("response %s: %q does not name %s, which follows from the route", status, text, code)
			}
		}
		if text == describeCodes(implied[number], row) {
			return fmt.Errorf("response %s: remove the annotation; it follows from the route", status)
		}
		completeError(response.Value, codes)
		delete(implied, number)
	}
	for status, codes := range implied {
		name := errorResponseName(status, row)
		if doc.Components.Responses[name] == nil {
			response := openapi3.NewResponse().WithDescription(describeCodes(codes, row))
			completeError(response, codes)
			addHeaders(response, status, row)
			doc.Components.Responses[name] = &openapi3.ResponseRef{Value: response}
		}
		o.Responses.Set(strconv.Itoa(status), &openapi3.ResponseRef{Ref: "#/components/responses/" + name})
	}
	return nil
}

// impliedCodes returns the codes that follow from the route and the headers of an operation, by status.
func impliedCodes(o *openapi3.Operation, row httpapi.Route) map[int][]fault.Code {
	codes := row.ErrorCodes()
	for header, code := range map[string]fault.Code{"If-Match": fault.PreconditionFailed, "Idempotency-Key": fault.IdempotencyKeyReused} {
		if o.Parameters.GetByInAndName(openapi3.ParameterInHeader, header) != nil {
			codes = append(codes, code)
		}
	}
	byStatus := map[int][]fault.Code{}
	for _, code := range fault.Codes() { // in the order of the documentation
		if slices.Contains(codes, code) {
			byStatus[httpapi.StatusOf(code)] = append(byStatus[httpapi.StatusOf(code)], code)
		}
	}
	return byStatus
}

// describeCodes returns the description of a response that follows from the route.
func describeCodes(codes []fault.Code, row httpapi.Route) string {
	names := make([]string, len(codes))
	for i, code := range codes {
		names[i] = string(code)
	}
	text := strings.Join(names, ", ")
	if last := len(names) - 1; last > 0 {
		text = strings.Join(names[:last], ", ") + " or " + names[last]
	}
	if slices.Contains(codes, fault.Conflict) {
		return text + ": " + row.DescribeConflicts()
	}
	if !slices.Contains(codes, fault.PermissionDenied) {
		return text
	}
	switch who := row.Access.String(); who {
	case "admin":
		return text + ": administrators only"
	case "user":
		return text + ": not for service tokens"
	case "login":
		return text + ": not for service tokens and personal tokens"
	default:
		return text + ": needs the permission " + who
	}
}

// errorResponseName returns the name of a shared response: NotFound, ForbiddenRead, ConflictChangesAreNotRecorded,
// PayloadTooLargePublic. Those of public operations have fewer headers.
func errorResponseName(status int, row httpapi.Route) string {
	name := strings.ReplaceAll(http.StatusText(status), " ", "")
	switch {
	case status == http.StatusForbidden:
		name += joinWords(row.Access.String())
	case status == http.StatusConflict:
		name += joinWords(row.DescribeConflicts())
	case row.Access.Public() && status < http.StatusInternalServerError:
		name += "Public"
	}
	return name
}

// joinWords returns the words of a text as a part of a name: "create or edit" as CreateOrEdit.
func joinWords(text string) string {
	name := ""
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		name += strings.ToUpper(word[:1]) + word[1:]
	}
	return name
}

// completeError gives a response the body of an error. Errors are JSON, even if a successful response is NDJSON.
func completeError(r *openapi3.Response, codes []fault.Code) {
	r.Extensions = map[string]any{errorCodesKey: codes}
	r.Content = openapi3.Content{"application/json": &openapi3.MediaType{Schema: schemaRef(errorSchema), Example: exampleError(codes[0])}}
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

// exampleMessages are the messages in the examples.
var exampleMessages = map[fault.Code]string{
	fault.Validation:           "Invalid input",
	fault.Unauthenticated:      "A bearer token is needed: Authorization: Bearer <token>",
	fault.InvalidCredentials:   "Wrong user name or password",
	fault.PermissionDenied:     "Permission denied",
	fault.NotFound:             "There is no such entity",
	fault.Conflict:             "The database does not allow this",
	fault.HistoryGone:          "The history does not go back that far",
	fault.PreconditionFailed:   "The content of the entity does not match If-Match",
	fault.PayloadTooLarge:      "The request body is too large",
	fault.UnsupportedMediaType: "The request body must be JSON",
	fault.IdempotencyKeyReused: "The Idempotency-Key was used for another request",
	fault.QueryRejected:        "The query is not allowed",
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
