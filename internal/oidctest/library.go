package oidctest

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"github.com/go-jose/go-jose/v4"
	"github.com/zitadel/oidc/v3/example/server/exampleop"
	"github.com/zitadel/oidc/v3/example/server/storage"
	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"
)

// The users of a LibraryProvider, and their password.
const (
	FirstUser    = "test-user@127.0.0.1"
	SecondUser   = "test-user2"
	UserPassword = "verysecure"
)

// LibraryProvider is an identity provider that others wrote: the OpenID provider of github.com/zitadel/oidc with its login page. Tests set
// only its users' groups and its keys. Its access tokens are JWTs.
type LibraryProvider struct {
	*storage.Storage

	Issuer string
	Close  func()
	mu     sync.Mutex
	groups map[string][]string // by user name
	keys   []Key               // all are published
	signer int                 // the index of the key that signs
	users  storage.UserStore
	client op.Client
}

// NewLibraryProvider starts a provider that publishes keys and signs by the first one. redirectURL is that of its only client.
func NewLibraryProvider(t testing.TB, redirectURL string, keys ...Key) *LibraryProvider {
	t.Helper()
	p := StartLibraryProvider(redirectURL, keys...)
	t.Cleanup(p.Close)
	return p
}

// StartLibraryProvider is NewLibraryProvider without a test; the caller closes the provider.
func StartLibraryProvider(redirectURL string, keys ...Key) *LibraryProvider {
	p := &LibraryProvider{groups: map[string][]string{}, keys: keys}
	var handler http.Handler
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler.ServeHTTP(w, r) }))
	p.Close, p.Issuer, p.users = server.Close, server.URL, storage.NewUserStore(server.URL)
	web := storage.WebClient(ClientID, ClientSecret, redirectURL)
	p.client = libraryClient{web}
	p.Storage = storage.NewStorageWithClients(p.users, map[string]*storage.Client{ClientID: web})
	handler = exampleop.SetupServer(p.Issuer, p, nil, true)
	return p
}

// RotateKeys makes the next key sign. Like those of most providers, it has been published before.
func (p *LibraryProvider) RotateKeys() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.signer = (p.signer + 1) % len(p.keys)
}

// SetGroups sets the groups of a user, for tokens issued from now on.
func (p *LibraryProvider) SetGroups(username string, groups ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.groups[username] = groups
}

func (p *LibraryProvider) groupsOf(userID string) (username string, groups []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	username = p.users.GetUserByID(userID).Username
	return username, p.groups[username]
}

// libraryClient gets JWTs as access tokens, and ID tokens with all claims.
type libraryClient struct{ *storage.Client }

func (libraryClient) AccessTokenType() op.AccessTokenType  { return op.AccessTokenTypeJWT }
func (libraryClient) IDTokenUserinfoClaimsAssertion() bool { return true }

// The methods below are those of op.Storage that differ from the library's own storage.

// GetClientByClientID returns the only client.
func (p *LibraryProvider) GetClientByClientID(ctx context.Context, id string) (op.Client, error) {
	if id != ClientID {
		return p.Storage.GetClientByClientID(ctx, id)
	}
	return p.client, nil
}

// SetUserinfoFromRequest adds the groups to what an ID token says of its user.
func (p *LibraryProvider) SetUserinfoFromRequest(
	ctx context.Context, info *oidc.UserInfo, request op.IDTokenRequest, scopes []string,
) error {
	if err := p.Storage.SetUserinfoFromRequest(ctx, info, request, scopes); err != nil {
		return err
	}
	_, groups := p.groupsOf(request.GetSubject())
	info.AppendClaims("groups", groups)
	return nil
}

// GetPrivateClaimsFromScopes are the claims of an access token.
func (p *LibraryProvider) GetPrivateClaimsFromScopes(_ context.Context, userID, _ string, _ []string) (map[string]any, error) {
	username, groups := p.groupsOf(userID)
	return map[string]any{"groups": groups, "preferred_username": username}, nil
}

// SigningKey is the key that signs.
func (p *LibraryProvider) SigningKey(context.Context) (op.SigningKey, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return libraryKey{p.keys[p.signer]}, nil
}

// SignatureAlgorithms are those of the published keys.
func (p *LibraryProvider) SignatureAlgorithms(context.Context) ([]jose.SignatureAlgorithm, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var all []jose.SignatureAlgorithm
	for _, k := range p.keys {
		if !slices.Contains(all, k.Algorithm) {
			all = append(all, k.Algorithm)
		}
	}
	return all, nil
}

// KeySet are the published keys.
func (p *LibraryProvider) KeySet(context.Context) ([]op.Key, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var all []op.Key
	for _, k := range p.keys {
		all = append(all, publishedKey{k})
	}
	return all, nil
}

type libraryKey struct{ key Key }

func (k libraryKey) SignatureAlgorithm() jose.SignatureAlgorithm { return k.key.Algorithm }
func (k libraryKey) Key() any                                    { return k.key.Private }
func (k libraryKey) ID() string                                  { return k.key.ID }

type publishedKey struct{ key Key }

func (k publishedKey) ID() string                         { return k.key.ID }
func (k publishedKey) Algorithm() jose.SignatureAlgorithm { return k.key.Algorithm }
func (k publishedKey) Use() string                        { return "sig" }
func (k publishedKey) Key() any                           { return k.key.Private.Public() }
