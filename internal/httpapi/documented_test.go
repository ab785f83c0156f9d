package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"graphrest/docs/openapi"
	"graphrest/internal/fault"
)

var loadDescription = sync.OnceValues(func() (*openapi3.T, error) { return openapi3.NewLoader().LoadFromData(openapi.Document) })

// checkDocumented returns an error if the description of the operation does not contain the status, or the error code. It accepts
// every response to a path and method that are not described.
func checkDocumented(method, target string, status int, body string) error {
	doc, err := loadDescription()
	if err != nil {
		return err
	}
	if method == http.MethodHead {
		method, body = http.MethodGet, ""
	}
	at, err := url.Parse(target)
	if err != nil {
		return err
	}
	item := doc.Paths.Value(describedPath(doc, at.EscapedPath()))
	if item == nil || item.GetOperation(method) == nil {
		return nil
	}
	response := item.GetOperation(method).Responses.Status(status)
	if response == nil {
		return fmt.Errorf("%s %s answered %d, which the OpenAPI description does not contain: %s", method, target, status, body)
	}
	if status < http.StatusBadRequest || body == "" {
		return nil
	}
	var e struct {
		Error struct{ Code, Message string }
	}
	if err := json.Unmarshal([]byte(body), &e); err != nil {
		return err
	}
	if codes, _ := response.Value.Extensions["x-error-codes"].([]any); !slices.Contains(codes, any(e.Error.Code)) {
		return fmt.Errorf("%s %s answered %d %s, but the OpenAPI description contains %v", method, target, status, e.Error.Code, codes)
	}
	if reason := conflictReason(e.Error.Code, e.Error.Message); !strings.Contains(*response.Value.Description, reason) {
		return fmt.Errorf("%s %s answered %q, but the OpenAPI description has no %q: %s",
			method, target, e.Error.Message, reason, *response.Value.Description)
	}
	return nil
}

// conflictReason returns the reason that the description of a 409 must contain for a message; empty for a message without a common reason.
func conflictReason(code, message string) string {
	if code != string(fault.Conflict) {
		return ""
	}
	for part, reason := range map[string]string{
		"GRAPHREST_HISTORY=off": "changes are not recorded", "constraint": "constraint",
		"more than one node": "more than one node", "more than one edge": "more than one edge",
	} {
		if strings.Contains(message, part) {
			return reason
		}
	}
	return ""
}

// describedPath returns the path of the description that matches a request's path; empty for none. A literal path goes first.
func describedPath(doc *openapi3.T, path string) string {
	if doc.Paths.Value(path) != nil {
		return path
	}
	segments := strings.Split(path, "/")
	for template := range doc.Paths.Map() {
		parts := strings.Split(template, "/")
		if len(parts) == len(segments) && strings.Contains(template, "{") && slices.EqualFunc(parts, segments, func(part, segment string) bool {
			return part == segment || strings.HasPrefix(part, "{") && segment != ""
		}) {
			return template
		}
	}
	return ""
}

// TestUndocumentedResponsesAreReported checks checkDocumented, which the clients of this package's tests apply to every response.
func TestUndocumentedResponsesAreReported(t *testing.T) {
	notFound := `{"error":{"code":"NOT_FOUND"}}`
	require.NoError(t, checkDocumented("GET", "/api/nodes/a%2Fb?x=1", 404, notFound))
	require.NoError(t, checkDocumented("HEAD", "/api/nodes", 403, ""))
	require.NoError(t, checkDocumented("GET", "/api/nothing", 404, notFound))
	require.NoError(t, checkDocumented("PATCH", "/api/nodes", 405, `{"error":{"code":"METHOD_NOT_ALLOWED"}}`))
	require.ErrorContains(t, checkDocumented("GET", "/api/nodes", 404, notFound), "404, which the OpenAPI description does not contain")
	require.ErrorContains(t, checkDocumented("GET", "/api/nodes/a/edges", 403, notFound), "answered 403 NOT_FOUND, but")
	notRecorded := `{"error":{"code":"CONFLICT","message":"the operator has set GRAPHREST_HISTORY=off"}}`
	require.NoError(t, checkDocumented("GET", "/api/trash", 409, notRecorded))
	require.ErrorContains(t, checkDocumented("GET", "/api/paths", 409, notRecorded), `has no "changes are not recorded"`)
}
