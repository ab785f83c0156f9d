package oidc_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/fault"
	"graphrest/internal/oidc"
	"graphrest/internal/oidctest"
	"graphrest/internal/testmark"
)

// clock is a clock that a test moves.
type clock struct {
	mu    sync.Mutex
	ahead time.Duration
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Add(c.ahead)
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead += d
}

const redirectURL = "https://graph.example" + oidc.CallbackPath

func newProvider(t *testing.T, of *oidctest.Provider, at *clock) *oidc.Provider {
	t.Helper()
	if at == nil {
		at = &clock{}
	}
	p, err := oidc.New(oidc.Config{
		Issuer: of.Issuer(), ClientID: oidctest.ClientID, ClientSecret: oidctest.ClientSecret, RedirectURL: redirectURL,
		Scopes: []string{"profile"}, GroupsClaim: "groups", CookieKey: bytes.Repeat([]byte{7}, 32),
		Mapping: oidc.Mapping{
			RoleMap:    map[string][]string{"staff": {"read"}, "editors": {"edit", "read", "curator"}},
			AdminGroup: "admins",
		},
	}, at.now, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	return p
}

// goThere sends a browser to the provider and returns the query that it comes back with.
func goThere(t *testing.T, address string) url.Values {
	t.Helper()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Get(address)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	require.Equal(t, http.StatusSeeOther, response.StatusCode)
	back, err := response.Location()
	require.NoError(t, err)
	require.Equal(t, redirectURL, back.Scheme+"://"+back.Host+back.Path)
	return back.Query()
}

func requireCode(t *testing.T, want fault.Code, err error) {
	t.Helper()
	require.Equal(t, want, fault.CodeOf(err), "%v", err)
}

func TestCodeFlow(t *testing.T) {
	testmark.Concurrent(t)
	idp := oidctest.New(t)
	idp.User = oidctest.Claims{"sub": "4711", "preferred_username": "Ann", "groups": []string{"staff", "editors", "admins", "Staff"}}
	p := newProvider(t, idp, nil)
	address, cookie, err := p.Begin(t.Context())
	require.NoError(t, err)
	asked, err := url.Parse(address)
	require.NoError(t, err)
	q := asked.Query()
	require.Equal(t, "openid profile", q.Get("scope"))
	require.Equal(t, "S256", q.Get("code_challenge_method"))
	require.NotContains(t, cookie, q.Get("state"))
	identity, id, err := p.Complete(t.Context(), goThere(t, address), cookie)
	require.NoError(t, err)
	require.NotEmpty(t, id)
	require.WithinDuration(t, time.Now(), identity.IssuedAt, time.Minute)
	identity.IssuedAt, identity.ExpiresAt = time.Time{}, time.Time{}
	require.Equal(t, auth.Identity{
		Issuer: idp.Issuer(), Subject: "4711", Username: "Ann", Permissions: []auth.Permission{auth.Read, auth.Edit},
		Roles: []string{"curator"}, Admin: true,
	}, identity)

	over, err := p.HandOver(id, "user")
	require.NoError(t, err)
	h, err := newProvider(t, idp, nil).OpenHandOver(over) // another replica
	require.NoError(t, err)
	require.Equal(t, id, h.ID)
	require.Equal(t, "user", h.UserID)
}

// changeCharacter returns a text of base64url with another character in the middle, of whose bits none is padding.
func changeCharacter(text string) string {
	middle, other := len(text)/2, "A"
	if text[middle:middle+1] == other {
		other = "B"
	}
	return text[:middle] + other + text[middle+1:]
}

func TestCallbackRefusesWhatThisBrowserDidNotBegin(t *testing.T) {
	testmark.Concurrent(t)
	idp := oidctest.New(t)
	at := &clock{}
	p := newProvider(t, idp, at)
	begin := func() (url.Values, string) {
		address, cookie, err := p.Begin(t.Context())
		require.NoError(t, err)
		return goThere(t, address), cookie
	}
	ours, cookie := begin()
	theirs, theirCookie := begin()
	over, err := p.HandOver("id", "user")
	require.NoError(t, err)
	with := func(name string, values ...string) url.Values {
		q := url.Values{}
		for key, value := range ours {
			q[key] = value
		}
		if q[name] = values; values == nil {
			delete(q, name)
		}
		return q
	}
	for _, test := range []struct {
		name   string
		query  url.Values
		cookie string
		want   fault.Code
	}{
		{"no cookie: login CSRF", ours, "", fault.Validation},
		{"cookie of another login", ours, theirCookie, fault.Validation},
		{"query of another login", theirs, cookie, fault.Validation},
		{"changed cookie", ours, changeCharacter(cookie), fault.Validation},
		{"a hand-over instead of the cookie", ours, over, fault.Validation},
		{"no state", with("state"), cookie, fault.Validation},
		{"two states", with("state", ours.Get("state"), "x"), cookie, fault.Validation},
		{"mix-up: the issuer of another provider", with("iss", "https://evil.example"), cookie, fault.Validation},
		{"two issuers", with("iss", idp.Issuer(), "https://evil.example"), cookie, fault.Validation},
		{"no code", with("code"), cookie, fault.InvalidCredentials},
		{"two codes", with("code", ours.Get("code"), theirs.Get("code")), cookie, fault.InvalidCredentials},
		{"the code of another login", with("code", theirs.Get("code")), cookie, fault.InvalidCredentials},
		{"error of the provider", with("error", "<script>"), cookie, fault.InvalidCredentials},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, _, err := p.Complete(t.Context(), test.query, test.cookie)
			requireCode(t, test.want, err)
			require.NotContains(t, fault.As(err).Message, "script", "nothing of the provider is repeated")
		})
	}
	_, _, err = p.Complete(t.Context(), with("iss", idp.Issuer()), cookie)
	require.NoError(t, err)
	_, _, err = p.Complete(t.Context(), ours, cookie)
	requireCode(t, fault.InvalidCredentials, err) // the code is used up
	at.advance(oidc.AttemptTTL)
	_, _, err = p.Complete(t.Context(), theirs, theirCookie)
	requireCode(t, fault.Validation, err)
	_, err = p.OpenHandOver(over)
	requireCode(t, fault.InvalidCredentials, err)
	_, err = p.OpenHandOver(cookie)
	requireCode(t, fault.InvalidCredentials, err)
}

// A provider that announces the parameter iss always sends it (RFC 9207, section 2.4).
func TestCallbackWithoutTheAnnouncedIssuer(t *testing.T) {
	testmark.Concurrent(t)
	idp := oidctest.New(t)
	idp.Document = func(d map[string]any) { d["authorization_response_iss_parameter_supported"] = true }
	p := newProvider(t, idp, nil)
	address, cookie, err := p.Begin(t.Context())
	require.NoError(t, err)
	_, _, err = p.Complete(t.Context(), goThere(t, address), cookie)
	requireCode(t, fault.Validation, err)
}

func TestProviderAwayAtStart(t *testing.T) {
	testmark.Concurrent(t)
	idp := oidctest.New(t)
	idp.Away = true
	at := &clock{}
	p := newProvider(t, idp, at)
	_, _, err := p.Begin(t.Context())
	requireCode(t, fault.DatabaseUnavailable, err)
	require.Positive(t, fault.As(err).After)
	_, err = p.VerifyAccessToken(t.Context(), idp.AccessToken("ann", nil))
	requireCode(t, fault.DatabaseUnavailable, err)
	idp.Change(func() { idp.Away = false })
	_, _, err = p.Begin(t.Context())
	requireCode(t, fault.DatabaseUnavailable, err) // not asked for each request
	at.advance(2 * time.Second)
	_, _, err = p.Begin(t.Context())
	require.NoError(t, err)
	idp.Change(func() { idp.Away = true })
	at.advance(2 * time.Hour)
	address, cookie, err := p.Begin(t.Context())
	require.NoError(t, err, "the last document is used")
	idp.Change(func() { idp.Away = false })
	q := goThere(t, address)
	idp.Change(func() { idp.Away = true })
	_, _, err = p.Complete(t.Context(), q, cookie)
	requireCode(t, fault.DatabaseUnavailable, err)
}

// TestState: the state says when the provider was reached and when not, and reading it causes no request.
func TestState(t *testing.T) {
	testmark.Concurrent(t)
	idp := oidctest.New(t)
	idp.Away = true
	at := &clock{}
	p := newProvider(t, idp, at)
	require.Equal(t, oidc.State{Issuer: idp.Issuer()}, p.State())
	_, err := p.VerifyAccessToken(t.Context(), idp.AccessToken("ann", nil))
	requireCode(t, fault.DatabaseUnavailable, err)
	failed := p.State()
	require.Zero(t, failed.Discovery.ReadAt)
	require.NotZero(t, failed.Discovery.FailedAt)

	idp.Change(func() { idp.Away = false })
	at.advance(2 * time.Second)
	_, err = p.VerifyAccessToken(t.Context(), idp.AccessToken("ann", nil))
	require.NoError(t, err)
	read := p.State()
	require.True(t, read.Discovery.ReadAt.After(failed.Discovery.FailedAt))
	require.NotZero(t, read.Keys.ReadAt)
	require.Zero(t, read.Discovery.FailedAt)
	require.Zero(t, read.Keys.FailedAt)

	idp.Change(func() { idp.Away = true })
	at.advance(11 * time.Minute)
	require.Equal(t, read, p.State(), "nobody has asked the provider")
	_, err = p.VerifyAccessToken(t.Context(), idp.AccessToken("ann", oidctest.Claims{"exp": at.now().Add(time.Hour).Unix()}))
	require.NoError(t, err, "the keys are known")
	require.True(t, p.State().Keys.FailedAt.After(read.Keys.ReadAt))
	require.Equal(t, read.Keys.ReadAt, p.State().Keys.ReadAt)
}

func TestHostileDiscovery(t *testing.T) {
	testmark.Concurrent(t)
	var elsewhere bool
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere = true }))
	defer other.Close()
	for name, change := range map[string]func(*oidctest.Provider){
		"another issuer": func(p *oidctest.Provider) {
			p.Document = func(d map[string]any) { d["issuer"] = "https://evil.example" }
		},
		"a file": func(p *oidctest.Provider) {
			p.Document = func(d map[string]any) { d["jwks_uri"] = "file:///etc/passwd" }
		},
		"metadata service": func(p *oidctest.Provider) {
			p.Document = func(d map[string]any) { d["token_endpoint"] = "http://169.254.169.254/" }
		},
		"a script": func(p *oidctest.Provider) {
			p.Document = func(d map[string]any) { d["authorization_endpoint"] = "javascript:1" }
		},
		"no keys": func(p *oidctest.Provider) { p.Document = func(d map[string]any) { delete(d, "jwks_uri") } },
		"symmetric signatures": func(p *oidctest.Provider) {
			p.Document = func(d map[string]any) { d["id_token_signing_alg_values_supported"] = []string{"HS256", "none"} }
		},
		"huge": func(p *oidctest.Provider) {
			p.Document = func(d map[string]any) { d["x"] = strings.Repeat("x", 2<<20) }
		},
		"redirect": func(p *oidctest.Provider) {
			p.Handle = func(w http.ResponseWriter, r *http.Request) bool {
				http.Redirect(w, r, other.URL, http.StatusFound)
				return true
			}
		},
		"not JSON": func(p *oidctest.Provider) {
			p.Handle = func(w http.ResponseWriter, _ *http.Request) bool {
				_, _ = w.Write([]byte("<html>"))
				return true
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			idp := oidctest.New(t)
			change(idp)
			_, _, err := newProvider(t, idp, nil).Begin(t.Context())
			requireCode(t, fault.DatabaseUnavailable, err)
			require.NotContains(t, fault.As(err).Message, "evil")
		})
	}
	require.False(t, elsewhere, "redirects are not followed")
}

// A provider that accepts connections and never answers holds no request longer than its deadline.
func TestSlowDiscovery(t *testing.T) {
	testmark.Concurrent(t)
	idp := oidctest.New(t)
	release, reached := make(chan struct{}), make(chan struct{}, 1)
	idp.Handle = func(http.ResponseWriter, *http.Request) bool {
		reached <- struct{}{}
		<-release
		return false
	}
	defer close(release)
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		<-reached
		cancel(errors.New("the deadline of the request"))
	}()
	_, _, err := newProvider(t, idp, nil).Begin(ctx)
	requireCode(t, fault.DatabaseUnavailable, err)
}

func TestAddresses(t *testing.T) {
	testmark.Concurrent(t)
	for issuer, ok := range map[string]bool{
		"https://id.example": true, "https://id.example/realms/x": true, "http://127.0.0.1:1/x": true, "http://[::1]:8080": true,
		"http://localhost": true, "http://id.example": false, "http://127.0.0.1.evil.example": false, "http://localhost.evil.example": false,
		"http://2130706433": false, "https://user@id.example": false, "https://id.example#x": false, "https://id.example?x=y": false,
		"https://": false, "ftp://id.example": false, "id.example": false, "": false, "http://0.0.0.0": false, "http://169.254.169.254": false,
	} {
		require.Equal(t, ok, oidc.CheckIssuer(issuer) == nil, issuer)
	}
	for address, ok := range map[string]bool{
		redirectURL: true, "http://localhost:8080" + oidc.CallbackPath: true, "http://graph.example" + oidc.CallbackPath: false,
		"https://graph.example/": false, redirectURL + "?x": false, redirectURL + "/..": false,
	} {
		require.Equal(t, ok, oidc.CheckRedirectURL(address) == nil, address)
	}
}

func TestParseRoleMap(t *testing.T) {
	testmark.Concurrent(t)
	grants, err := oidc.ParseRoleMap("staff=read, editors=edit,editors=read,cn=a b=delete,editors=edit")
	require.NoError(t, err)
	require.Equal(t, map[string][]string{"staff": {"read"}, "editors": {"edit", "read"}, "cn=a b": {"delete"}}, grants)
	for _, wrong := range []string{"", "staff", "=read", "staff=", "staff=read,,x=y"} {
		_, err := oidc.ParseRoleMap(wrong)
		require.Error(t, err, wrong)
	}
	mapping := oidc.Mapping{RoleMap: map[string][]string{"a": {"curator", "read"}, "b": {"boss", "curator"}}}
	require.Equal(t, []string{"boss", "curator"}, mapping.Roles())
}
