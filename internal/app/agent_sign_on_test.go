package app

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	agentauth "github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"github.com/stretchr/testify/require"

	"graphrest/internal/gatewaytest"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/oidctest"
)

const listTools = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`

// published is a gateway for agents that an nginx on the same machine publishes under /graph, with its public address.
type published struct {
	*gateway

	url string
	db  *neo4jtest.DB
}

// publishForAgents starts a gateway and an nginx that removes the path and sends another header Host.
func publishForAgents(t *testing.T, settings func(public string) []string) published {
	t.Helper()
	address := freeAddress(t)
	public := "http://" + address + "/graph"
	db := neo4jtest.OpenPrepared(t)
	g := start(t, db.URI, db.Username, db.Password, append(settings(public), "GRAPHREST_MCP=on", "GRAPHREST_PUBLIC_URL="+public)...)
	g.waitReady(t)
	runNginx(t, fmt.Sprintf("server { listen %s; location /graph/ { proxy_pass %s/; } }", address, g.url))
	gatewaytest.Client{URL: public}.AwaitReady(t, eventTimeout)
	return published{g, public, db}
}

// list sends one message to the published endpoint.
func (p published) list(t *testing.T, token string, headers ...string) (status int, body string, header http.Header) {
	t.Helper()
	c := p.clientOf(token)
	c.URL = p.url
	answer, err := c.Send(t.Context(), http.MethodPost, "/mcp", listTools, headers...)
	require.NoError(t, err)
	return answer.Status, answer.Body, answer.Header
}

// signInAs are the steps of a user in the browser that an agent opens.
func signInAs(t *testing.T, username string) agentauth.AuthorizationCodeFetcher {
	return func(_ context.Context, args *agentauth.AuthorizationArgs) (*agentauth.AuthorizationResult, error) {
		back := newBrowser(t).enterPassword(args.URL, username).Query()
		return &agentauth.AuthorizationResult{Code: back.Get("code"), State: back.Get("state"), Iss: back.Get("iss")}, nil
	}
}

// agentOfTheGuide is the address and the id of the client with which the guide configures a program that signs in at the provider.
func agentOfTheGuide(t *testing.T, url string) (endpoint, clientID string) {
	t.Helper()
	guide, err := os.ReadFile(filepath.Join("..", "..", "docs", "agents.md"))
	require.NoError(t, err)
	block := regexp.MustCompile("(?s)```json\n([^`]*\"oauth\"[^`]*)```").FindSubmatch(guide)
	require.NotNil(t, block)
	var file struct {
		Servers map[string]struct {
			URL   string
			OAuth struct{ ClientID string }
		} `json:"mcpServers"`
	}
	require.NoError(t, json.Unmarshal(bytes.ReplaceAll(block[1], []byte("https://graph.example"), []byte(url)), &file))
	return file.Servers["graph"].URL, file.Servers["graph"].OAuth.ClientID
}

// An official client that knows only the address and the id of a client finds the identity provider from the 401, signs its user in there
// by the authorization code flow, and works with the provider's access token: a session of the user, with the rights of its groups.
func TestAgentsSignInAtTheIdentityProvider(t *testing.T) {
	var idp *oidctest.LibraryProvider
	var callback string
	p := publishForAgents(t, func(public string) []string {
		callback = public + callbackPath
		idp = oidctest.NewLibraryProvider(t, callback, oidctest.NewKey(t, jose.RS256))
		return signOnSettingsAt(idp.Issuer, "GRAPHREST_OIDC_REDIRECT_URL="+callback, "GRAPHREST_MCP_WRITES=direct")
	})
	idp.SetGroups(oidctest.FirstUser, "staff")
	idp.SetGroups(oidctest.SecondUser, "unknown")
	p.db.Exec(t, "CREATE (:Person {name: 'Ann'})", nil)

	endpoint, clientID := agentOfTheGuide(t, p.url)
	connect := func(username string) (*sdk.ClientSession, error) {
		oauth, err := agentauth.NewAuthorizationCodeHandler(&agentauth.AuthorizationCodeHandlerConfig{
			PreregisteredClient: &oauthex.ClientCredentials{
				ClientID:         clientID,
				ClientSecretAuth: &oauthex.ClientSecretAuth{ClientSecret: oidctest.ClientSecret},
			},
			RedirectURL: callback, AuthorizationCodeFetcher: signInAs(t, username),
			ScopeFilter: func([]string) []string { return []string{"openid", "profile"} },
		})
		require.NoError(t, err)
		return sdk.NewClient(&sdk.Implementation{Name: "agent", Version: "1"}, nil).Connect(t.Context(), &sdk.StreamableClientTransport{
			Endpoint: endpoint, DisableStandaloneSSE: true, MaxRetries: -1, OAuthHandler: oauth,
		}, nil)
	}
	session, err := connect(oidctest.FirstUser)
	require.NoError(t, err)
	defer func() { _ = session.Close() }()
	tools, err := session.ListTools(t.Context(), nil)
	require.NoError(t, err)
	text, err := json.Marshal(tools)
	require.NoError(t, err)
	require.Contains(t, string(text), "list_nodes")
	require.NotContains(t, string(text), "apply_changes", "its groups may only read")
	found, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "list_nodes", Arguments: json.RawMessage(`{"type":"Person"}`)})
	require.NoError(t, err)
	require.False(t, found.IsError)
	require.Contains(t, found.Content[0].(*sdk.TextContent).Text, "Ann")

	other, err := connect(oidctest.SecondUser)
	require.NoError(t, err)
	defer func() { _ = other.Close() }()
	tools, err = other.ListTools(t.Context(), nil)
	require.NoError(t, err)
	require.Empty(t, tools.Tools, "no mapped group, no tool")
}

// Which tokens an agent may send, through the proxy: logins, personal and service tokens, and the provider's access tokens for this
// gateway or this resource (RFC 8707). A 401 names the metadata (RFC 9728) at an address that the proxy serves.
func TestTokensOfAgentsBehindAProxy(t *testing.T) {
	idp := oidctest.New(t)
	p := publishForAgents(t, func(public string) []string {
		return signOnSettings(idp, "GRAPHREST_OIDC_REDIRECT_URL="+public+callbackPath)
	})
	admin := p.login(t)
	secret := func(path, body string) string {
		status, answer := p.ask(http.MethodPost, path, admin, body)
		require.Equal(t, http.StatusCreated, status, answer)
		var made struct{ Data struct{ Secret string } }
		require.NoError(t, json.Unmarshal([]byte(answer), &made))
		return made.Data.Secret
	}
	resource := p.url + "/mcp"
	issued := func(audience any) string {
		return idp.AccessToken("7", oidctest.Claims{"aud": audience, "groups": []string{"staff"}})
	}
	for name, token := range map[string]string{
		"login": admin, "personal": secret("/api/auth/tokens", `{"name":"agent","permissions":["read"]}`),
		"service":  secret("/api/admin/tokens", `{"name":"agent","permissions":["read"]}`),
		"client":   issued(oidctest.ClientID),
		"resource": issued(resource),
		"several":  issued([]string{"https://other.example", resource}),
	} {
		status, body, _ := p.list(t, token)
		require.Equal(t, http.StatusOK, status, "%s: %s", name, body)
		require.Contains(t, body, `"name":"list_nodes"`, name)
	}
	foreign := oidctest.NewKey(t, jose.ES256)
	for name, token := range map[string]string{
		"another client": issued("other"), "another resource": issued("https://other.example/mcp"), "the origin only": issued(p.url),
		"a longer path": issued(resource + "/x"), "a slash": issued(resource + "/"), "no audience": issued(nil), "empty": issued(""),
		"upper case": issued(strings.ToUpper(resource)), "the address without the proxy": issued(p.gateway.url + "/mcp"),
		"another key": foreign.Sign(t, idp.Claims("7", oidctest.Claims{"aud": resource, "scope": "openid"}), nil),
		"expired":     idp.AccessToken("7", oidctest.Claims{"aud": resource, "exp": time.Now().Add(-time.Hour).Unix()}),
	} {
		status, body, header := p.list(t, token)
		require.Equal(t, http.StatusUnauthorized, status, "%s: %s", name, body)
		require.Contains(t, header.Get("WWW-Authenticate"), "resource_metadata=", name)
	}

	status, _, header := p.list(t, "")
	require.Equal(t, http.StatusUnauthorized, status)
	challenges, err := oauthex.ParseWWWAuthenticate(header["Www-Authenticate"])
	require.NoError(t, err)
	require.Len(t, challenges, 1)
	require.Equal(t, "bearer", strings.ToLower(challenges[0].Scheme))
	metadata, err := oauthex.GetProtectedResourceMetadata(t.Context(), challenges[0].Params["resource_metadata"], resource, http.DefaultClient)
	require.NoError(t, err, "it is served by the proxy, and names the resource that was asked for")
	require.Equal(t, []string{idp.Issuer()}, metadata.AuthorizationServers)

	for origin, want := range map[string]int{
		p.url[:strings.LastIndex(p.url, "/")]: http.StatusOK, p.gateway.url: http.StatusForbidden, "http://evil.example": http.StatusForbidden,
	} {
		status, body, _ := p.list(t, admin, "Origin", origin)
		require.Equal(t, want, status, "%s: %s", origin, body)
	}
}

// A client that leaves the proxy ends the work of its call in the database.
func TestCallsEndBehindAProxy(t *testing.T) {
	p := publishForAgents(t, func(string) []string { return nil })
	admin := p.login(t)
	status, body := p.ask(http.MethodPost, "/api/admin/queries", admin,
		`{"name":"slow","cypher":"UNWIND range(1, 100000000000) AS x WITH x WHERE x % 7 = 9 RETURN count(x) AS behind_a_proxy"}`)
	require.Equal(t, http.StatusCreated, status, body)
	status, body = p.ask(http.MethodPut, "/api/admin/users/admin", admin, `{"permissions":["read","query"]}`)
	require.Equal(t, http.StatusOK, status, body)
	running := func() int64 {
		return p.db.Query(t, "SHOW TRANSACTIONS YIELD currentQuery WHERE currentQuery CONTAINS 'behind_a_proxy' "+
			"AND NOT currentQuery CONTAINS 'SHOW' RETURN count(*) AS n", nil)[0]["n"].(int64)
	}
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan struct{})
	go func() {
		defer close(left)
		c := p.clientOf(admin)
		c.URL = p.url
		_, _ = c.Send(ctx, http.MethodPost, "/mcp",
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"query_slow","arguments":{}}}`)
	}()
	require.Eventually(t, func() bool { return running() == 1 }, eventTimeout, 50*time.Millisecond)
	leave()
	<-left
	require.Eventually(t, func() bool { return running() == 0 }, eventTimeout, 50*time.Millisecond)
}
