package auth

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"log/slog"
	"slices"
	"strings"
	"time"

	"graphrest/internal/fault"
)

// A service token is a long-lived credential of a program, and a personal token one of a user. The secret is a prefix and 32 random bytes
// in base64url.
//
// Only the SHA-256 of the secret is stored. A slow, salted hash protects passwords because people choose them from a small set; nobody can
// enumerate 2^256 secrets, so a fast hash cannot be reversed either, and it lets every request find its token by the hash, in memory.
const (
	serviceTokenPrefix  = "grt_"
	personalTokenPrefix = "grp_"
	secretBytes         = 32
	secretLength        = len(serviceTokenPrefix) + 43
)

// DefaultTokenTTL is how long a service token or a personal token is valid if nothing is said.
const DefaultTokenTTL = 90 * 24 * time.Hour

// ServiceTokenUser is the start of the name under which a service token acts, in the audit and the history: "token:" and the token's name.
// No user's name may begin so.
const ServiceTokenUser = "token:"

// ServiceToken is a service token as administrators see it, without its secret.
type ServiceToken struct {
	ID          string // UUID; the user id of what the token does
	Name        string // unique among the tokens, compared as user names are
	Permissions []Permission
	Roles       []string // names, sorted; never nil
	RateLimit   *int64   // requests per period instead of the default; nil for the default
	CreatedAt   time.Time
	CreatedBy   string // name of the administrator; empty for the command line
	CreatedByID string // the administrator's user id; empty for the command line
	ExpiresAt   time.Time
	LastUsedAt  time.Time // to the minute; zero if never
}

// NewServiceToken is the input of a service token's creation.
type NewServiceToken struct {
	Name        string
	Permissions []Permission
	Roles       []string
	ExpiresAt   time.Time // zero for DefaultTokenTTL from now
	RateLimit   *int64
}

// CreatedServiceToken is a new service token with its secret, which is shown once.
type CreatedServiceToken struct {
	ServiceToken
	Secret string
}

// String contains only the id, so that no formatter prints the secret.
func (t CreatedServiceToken) String() string { return "service token " + t.ID }

// GoString implements %#v.
func (t CreatedServiceToken) GoString() string { return t.String() }

// LogValue implements slog.LogValuer.
func (t CreatedServiceToken) LogValue() slog.Value { return slog.StringValue(t.String()) }

// SecretHash is the SHA-256 of a token's secret.
type SecretHash [sha256.Size]byte

// StoredToken is a service token or a personal token with the fields that only the store and this package may see.
type StoredToken struct {
	ServiceToken
	Folded    string // see FoldUsername; empty for a personal token, and once deleted
	Hash      SecretHash
	DeletedAt time.Time // zero while the token exists
	Version   int64     // of the last change; set by the store
	// Of a personal token. Its permissions and roles are those that it is cut to, unless it is uncut.
	OwnerID    string // the user's id; empty for a service token
	Generation int64  // of the user when the token was made: see StoredUser
	Uncut      bool   // it has every right of its user
}

// String contains only the id, so that no formatter prints the hash.
func (t StoredToken) String() string { return "token " + t.ID }

// GoString implements %#v.
func (t StoredToken) GoString() string { return t.String() }

// LogValue implements slog.LogValuer.
func (t StoredToken) LogValue() slog.Value { return slog.StringValue(t.String()) }

// actsAs returns the name under which the token acts.
func (t *StoredToken) actsAs() string { return ServiceTokenUser + t.Name }

// public returns a copy without the stored-only fields, which a caller may keep and change.
func (t *StoredToken) public() ServiceToken {
	shown := t.ServiceToken
	shown.Permissions, shown.Roles = slices.Clone(t.Permissions), slices.Clone(t.Roles)
	if t.RateLimit != nil {
		limit := *t.RateLimit
		shown.RateLimit = &limit
	}
	return shown
}

// newSecret generates the secret of a token.
func newSecret(prefix string) string {
	random := make([]byte, secretBytes)
	_, _ = rand.Read(random) // never fails: it ends the program instead
	return prefix + base64.RawURLEncoding.EncodeToString(random)
}

func hashSecret(secret string) SecretHash { return sha256.Sum256([]byte(secret)) }

// authenticateSecret returns the principal of a service token or a personal token. The token is found by the hash of its secret: how long
// the lookup takes depends on the hash only, and nobody can choose a secret whose hash resembles another one's.
// INVALID_TOKEN, TOKEN_EXPIRED, DATABASE_UNAVAILABLE; TOKEN_REVOKED as in Authenticate.
func (s *Service) authenticateSecret(ctx context.Context, secret string) (Principal, error) {
	if len(secret) != secretLength {
		return Principal{}, invalidToken()
	}
	hash := hashSecret(secret)
	if err := s.EnsureFresh(ctx); err != nil {
		return Principal{}, err
	}
	k, known := s.cache.tokenByHash(hash)
	if !known || k.token.isPersonal() != strings.HasPrefix(secret, personalTokenPrefix) { // an owner lost by damage gives no rights
		return Principal{}, invalidToken()
	}
	p, err := s.principalOfToken(k)
	if err == nil {
		k.use.record(s.now())
	}
	return p, err
}

// principalOfToken returns the principal of a stored token. TOKEN_EXPIRED; TOKEN_REVOKED with its id and name only.
func (s *Service) principalOfToken(k *cachedToken) (Principal, error) {
	t := k.token
	if t.isPersonal() {
		return s.principalOfPersonalToken(k)
	}
	if !s.now().Before(t.ExpiresAt) {
		return Principal{}, expiredServiceToken()
	}
	p := Principal{UserID: t.ID, Username: t.actsAs(), ServiceToken: true, MakerID: t.CreatedByID}
	if !t.DeletedAt.IsZero() {
		return p, revokedServiceToken()
	}
	p.Permissions, p.Roles, p.RateLimit, p.TokenID, p.ExpiresAt = t.Permissions, t.Roles, t.RateLimit, t.ID, t.ExpiresAt
	p.Queries = s.cache.currentRoles().queriesOf(t.Roles)
	p.View = k.view.view(holder{id: t.ID, name: t.actsAs(), permissions: t.Permissions, roles: t.Roles}, s.cache.currentRoles())
	return p, nil
}

// recheckToken returns the current principal of a service token or a personal token from the cache.
func (s *Service) recheckToken(p Principal) (Principal, error) {
	k, known := s.cache.tokenByID(p.TokenID)
	switch {
	case !known && p.PersonalToken:
		return Principal{}, revokedPersonalToken()
	case !known:
		return Principal{}, revokedServiceToken()
	}
	current, err := s.principalOfToken(k)
	if err != nil {
		return Principal{}, err
	}
	return current, nil
}

func expiredServiceToken() error {
	return fault.New(fault.TokenExpired, "The service token has expired; an administrator can create another one")
}

func revokedServiceToken() error {
	return fault.New(fault.TokenRevoked, "The service token has been deleted; an administrator can create another one")
}

// RequireLogin returns PERMISSION_DENIED unless the principal has the token of a login.
func (p Principal) RequireLogin() error {
	switch {
	case p.ServiceToken:
		return fault.New(fault.PermissionDenied, "Permission denied: a service token cannot do this; log in as a user")
	case p.PersonalToken:
		return fault.New(fault.PermissionDenied, "Permission denied: a personal token cannot do this; log in")
	}
	return nil
}

func isSecret(text string) bool {
	return strings.HasPrefix(text, serviceTokenPrefix) || strings.HasPrefix(text, personalTokenPrefix)
}
