package openapi

import (
	"net/http"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"graphrest/internal/httpapi"
)

func routeOf(t *testing.T, method, path string) httpapi.Route {
	t.Helper()
	for _, r := range httpapi.Routes() {
		if r.Method == method && r.Template() == path {
			return r
		}
	}
	t.Fatal("no route ", method, " ", path)
	return httpapi.Route{}
}

func TestErrorResponsesFollowFromTheRoute(t *testing.T) {
	for _, test := range []struct {
		name, method, path, status, annotation string
		wantRef                                string // a shared response
		wantError                              string
	}{
		{"without an annotation it is shared", http.MethodGet, "/api/nodes", "403", "", "ForbiddenRead", ""},
		{"a conflict that the row states", http.MethodGet, "/api/trash", "409", "", "ConflictChangesAreNotRecorded", ""},
		{"of a public route", http.MethodPost, "/api/auth/login", "400", "", "BadRequestPublic", ""},
		{"an annotation says more", http.MethodPost, "/api/import", "429", "RATE_LIMITED, also while another is in progress", "", ""},
		{"a status that the route does not imply", http.MethodPost, "/api/admin/users", "409", "CONFLICT: a constraint", "", ""},
		{
			"an annotation that repeats the route", http.MethodGet, "/api/nodes", "403", "PERMISSION_DENIED: needs the permission read", "",
			"response 403: remove the annotation; it follows from the route",
		},
		{
			"an annotation that leaves out a code of the route", http.MethodGet, "/api/nodes", "401", "INVALID_CREDENTIALS", "",
			`response 401: "INVALID_CREDENTIALS" does not name UNAUTHENTICATED, which follows from the route`,
		},
		{"a code of another status", http.MethodGet, "/api/nodes", "409", "NOT_FOUND", "", "response 409: NOT_FOUND has the status 404"},
		{"an annotation without a code", http.MethodGet, "/api/nodes", "409", "Taken", "", `response 409: "Taken" names no error code`},
	} {
		t.Run(test.name, func(t *testing.T) {
			doc := &openapi3.T{Components: &openapi3.Components{Responses: openapi3.ResponseBodies{}}}
			o := &openapi3.Operation{Responses: openapi3.NewResponsesWithCapacity(1)}
			if test.annotation != "" {
				o.Responses.Set(test.status, &openapi3.ResponseRef{Value: openapi3.NewResponse().WithDescription(test.annotation)})
			}
			err := addErrorResponses(doc, o, routeOf(t, test.method, test.path))
			if test.wantError != "" {
				require.EqualError(t, err, test.wantError)
				return
			}
			require.NoError(t, err)
			got := o.Responses.Value(test.status)
			if test.wantRef != "" {
				require.Equal(t, "#/components/responses/"+test.wantRef, got.Ref)
				return
			}
			require.Equal(t, test.annotation, *got.Value.Description)
			require.Equal(t, "#/components/schemas/Error", got.Value.Content.Get("application/json").Schema.Ref)
		})
	}
}

func TestAnswersHaveReadableNames(t *testing.T) {
	got, err := nameAnswers([]byte(`{"definitions": {"Answer-Node": {}, "ListAnswer-Node": {}}, "$ref": "#/definitions/Answer-array_Type"}`))
	require.NoError(t, err)
	require.Equal(t, `{"definitions": {"NodeAnswer": {}, "NodeListAnswer": {}}, "$ref": "#/definitions/TypeListAnswer"}`, string(got))
	_, err = nameAnswers([]byte(`{"definitions": {"ListAnswer-Node": {}, "Answer-array_Node": {}}}`))
	require.EqualError(t, err, "two schemas have the name NodeListAnswer")
}
