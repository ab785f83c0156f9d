package auth

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"

	"graphrest/internal/fault"
)

const (
	maxToken   = 8 << 10 // bytes; a longer token is rejected without parsing
	maxTokenID = 128
	// leeway is how far the clock of the replica that issued a token may be ahead of ours. Expiry has no leeway.
	leeway = 5 * time.Second
	// maxFutureIssue is how far iat may be ahead of our clock: replicas' clocks differ by seconds, and a corrected clock
	// by a few more. No login issues a later iat.
	maxFutureIssue = time.Minute
	// lastSecond is the end of the year 9999.
	lastSecond = 253402300799
)

// claims are the contents of a token. Types are checked during decoding; checkClaims does the rest.
type claims struct {
	Issuer     string           `json:"iss"`
	Audience   jwt.ClaimStrings `json:"aud"`
	Subject    string           `json:"sub"` // user id
	ID         string           `json:"jti"`
	IssuedAt   seconds          `json:"iat"`
	NotBefore  *seconds         `json:"nbf,omitempty"`
	ExpiresAt  seconds          `json:"exp"`
	Generation *int64           `json:"gen"`
}

// seconds is a NumericDate (RFC 7519, section 2) between 1970 and 9999, zero not included.
type seconds float64

func (s *seconds) UnmarshalJSON(text []byte) error {
	var number float64
	if len(text) == 0 || (text[0] != '-' && (text[0] < '0' || text[0] > '9')) {
		return errors.New("not a number")
	}
	if err := json.Unmarshal(text, &number); err != nil {
		return err
	}
	if number <= 0 || number > lastSecond {
		return errors.New("out of range")
	}
	*s = seconds(number)
	return nil
}

func (s seconds) MarshalJSON() ([]byte, error) { return json.Marshal(int64(s)) }

func (s seconds) time() time.Time {
	whole := int64(s)
	return time.Unix(whole, int64((float64(s)-float64(whole))*1e9)).UTC()
}

// The getters implement jwt.Claims. The library checks the signature; checkClaims checks the claims, because it must distinguish an
// expired token from an otherwise invalid one.
func (c *claims) GetExpirationTime() (*jwt.NumericDate, error) {
	return jwt.NewNumericDate(c.ExpiresAt.time()), nil
}

func (c *claims) GetIssuedAt() (*jwt.NumericDate, error) {
	return jwt.NewNumericDate(c.IssuedAt.time()), nil
}

func (c *claims) GetNotBefore() (*jwt.NumericDate, error) {
	if c.NotBefore == nil {
		return nil, nil //nolint:nilnil // as the interface requires
	}
	return jwt.NewNumericDate(c.NotBefore.time()), nil
}
func (c *claims) GetIssuer() (string, error)             { return c.Issuer, nil }
func (c *claims) GetSubject() (string, error)            { return c.Subject, nil }
func (c *claims) GetAudience() (jwt.ClaimStrings, error) { return c.Audience, nil }

// tokenIssuer issues and verifies access tokens.
type tokenIssuer struct {
	keys     *ring
	parser   *jwt.Parser
	issuer   string
	audience string
	ttl      time.Duration
	now      func() time.Time
	verified *verifiedTokens
}

func newTokenIssuer(c Config, now func() time.Time) tokenIssuer {
	return tokenIssuer{
		keys: c.Keys.ring, issuer: c.Issuer, audience: c.Audience, ttl: c.TokenTTL, now: now, verified: &verifiedTokens{},
		parser: jwt.NewParser(jwt.WithValidMethods([]string{c.Keys.ring.method.Alg()}), jwt.WithStrictDecoding(), jwt.WithoutClaimsValidation()),
	}
}

// issue signs a token for a user.
func (t tokenIssuer) issue(u *StoredUser) (Token, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return Token{}, fault.Wrap(err, fault.Internal, "Internal error")
	}
	now := t.now()
	expires := roundUpToSecond(now.Add(t.ttl))
	generation := u.Generation
	token := jwt.NewWithClaims(t.keys.method, &claims{
		Issuer: t.issuer, Audience: jwt.ClaimStrings{t.audience}, Subject: u.ID, ID: id.String(),
		IssuedAt: seconds(now.Unix()), ExpiresAt: seconds(expires), Generation: &generation,
	})
	token.Header["kid"] = t.keys.id
	text, err := token.SignedString(t.keys.sign)
	if err != nil {
		return Token{}, fault.Wrap(err, fault.Internal, "Internal error")
	}
	return Token{AccessToken: text, ExpiresIn: t.ttl, ExpiresAt: time.Unix(expires, 0), id: id.String()}, nil
}

// roundUpToSecond rounds up, so that a token is never valid for less time than stated.
func roundUpToSecond(at time.Time) int64 {
	if at.Nanosecond() > 0 {
		return at.Unix() + 1
	}
	return at.Unix()
}

// verify checks the signature and the claims of a token. INVALID_TOKEN, TOKEN_EXPIRED. It does not check revocation.
func (t tokenIssuer) verify(text string) (*claims, error) {
	if len(text) > maxToken || !hasTokenForm(text) {
		return nil, invalidToken()
	}
	if c := t.verified.get(text); c != nil {
		if err := t.checkClaims(c); err != nil {
			return nil, err
		}
		return c, nil
	}
	var c claims
	token, err := t.parser.ParseWithClaims(text, &c, func(token *jwt.Token) (any, error) {
		if err := checkHeader(token.Header); err != nil {
			return nil, err
		}
		kid, given := token.Header["kid"]
		return t.keys.keysFor(kid, given)
	})
	if err != nil || !token.Valid || checkMembers(text) != nil {
		return nil, invalidToken()
	}
	if err := t.checkClaims(&c); err != nil {
		return nil, err
	}
	t.verified.put(strings.Clone(text), &c)
	return &c, nil
}

func (t tokenIssuer) checkClaims(c *claims) error {
	now := t.now()
	switch {
	case c.Issuer != t.issuer, !slices.Contains(c.Audience, t.audience), c.Subject == "", len(c.Subject) > maxTokenID,
		c.ID == "", len(c.ID) > maxTokenID, c.Generation == nil, c.IssuedAt == 0, c.ExpiresAt == 0,
		c.NotBefore != nil && c.NotBefore.time().After(now.Add(leeway)), c.IssuedAt.time().After(now.Add(maxFutureIssue)):
		return invalidToken()
	case !now.Before(c.ExpiresAt.time()):
		return expiredToken()
	}
	return nil
}

func expiredToken() error {
	return fault.New(fault.TokenExpired, "The token has expired; log in again")
}

// checkHeader rejects headers that the library ignores: crit names extensions that must be understood (RFC 7515, section
// 4.1.11), and none are supported here; b64 and zip change what the signature covers or what the claims are (RFC 7797,
// RFC 7516); typ, if present, must be JWT.
func checkHeader(header map[string]any) error {
	for _, extension := range []string{"crit", "b64", "zip"} {
		if _, given := header[extension]; given {
			return errors.New(extension)
		}
	}
	if kind, given := header["typ"]; given {
		if text, isText := kind.(string); !isText || !strings.EqualFold(text, "JWT") {
			return errors.New("typ")
		}
	}
	return nil
}

// hasTokenForm reports whether a text has the characters and the three parts of a token. The decoder would skip line
// breaks.
func hasTokenForm(text string) bool {
	dots := 0
	for i := range len(text) {
		switch c := text[i]; {
		case c == '.':
			dots++
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '_':
		default:
			return false
		}
	}
	return dots == 2
}

func invalidToken() error {
	return fault.New(fault.InvalidToken, "The token is not valid")
}

// bearerToken extracts the token from the Authorization headers of a request (RFC 6750, section 2.1). UNAUTHENTICATED.
func bearerToken(headers []string) (string, error) {
	if len(headers) == 1 {
		scheme, token, _ := strings.Cut(headers[0], " ")
		token = strings.Trim(token, " ")
		if strings.EqualFold(scheme, "Bearer") && token != "" {
			return token, nil
		}
	}
	return "", fault.New(fault.Unauthenticated, "A bearer token is needed: Authorization: Bearer <token>")
}
