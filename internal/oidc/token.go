package oidc

import (
	"context"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	goidc "github.com/coreos/go-oidc/v3/oidc"

	"graphrest/internal/auth"
	"graphrest/internal/fault"
)

const (
	// maxToken is the size of the largest token that is verified, in bytes.
	maxToken = 64 << 10
	// maxSubject is the largest length of the claim sub (OpenID Connect Core 1.0, section 2).
	maxSubject = 255
	// maxFutureIssue is how far the provider's clock may be ahead.
	maxFutureIssue = 5 * time.Minute
)

// claims are the members of a token that are used here, besides those that the library checks.
type claims struct {
	AuthorizedParty   string          `json:"azp"`
	PreferredUsername string          `json:"preferred_username"`
	Email             string          `json:"email"`
	Type              string          `json:"typ"` // of Keycloak: ID, Bearer, Refresh, ...
	Scope             json.RawMessage `json:"scope"`
	ShortScope        json.RawMessage `json:"scp"`
	ClientID          json.RawMessage `json:"client_id"`
	ShortClientID     json.RawMessage `json:"cid"`
	ApplicationID     json.RawMessage `json:"appid"`
	IdentityType      json.RawMessage `json:"idtyp"`
	Nonce             json.RawMessage `json:"nonce"`
	AccessTokenHash   json.RawMessage `json:"at_hash"`
	CodeHash          json.RawMessage `json:"c_hash"`
	NotBefore         json.Number     `json:"nbf"`
	Events            json.RawMessage `json:"events"`
}

// Issued reports whether a token names the provider as its issuer. It verifies nothing: it only decides who must verify the token.
func (p *Provider) Issued(token string) bool {
	parts := strings.Split(token, ".")
	if len(parts) != 3 || len(token) > maxToken {
		return false
	}
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	var named struct {
		Issuer string `json:"iss"`
	}
	return err == nil && json.Unmarshal(payload, &named) == nil && named.Issuer == p.config.Issuer
}

// VerifyAccessToken verifies an access token of the provider, which must be a JWT for this client. INVALID_TOKEN, TOKEN_EXPIRED;
// DATABASE_UNAVAILABLE if the provider must be asked and does not answer.
func (p *Provider) VerifyAccessToken(ctx context.Context, token string) (auth.Identity, error) {
	verified, c, err := p.verify(ctx, token, p.config.ClientID, p.config.Resource)
	if err == nil {
		err = checkAccessToken(token, c)
	}
	if err == nil {
		err = p.checkExpiry(verified)
	}
	return p.identity(verified, c, err)
}

// verifyIDToken verifies the id token of a login with a nonce.
func (p *Provider) verifyIDToken(ctx context.Context, token, nonce string) (auth.Identity, error) {
	verified, c, err := p.verify(ctx, token, p.config.ClientID)
	switch {
	case err != nil:
	case nonce == "" || subtle.ConstantTimeCompare([]byte(verified.Nonce), []byte(nonce)) != 1:
		err = errors.New("the nonce is that of another login")
	case c.AuthorizedParty == "" && len(verified.Audience) > 1, c.AuthorizedParty != "" && c.AuthorizedParty != p.config.ClientID:
		err = errors.New("the id token is for another party (azp)") // OpenID Connect Core 1.0, section 3.1.3.7
	case c.Type != "" && c.Type != "ID" && c.Type != "JWT":
		err = fmt.Errorf("it is no id token but %q", shorten(c.Type))
	default:
		err = p.checkExpiry(verified)
	}
	return p.identity(verified, c, err)
}

// verify checks signature, issuer, audience, subject and times, except that the token may have expired: see checkExpiry.
// The audience contains one of those given; an empty one is none.
func (p *Provider) verify(ctx context.Context, token string, audiences ...string) (*goidc.IDToken, *claims, error) {
	if len(token) > maxToken {
		return nil, nil, errors.New("the token is too long")
	}
	m, err := p.metadata(ctx)
	if err != nil {
		return nil, nil, err
	}
	verifier := goidc.NewVerifier(m.issuer, p.keys, &goidc.Config{
		SkipClientIDCheck: true, SupportedSigningAlgs: m.algorithms, // the audience is checked below
		SkipExpiryCheck: true, // the library takes a missing exp for an expired one, and reads no other claim then
	})
	verified, err := verifier.Verify(ctx, token)
	if err != nil {
		return nil, nil, err
	}
	if !slices.ContainsFunc(audiences, func(one string) bool { return one != "" && slices.Contains(verified.Audience, one) }) {
		return nil, nil, fmt.Errorf("the audience is %q", verified.Audience)
	}
	var c claims
	if err := verified.Claims(&c); err != nil {
		return nil, nil, err
	}
	return verified, &c, p.checkClaims(verified, &c)
}

// checkClaims checks what the library does not.
func (p *Provider) checkClaims(verified *goidc.IDToken, c *claims) error {
	now := p.now()
	notBefore, _ := c.NotBefore.Float64()
	switch {
	case verified.Issuer != p.config.Issuer: // the library makes an exception for Google
		return errors.New("the issuer is another one")
	case verified.Subject == "" || len(verified.Subject) > maxSubject || strings.ContainsFunc(verified.Subject, isControl):
		return errors.New("the claim sub is missing or unusable")
	case verified.Expiry.IsZero():
		return errors.New("the claim exp is missing")
	case verified.IssuedAt.After(now.Add(maxFutureIssue)):
		return errors.New("the token is issued in the future")
	case notBefore > 0 && time.Unix(int64(notBefore), 0).After(now.Add(maxFutureIssue)):
		return errors.New("the token is not valid yet")
	}
	return nil
}

// checkExpiry comes last, because a token has expired only if nothing else is wrong with it.
func (p *Provider) checkExpiry(verified *goidc.IDToken) error {
	if p.now().Before(verified.Expiry) {
		return nil
	}
	return &goidc.TokenExpiredError{Expiry: verified.Expiry}
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

// checkAccessToken rejects id tokens and other tokens that are also signed for this client, but prove a login to somebody else. RFC 9068
// gives access tokens the type at+jwt; those of providers that do not follow it are recognized by their claims.
func checkAccessToken(token string, c *claims) error {
	encoded, _, _ := strings.Cut(token, ".")
	var header struct {
		Type string `json:"typ"`
	}
	text, err := base64.RawURLEncoding.DecodeString(encoded)
	if err == nil {
		err = json.Unmarshal(text, &header)
	}
	if err != nil {
		return err
	}
	kind := strings.TrimPrefix(strings.ToLower(header.Type), "application/")
	given := func(members ...json.RawMessage) bool {
		return slices.ContainsFunc(members, func(m json.RawMessage) bool { return len(m) > 0 })
	}
	switch {
	case kind != "" && kind != "jwt" && kind != "at+jwt":
		return fmt.Errorf("it is no access token but %q", shorten(header.Type))
	case c.Type != "" && c.Type != "Bearer" && c.Type != "JWT":
		return fmt.Errorf("it is no access token but %q", shorten(c.Type))
	case given(c.Nonce, c.AccessTokenHash, c.CodeHash, c.Events):
		return errors.New("it is no access token: it has a claim of id or logout tokens")
	case kind != "at+jwt" && c.Type != "Bearer" &&
		!given(c.Scope, c.ShortScope, c.ClientID, c.ShortClientID, c.ApplicationID, c.IdentityType):
		return errors.New("nothing shows that it is an access token: neither typ nor scope, scp, client_id, cid, appid or idtyp")
	}
	return nil
}

// identity returns the user of a verified token, or the fault for the error of its verification. The reason is logged, for the operator;
// the client gets none.
func (p *Provider) identity(verified *goidc.IDToken, c *claims, err error) (auth.Identity, error) {
	var expired *goidc.TokenExpiredError
	switch {
	case err == nil:
	case fault.CodeOf(err) == fault.DatabaseUnavailable:
		return auth.Identity{}, err
	case errors.Is(err, errKeysUnknown), strings.Contains(err.Error(), errKeysUnknown.Error()): // the library drops the chain
		return auth.Identity{}, unavailable(err)
	case errors.As(err, &expired):
		return auth.Identity{}, fault.Wrap(err, fault.TokenExpired, "The token has expired; log in again")
	default:
		p.log.Info("token of the identity provider refused", "reason", shorten(err.Error()))
		return auth.Identity{}, fault.Wrap(err, fault.InvalidToken, "The token is not valid")
	}
	rights := p.config.Mapping.Rights(p.groups(verified))
	name := c.PreferredUsername
	if name == "" {
		name = c.Email
	}
	return auth.Identity{
		Issuer: verified.Issuer, Subject: verified.Subject, Username: name, Permissions: rights.Permissions, Roles: rights.Roles,
		Admin: rights.Admin, IssuedAt: verified.IssuedAt, ExpiresAt: verified.Expiry,
	}, nil
}

// groups returns the groups of a token. A claim of another form than a list of texts, or one text, gives none.
func (p *Provider) groups(token *goidc.IDToken) []string {
	var all map[string]json.RawMessage
	if err := token.Claims(&all); err != nil {
		return nil
	}
	text, given := all[p.config.GroupsClaim]
	if !given {
		if _, elsewhere := all["_claim_names"]; elsewhere {
			p.log.Warn("the identity provider left out the groups of a user because there are too many: the user gets no rights",
				"claim", p.config.GroupsClaim)
		}
		return nil
	}
	var list []string
	var one string
	switch {
	case json.Unmarshal(text, &list) == nil:
		return list
	case json.Unmarshal(text, &one) == nil && one != "":
		return []string{one}
	}
	p.log.Warn("the groups of a user are neither a list of texts nor a text: the user gets no rights", "claim", p.config.GroupsClaim)
	return nil
}
