package app

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	"graphrest/internal/oidctest"
	"graphrest/internal/testmark"
)

// logInAtProvider begins a login at a gateway, enters a password on the page of the provider, and returns the URL with which the provider
// sends the browser back.
func (b *browser) logInAtProvider(g *gateway, username string) *url.URL {
	b.t.Helper()
	begun, body := b.do(http.MethodGet, g.url+"/api/auth/oidc/start")
	require.Equal(b.t, http.StatusSeeOther, begun.StatusCode, body)
	return b.enterPassword(begun.Header.Get("Location"), username)
}

// enterPassword follows the provider from its authorization endpoint over its login page to the redirect back.
func (b *browser) enterPassword(authorize, username string) *url.URL {
	b.t.Helper()
	sent, body := b.do(http.MethodGet, authorize)
	require.Equal(b.t, http.StatusFound, sent.StatusCode, body)
	form := b.location(sent, authorize)
	_, body = b.do(http.MethodGet, form.String())
	require.Contains(b.t, body, "<form", "the login page")
	entered, err := b.client.PostForm(form.String(), url.Values{
		"username": {username}, "password": {oidctest.UserPassword}, "id": {form.Query().Get("authRequestID")},
	})
	require.NoError(b.t, err)
	require.NoError(b.t, entered.Body.Close())
	require.Equal(b.t, http.StatusFound, entered.StatusCode)
	back, body := b.do(http.MethodGet, b.location(page{Header: entered.Header}, form.String()).String())
	require.Equal(b.t, http.StatusFound, back.StatusCode, body)
	return b.location(back, form.String())
}

// location is where an answer sends the browser; base is the page that it was on.
func (b *browser) location(p page, base string) *url.URL {
	b.t.Helper()
	from, err := url.Parse(base)
	require.NoError(b.t, err)
	to, err := from.Parse(p.Header.Get("Location"))
	require.NoError(b.t, err)
	return to
}

func (b *browser) signInAt(g *gateway, username string) string {
	b.t.Helper()
	returned := b.logInAtProvider(g, username)
	require.Equal(b.t, callbackPath, returned.Path)
	back, body := b.do(http.MethodGet, g.url+callbackPath+"?"+returned.RawQuery)
	require.Equal(b.t, http.StatusSeeOther, back.StatusCode, body)
	require.Equal(b.t, "/", back.Header.Get("Location"))
	status, token := b.redeem(g)
	require.Equal(b.t, http.StatusOK, status)
	return token
}

// providerToken gets an access token from the provider, as a program does that calls the API by itself.
func (b *browser) providerToken(idp *oidctest.LibraryProvider, username string) string {
	b.t.Helper()
	client := oauth2.Config{
		ClientID: oidctest.ClientID, ClientSecret: oidctest.ClientSecret,
		RedirectURL: "http://127.0.0.1" + callbackPath, Scopes: []string{"openid", "profile"},
		Endpoint: oauth2.Endpoint{
			AuthURL: idp.Issuer + "/auth", TokenURL: idp.Issuer + "/oauth/token", AuthStyle: oauth2.AuthStyleInHeader,
		},
	}
	verifier := oauth2.GenerateVerifier()
	returned := b.enterPassword(client.AuthCodeURL("state", oauth2.S256ChallengeOption(verifier)), username)
	token, err := client.Exchange(b.t.Context(), returned.Query().Get("code"), oauth2.VerifierOption(verifier))
	require.NoError(b.t, err)
	return token.AccessToken
}

// Single sign-on at a provider that others wrote, which signs by RS256, then by ES256.
func TestSingleSignOnAtALibrarysProvider(t *testing.T) {
	testmark.Concurrent(t)
	idp := oidctest.NewLibraryProvider(t, "http://127.0.0.1"+callbackPath, oidctest.NewKey(t, jose.RS256), oidctest.NewKey(t, jose.ES256))
	idp.SetGroups(oidctest.FirstUser, "editors")
	idp.SetGroups(oidctest.SecondUser, "staff")
	g, _ := startTwo(t, signOnSettingsAt(idp.Issuer)...)

	first := g.me(t, newBrowser(t).signInAt(g, oidctest.FirstUser))
	require.Equal(t, oidctest.FirstUser, first.Username)
	require.Equal(t, []string{"read", "create", "edit"}, first.Permissions)
	second := newBrowser(t)
	token := second.signInAt(g, oidctest.SecondUser)
	require.Equal(t, []string{"read"}, g.me(t, token).Permissions)

	// A code is good for one browser and one time.
	returned := second.logInAtProvider(g, oidctest.SecondUser)
	stolen, _ := newBrowser(t).do(http.MethodGet, g.url+callbackPath+"?"+returned.RawQuery)
	require.NotEqual(t, http.StatusSeeOther, stolen.StatusCode, "another browser did not begin this login")
	back, body := second.do(http.MethodGet, g.url+callbackPath+"?"+returned.RawQuery)
	require.Equal(t, http.StatusSeeOther, back.StatusCode, body)
	again, _ := second.do(http.MethodGet, g.url+callbackPath+"?"+returned.RawQuery)
	require.NotEqual(t, http.StatusSeeOther, again.StatusCode)

	// The provider signs by another key, of another algorithm, and groups changed.
	idp.RotateKeys()
	idp.SetGroups(oidctest.FirstUser, "staff", "admins")
	changed := g.me(t, newBrowser(t).signInAt(g, oidctest.FirstUser))
	require.Equal(t, first.ID, changed.ID)
	require.True(t, changed.Admin)
	require.Equal(t, []string{"read"}, changed.Permissions)

	// Its access token is a login too, by either algorithm.
	require.Equal(t, g.me(t, token), g.me(t, newBrowser(t).providerToken(idp, oidctest.SecondUser)))
	idp.RotateKeys()
	require.Equal(t, g.me(t, token), g.me(t, newBrowser(t).providerToken(idp, oidctest.SecondUser)))

	status, body := g.ask(http.MethodGet, "/api/admin/audit?action=login&user="+first.ID, g.login(t), "")
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, 2, strings.Count(body, `"fields":["oidc"]`), body)
	require.NotContains(t, g.log.String(), oidctest.ClientSecret)
	require.NotContains(t, g.log.String(), oidctest.UserPassword)
}
