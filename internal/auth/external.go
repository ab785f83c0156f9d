package auth

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"graphrest/internal/audit"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// Provider verifies tokens of an identity provider; *oidc.Provider implements it.
type Provider interface {
	// Issued reports whether a token names the provider as its issuer, without verifying it.
	Issued(token string) bool
	// VerifyAccessToken verifies an access token. INVALID_TOKEN, TOKEN_EXPIRED, DATABASE_UNAVAILABLE.
	VerifyAccessToken(ctx context.Context, token string) (Identity, error)
}

// The ways of a login at an identity provider, as the audit names them.
const (
	wayOIDC      = "oidc"       // in a browser
	wayOIDCToken = "oidc_token" // by a token of the provider
)

const (
	// deletedIdentityTTL is how long tokens of a provider are refused that were issued before their user was deleted; longer than such tokens
	// are valid.
	deletedIdentityTTL = 24 * time.Hour
	// redeemedTTL is how long a redeemed sign-in is kept after its end; far longer than clocks differ.
	redeemedTTL = time.Hour
	// signInTimeout bounds the first use of a provider's token, which serves all requests that wait for it.
	signInTimeout = 10 * time.Second
	// externalRecheck is how long the signature of a token counts as verified, so that a key that the provider withdrew ends.
	externalRecheck = 10 * time.Minute
)

// SignIn returns the user of an identity. It creates the user at the first login, and applies the rights that the identity gives, which
// win over what an administrator set. The name is the identity's if that is free; an account is never found by its name. Rights are
// changed at once, for running tokens too. Rights from a token that was issued earlier than the one whose rights the user has are not
// applied.
// INVALID_CREDENTIALS for a disabled user, and for a token from before its user's deletion; DATABASE_UNAVAILABLE.
func (s *Service) SignIn(ctx context.Context, i Identity) (User, error) {
	u, err := s.signIn(ctx, i)
	if err != nil {
		s.config.Observer.Login(fault.CodeOf(err))
		s.auditRefusedSignIn(ctx, i, wayOIDC, err)
		return User{}, err
	}
	return u.public(), nil
}

func (s *Service) signIn(ctx context.Context, i Identity) (*StoredUser, error) {
	if err := s.refreshNow(ctx); err != nil {
		return nil, err
	}
	if s.cache.isDeletedIdentity(i) {
		return nil, signInRefused()
	}
	rights, roles := sortPermissions(i.Permissions), s.existingRoles(i.Roles)
	granted := int64(0)
	if !i.IssuedAt.IsZero() {
		granted = i.IssuedAt.Unix()
	}
	known, exists := s.cache.userByIdentity(i.Key())
	switch {
	case exists && known.Disabled:
		return nil, signInRefused()
	case exists && (granted < known.GrantedAt ||
		granted == known.GrantedAt && known.Admin == i.Admin && slices.Equal(known.Permissions, rights) && slices.Equal(known.Roles, roles)):
		return known, nil // nothing to write
	case !exists && !s.bootstrapped.Load() && s.cache.userCount() == 0:
		// It would be the first user, and the first administrator would not be created.
		return nil, fault.New(fault.DatabaseUnavailable, "The service is being prepared; try again").RetryAfter(retryAfter)
	}
	id, err := uuid.NewV7()
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "Internal error")
	}
	now := s.timestamp()
	ctx = audit.WithActor(ctx, s.signInActor(ctx, i))
	stored, err := s.store.SignIn(ctx, SignIn{
		New: StoredUser{
			User:     User{ID: id.String(), Permissions: rights, Roles: roles, Admin: i.Admin, CreatedAt: now, UpdatedAt: now},
			Identity: i.Key(), GrantedAt: granted,
		},
		Names: usernamesFor(i), GrantedAt: granted,
	})
	if err != nil {
		return nil, err
	}
	if stored.Disabled {
		return nil, signInRefused()
	}
	s.log.Info("user of the identity provider", "user", stored.ID, "created", stored.ID == id.String())
	return &stored, s.cacheOwnChange(ctx, stored)
}

// existingRoles returns those of the roles that exist, sorted. The others give nothing; the first login after the start that names one
// logs it.
func (s *Service) existingRoles(names []string) []string {
	roles, existing := s.cache.currentRoles(), []string{}
	for _, name := range slices.Sorted(slices.Values(names)) {
		if _, exists := roles.byName[name]; exists {
			existing = append(existing, name)
		} else if _, logged := s.missingRoles.LoadOrStore(name, true); !logged {
			s.log.Warn("the groups of the identity provider are mapped to a role that does not exist; it gives nothing", "role", name)
		}
	}
	return existing
}

func signInRefused() error {
	return fault.New(fault.InvalidCredentials, "The user may not log in")
}

// RedeemSignIn issues the token of a sign-in, at most one for each id, on all replicas together. A nil admit allows every login.
// INVALID_CREDENTIALS, RATE_LIMITED, DATABASE_UNAVAILABLE.
func (s *Service) RedeemSignIn(ctx context.Context, signInID, userID string, expires time.Time, admit Admit) (token Token, err error) {
	defer func() { s.config.Observer.Login(fault.CodeOf(err)) }()
	if err := s.refreshNow(ctx); err != nil {
		return Token{}, err
	}
	e := audit.Entry{Actor: audit.ActorFrom(ctx), Action: audit.Login, Kind: audit.Session, Outcome: audit.Done, Fields: []string{wayOIDC}}
	u, exists := s.cache.userByID(userID)
	if exists {
		e.Actor.User, e.Actor.UserID = u.Username, u.ID
	}
	defer func() {
		if code := fault.CodeOf(err); code == fault.InvalidCredentials || code == fault.RateLimited {
			e.Code = string(code)
			s.config.Audit.AddRefusal(e)
		}
	}()
	if !exists || u.Disabled || u.Identity == "" {
		return Token{}, signInRefused()
	}
	r := Revocation{TokenID: "sign-in " + signInID, ExpiresAt: expires.Add(redeemedTTL)}
	first, err := s.store.Redeem(ctx, r)
	if err != nil {
		return Token{}, err
	}
	s.cache.addRevocation(r)
	if !first {
		s.log.Warn("a login by the identity provider was refused because its cookie was used before", "user", userID)
		return Token{}, fault.New(fault.InvalidCredentials, "This login was completed before; begin again")
	}
	if admit != nil {
		if err := admit(s.principal(u, "", time.Time{})); err != nil {
			return Token{}, err
		}
	}
	if token, err = s.tokens.issue(u); err != nil {
		return Token{}, err
	}
	e.Entity = token.id
	if err := s.config.Audit.WriteLogin(ctx, e); err != nil {
		return Token{}, err
	}
	s.log.Info("login", "user", u.ID, "way", wayOIDC, "address", e.Actor.Address)
	return token, nil
}

// authenticateExternal returns the principal of a provider's token. The first use of a token is a login; later ones read memory only.
func (s *Service) authenticateExternal(ctx context.Context, text string) (Principal, error) {
	if len(text) > maxExternalToken || !hasTokenForm(text) {
		return Principal{}, invalidToken()
	}
	key := sha256.Sum256([]byte(text))
	e := s.external.get(key)
	if e == nil || s.now().Sub(e.verifiedAt) >= externalRecheck {
		var err error
		if e, err = s.admitExternal(ctx, key, text, e); err != nil {
			return Principal{}, err
		}
	}
	if !s.now().Before(e.expires) {
		return Principal{}, expiredToken()
	}
	if err := s.EnsureFresh(ctx); err != nil {
		return Principal{}, err
	}
	u, revoked := s.cache.userOfToken(e.userID, e.id)
	if revoked || u == nil || u.Disabled {
		p := Principal{UserID: e.userID}
		if u != nil {
			p.Username = u.Username
		}
		return p, revokedToken()
	}
	return s.principal(u, e.id, e.expires), nil
}

// sharedSignIn is the result of a sign-in that several requests may wait for.
type sharedSignIn struct {
	began time.Time
	token *externalToken
	err   error
}

// admitExternal verifies a token, and signs its user in unless that was done before. The failure of a sign-in that began before the call
// does not count if it is due to time or availability.
func (s *Service) admitExternal(ctx context.Context, key [sha256.Size]byte, text string, known *externalToken) (*externalToken, error) {
	called := time.Now()
	for {
		r, err := s.joinSignIn(ctx, key, text, known)
		if err != nil {
			return nil, err
		}
		if code := fault.CodeOf(r.err); !r.began.Before(called) || code != fault.DatabaseUnavailable && code != fault.DatabaseTimeout {
			return r.token, r.err
		}
	}
}

// joinSignIn starts a sign-in by a token, or joins the one that runs.
func (s *Service) joinSignIn(ctx context.Context, key [sha256.Size]byte, text string, known *externalToken) (*sharedSignIn, error) {
	result := s.signIns.DoChan(string(key[:]), func() (any, error) {
		r := &sharedSignIn{began: time.Now()}
		r.token, r.err = s.signInByToken(ctx, key, text, known)
		return r, nil
	})
	select {
	case r := <-result:
		return r.Val.(*sharedSignIn), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// signInByToken has its own deadline because it serves many requests.
func (s *Service) signInByToken(ctx context.Context, key [sha256.Size]byte, text string, known *externalToken) (*externalToken, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), signInTimeout)
	defer cancel()
	identity, err := s.config.Provider.VerifyAccessToken(ctx, text)
	if err != nil {
		return nil, err
	}
	e := &externalToken{id: externalTokenID(text), expires: identity.ExpiresAt, verifiedAt: s.now()}
	if known != nil {
		e.userID = known.userID
	} else if e.userID, err = s.loginExternal(ctx, identity, e.id); err != nil {
		return nil, err
	}
	s.external.put(key, e)
	return e, nil
}

// loginExternal signs a user in for its first request with a token, and returns the user's id.
func (s *Service) loginExternal(ctx context.Context, i Identity, tokenID string) (id string, err error) {
	ctx = audit.WithActor(ctx, s.signInActor(ctx, i))
	u, err := s.signIn(ctx, i)
	s.config.Observer.Login(fault.CodeOf(err))
	if err != nil {
		s.auditRefusedSignIn(ctx, i, wayOIDCToken, err)
		if fault.CodeOf(err) == fault.InvalidCredentials {
			return "", revokedToken()
		}
		return "", err
	}
	actor := audit.ActorFrom(ctx)
	actor.User, actor.UserID = u.Username, u.ID
	return u.ID, s.config.Audit.WriteLogin(ctx, audit.Entry{
		Actor: actor, Action: audit.Login, Kind: audit.Session, Outcome: audit.Done, Entity: tokenID, Fields: []string{wayOIDCToken},
	})
}

// signInActor is the actor of a context as the user of an identity, if it is known.
func (s *Service) signInActor(ctx context.Context, i Identity) audit.Actor {
	actor := audit.ActorFrom(ctx)
	if u, known := s.cache.userByIdentity(i.Key()); known {
		actor.User, actor.UserID = u.Username, u.ID
	}
	return actor
}

func (s *Service) auditRefusedSignIn(ctx context.Context, i Identity, way string, err error) {
	if code := fault.CodeOf(err); code == fault.InvalidCredentials {
		s.config.Audit.AddRefusal(audit.Entry{
			Actor: s.signInActor(ctx, i), Action: audit.Login, Kind: audit.Session, Code: string(code), Fields: []string{way},
		})
	}
}

// maxExternalToken is the largest provider's token, in bytes: providers put groups into tokens.
const maxExternalToken = 16 << 10

// externalTokenID is the id of a provider's token, by which it is revoked. It covers what the signature covers and not the signature, which
// has other valid forms.
func externalTokenID(text string) string {
	sum := sha256.Sum256([]byte(text[:strings.LastIndexByte(text, '.')]))
	return "oidc_" + base64.RawURLEncoding.EncodeToString(sum[:])
}

// externalTokens has the provider's tokens that were verified and whose users are signed in, by their hash. It is bounded like
// verifiedTokens: a token that falls out counts as a login again.
type externalTokens struct {
	mu         sync.RWMutex
	young, old map[[sha256.Size]byte]*externalToken
}

type externalToken struct {
	id, userID string
	expires    time.Time
	verifiedAt time.Time
}

func (t *externalTokens) get(key [sha256.Size]byte) *externalToken {
	t.mu.RLock()
	e, young := t.young[key]
	if !young {
		e = t.old[key]
	}
	t.mu.RUnlock()
	if e != nil && !young {
		t.put(key, e)
	}
	return e
}

func (t *externalTokens) put(key [sha256.Size]byte, e *externalToken) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.young == nil || len(t.young) >= verifiedGeneration {
		t.old, t.young = t.young, make(map[[sha256.Size]byte]*externalToken)
	}
	t.young[key] = e
}

// identityRevocation refuses tokens of a provider that were issued before their user is deleted now: another replica would create the user
// again. Nil for a user with a password.
func (s *Service) identityRevocation(u *StoredUser) *Revocation {
	if u.Identity == "" {
		return nil
	}
	return &Revocation{TokenID: deletedIdentityID(u.Identity), ExpiresAt: s.now().Add(deletedIdentityTTL).Truncate(time.Second)}
}

func deletedIdentityID(key string) string { return "deleted " + key }

// isDeletedIdentity reports whether the user of an identity was deleted after the identity's token was issued.
func (m *userCache) isDeletedIdentity(i Identity) bool {
	m.mu.RLock()
	defer m.mu.RUnlock()
	until, deleted := m.revoked[deletedIdentityID(i.Key())]
	return deleted && !i.IssuedAt.After(until.Add(-deletedIdentityTTL))
}

// usernamesFor returns names for the user of an identity: what the provider calls it, made usable, and the same with a part of a hash
// of the identity, for the case that the name is taken.
func usernamesFor(i Identity) []string {
	name := strings.TrimSpace(strings.ToValidUTF8(i.Username, ""))
	name = strings.TrimSpace(strings.Map(func(r rune) rune {
		if graph.IsInvisible(r) {
			return -1
		}
		return r
	}, name))
	if CheckUsername("", cutName(name, maxUsername)) != nil {
		name = "user"
	}
	sum := sha256.Sum256([]byte(i.Key()))
	suffix := strings.ToLower(base64.RawURLEncoding.EncodeToString(sum[:]))
	names := []string{cutName(name, maxUsername)}
	for _, length := range []int{6, 16} {
		names = append(names, cutName(name, maxUsername-length-1)+"-"+suffix[:length])
	}
	return names
}

// cutName returns the first characters of a name.
func cutName(name string, most int) string {
	if utf8.RuneCountInString(name) <= most {
		return name
	}
	return strings.TrimSpace(string([]rune(name)[:most]))
}
