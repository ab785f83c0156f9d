package oidc

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	goidc "github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"graphrest/internal/auth"
	"graphrest/internal/fault"
)

const (
	// AttemptTTL is how long a user may take at the provider.
	AttemptTTL = 10 * time.Minute
	// HandOverTTL is how long the page may take to trade the cookie of a finished login for a token.
	HandOverTTL = time.Minute
)

// attempt is one login in progress. It is kept in the browser only, sealed, which binds the login to the browser that began it.
type attempt struct {
	ID       string `json:"id"`
	State    string `json:"state"`
	Nonce    string `json:"nonce"`
	Verifier string `json:"verifier"` // of PKCE (RFC 7636)
}

// HandOver is a finished login that was not yet traded for a token.
type HandOver struct {
	ID        string    `json:"id"` // of the attempt: each gives at most one token
	UserID    string    `json:"user"`
	ExpiresAt time.Time `json:"-"`
}

// Begin starts a login: it returns the address at the provider to send the browser to, and the cookie to set there.
// DATABASE_UNAVAILABLE with a retry time if the provider does not answer.
func (p *Provider) Begin(ctx context.Context) (address, cookie string, err error) {
	m, err := p.metadata(ctx)
	if err != nil {
		return "", "", err
	}
	a := attempt{ID: rand.Text(), State: rand.Text(), Nonce: rand.Text(), Verifier: oauth2.GenerateVerifier()}
	cookie, err = p.cookies.seal(attemptCookie, a, p.now().Add(AttemptTTL))
	if err != nil {
		return "", "", err
	}
	client := p.oauth(m)
	return client.AuthCodeURL(a.State, goidc.Nonce(a.Nonce), oauth2.S256ChallengeOption(a.Verifier)), cookie, nil
}

func (p *Provider) oauth(m *metadata) *oauth2.Config {
	return &oauth2.Config{
		ClientID: p.config.ClientID, ClientSecret: p.config.ClientSecret, Endpoint: m.endpoint, RedirectURL: p.config.RedirectURL,
		Scopes: p.config.Scopes,
	}
}

// Complete ends a login: it takes the parameters that the provider sent the browser back with, and the cookie of Begin. It returns the
// user and the id of the attempt. VALIDATION_ERROR: the browser did not begin this login; INVALID_CREDENTIALS: the provider refused;
// INVALID_TOKEN, TOKEN_EXPIRED: of the id token; DATABASE_UNAVAILABLE.
func (p *Provider) Complete(ctx context.Context, given url.Values, cookie string) (auth.Identity, string, error) {
	var a attempt
	_, err := p.cookies.open(attemptCookie, cookie, p.now(), &a)
	state, once := single(given, "state")
	// Without the cookie anybody could sign others in as themselves (login CSRF; RFC 9700, section 4.7).
	if err != nil || !once || a.State == "" || subtle.ConstantTimeCompare([]byte(state), []byte(a.State)) != 1 {
		return auth.Identity{}, "", fault.Invalid("state",
			"must be that of a login that this browser began at most %d minutes ago; begin again", int(AttemptTTL/time.Minute))
	}
	m, err := p.metadata(ctx)
	if err != nil {
		return auth.Identity{}, a.ID, err
	}
	if err := p.checkSender(m, given); err != nil {
		return auth.Identity{}, a.ID, err
	}
	code, once := single(given, "code")
	if _, refused := given["error"]; refused || !once || code == "" {
		reason, _ := single(given, "error")
		p.log.Info("the identity provider refused a login", "error", shorten(reason))
		return auth.Identity{}, a.ID, fault.New(fault.InvalidCredentials, "The identity provider did not sign the user in; begin again")
	}
	token, err := p.exchange(ctx, m, code, a.Verifier)
	if err != nil {
		return auth.Identity{}, a.ID, err
	}
	identity, err := p.verifyIDToken(ctx, token, a.Nonce)
	return identity, a.ID, err
}

// checkSender checks the parameter iss, which prevents mix-up attacks (RFC 9207, section 2.4).
func (p *Provider) checkSender(m *metadata, given url.Values) error {
	issuer, once := single(given, "iss")
	if _, present := given["iss"]; present && (!once || issuer != m.issuer) || !present && m.sendsIssuer {
		return fault.Invalid("iss", "must be the issuer of the configured identity provider; begin again")
	}
	return nil
}

// exchange trades the code for an id token.
func (p *Provider) exchange(ctx context.Context, m *metadata, code, verifier string) (string, error) {
	select {
	case p.exchanges <- struct{}{}:
		defer func() { <-p.exchanges }()
	default:
		return "", unavailable(errors.New("too many logins at the same time"))
	}
	ctx, cancel := context.WithTimeout(goidc.ClientContext(ctx, p.client), requestTimeout)
	defer cancel()
	answer, err := p.oauth(m).Exchange(ctx, code, oauth2.VerifierOption(verifier))
	var refused *oauth2.RetrieveError
	switch {
	case errors.As(err, &refused) && refused.Response != nil && refused.Response.StatusCode < 500:
		// The answer's text is not logged: it repeats what was sent.
		p.log.Warn("the identity provider refused a code", "status", refused.Response.StatusCode, "error", shorten(refused.ErrorCode))
		return "", fault.New(fault.InvalidCredentials, "The identity provider did not sign the user in; begin again")
	case err != nil:
		return "", unavailable(fmt.Errorf("token endpoint: %s", shorten(withoutAnswer(err))))
	}
	token, isText := answer.Extra("id_token").(string)
	if !isText {
		p.log.Warn("the identity provider answered a code without an id token; is the scope openid allowed?")
		return "", fault.New(fault.InvalidToken, "The token is not valid")
	}
	return token, nil
}

// withoutAnswer is the text of an error without the answer's body, which the library appends in further lines.
func withoutAnswer(err error) string {
	text, _, _ := strings.Cut(err.Error(), "\n")
	return text
}

// single returns the value of a parameter that is given exactly once.
func single(given url.Values, name string) (string, bool) {
	if len(given[name]) != 1 {
		return "", false
	}
	return given[name][0], true
}

// HandOver returns the cookie that the page trades for a token of the user.
func (p *Provider) HandOver(attemptID, userID string) (string, error) {
	return p.cookies.seal(handOverCookie, HandOver{ID: attemptID, UserID: userID}, p.now().Add(HandOverTTL))
}

// OpenHandOver reads the cookie of HandOver. Whether it was used before is not checked here. INVALID_CREDENTIALS.
func (p *Provider) OpenHandOver(cookie string) (HandOver, error) {
	var h HandOver
	expires, err := p.cookies.open(handOverCookie, cookie, p.now(), &h)
	if err != nil || h.ID == "" || h.UserID == "" {
		return HandOver{}, fault.Wrap(err, fault.InvalidCredentials, "There is no login to continue; begin again")
	}
	h.ExpiresAt = expires
	return h, nil
}
