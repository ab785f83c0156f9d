package httpapi_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/httpapi"
)

// TestSystem: administrators, and nobody else, see the version, the settings in use and what the gateway waits for.
func TestSystem(t *testing.T) {
	srv := newTestServer(t, func(o *httpapi.Options) {
		o.System = httpapi.System{
			Version: "1.2.3", Started: time.Date(2026, 11, 21, 7, 0, 0, 0, time.UTC),
			Settings: []httpapi.Setting{{Name: "GRAPHREST_JWT_SECRET", Value: "[redacted]", Source: "environment"}},
		}
	})
	srv.userByPermissions(t, "ann", auth.AllPermissions()...)
	r := srv.send(t, "root", "GET", "/api/admin/system", "")
	require.Equal(t, http.StatusOK, r.status, r.body)
	require.Contains(t, r.body, `{"version":"1.2.3","started_at":"2026-11-21T07:00:00Z","not_ready":[],`+
		`"settings":[{"name":"GRAPHREST_JWT_SECRET","value":"[redacted]","source":"environment"}]}`)
	require.Equal(t, http.StatusForbidden, srv.send(t, "ann", "GET", "/api/admin/system", "").status)
}
