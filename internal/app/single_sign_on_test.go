package app

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/neo4jtest"
	"graphrest/internal/oidctest"
	"graphrest/internal/testmark"
)

const (
	callbackPath = "/api/auth/oidc/callback"
	sessionPath  = "/api/auth/oidc/session"
)

type account struct {
	ID          string   `json:"id"`
	Username    string   `json:"username"`
	Permissions []string `json:"permissions"`
	Roles       []string `json:"roles"`
	Admin       bool     `json:"admin"`
}

func (g *gateway) me(t *testing.T, token string) account {
	t.Helper()
	status, body := g.ask(http.MethodGet, "/api/auth/me", token, "")
	require.Equal(t, http.StatusOK, status, body)
	var answer struct{ Data account }
	require.NoError(t, json.Unmarshal([]byte(body), &answer))
	return answer.Data
}

// requireRejected waits until a token is rejected with a code: other replicas follow within a second.
func (g *gateway) requireRejected(t *testing.T, token, code string) {
	t.Helper()
	require.Eventually(t, func() bool {
		status, body := g.ask(http.MethodGet, "/api/auth/me", token, "")
		return status == http.StatusUnauthorized && strings.Contains(body, code)
	}, eventTimeout, 20*time.Millisecond)
}

func startTwo(t *testing.T, more ...string) (here, there *gateway) {
	t.Helper()
	db := neo4jtest.OpenPrepared(t)
	here = start(t, db.URI, db.Username, db.Password, more...)
	here.waitReady(t)
	there = start(t, db.URI, db.Username, db.Password, more...)
	there.waitReady(t)
	return here, there
}

func TestSingleSignOnAcrossReplicas(t *testing.T) {
	testmark.Concurrent(t)
	idp := oidctest.New(t)
	here, there := startTwo(t, signOnSettings(idp)...)
	admin := here.login(t)
	status, body := here.ask(http.MethodPost, "/api/admin/users", admin,
		`{"username":"ann","password":"Vq9-meadow-Ty4-river","permissions":["delete"]}`)
	require.Equal(t, http.StatusCreated, status, body)

	// A name is only a name: neither the local ann nor the administrator is found by it.
	b := newBrowser(t)
	idp.Change(func() {
		idp.User = oidctest.Claims{"sub": "1", "preferred_username": " A\u202enn", "groups": []string{"editors"}}
	})
	token := b.signIn(here, there)
	ann := there.me(t, token)
	require.Regexp(t, `^Ann-[a-z0-9_-]{6}$`, ann.Username)
	require.Equal(t, []string{"read", "create", "edit"}, ann.Permissions)
	require.False(t, ann.Admin)
	for subject, name := range map[string]any{"2": "admin", "3": "ADMIN", "4": nil, "5": "..", "6": strings.Repeat("é", 100)} {
		idp.Change(func() { idp.User = oidctest.Claims{"sub": subject, "preferred_username": name} })
		other := here.me(t, newBrowser(t).signIn(here))
		require.False(t, other.Admin, name)
		require.Empty(t, other.Permissions, name)
		require.NotEqual(t, "admin", strings.ToLower(other.Username))
		require.NotEqual(t, "..", other.Username)
	}

	// One login gives one token, whichever replicas are asked at the same time, also if the provider accepts a code twice.
	idp.Change(func() {
		idp.AnyCode = true
		idp.User = oidctest.Claims{"sub": "1", "groups": []string{"staff", "admins"}}
	})
	query := b.goToProvider(there)
	jar := b.client.Jar.Cookies(&url.URL{Scheme: "http", Host: "127.0.0.1"})
	back, body := b.do(http.MethodGet, here.url+callbackPath+query)
	require.Equal(t, http.StatusSeeOther, back.StatusCode, body)
	handOver := b.client.Jar.Cookies(&url.URL{Scheme: "http", Host: "127.0.0.1"})
	statuses := make([]int, 6)
	var wg sync.WaitGroup
	for i := range statuses {
		thief := newBrowser(t)
		thief.client.Jar.SetCookies(&url.URL{Scheme: "http", Host: "127.0.0.1"}, handOver)
		wg.Go(func() { statuses[i], _ = thief.redeem([]*gateway{here, there}[i%2]) })
	}
	wg.Wait()
	once := 0
	for _, status := range statuses {
		if status == http.StatusOK {
			once++
		} else {
			require.Equal(t, http.StatusUnauthorized, status)
		}
	}
	require.Equal(t, 1, once)
	again := newBrowser(t)
	again.client.Jar.SetCookies(&url.URL{Scheme: "http", Host: "127.0.0.1"}, jar)
	again.do(http.MethodGet, there.url+callbackPath+query)
	status, _ = again.redeem(here)
	require.Equal(t, http.StatusUnauthorized, status, "the state was used")

	// The groups of the last login count at once, for earlier tokens too, and win over what an administrator set.
	now := here.me(t, token)
	want := account{ID: ann.ID, Username: ann.Username, Permissions: []string{"read"}, Roles: []string{}, Admin: true}
	require.Equal(t, want, now)
	status, body = here.ask(http.MethodPut, "/api/admin/users/"+ann.Username, admin, `{"permissions":["delete"]}`)
	require.Equal(t, http.StatusOK, status, body)
	idp.Change(func() { idp.User = oidctest.Claims{"sub": "1"} })
	b.signIn(there)
	require.Equal(t, account{ID: ann.ID, Username: ann.Username, Permissions: []string{}, Roles: []string{}}, there.me(t, token))
	require.Eventually(t, func() bool {
		return here.status("/api/nodes?type=X", token) == http.StatusForbidden
	}, eventTimeout, 20*time.Millisecond)

	// There is no password.
	login := func(g *gateway, name, password string) int {
		status, _ := g.ask(http.MethodPost, "/api/auth/login", "", fmt.Sprintf(`{"username":%q,"password":%q}`, name, password))
		return status
	}
	require.Equal(t, http.StatusUnauthorized, login(here, ann.Username, "Vq9-meadow-Ty4-river"))
	require.Equal(t, http.StatusOK, login(here, "ann", "Vq9-meadow-Ty4-river"), "the local user is another one")
	status, body = here.ask(http.MethodPut, "/api/auth/password", token,
		`{"current_password":"Vq9-meadow-Ty4-river","new_password":"Vq9-meadow-Ty4-rivers"}`)
	require.Equal(t, http.StatusConflict, status, body)
	status, body = here.ask(http.MethodPut, "/api/admin/users/"+ann.Username, admin, `{"password":"Vq9-meadow-Ty4-rivers"}`)
	require.Equal(t, http.StatusBadRequest, status, body)

	status, body = here.ask(http.MethodGet, "/api/admin/audit?action=login&user="+ann.ID, admin, "")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, body, `"fields":["oidc"]`)
	require.Contains(t, body, `"address":"127.0.0.1"`)

	// A disabled user is refused.
	status, body = here.ask(http.MethodPut, "/api/admin/users/"+ann.Username, admin, `{"disabled":true}`)
	require.Equal(t, http.StatusOK, status, body)
	there.requireRejected(t, token, "TOKEN_REVOKED")
	back, _ = b.do(http.MethodGet, here.url+callbackPath+b.goToProvider(here))
	require.Equal(t, http.StatusUnauthorized, back.StatusCode)
	require.NotContains(t, here.log.String()+there.log.String(), oidctest.ClientSecret)
}

func TestProviderTokensOnAPIRoutes(t *testing.T) {
	testmark.Concurrent(t)
	idp := oidctest.New(t)
	here, there := startTwo(t, signOnSettings(idp)...)
	admin := here.login(t)
	began := time.Now()
	issued := func(subject string, age time.Duration, groups ...string) string {
		return idp.AccessToken(subject, oidctest.Claims{
			"groups": groups, "iat": began.Add(-age).Unix(), "preferred_username": "bob", "jti": fmt.Sprint(subject, age, groups),
		})
	}
	// Concurrent first uses make one account.
	tokens := []string{issued("7", time.Minute, "staff"), issued("7", time.Minute, "staff", "x")}
	var wg sync.WaitGroup
	for i := range 12 {
		wg.Go(func() {
			status := http.StatusServiceUnavailable
			for status == http.StatusServiceUnavailable { // on a busy machine
				status = []*gateway{here, there}[i%2].status("/api/auth/me", tokens[i/6])
			}
			if status != http.StatusOK {
				t.Errorf("status %d", status)
			}
		})
	}
	wg.Wait()
	bob := here.me(t, tokens[0])
	require.Equal(t, "bob", bob.Username)
	require.Equal(t, bob, there.me(t, tokens[1]))
	require.Equal(t, http.StatusOK, there.status("/api/nodes?type=X", tokens[0]))

	// A newer token without groups ends the rights; an older one does not bring them back.
	newer := issued("7", time.Second)
	require.Empty(t, here.me(t, newer).Permissions)
	require.Equal(t, http.StatusForbidden, here.status("/api/nodes?type=X", tokens[0]))
	old := issued("7", 30*time.Second, "admins", "editors")
	require.Empty(t, there.me(t, old).Permissions)
	require.False(t, there.me(t, old).Admin)
	again := issued("7", 0, "staff")
	require.Equal(t, []string{"read"}, there.me(t, again).Permissions)

	status, body := here.ask(http.MethodPost, "/api/admin/roles", admin,
		`{"name":"curator","grants":[{"kind":"node","type":"Person","actions":["read"]}]}`)
	require.Equal(t, http.StatusCreated, status, body)
	curator := here.me(t, issued("6", 0, "curators"))
	require.Equal(t, []string{"curator"}, curator.Roles, "the other one does not exist")
	require.Empty(t, curator.Permissions)
	require.Empty(t, here.me(t, idp.AccessToken("6", oidctest.Claims{"iat": time.Now().Add(time.Second).Unix()})).Roles)

	// A stream ends with the rights; the end of the token is that of the provider.
	stream, err := http.NewRequestWithContext(t.Context(), http.MethodGet, there.url+"/api/changes", http.NoBody)
	require.NoError(t, err)
	stream.Header.Set("Authorization", "Bearer "+again)
	stream.Header.Set("Accept", "text/event-stream")
	response, err := there.client.Do(stream)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, response.StatusCode)
	status, body = here.ask(http.MethodPut, "/api/admin/users/bob", admin, `{"disabled":true}`)
	require.Equal(t, http.StatusOK, status, body)
	_, _ = io.ReadAll(response.Body) // it ends
	require.NoError(t, response.Body.Close())
	there.requireRejected(t, again, "TOKEN_REVOKED")
	here.requireRejected(t, issued("7", 0, "staff", "fresh"), "TOKEN_REVOKED")
	here.requireRejected(t, idp.AccessToken("7", oidctest.Claims{"exp": began.Add(-time.Second).Unix()}), "TOKEN_EXPIRED")

	// A deleted user is not created again by a token from before.
	status, _ = here.ask(http.MethodDelete, "/api/admin/users/bob", admin, "")
	require.Equal(t, http.StatusOK, status)
	here.requireRejected(t, again, "TOKEN_REVOKED")
	there.requireRejected(t, issued("7", 2*time.Second, "staff"), "TOKEN_REVOKED")
	status, _ = here.ask(http.MethodGet, "/api/admin/users/bob", admin, "")
	require.Equal(t, http.StatusNotFound, status)

	// A logout counts everywhere, for every form of the token.
	session := issued("8", 0, "staff")
	require.Equal(t, http.StatusOK, here.status("/api/auth/me", session))
	require.Equal(t, http.StatusOK, there.status("/api/auth/me", session))
	status, _ = here.ask(http.MethodPost, "/api/auth/logout", session, "")
	require.Equal(t, http.StatusOK, status)
	there.requireRejected(t, session, "TOKEN_REVOKED")
	here.requireRejected(t, session, "TOKEN_REVOKED")

	status, body = here.ask(http.MethodGet, "/api/admin/audit?action=login", admin, "")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, body, `"fields":["oidc_token"]`)
	here.requireRejected(t, idp.AccessToken("9", oidctest.Claims{"aud": "other"}), "INVALID_TOKEN")
	here.requireRejected(t, oidctest.NewKey(t, idp.Key.Algorithm).Sign(t, idp.Claims("9", oidctest.Claims{"scope": "x"}), nil),
		"INVALID_TOKEN")
}

func TestSingleSignOnInTheBrowser(t *testing.T) {
	testmark.Concurrent(t)
	idp := oidctest.New(t)
	idp.Change(func() { idp.Away = true; idp.User = oidctest.Claims{"sub": "1", "preferred_username": "ann"} })
	db := neo4jtest.OpenPrepared(t)
	g := start(t, db.URI, db.Username, db.Password, signOnSettings(idp, "GRAPHREST_PASSWORD_LOGIN=false")...)
	g.waitReady(t)
	b := newBrowser(t)
	away, _ := b.do(http.MethodGet, g.url+"/api/auth/oidc/start")
	require.Equal(t, http.StatusServiceUnavailable, away.StatusCode)
	require.NotEmpty(t, away.Header.Get("Retry-After"))
	idp.Change(func() { idp.Away = false })
	require.Eventually(t, func() bool {
		begun, _ := b.do(http.MethodGet, g.url+"/api/auth/oidc/start")
		return begun.StatusCode == http.StatusSeeOther
	}, eventTimeout, 100*time.Millisecond)
	status, body := g.ask(http.MethodGet, "/api/auth/methods", "", "")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, body, `{"password":false,"oidc":true}`)

	// Redirects lead to the provider and to the page, whatever the request says.
	wrong, _ := b.do(http.MethodGet, g.url+"/api/auth/oidc/start?redirect_uri=https://evil.example")
	require.Equal(t, http.StatusBadRequest, wrong.StatusCode)
	query := b.goToProvider(g)
	stranger := newBrowser(t) // login CSRF: a link to the callback with somebody else's code
	refused, body := stranger.do(http.MethodGet, g.url+callbackPath+query+"&next=https://evil.example&error_description=%3Cscript%3E")
	require.Equal(t, http.StatusBadRequest, refused.StatusCode)
	require.NotContains(t, body, "script")
	refused, body = stranger.do(http.MethodGet, g.url+callbackPath+query+"&next=//evil.example", "Accept", "text/html,*/*")
	require.Equal(t, http.StatusSeeOther, refused.StatusCode)
	require.Equal(t, "/?sso=failed", refused.Header.Get("Location"))
	require.Empty(t, refused.Cookies)
	require.Empty(t, body)
	head, _ := b.do(http.MethodHead, g.url+callbackPath+query)
	require.Equal(t, http.StatusMethodNotAllowed, head.StatusCode)

	back, _ := b.do(http.MethodGet, g.url+callbackPath+query+"&session_state=1&redirect_uri=https://evil.example")
	require.Equal(t, "/", back.Header.Get("Location"))
	for _, cookie := range back.Cookies {
		require.True(t, cookie.HttpOnly)
		require.Equal(t, http.SameSiteLaxMode, cookie.SameSite)
		require.LessOrEqual(t, cookie.MaxAge, 60)
	}
	for _, header := range [][]string{{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}, {"Origin", "https://evil.example"}} {
		cross, _ := b.do(http.MethodPost, g.url+sessionPath, header...)
		require.Equal(t, http.StatusForbidden, cross.StatusCode, header)
	}
	status, _ = newBrowser(t).redeem(g)
	require.Equal(t, http.StatusUnauthorized, status)
	status, token := b.redeem(g)
	require.Equal(t, http.StatusOK, status, "refused requests did not use it up")
	require.Equal(t, "ann", g.me(t, token).Username)
	status, _ = b.redeem(g)
	require.Equal(t, http.StatusUnauthorized, status)

	// Passwords are closed, except the first administrator's.
	admin := g.login(t)
	status, body = g.ask(http.MethodPost, "/api/admin/users", admin, `{"username":"eve","password":"Vq9-meadow-Ty4-river","admin":true}`)
	require.Equal(t, http.StatusCreated, status, body)
	status, body = g.ask(http.MethodPost, "/api/auth/login", "", `{"username":"eve","password":"Vq9-meadow-Ty4-river"}`)
	require.Equal(t, http.StatusUnauthorized, status)
	require.Contains(t, body, "INVALID_CREDENTIALS")
}

func TestCookiesByTLS(t *testing.T) {
	testmark.Concurrent(t)
	idp := oidctest.New(t)
	db := neo4jtest.OpenPrepared(t)
	g := start(t, db.URI, db.Username, db.Password, signOnSettings(idp, "GRAPHREST_OIDC_REDIRECT_URL=https://graph.example"+callbackPath)...)
	begun, _ := newBrowser(t).do(http.MethodGet, g.url+"/api/auth/oidc/start",
		"X-Forwarded-Host", "evil.example", "Forwarded", "host=evil.example;proto=http", "X-Forwarded-Proto", "http")
	address, err := url.Parse(begun.Header.Get("Location"))
	require.NoError(t, err)
	require.Equal(t, "https://graph.example"+callbackPath, address.Query().Get("redirect_uri"), "no header of the request chooses it")
	require.Len(t, begun.Cookies, 1)
	cookie := begun.Cookies[0]
	require.True(t, strings.HasPrefix(cookie.Name, "__Host-"))
	require.True(t, cookie.Secure && cookie.HttpOnly && cookie.Path == "/" && cookie.Domain == "")
}

func TestWithoutSingleSignOn(t *testing.T) {
	testmark.Concurrent(t)
	db := neo4jtest.OpenPrepared(t)
	g := start(t, db.URI, db.Username, db.Password)
	g.waitReady(t)
	require.Equal(t, http.StatusNotFound, g.status("/api/auth/oidc/start", ""))
	require.Equal(t, http.StatusNotFound, g.status(callbackPath+"?code=x&state=y", ""))
	status, _ := g.ask(http.MethodPost, sessionPath, "", "")
	require.Equal(t, http.StatusNotFound, status)
	_, body := g.ask(http.MethodGet, "/api/auth/methods", "", "")
	require.Contains(t, body, `{"password":true,"oidc":false}`)
}
