package httpapi_test

import (
	"bytes"
	"net/http"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"graphrest/docs/openapi"
	"graphrest/internal/auth"
	"graphrest/internal/httpapi"
)

const airportDeclaration = `{"level": "strict", "schema": {
	"properties": {"code": {"$ref": "#/$defs/code"}, "opened": {"neo4jType": "Date"},
		"runways": {"type": ["integer", "null"], "exclusiveMinimum": 0},
		"kind": {"enum": ["land", "sea"]}, "spots": {"neo4jType": ["Point", "List<Point>"]},
		"mixed": {"anyOf": [{"type": "string"}, {"const": 1}]}, "never": false},
	"required": ["code"], "additionalProperties": false, "$defs": {"code": {"type": "string", "pattern": "^[A-Z]{3}$"}}}}`

// described is the description without its example of a password, which no other response may contain.
func described() []byte {
	return bytes.ReplaceAll(openapi.Document, []byte(password), []byte("any long password"))
}

func TestDeclarationsOverHTTP(t *testing.T) {
	srv := newTestServer(t, func(o *httpapi.Options) { o.Description = described() })
	srv.user(t, "reader", auth.AllPermissions()...)
	srv.user(t, "nobody")
	const path = "/api/admin/types/nodes/Airport%20%2F%201"

	t.Run("problems", func(t *testing.T) {
		for _, c := range []struct {
			user, method, target, body string
			status                     int
			wantMessage                string
		}{
			{"reader", "GET", "/api/admin/types", "", 403, "PERMISSION_DENIED"},
			{"root", "GET", path, "", 404, "NOT_FOUND"},
			{"root", "GET", "/api/admin/types/node/Airport", "", 404, "NOT_FOUND"},
			{"root", "PATCH", path, "{}", 405, "METHOD_NOT_ALLOWED"},
			{"root", "GET", "/api/admin/types/nodes/_GRAPHRESTx", "", 400, `"type"`},
			{"root", "PUT", path, `{"level": "strict"}`, 400, `"schema"`},
			{"root", "PUT", path, `{"level": "strict", "schema": {}, "unique": ["code"]}`, 400, `"unique"`},
			{"root", "PUT", path, `{"level": "strict", "schema": {}, "kind": "edges", "type": "Other", "more": 1}`, 400, `"kind"`},
			{"root", "PUT", path, `{"level": "strict", "schema": {"minimum": 1e999}}`, 400, `"schema.minimum"`},
			{
				"root", "PUT", path, `{"level": "strict", "schema": {"properties": {"x": {"$ref": "file:///etc/passwd"}}}}`, 400,
				`"schema.properties.x.$ref"`,
			},
			{"root", "GET", path + "/violations?limit=0", "", 400, `"limit"`},
			{"root", "POST", path + "/propose", "", 404, "NOT_FOUND"},
		} {
			got := srv.send(t, c.user, c.method, c.target, c.body)
			require.Equal(t, c.status, got.status, "%s %s: %s", c.method, c.target, got.body)
			require.Contains(t, got.body, c.wantMessage)
		}
	})

	created := srv.send(t, "root", "PUT", path, airportDeclaration)
	require.Equal(t, 201, created.status, created.body)
	require.Equal(t, path, created.header.Get("Location"))
	require.Equal(t, 200, srv.send(t, "root", "PUT", path, airportDeclaration).status)
	rejected := srv.send(t, "root", "POST", "/api/nodes", `{"type": "Airport / 1", "properties": {"opened": "today", "runways": 1.0}}`)
	require.Equal(t, 400, rejected.status, rejected.body)
	for _, wantMessage := range []string{
		`{"field":"properties.code","message":"is required"}`,
		`{"field":"properties.runways","message":"must be an integer such as 1, which 1.0 is not"}`,
		`"field":"properties.opened"`, "The declaration of the type does not allow this",
	} {
		require.Contains(t, rejected.body, wantMessage)
	}

	t.Run("the description", func(t *testing.T) {
		get := func(user string) *openapi3.T {
			doc, err := openapi3.NewLoader().LoadFromData([]byte(srv.send(t, user, "GET", "/docs/openapi.json", "").body))
			require.NoError(t, err)
			require.NoError(t, doc.Validate(t.Context()))
			return doc
		}
		const name = "Node.Airport_1-"
		component := func(doc *openapi3.T) *openapi3.SchemaRef {
			for key, schema := range doc.Components.Schemas {
				if len(key) == len(name)+8 && key[:len(name)] == name {
					return schema
				}
			}
			return nil
		}
		schema := component(get("reader"))
		require.NotNil(t, schema, "who may read sees declared types")
		id := map[string]any{"id": "1", "type": "Airport / 1", "labels": []any{"Airport / 1"}}
		for _, c := range []struct {
			properties map[string]any
			good       bool
		}{
			{map[string]any{"code": "BER", "runways": 1.0, "opened": map[string]any{"$type": "Date", "_value": "2020-10-31"}}, true},
			{map[string]any{"code": "berlin"}, false},
			{map[string]any{}, false},
			{map[string]any{"code": "BER", "runways": 0.0}, false},
			{map[string]any{"code": "BER", "opened": "2020-10-31"}, false},
			{map[string]any{"code": "BER", "kind": "air"}, false},
			{map[string]any{"code": "BER", "other": true}, false},
		} {
			id["properties"] = c.properties
			err := schema.Value.VisitJSON(id)
			require.Equal(t, c.good, err == nil, "%v: %v", c.properties, err)
		}
	})
}

// fixedPage is a page with this text.
type fixedPage string

func (p fixedPage) Serve(w http.ResponseWriter, _ *http.Request) bool {
	_, _ = w.Write([]byte(p))
	return true
}

// A request for the description with a token counts as any other of its user; one without a valid token is for the public description.
func TestDescriptionsWithATokenAreCounted(t *testing.T) {
	srv := newTestServer(t, func(o *httpapi.Options) { o.Docs, o.Description = fixedPage("the static one"), described() })
	srv.user(t, "ann", "read")
	srv.user(t, "bob")
	for _, user := range []string{"ann", "bob"} {
		require.Equal(t, 200, srv.send(t, "root", "PATCH", "/api/admin/users/"+user, `{"rate_limit": 2}`).status)
		for _, left := range []string{"1", "0"} {
			answer := srv.send(t, user, "GET", "/docs/openapi.json", "")
			require.Equal(t, 200, answer.status, user)
			require.Equal(t, left, answer.header.Get("X-RateLimit-Remaining"), user)
		}
		refused := srv.send(t, user, "GET", "/docs/openapi.json", "")
		require.Equal(t, 429, refused.status, user)
		require.Contains(t, refused.body, "RATE_LIMITED")
		require.Equal(t, 429, srv.send(t, user, "GET", "/api/auth/me", "").status, user)
	}
	require.Equal(t, 200, srv.send(t, "", "GET", "/docs/openapi.json", "").status)
	require.Equal(t, 200, srv.sendToken(t, "nonsense", "GET", "/docs/openapi.json", "").status)
}
