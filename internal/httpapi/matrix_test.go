package httpapi_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/httpapi"
)

// subsets are all sixteen sets of permissions.
func subsets() [][]auth.Permission {
	var sets [][]auth.Permission
	all := auth.AllPermissions()
	for bits := range 1 << len(all) {
		set := []auth.Permission{}
		for i, p := range all {
			if bits>>i&1 == 1 {
				set = append(set, p)
			}
		}
		sets = append(sets, set)
	}
	return sets
}

// protected are the rows that need a token, with logging out last, since it ends the token.
func protected() []httpapi.Route {
	rows := slices.DeleteFunc(httpapi.Routes(), func(r httpapi.Route) bool { return r.Access.Public() })
	slices.SortStableFunc(rows, func(x, y httpapi.Route) int {
		return strings.Compare(boolText(x.Path == "/api/auth/logout"), boolText(y.Path == "/api/auth/logout"))
	})
	return rows
}

func boolText(b bool) string { return fmt.Sprint(b) }

// TestPermissionMatrix asks every protected route with every set of permissions and every state of a token. The ids are
// of nothing and the bodies are wrong, so that whoever gets past the permission gets 400, 404, 415 from the import, or 200 from a list.
func TestPermissionMatrix(t *testing.T) {
	w := openWorld(t, nil)
	ctx := context.Background()
	brief := w.newUsers(t, time.Second, slog.New(slog.DiscardHandler))
	name := func(i int, suffix string) string { return fmt.Sprintf("user%d%s", i, suffix) }
	expired, disabled := map[int]string{}, map[int]string{}
	for i, set := range subsets() {
		w.user(t, name(i, ""), set...)
		w.user(t, name(i, "-off"), set...)
		token, err := brief.Login(ctx, name(i, ""), password, "127.0.0.1")
		require.NoError(t, err)
		expired[i] = token.AccessToken
		disabled[i] = w.token(t, name(i, "-off"))
		off := true
		_, err = w.users.UpdateUser(ctx, name(i, "-off"), auth.UserChange{Disabled: &off})
		require.NoError(t, err)
	}
	asked := 0
	ask := func(t *testing.T, r httpapi.Route, token string) reply {
		asked++
		path := strings.NewReplacer(":node_id", "nothing", ":id", "nothing", ":username", "nobody", ":name", "nothing").Replace(r.Path)
		body := ""
		if r.Method == http.MethodPost || r.Method == http.MethodPut || r.Method == http.MethodPatch {
			body = `{"wrong":1}`
		}
		return w.sendToken(t, token, r.Method, path, body)
	}
	refused := func(t *testing.T, state, token, code string) {
		for _, r := range protected() {
			got := ask(t, r, token)
			require.Equal(t, http.StatusUnauthorized, got.status, "%s: %s %s", state, r.Method, r.Path)
			require.Contains(t, got.header.Get("WWW-Authenticate"), "Bearer")
			require.Empty(t, got.header.Get("RateLimit"), "no count before the token is known to be good")
			if r.Method != http.MethodHead {
				require.Equal(t, code, at(t, got.body, "error.code"), "%s: %s %s", state, r.Method, r.Path)
			}
		}
	}
	for i, set := range subsets() {
		t.Run(fmt.Sprint(set), func(t *testing.T) {
			token := w.token(t, name(i, ""))
			for _, r := range protected() {
				got := ask(t, r, token)
				require.NotEmpty(t, got.header.Get("RateLimit"), "%s %s", r.Method, r.Path)
				if r.Access.Allows(auth.Principal{Permissions: set}) {
					require.Contains(t, []int{200, 400, 404, 415}, got.status, "%s %s: %s", r.Method, r.Path, got.body)
				} else {
					require.Equal(t, http.StatusForbidden, got.status, "%s %s: %s", r.Method, r.Path, got.body)
				}
			}
			refused(t, "revoked", token, "TOKEN_REVOKED") // the matrix ended with logging out
			head, _, _ := strings.Cut(token, ".")
			refused(t, "forged", head+".e30."+strings.Repeat("A", 43), "INVALID_TOKEN")
			refused(t, "disabled", disabled[i], "TOKEN_REVOKED")
		})
	}
	time.Sleep(7 * time.Second) // past the expiry and the leeway for clocks
	for i, set := range subsets() {
		t.Run("expired "+fmt.Sprint(set), func(t *testing.T) { refused(t, "expired", expired[i], "TOKEN_EXPIRED") })
	}
	require.Equal(t, len(subsets())*len(protected())*5, asked)
}

// TestAdministratorWithoutPermissions: the two kinds of right do not imply each other.
func TestAdministratorWithoutPermissions(t *testing.T) {
	w := openWorld(t, nil)
	_, err := w.users.CreateUser(context.Background(), auth.NewUser{Username: "boss", Password: password, Admin: true})
	require.NoError(t, err)
	require.Equal(t, 200, w.send(t, "boss", "GET", "/api/admin/users", "").status)
	require.Equal(t, 403, w.send(t, "boss", "GET", "/api/nodes", "").status)
	require.Equal(t, 200, w.send(t, "boss", "GET", "/api/auth/me", "").status)
}

// TestRateLimitOverHTTP counts per user, whatever address or token the user comes with.
func TestRateLimitOverHTTP(t *testing.T) {
	w := openWorld(t, func(o *httpapi.Options) { o.RateLimit = 5 })
	w.user(t, "ann", auth.Read)
	w.user(t, "bob", auth.Read)
	for range 3 {
		require.Equal(t, 200, w.send(t, "ann", "GET", "/api/auth/me", "").status)
	}
	w.forget("ann") // a new login is the same user
	require.Equal(t, 404, w.send(t, "ann", "GET", "/api/nodes/nothing", "", "X-Forwarded-For", "10.1.2.3").status)
	require.Equal(t, 403, w.send(t, "ann", "POST", "/api/nodes", "{}", "X-Real-IP", "10.1.2.4").status)
	r := w.send(t, "ann", "POST", "/api/nodes", "x", "Content-Type", "text/plain")
	require.Equal(t, http.StatusTooManyRequests, r.status, "429 comes before 403 and 415")
	require.Equal(t, "RATE_LIMITED", at(t, r.body, "error.code"))
	require.Regexp(t, `^3(600|59\d)$`, r.header.Get("Retry-After"))
	require.Equal(t, r.header.Get("Retry-After"), r.header.Get("X-RateLimit-Reset"))
	require.Regexp(t, `^"default";r=0;t=3(600|59\d)$`, r.header.Get("RateLimit"))
	require.Equal(t, 404, w.send(t, "ann", "GET", "/api/nowhere", "").status, "unknown paths come before the limit")
	require.Equal(t, 200, w.send(t, "bob", "GET", "/api/auth/me", "").status)
}

// TestForgedForwardingDoesNotReachTheLog: without trusted proxies the address is the connection's.
func TestForgedForwardingDoesNotReachTheLog(t *testing.T) {
	w := openWorld(t, nil)
	w.send(t, "root", "GET", "/api/auth/me", "", "X-Forwarded-For", "203.0.113.9", "X-Real-IP", "203.0.113.9")
	require.NotContains(t, w.log.String(), "203.0.113.9")
	require.Contains(t, w.log.String(), `"user":"root"`)
	require.NotContains(t, w.log.String(), w.token(t, "root"))
	require.NotContains(t, w.log.String(), password)
}
