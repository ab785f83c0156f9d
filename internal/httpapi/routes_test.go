package httpapi

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
)

// methodPermission is the specification's permission model.
var methodPermission = map[string]auth.Permission{
	http.MethodGet: auth.Read, http.MethodHead: auth.Read, http.MethodPost: auth.Create,
	http.MethodPut: auth.Edit, http.MethodPatch: auth.Edit, http.MethodDelete: auth.Delete,
}

func TestRoutesRequireTheDocumentedAccess(t *testing.T) {
	publicPaths := map[string]bool{"/healthz": true, "/readyz": true, "/api/auth/login": true}
	for _, path := range htmlPages {
		publicPaths[path] = true
	}
	for _, r := range Routes() {
		t.Run(r.Method+" "+r.Path, func(t *testing.T) {
			switch {
			case publicPaths[r.Path]:
				require.Equal(t, "public", r.Access.String())
			case strings.HasPrefix(r.Path, "/api/auth/"):
				require.Equal(t, "signed in", r.Access.String())
			case strings.HasPrefix(r.Path, "/api/admin/"):
				require.Equal(t, "admin", r.Access.String())
			default:
				require.Equal(t, string(methodPermission[r.Method]), r.Access.String())
			}
		})
	}
}

func TestRoutesComeInPairs(t *testing.T) {
	rows := map[string]bool{}
	for _, r := range Routes() {
		key := r.Method + " " + r.Path
		require.False(t, rows[key], "%s is there twice", key)
		rows[key] = true
	}
	for _, r := range Routes() {
		switch r.Method {
		case http.MethodGet:
			require.True(t, rows["HEAD "+r.Path], r.Path)
		case http.MethodPut:
			whole := []string{"/api/auth/password", "/api/admin/types/:kind/:type"} // replaced as a whole
			require.Equal(t, !slices.Contains(whole, r.Path), rows["PATCH "+r.Path], r.Path)
		}
	}
}

func TestRouteWithoutAccessPanics(t *testing.T) {
	require.Panics(t, func() { newRoute(http.MethodGet, "/x", Access{}, (*API).serveWeb) })
	require.Panics(t, func() { newRoute(http.MethodGet, "/x", public, nil) })
	require.False(t, Access{}.Allows(auth.Principal{Admin: true, Permissions: auth.AllPermissions()}))
}

func TestGinServesExactlyTheRouteTable(t *testing.T) {
	a := newTestAPI(t, Options{})
	served := map[string]bool{}
	for _, r := range a.engine.Routes() {
		served[r.Method+" "+r.Path] = true
	}
	for _, r := range Routes() {
		key := r.Method + " " + r.Path
		require.True(t, served[key], key)
		delete(served, key)
	}
	require.Empty(t, served)
}
