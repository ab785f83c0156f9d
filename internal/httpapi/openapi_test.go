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
var htmlPages = []string{"/", "/explore", "/schema", "/users", "/declared-types", "/search-indexes", "/audit", "/assets/*asset", "/static/*asset", "/docs", "/docs/*asset"}

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

// impliedCodes are the codes that the checks of a route can return before its handler.
func impliedCodes(r Route) []fault.Code {
	var codes []fault.Code
	if !r.Access.Public() {
		codes = append(codes, fault.Unauthenticated, fault.InvalidToken, fault.TokenExpired, fault.TokenRevoked, fault.RateLimited,
			fault.DatabaseUnavailable)
	}
	if r.Access.kind == accessPermission || r.Access.kind == accessAdmin {
		codes = append(codes, fault.PermissionDenied)
	}
	if r.body != noBody {
		codes = append(codes, fault.UnsupportedMediaType)
	}
	if r.body == jsonBody {
		codes = append(codes, fault.PayloadTooLarge)
	}
	if !r.anyQuery {
		codes = append(codes, fault.Validation, fault.Internal)
	}
	if strings.Contains(r.Path, ":") {
		codes = append(codes, fault.NotFound)
	}
	return codes
}

// documented are the codes that an operation names for a status.
func documented(t *testing.T, o *openapi3.Operation, status string) []any {
	t.Helper()
	response := o.Responses.Value(status)
	require.NotNil(t, response, status)
	schema := response.Value.Content.Get("application/json").Schema.Value
	require.Equal(t, "#/components/schemas/ErrorAnswer", schema.AllOf[0].Ref)
	return schema.AllOf[1].Value.Properties["error"].Value.Properties["code"].Value.Enum
}

func TestDescriptionContainsTheErrorCodes(t *testing.T) {
	eachOperation(t, func(t *testing.T, r Route, o *openapi3.Operation) {
		for _, code := range impliedCodes(r) {
			require.Contains(t, documented(t, o, strconv.Itoa(StatusOf(code))), string(code))
		}
		for status, response := range o.Responses.Map() {
			require.Contains(t, response.Value.Headers, "X-Request-ID", status)
			if status >= "400" {
				for _, code := range documented(t, o, status) {
					require.Equal(t, status, strconv.Itoa(StatusOf(fault.Code(code.(string)))))
				}
			}
			_, counted := response.Value.Headers["RateLimit"]
			require.Equal(t, !r.Access.Public() && status < "500" && status != "401", counted, status)
			_, retry := response.Value.Headers["Retry-After"]
			require.Equal(t, status == "429" || status == "503", retry, status)
		}
	})
}
