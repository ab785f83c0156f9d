package httpapi

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"graphrest/docs/openapi"
	"graphrest/internal/fault"
)

func description(t *testing.T) *openapi3.T {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(openapi.Document)
	require.NoError(t, err)
	require.NoError(t, doc.Validate(t.Context()))
	require.Equal(t, "3.0.3", doc.OpenAPI)
	return doc
}

// htmlPages are the HTML pages, which API clients do not call.
var htmlPages = []string{
	"/", "/explore", "/ask", "/schema", "/queries", "/queries/:name", "/console", "/changes", "/trash", "/change-sets", "/change-sets/:id",
	"/views/:id", "/users", "/roles", "/explain", "/tokens",
	"/webhooks", "/webhooks/:name", "/declared-types", "/search-indexes", "/audit", "/system", "/assets/*asset", "/static/*asset", "/docs",
	"/docs/*asset", "/llms.txt",
}

// describedRoutes are the routes in the description, which does not list HEAD.
func describedRoutes(routes []Route) []Route {
	return slices.DeleteFunc(routes, func(r Route) bool { return r.Method == http.MethodHead || slices.Contains(htmlPages, r.Path) })
}

func TestDescriptionAndGinMatchTheRouteTable(t *testing.T) {
	var table, file, gin []string
	for _, r := range describedRoutes(Routes()) {
		table = append(table, r.Method+" "+r.Template())
	}
	for path, item := range description(t).Paths.Map() {
		for method := range item.Operations() {
			file = append(file, method+" "+path)
		}
	}
	for _, r := range newTestAPI(t, Options{}).engine.Routes() {
		if row := (Route{Method: r.Method, Path: r.Path}); len(describedRoutes([]Route{row})) > 0 {
			gin = append(gin, r.Method+" "+row.Template())
		}
	}
	require.ElementsMatch(t, table, file)
	require.ElementsMatch(t, table, gin)
}

// eachOperation calls f with every route and its operation.
func eachOperation(t *testing.T, f func(t *testing.T, r Route, o *openapi3.Operation)) {
	t.Helper()
	doc := description(t)
	for _, r := range describedRoutes(Routes()) {
		t.Run(r.Method+" "+r.Template(), func(t *testing.T) {
			item := doc.Paths.Value(r.Template())
			require.NotNil(t, item)
			o := item.GetOperation(r.Method)
			require.NotNil(t, o)
			f(t, r, o)
		})
	}
}

func TestDescriptionStatesPermissions(t *testing.T) {
	eachOperation(t, func(t *testing.T, r Route, o *openapi3.Operation) {
		require.Equal(t, r.Operation(), o.OperationID)
		require.Equal(t, r.Access.String(), o.Extensions["x-permission"])
		if r.Access.Public() {
			require.Empty(t, *o.Security)
			require.Contains(t, o.Description, "Needs no token.")
			return
		}
		require.Equal(t, openapi3.SecurityRequirements{{"BearerAuth": []string{}}}, *o.Security)
		refusal := o.Responses.Value("403")
		switch r.Access.kind {
		case accessSignedIn:
			require.Nil(t, refusal)
		case accessUser:
			require.Contains(t, *refusal.Value.Description, "not for service tokens")
		case accessLogin:
			require.Contains(t, *refusal.Value.Description, "not for service tokens and personal tokens")
		case accessAdmin:
			require.Contains(t, *refusal.Value.Description, "administrators only")
		default:
			require.Contains(t, o.Description, "Needs the permission **"+r.Access.String()+"**.")
			require.True(t, strings.HasSuffix(*refusal.Value.Description, "needs the permission "+r.Access.String()), *refusal.Value.Description)
		}
	})
}

func TestDescriptionMatchesTheInput(t *testing.T) {
	eachOperation(t, func(t *testing.T, r Route, o *openapi3.Operation) {
		in := map[string][]string{}
		for _, p := range o.Parameters {
			in[p.Value.In] = append(in[p.Value.In], p.Value.Name)
		}
		require.ElementsMatch(t, r.query, in["query"])
		var segments []string
		for segment := range strings.SplitSeq(r.Path, "/") {
			if name, is := strings.CutPrefix(segment, ":"); is {
				segments = append(segments, name)
			}
		}
		require.ElementsMatch(t, segments, in["path"])
		require.Equal(t, r.body != noBody, o.RequestBody != nil)
		if o.RequestBody == nil {
			return
		}
		body := o.RequestBody.Value
		require.True(t, body.Required)
		if r.body == ndjsonBody {
			require.NotNil(t, body.Content[ndjsonMediaTypes[0]])
			return
		}
		schema := body.Content.Get("application/json").Schema.Value
		require.False(t, *schema.AdditionalProperties.Has, "unknown members are refused")
	})
}

// documentedCodes returns the codes that an operation names for a status.
func documentedCodes(t testing.TB, o *openapi3.Operation, status int) []string {
	t.Helper()
	response := o.Responses.Status(status)
	require.NotNil(t, response, status)
	named, is := response.Value.Extensions["x-error-codes"].([]any)
	require.True(t, is, "%d: %v", status, response.Value.Extensions)
	var codes []string
	for _, code := range named {
		codes = append(codes, code.(string))
		require.Contains(t, *response.Value.Description, code)
	}
	return codes
}

func TestDescriptionContainsTheErrorCodes(t *testing.T) {
	eachOperation(t, func(t *testing.T, r Route, o *openapi3.Operation) {
		for _, code := range r.ErrorCodes() {
			require.Contains(t, documentedCodes(t, o, StatusOf(code)), string(code))
		}
		for text, response := range o.Responses.Map() {
			status, err := strconv.Atoi(text)
			require.NoError(t, err)
			require.Contains(t, response.Value.Headers, "X-Request-ID", status)
			_, counted := response.Value.Headers["RateLimit"]
			require.Equal(t, !r.Access.Public() && status < 500 && status != 401, counted, status)
			_, retry := response.Value.Headers["Retry-After"]
			require.Equal(t, status == 429 || status == 503, retry, status)
			if status < 400 {
				continue
			}
			for _, code := range documentedCodes(t, o, status) {
				require.Equal(t, status, StatusOf(fault.Code(code)))
			}
			require.Len(t, response.Value.Content, 1)
			schema := response.Value.Content.Get("application/json").Schema
			require.Equal(t, "#/components/schemas/Error", schema.Ref, "one schema for all errors")
		}
	})
	codes := description(t).Components.Schemas["ErrorCode"].Value.Enum
	for i, code := range fault.Codes() {
		require.Equal(t, string(code), codes[i])
	}
	require.Len(t, codes, len(fault.Codes()))
}
