package app

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/oidctest"
)

// signOnSettings are the settings of single sign-on at a provider.
func signOnSettings(p *oidctest.Provider, more ...string) []string {
	return signOnSettingsAt(p.Issuer(), more...)
}

func signOnSettingsAt(issuer string, more ...string) []string {
	return append([]string{
		"GRAPHREST_OIDC_ISSUER=" + issuer, "GRAPHREST_OIDC_CLIENT_ID=" + oidctest.ClientID,
		"GRAPHREST_OIDC_CLIENT_SECRET=" + oidctest.ClientSecret, "GRAPHREST_OIDC_REDIRECT_URL=http://127.0.0.1" + callbackPath,
		"GRAPHREST_OIDC_ROLE_MAP=curators=curator,curators=missing,staff=read,editors=create,editors=edit,editors=read",
		"GRAPHREST_OIDC_ADMIN_GROUP=admins",
	}, more...)
}

// browser keeps cookies, follows no redirect and says where it comes from, as browsers do.
type browser struct {
	t      *testing.T
	client *http.Client
}

func newBrowser(t *testing.T) *browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	return &browser{t, &http.Client{
		Jar: jar, Timeout: eventTimeout, Transport: &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// page is the header of an answer.
type page struct {
	StatusCode int
	Header     http.Header
	Cookies    []*http.Cookie
}

func (b *browser) do(method, address string, header ...string) (page, string) {
	b.t.Helper()
	request, err := http.NewRequestWithContext(b.t.Context(), method, address, http.NoBody)
	require.NoError(b.t, err)
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	response, err := b.client.Do(request)
	require.NoError(b.t, err)
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	require.NoError(b.t, err)
	return page{response.StatusCode, response.Header, response.Cookies()}, string(body)
}

// goToProvider begins a login at a gateway, and returns the query with which the provider sends the browser back.
func (b *browser) goToProvider(g *gateway) string {
	b.t.Helper()
	begun, body := b.do(http.MethodGet, g.url+"/api/auth/oidc/start")
	require.Equal(b.t, http.StatusSeeOther, begun.StatusCode, body)
	sent, _ := b.do(http.MethodGet, begun.Header.Get("Location"))
	back, err := url.Parse(sent.Header.Get("Location"))
	require.NoError(b.t, err)
	require.Equal(b.t, "http://127.0.0.1"+callbackPath, "http://"+back.Host+back.Path)
	return "?" + back.RawQuery
}

func (b *browser) redeem(g *gateway) (int, string) {
	b.t.Helper()
	answer, body := b.do(http.MethodPost, g.url+sessionPath, "Sec-Fetch-Site", "same-origin")
	var token struct {
		AccessToken string `json:"access_token"`
		TokenType   string `json:"token_type"`
	}
	require.NoError(b.t, json.Unmarshal([]byte(body), &token))
	require.Equal(b.t, answer.StatusCode == http.StatusOK, token.AccessToken != "" && token.TokenType == "bearer", body)
	return answer.StatusCode, token.AccessToken
}

// signIn logs in by the provider: each step is answered by another gateway of the list.
func (b *browser) signIn(gateways ...*gateway) string {
	b.t.Helper()
	at := func(i int) *gateway { return gateways[i%len(gateways)] }
	query := b.goToProvider(at(0))
	back, body := b.do(http.MethodGet, at(1).url+callbackPath+query)
	require.Equal(b.t, http.StatusSeeOther, back.StatusCode, body)
	require.Equal(b.t, "/", back.Header.Get("Location"))
	status, token := b.redeem(at(2))
	require.Equal(b.t, http.StatusOK, status)
	return token
}
