package httpapi

import (
	"net/http"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/graph"
	"graphrest/internal/rules"
)

// methodPermission is the specification's permission model.
var methodPermission = map[string]auth.Permission{
	http.MethodGet: auth.Read, http.MethodHead: auth.Read, http.MethodPost: auth.Create,
	http.MethodPut: auth.Edit, http.MethodPatch: auth.Edit, http.MethodDelete: auth.Delete,
}

// A page of the web interface without a row would answer a reload with 404.
func TestEveryPageOfTheWebInterfaceHasARow(t *testing.T) {
	router, err := os.ReadFile("../webui/app/src/App.tsx")
	require.NoError(t, err)
	pages := regexp.MustCompile(`<Route path="(/[^"]*)"`).FindAllSubmatch(router, -1)
	require.NotEmpty(t, pages)
	for _, page := range pages {
		found := slices.ContainsFunc(Routes(), func(r Route) bool { return r.Method == http.MethodGet && r.Path == string(page[1]) })
		require.True(t, found, "%s of App.tsx has no row", page[1])
	}
}

func TestRoutesRequireTheDocumentedAccess(t *testing.T) {
	publicPaths := map[string]bool{"/healthz": true, "/readyz": true, "/api/auth/login": true}
	for _, name := range []string{"methods", "oidc/start", "oidc/callback", "oidc/session"} {
		publicPaths["/api/auth/"+name] = true
	}
	for _, page := range htmlPages {
		publicPaths[page] = true
	}
	for _, r := range Routes() {
		t.Run(r.Method+" "+r.Path, func(t *testing.T) {
			switch {
			case publicPaths[r.Path]:
				require.Equal(t, "public", r.Access.String())
			case r.Path == "/api/auth/me":
				require.Equal(t, "signed in", r.Access.String(), "also for service tokens")
			case r.Path == "/api/auth/logout", r.Path == "/api/auth/password", r.Method+" "+r.Path == "POST /api/auth/tokens":
				require.Equal(t, "login", r.Access.String(), "not for personal tokens")
			case strings.HasPrefix(r.Path, "/api/auth/"):
				require.Equal(t, "user", r.Access.String())
			case strings.HasPrefix(r.Path, "/api/admin/"):
				require.Equal(t, "admin", r.Access.String())
			case r.Path == "/api/undo":
				require.Equal(t, "create or edit or delete", r.Access.String(), "those of the reverse operations")
			case r.Path == "/api/edges/among":
				require.Equal(t, "read", r.Access.String(), "a POST for its body, which changes nothing")
			case r.Path == "/api/batch":
				require.Equal(t, "create or edit or delete", r.Access.String())
			case slices.Contains([]string{"approve", "reject", "apply"}, path.Base(r.Path)):
				require.Equal(t, "create or edit or delete", r.Access.String(), "those of the operations")
			case r.Path == "/api/match":
				require.Equal(t, "read", r.Access.String(), "a POST for its body, which changes nothing")
			case r.Path == "/api/query":
				require.Equal(t, "console", r.Access.String())
			case strings.HasPrefix(r.Path, "/api/queries"):
				require.Equal(t, "query", r.Access.String())
			case strings.HasPrefix(r.Path, "/api/views"):
				require.Equal(t, "read", r.Access.String(), "what is saved is the user's, not the graph's")
				require.Equal(t, r.mayWrite(), r.Access.noServices, "it belongs to a person")
				require.False(t, r.TakesViewAs(), "nobody sees what others have saved")
			case strings.HasPrefix(r.Path, "/api/changesets"):
				require.Equal(t, "read", r.Access.String(), "proposing and discussing changes nothing")
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
	require.Panics(t, func() { newRoute(http.MethodGet, "/x", Access{}, noRules, (*API).serveWeb) })
	require.Panics(t, func() { newRoute(http.MethodGet, "/x", public, noRules, nil) })
	require.Panics(t, func() { newRoute(http.MethodGet, "/x", public, Rules{}, (*API).serveWeb) }, "no statement on rules")
	require.False(t, Access{}.Allows(auth.Principal{Admin: true, Permissions: auth.AllPermissions()}))
}

func TestRoutesStateRules(t *testing.T) {
	for _, r := range Routes() {
		// A query runs with the rights of its definition.
		ofQueries := strings.HasPrefix(r.Path, "/api/queries") || r.Path == "/api/query"
		graphRoute := r.Access.kind == accessPermission && !ofQueries
		require.Equal(t, graphRoute, r.Rules.mode != rulesNone, "%s %s", r.Method, r.Path)
		require.Equal(t, r.Rules.mode == rulesObeyed, len(r.Rules.kinds) > 0, "%s %s", r.Method, r.Path)
	}
}

func TestGrantsOpenRoutes(t *testing.T) {
	readsNodes := rules.NewView(rules.User{}, nil, []rules.Role{{Grants: []rules.Grant{
		{Kind: graph.NodeKind, Type: "Person", Actions: []rules.Action{rules.Read}},
	}}})
	row := func(want auth.Permission, obeys Rules) Route {
		return newRoute(http.MethodGet, "/x", needs(want), obeys, (*API).serveWeb)
	}
	for name, c := range map[string]struct {
		route Route
		view  *rules.View
		want  bool
	}{
		"the kind of the grant":     {row(auth.Read, rulesApplied(graph.NodeKind)), readsNodes, true},
		"one of the kinds":          {row(auth.Read, rulesApplied(graph.EdgeKind, graph.NodeKind)), readsNodes, true},
		"another kind":              {row(auth.Read, rulesApplied(graph.EdgeKind)), readsNodes, false},
		"another action":            {row(auth.Edit, rulesApplied(graph.NodeKind)), readsNodes, false},
		"a route without rules":     {row(auth.Read, needsPermission), readsNodes, false},
		"a principal without views": {row(auth.Read, rulesApplied(graph.NodeKind)), nil, false},
		"an administrator's route":  {newRoute(http.MethodGet, "/x", admin, rulesApplied(graph.NodeKind), (*API).serveWeb), readsNodes, false},
	} {
		require.Equal(t, c.want, c.route.Allows(auth.Principal{View: c.view}), name)
	}
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
