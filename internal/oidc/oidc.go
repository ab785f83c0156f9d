// Package oidc signs users in by an OpenID Connect provider: it discovers the provider, runs the authorization code flow, verifies the
// provider's tokens, and maps its groups to rights. It neither stores users nor serves HTTP.
package oidc

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	goidc "github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"graphrest/internal/fault"
	"graphrest/internal/snapshot"
)

// Config is the client's registration at a provider.
type Config struct {
	Issuer       string // as the provider's discovery document names it; see CheckIssuer
	ClientID     string
	ClientSecret string   // empty for a public client
	RedirectURL  string   // of the callback; see CheckRedirectURL
	Scopes       []string // openid is added if it is missing
	GroupsClaim  string   // the claim with the user's groups
	Mapping      Mapping
	Resource     string // an audience of access tokens besides the client id: the endpoint of agents; empty for none
	CookieKey    []byte // 32 bytes; seals cookies; the same on every replica
}

const (
	// metadataMaxAge is how long a discovery document is used before it is read again. If that fails, the last one is used.
	metadataMaxAge = time.Hour
	// retryPause is the time between two attempts to read the discovery document of a provider that does not answer.
	retryPause = 2 * time.Second
	// maxExchanges bounds the requests to the token endpoint in progress: anybody may cause one.
	maxExchanges = 16
)

// Provider is an identity provider. Create it with New. It is safe for concurrent use.
type Provider struct {
	config    Config
	client    *http.Client
	cookies   cookieSealer
	keys      *keySet
	now       func() time.Time
	log       *slog.Logger
	exchanges chan struct{}

	discovered *snapshot.Snapshot[metadata]
}

// metadata is what is used of a discovery document.
type metadata struct {
	issuer     string
	endpoint   oauth2.Endpoint
	jwksURL    string
	algorithms []string // for signatures; asymmetric ones only
	// sendsIssuer reports that every authorization response has the parameter iss (RFC 9207).
	sendsIssuer bool
}

// New checks the configuration. It does not contact the provider, which may be unavailable. A nil clock is time.Now.
func New(c Config, clock func() time.Time, log *slog.Logger) (*Provider, error) {
	err := errors.Join(CheckIssuer(c.Issuer), CheckRedirectURL(c.RedirectURL))
	if c.ClientID == "" || c.GroupsClaim == "" {
		err = errors.Join(err, errors.New("oidc: a client id and a groups claim are required"))
	}
	if err != nil {
		return nil, err
	}
	if clock == nil {
		clock = time.Now
	}
	if log == nil {
		log = slog.Default()
	}
	if !slices.Contains(c.Scopes, goidc.ScopeOpenID) {
		c.Scopes = append([]string{goidc.ScopeOpenID}, c.Scopes...)
	}
	sealer, err := newCookieSealer(c.CookieKey)
	if err != nil {
		return nil, err
	}
	client := newClient(isLoopbackHTTP(c.Issuer))
	p := &Provider{
		config: c, client: client, cookies: sealer, keys: newKeySet(client, clock), now: clock, log: log,
		exchanges: make(chan struct{}, maxExchanges),
	}
	pause := func() time.Duration { return retryPause }
	p.discovered = snapshot.New(p.read, snapshot.Options{Now: clock, FailurePause: pause})
	return p, nil
}

// Issuer returns the provider's issuer.
func (p *Provider) Issuer() string { return p.config.Issuer }

// State is how this process last reached a provider. It causes no request.
type State struct {
	Issuer          string
	Discovery, Keys Contact
}

// Contact is when a document was last read, and when the last attempt failed. Each is zero otherwise.
type Contact struct{ ReadAt, FailedAt time.Time }

// State returns the state.
func (p *Provider) State() State {
	s := State{Issuer: p.config.Issuer}
	s.Discovery.ReadAt, s.Discovery.FailedAt = p.discovered.LastRead()
	if published := p.keys.published.Load(); published != nil {
		s.Keys.ReadAt, s.Keys.FailedAt = published.keys.LastRead()
	}
	return s
}

// Run reads the discovery document, with retries, so that a mistake is in the log before the first login. It returns when it has read it or
// the context ends. Logins do not depend on it.
func (p *Provider) Run(ctx context.Context) {
	for pause, failed := retryPause, ""; ; pause = min(2*pause, time.Minute) {
		_, err := p.metadata(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err == nil:
			p.log.Info("the identity provider answers", "issuer", p.config.Issuer)
			return
		case err.Error() != failed:
			failed = err.Error()
			p.log.Warn("the identity provider does not answer; single sign-on answers 503 until it does",
				"issuer", p.config.Issuer, "error", failed)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}

// metadata returns the discovery document, and reads it if there is none. An old one is used while it is read again. DATABASE_UNAVAILABLE
// with a retry time if there is none.
func (p *Provider) metadata(ctx context.Context) (*metadata, error) {
	if known := p.discovered.Current(); known != nil {
		p.discovered.Refresh(ctx, metadataMaxAge)
		return known, nil
	}
	m, err := p.discovered.Fresh(ctx, metadataMaxAge)
	if err != nil {
		return nil, unavailable(err)
	}
	return m, nil
}

// read reads the discovery document, and sets the address of the keys.
func (p *Provider) read(ctx context.Context) (*metadata, error) {
	m, err := p.discover(ctx)
	if err != nil {
		return nil, err
	}
	p.keys.setAddress(m.jwksURL)
	return m, nil
}

// symmetric and unsigned algorithms are never accepted: the client would verify with what everybody knows.
var asymmetric = []string{
	goidc.RS256, goidc.RS384, goidc.RS512, goidc.ES256, goidc.ES384, goidc.ES512, goidc.PS256, goidc.PS384, goidc.PS512, goidc.EdDSA,
}

func (p *Provider) discover(ctx context.Context) (*metadata, error) {
	ctx, cancel := context.WithTimeout(goidc.ClientContext(ctx, p.client), requestTimeout)
	defer cancel()
	found, err := goidc.NewProvider(ctx, p.config.Issuer) // requires the document's issuer to be the configured one
	if err != nil {
		return nil, fmt.Errorf("discovery: %s", shorten(err.Error()))
	}
	var more struct {
		JWKS        string   `json:"jwks_uri"`
		Algorithms  []string `json:"id_token_signing_alg_values_supported"`
		Methods     []string `json:"token_endpoint_auth_methods_supported"`
		SendsIssuer bool     `json:"authorization_response_iss_parameter_supported"`
	}
	if err := found.Claims(&more); err != nil {
		return nil, fmt.Errorf("discovery: %s", shorten(err.Error()))
	}
	m := &metadata{issuer: p.config.Issuer, endpoint: found.Endpoint(), jwksURL: more.JWKS, sendsIssuer: more.SendsIssuer}
	for name, address := range map[string]string{
		"authorization_endpoint": m.endpoint.AuthURL, "token_endpoint": m.endpoint.TokenURL, "jwks_uri": m.jwksURL,
	} {
		if err := checkAddress(address, isLoopbackHTTP(p.config.Issuer)); err != nil {
			return nil, fmt.Errorf("discovery: %s %w", name, err)
		}
	}
	m.algorithms = slices.DeleteFunc(slices.Clone(more.Algorithms), func(a string) bool { return !slices.Contains(asymmetric, a) })
	if len(more.Algorithms) == 0 {
		m.algorithms = []string{goidc.RS256} // OpenID Connect Discovery 1.0, section 3: required of every provider
	}
	if len(m.algorithms) == 0 {
		return nil, errors.New("discovery: the provider announces no asymmetric algorithm in id_token_signing_alg_values_supported")
	}
	// Chosen here, because the library would otherwise try one after the other and so send the code twice. Without the member the method is
	// client_secret_basic (OpenID Connect Discovery 1.0, section 3).
	m.endpoint.AuthStyle = oauth2.AuthStyleInParams
	if p.config.ClientSecret != "" && (len(more.Methods) == 0 || slices.Contains(more.Methods, "client_secret_basic")) {
		m.endpoint.AuthStyle = oauth2.AuthStyleInHeader
	}
	return m, nil
}

func unavailable(cause error) error {
	const message = "The identity provider cannot be reached at the moment; try again"
	return fault.Wrap(cause, fault.DatabaseUnavailable, message).RetryAfter(retryPause)
}

// maxAddress is the largest length of an issuer and of other addresses, in bytes.
const maxAddress = 512

// CheckIssuer accepts https addresses, and http ones of this machine.
func CheckIssuer(issuer string) error {
	u, err := url.Parse(issuer)
	if err != nil || u.RawQuery != "" || u.ForceQuery {
		return errors.New("it is not the address of an issuer")
	}
	return checkAddress(issuer, isLoopbackHTTP(issuer))
}

// CallbackPath is the path of the callback.
const CallbackPath = "/api/auth/oidc/callback"

// CheckRedirectURL accepts addresses of the callback, which may be below a base path: https, or http of this machine.
func CheckRedirectURL(address string) error {
	if err := checkAddress(address, isLoopbackHTTP(address)); err != nil {
		return err
	}
	if u, err := url.Parse(address); err != nil || !strings.HasSuffix(u.Path, CallbackPath) || u.RawQuery != "" || u.ForceQuery {
		return errors.New("its path does not end with " + CallbackPath)
	}
	return nil
}
