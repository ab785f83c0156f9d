package auth

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/google/uuid"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// A personal token is a credential that a user makes for a program, which acts as that user. It has the same secret, hash, cache and expiry
// as a service token. Its rights are those of the user at each request, cut to those that were named when it was made. It ends with its
// deletion and its expiry, and when its user is disabled, deleted or gets another password.

// MaxPersonalTokens bounds the personal tokens of a user, expired ones included.
const MaxPersonalTokens = 20

// PersonalToken is a personal token as its user and administrators see it, without its secret.
type PersonalToken struct {
	ID   string // UUID
	Name string
	// Permissions and Roles are what the token is cut to, whether or not the user still has them; never nil unless the token is uncut.
	Permissions []Permission
	Roles       []string
	Uncut       bool // it has every right of its user
	CreatedAt   time.Time
	ExpiresAt   time.Time
	LastUsedAt  time.Time // to the minute; zero if never
}

// NewPersonalToken is the input of a personal token's creation. Without permissions and without roles, both nil, the token has every right
// of its user.
type NewPersonalToken struct {
	Name        string
	Permissions []Permission
	Roles       []string
	ExpiresAt   time.Time // zero for DefaultTokenTTL from now
}

// CreatedPersonalToken is a new personal token with its secret, which is shown once.
type CreatedPersonalToken struct {
	PersonalToken
	Secret string
}

// String contains only the id, so that no formatter prints the secret.
func (t CreatedPersonalToken) String() string { return "personal token " + t.ID }

// GoString implements %#v.
func (t CreatedPersonalToken) GoString() string { return t.String() }

// LogValue implements slog.LogValuer.
func (t CreatedPersonalToken) LogValue() slog.Value { return slog.StringValue(t.String()) }

func (t *StoredToken) isPersonal() bool { return t.OwnerID != "" }

// belongsTo reports whether a token is a personal token of a user that has not ended.
func (t *StoredToken) belongsTo(u *StoredUser) bool {
	return t.isPersonal() && t.OwnerID == u.ID && t.Generation == u.Generation && t.DeletedAt.IsZero()
}

// personal returns what a user sees of an own token.
func (k *cachedToken) personal() PersonalToken {
	t := k.shown()
	return PersonalToken{
		ID: t.ID, Name: t.Name, Permissions: t.Permissions, Roles: t.Roles, Uncut: k.token.Uncut, CreatedAt: t.CreatedAt,
		ExpiresAt: t.ExpiresAt, LastUsedAt: t.LastUsedAt,
	}
}

// principalOfPersonalToken returns the user of a personal token with the rights that the user has and the token is cut to. TOKEN_EXPIRED;
// TOKEN_REVOKED with the ids and names only.
func (s *Service) principalOfPersonalToken(k *cachedToken) (Principal, error) {
	t := k.token
	if !s.now().Before(t.ExpiresAt) {
		return Principal{}, fault.New(fault.TokenExpired, "The personal token has expired; make another one")
	}
	p := Principal{UserID: t.OwnerID, PersonalToken: true, TokenID: t.ID, TokenName: t.Name}
	u, known := s.cache.userByID(t.OwnerID)
	if known {
		p.Username = u.Username
	}
	if !known || u.Disabled || !t.belongsTo(u) {
		return p, revokedPersonalToken()
	}
	p.Permissions, p.Roles = t.cut(u)
	p.Attributes = u.Attributes
	p.Queries = s.cache.currentRoles().queriesOf(p.Roles)
	p.RateLimit, p.ExpiresAt, p.generation = u.RateLimit, t.ExpiresAt, u.Generation
	h := holder{id: u.ID, name: u.Username, permissions: p.Permissions, roles: p.Roles, attributes: u.Attributes}
	p.View = k.view.view(h, s.cache.currentRoles())
	return p, nil
}

// cut returns the rights of a user that a token has.
func (t *StoredToken) cut(u *StoredUser) ([]Permission, []string) {
	if t.Uncut {
		return u.Permissions, u.Roles
	}
	return intersect(u.Permissions, t.Permissions), intersect(u.Roles, t.Roles)
}

// intersect returns the elements of a list that another one has, in their order.
func intersect[T comparable](list, other []T) []T {
	both := make([]T, 0, len(list))
	for _, one := range list {
		if slices.Contains(other, one) {
			both = append(both, one)
		}
	}
	return both
}

func revokedPersonalToken() error {
	return fault.New(fault.TokenRevoked, "The personal token has ended: it was deleted, or its user was disabled or has another password")
}

// PersonalTokens lists the personal tokens of a user by name, expired ones included. DATABASE_UNAVAILABLE.
func (s *Service) PersonalTokens(ctx context.Context, userID string) ([]PersonalToken, error) {
	if err := s.refreshNow(ctx); err != nil {
		return nil, err
	}
	return s.cache.personalTokens(userID), nil
}

// personalTokens lists the personal tokens of a user that have not ended by name.
func (m *userCache) personalTokens(userID string) []PersonalToken {
	m.mu.RLock()
	defer m.mu.RUnlock()
	list := []PersonalToken{}
	owner, known := m.users[userID]
	if !known {
		return list
	}
	for _, k := range m.tokens {
		if k.token.belongsTo(owner.user) {
			list = append(list, k.personal())
		}
	}
	slices.SortFunc(list, func(x, y PersonalToken) int { return cmp.Or(cmp.Compare(x.Name, y.Name), cmp.Compare(x.ID, y.ID)) })
	return list
}

// CreatePersonalToken makes a personal token of the principal's user.
// VALIDATION_ERROR, also for rights that the user lacks; PERMISSION_DENIED without a login; CONFLICT if the user has MaxPersonalTokens;
// TOKEN_REVOKED if the user's tokens have ended meanwhile; DATABASE_UNAVAILABLE.
func (s *Service) CreatePersonalToken(ctx context.Context, p Principal, n NewPersonalToken) (CreatedPersonalToken, error) {
	if err := p.RequireLogin(); err != nil {
		return CreatedPersonalToken{}, err
	}
	now := s.now()
	if n.ExpiresAt.IsZero() {
		n.ExpiresAt = now.Add(DefaultTokenTTL)
	}
	problems := append(checkOwnRights(p, n), CheckTokenName("name", n.Name), checkPermissions(n.Permissions),
		CheckRoleNames("roles", n.Roles), CheckTokenExpiry("expires_at", n.ExpiresAt, now))
	if err := fault.Merge(problems...); err != nil {
		return CreatedPersonalToken{}, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return CreatedPersonalToken{}, fault.Wrap(err, fault.Internal, "Internal error")
	}
	secret := newSecret(personalTokenPrefix)
	stored, err := s.store.CreatePersonalToken(ctx, StoredToken{
		ServiceToken: ServiceToken{
			ID: id.String(), Name: n.Name, Permissions: sortPermissions(n.Permissions), Roles: n.Roles, CreatedAt: s.timestamp(),
			ExpiresAt: n.ExpiresAt.UTC().Truncate(time.Millisecond),
		},
		Hash: hashSecret(secret), OwnerID: p.UserID, Generation: p.generation, Uncut: n.Permissions == nil && n.Roles == nil,
	})
	if err != nil {
		return CreatedPersonalToken{}, err
	}
	s.log.Info("personal token created", "user", p.UserID, "token_id", stored.ID, "expires_at", stored.ExpiresAt)
	k := cachedToken{token: &stored, use: &tokenUse{}}
	return CreatedPersonalToken{k.personal(), secret}, s.cacheOwnToken(ctx, stored)
}

// checkOwnRights rejects permissions and roles that a user does not have.
func checkOwnRights(p Principal, n NewPersonalToken) []*fault.Error {
	var faults []*fault.Error
	if i := slices.IndexFunc(n.Permissions, func(one Permission) bool { return !p.May(one) }); i >= 0 {
		faults = append(faults, fault.Invalid("permissions", "must be permissions that you have; you do not have %s", n.Permissions[i]))
	}
	for i, role := range n.Roles {
		if !slices.Contains(p.Roles, role) {
			faults = append(faults, fault.Invalid(graph.ElementPath("roles", i), "must be the name of a role that you have"))
		}
	}
	return faults
}

// DeletePersonalToken ends a personal token of a user. NOT_FOUND, also for another user's token; DATABASE_UNAVAILABLE.
func (s *Service) DeletePersonalToken(ctx context.Context, userID, id string) error {
	stored, err := s.store.DeleteToken(ctx, id, userID, s.timestamp())
	if err != nil {
		return err
	}
	s.log.Info("personal token deleted", "user", userID, "token_id", stored.ID)
	return s.cacheOwnToken(ctx, stored)
}

// PrincipalOfPersonalToken returns the principal of a user's personal token, for explanations. NOT_FOUND; TOKEN_REVOKED and TOKEN_EXPIRED
// for one that has ended; DATABASE_UNAVAILABLE.
func (s *Service) PrincipalOfPersonalToken(ctx context.Context, userID, id string) (Principal, error) {
	if err := s.refreshNow(ctx); err != nil {
		return Principal{}, err
	}
	k, known := s.cache.tokenByID(id)
	if !known || !k.token.isPersonal() || k.token.OwnerID != userID {
		return Principal{}, NoSuchPersonalToken()
	}
	return s.principalOfToken(k)
}

// CountPersonalTokens counts personal tokens as CountServiceTokens does service tokens.
func (s *Service) CountPersonalTokens(within time.Duration) (expiring, expired int) {
	var ends []time.Time
	s.cache.mu.RLock()
	for _, k := range s.cache.tokens {
		if owner, known := s.cache.users[k.token.OwnerID]; known && k.token.belongsTo(owner.user) {
			ends = append(ends, k.token.ExpiresAt)
		}
	}
	s.cache.mu.RUnlock()
	return countExpiring(ends, s.now(), within)
}

// NoSuchPersonalToken is NOT_FOUND.
func NoSuchPersonalToken() error { return fault.New(fault.NotFound, "There is no such personal token") }

// EndedOwner is the TOKEN_REVOKED of a personal token whose user may not have one any more.
func EndedOwner() error { return revokedToken() }

// TooManyPersonalTokens is the CONFLICT of one more than MaxPersonalTokens.
func TooManyPersonalTokens() error {
	return fault.New(fault.Conflict,
		fmt.Sprintf("A user has at most %d personal tokens, expired ones included; delete one first", MaxPersonalTokens))
}
