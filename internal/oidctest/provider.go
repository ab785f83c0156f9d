// Package oidctest is an identity provider for tests, whose answers and tokens a test may forge.
package oidctest

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"
)

// The client that is registered at every provider.
const (
	ClientID     = "graphrest"
	ClientSecret = "the client's secret: 1/2+3"
)

// Claims are the members of a token.
type Claims map[string]any

// Key is a key that signs.
type Key struct {
	ID        string
	Algorithm jose.SignatureAlgorithm
	Private   crypto.Signer
}

// NewKey creates a key for RS256 or ES256.
func NewKey(t testing.TB, algorithm jose.SignatureAlgorithm) Key {
	t.Helper()
	if algorithm != jose.RS256 {
		k, err := GenerateES256Key()
		require.NoError(t, err)
		return k
	}
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	return Key{ID: rand.Text(), Algorithm: algorithm, Private: private}
}

// GenerateES256Key creates a key for ES256 without a test.
func GenerateES256Key() (Key, error) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	return Key{ID: rand.Text(), Algorithm: jose.ES256, Private: private}, err
}

// Public returns the key as the provider publishes it.
func (k Key) Public() jose.JSONWebKey {
	return jose.JSONWebKey{Key: k.Private.Public(), KeyID: k.ID, Algorithm: string(k.Algorithm), Use: "sig"}
}

// Sign signs claims. The header may get more members, or other ones.
func (k Key) Sign(t testing.TB, c Claims, header map[string]any) string {
	t.Helper()
	return Sign(t, k.Algorithm, k.Private, c, k.ID, header)
}

// Sign signs claims with any key.
func Sign(t testing.TB, algorithm jose.SignatureAlgorithm, key any, c Claims, kid string, header map[string]any) string {
	t.Helper()
	options := (&jose.SignerOptions{}).WithType("JWT").WithHeader("kid", kid)
	for name, value := range header {
		options = options.WithHeader(jose.HeaderKey(name), value)
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: key}, options)
	require.NoError(t, err)
	payload, err := json.Marshal(c)
	require.NoError(t, err)
	signed, err := signer.Sign(payload)
	require.NoError(t, err)
	text, err := signed.CompactSerialize()
	require.NoError(t, err)
	return text
}

// Provider is a running provider. A test changes its exported members under Change.
type Provider struct {
	Server *httptest.Server
	t      testing.TB

	KeyReads, Exchanges, Discoveries atomic.Int64

	mu sync.Mutex
	// Key signs; Published are the keys at jwks_uri.
	Key       Key
	Published []jose.JSONWebKey
	// User are the claims of who logs in next.
	User Claims
	// Away answers everything with 503.
	Away bool
	// Document changes the discovery document.
	Document func(map[string]any)
	// Token replaces the id token that is answered for a code.
	Token func(nonce string) string
	// AnyCode accepts codes again, and those of other logins.
	AnyCode bool
	// Handle answers first; false leaves a request to the provider.
	Handle func(http.ResponseWriter, *http.Request) bool

	codes map[string]url.Values // the parameters of the authorization request
}

// New starts a provider, which ends with the test.
func New(t testing.TB) *Provider {
	t.Helper()
	p := &Provider{t: t, Key: NewKey(t, jose.ES256), codes: map[string]url.Values{}}
	p.Published = []jose.JSONWebKey{p.Key.Public()}
	p.Server = httptest.NewServer(http.HandlerFunc(p.serve))
	t.Cleanup(p.Server.Close)
	return p
}

// Issuer is the provider's issuer.
func (p *Provider) Issuer() string { return p.Server.URL }

// Change changes members.
func (p *Provider) Change(change func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change()
}

// Claims returns the claims of an id token or an access token of a user for the client, with changes; a nil value removes a claim.
func (p *Provider) Claims(subject string, changes Claims) Claims {
	now := time.Now()
	c := Claims{"iss": p.Issuer(), "aud": ClientID, "sub": subject, "iat": now.Unix(), "exp": now.Add(time.Hour).Unix()}
	maps.Copy(c, changes)
	maps.DeleteFunc(c, func(_ string, value any) bool { return value == nil })
	return c
}

// AccessToken returns an access token.
func (p *Provider) AccessToken(subject string, changes Claims) string {
	c := Claims{"scope": "openid"}
	maps.Copy(c, changes)
	return p.Key.Sign(p.t, p.Claims(subject, c), nil)
}

func (p *Provider) serve(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.Handle != nil && p.Handle(w, r):
	case p.Away:
		http.Error(w, "away", http.StatusServiceUnavailable)
	case r.URL.Path == "/.well-known/openid-configuration":
		p.Discoveries.Add(1)
		document := map[string]any{
			"issuer": p.Issuer(), "authorization_endpoint": p.Issuer() + "/authorize", "token_endpoint": p.Issuer() + "/token",
			"jwks_uri": p.Issuer() + "/keys", "id_token_signing_alg_values_supported": []string{"RS256", "ES256", "HS256", "none"},
			"response_types_supported": []string{"code"}, "subject_types_supported": []string{"public"},
		}
		if p.Document != nil {
			p.Document(document)
		}
		answer(w, document)
	case r.URL.Path == "/keys":
		p.KeyReads.Add(1)
		answer(w, jose.JSONWebKeySet{Keys: p.Published})
	case r.URL.Path == "/authorize":
		p.authorize(w, r)
	case r.URL.Path == "/token":
		p.Exchanges.Add(1)
		p.exchange(w, r)
	default:
		http.NotFound(w, r)
	}
}

// authorize signs in at once.
func (p *Provider) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if q.Get("response_type") != "code" || q.Get("client_id") != ClientID || q.Get("code_challenge_method") != "S256" || q.Get("nonce") == "" {
		http.Error(w, "bad request", http.StatusBadRequest)
		return
	}
	code := rand.Text()
	p.codes[code] = q
	w.Header().Set("Location", q.Get("redirect_uri")+"?"+url.Values{"code": {code}, "state": {q.Get("state")}}.Encode())
	w.WriteHeader(http.StatusSeeOther)
}

func (p *Provider) exchange(w http.ResponseWriter, r *http.Request) {
	id, secret, basic := r.BasicAuth()
	if unescaped, err := url.QueryUnescape(secret); err == nil { // RFC 6749, section 2.3.1
		secret = unescaped
	}
	begun, known := p.codes[r.FormValue("code")]
	sum := sha256.Sum256([]byte(r.FormValue("code_verifier")))
	switch {
	case !basic || id != ClientID || secret != ClientSecret:
		refuse(w, "invalid_client")
		return
	case !known, r.FormValue("redirect_uri") != begun.Get("redirect_uri"),
		!p.AnyCode && base64.RawURLEncoding.EncodeToString(sum[:]) != begun.Get("code_challenge"):
		refuse(w, "invalid_grant")
		return
	}
	if !p.AnyCode {
		delete(p.codes, r.FormValue("code"))
	}
	c := p.Claims("subject", Claims{"nonce": begun.Get("nonce")})
	maps.Copy(c, p.User)
	maps.DeleteFunc(c, func(_ string, value any) bool { return value == nil })
	token := p.Key.Sign(p.t, c, nil)
	if p.Token != nil {
		token = p.Token(begun.Get("nonce"))
	}
	answer(w, map[string]any{"access_token": "opaque", "token_type": "Bearer", "expires_in": 60, "id_token": token})
}

func refuse(w http.ResponseWriter, code string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadRequest)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": code, "error_description": "<script>alert('the description')</script>"})
}

func answer(w http.ResponseWriter, document any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(document)
}
