package auth

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"graphrest/internal/audit"
	"graphrest/internal/fault"
)

// Config configures a Service. Keys is required; zero values of the other fields are replaced by the defaults named.
type Config struct {
	Keys     Keys          // sign and verify tokens; see NewKeys and ReadKeys
	Issuer   string        // the claim iss; default "graphrest"
	Audience string        // the claim aud; default "graphrest"
	TokenTTL time.Duration // how long a token is valid, in whole seconds; default 1 h

	Poll    time.Duration // interval between two refreshes of the user cache, which is less than MaxAge; default 800 ms
	MaxAge  time.Duration // maximum age of the user cache for a decision; default 900 ms
	Timeout time.Duration // of one refresh; default 6 s
	Purge   time.Duration // interval between two removals of expired revocations; default 10 s
	// TokenUses is the interval between two writes of the last uses of service tokens; default 1 min.
	TokenUses time.Duration

	Provider        Provider // verifies tokens of an identity provider; nil accepts none
	PasswordsClosed bool     // only the user named Bootstrap may log in with a password
	Bootstrap       string   // name of the first administrator

	// Polled receives the versions of all internal data after each refresh, by the names of the _GraphrestState nodes, and when the refresh
	// began: whoever keeps a copy of such data in memory learns from it that others have changed it, without a separate statement. It must
	// not block; nil ignores them.
	Polled func(began time.Time, versions map[string]int64) `json:"-"`

	// Answered reports whether the database has answered any request since a moment: then one that does not answer a refresh in time is
	// slow, not away, and requests wait for the next refresh. Nil is never.
	Answered func(since time.Time) bool `json:"-"`

	Observer LoginObserver // may be nil
	Audit    *audit.Buffer // of logins; nil writes none
}

// LoginObserver receives login and logout events, for metrics. Its methods must be quick and safe for concurrent use.
type LoginObserver interface {
	// Login is called with each login's outcome; the empty code is a success.
	Login(code fault.Code)
	// Revoked is called for each token that is logged out.
	Revoked()
}

type noObserver struct{}

func (noObserver) Login(fault.Code) {}
func (noObserver) Revoked()         {}

func (c *Config) applyDefaults() error {
	if c.Keys.ring == nil {
		return errors.New("auth: keys to sign tokens are required")
	}
	if c.TokenTTL < 0 || c.TokenTTL%time.Second != 0 {
		return errors.New("auth: the lifetime of a token must be whole seconds")
	}
	set := func(target *time.Duration, standard time.Duration) {
		if *target <= 0 {
			*target = standard
		}
	}
	set(&c.TokenTTL, time.Hour)
	set(&c.Poll, 800*time.Millisecond)
	set(&c.MaxAge, 900*time.Millisecond)
	set(&c.Timeout, 6*time.Second)
	set(&c.Purge, 10*time.Second)
	set(&c.TokenUses, time.Minute)
	if c.Answered == nil {
		c.Answered = func(time.Time) bool { return false }
	}
	if c.Observer == nil {
		c.Observer = noObserver{}
	}
	if c.Issuer == "" {
		c.Issuer = "graphrest"
	}
	if c.Audience == "" {
		c.Audience = "graphrest"
	}
	return nil
}

// expiredRevocationTTL is how long an expired revocation is kept. Replicas whose clocks differ by less than this agree
// on it.
const expiredRevocationTTL = 10 * time.Second

// Service manages users and authenticates requests. Create it with New, and start Run to refresh its cache in the
// background. Without Run it works too, but each request may have to query the database.
type Service struct {
	config    Config
	store     Store
	log       *slog.Logger
	now       func() time.Time
	cache     *userCache
	refresher *cacheRefresher
	tokens    tokenIssuer
	hasher    *hasher
	throttle  *throttle

	external     externalTokens
	signIns      singleflight.Group // by token
	missingRoles sync.Map           // names of mapped roles that do not exist and were logged
	bootstrapped atomic.Bool        // the first administrator exists, or there will be none
}

// New checks the configuration. It does not query the database. The clock determines expiry and throttling; nil is
// time.Now. A nil logger is slog.Default().
func New(c Config, store Store, clock func() time.Time, log *slog.Logger) (*Service, error) {
	if err := c.applyDefaults(); err != nil {
		return nil, err
	}
	if store == nil {
		return nil, errors.New("auth: a store is needed")
	}
	if clock == nil {
		clock = time.Now
	}
	if log == nil {
		log = slog.Default()
	}
	m := newUserCache()
	return &Service{
		config: c, store: store, log: log, now: clock, cache: m, refresher: newCacheRefresher(store, m, c, log),
		tokens: newTokenIssuer(c, clock), hasher: newHasher(), throttle: newThrottle(clock),
	}, nil
}

// Run refreshes the user cache until the context ends, and then returns nil. It may start before the database is
// available, prepares the database once it is, and recovers from outages by itself.
func (s *Service) Run(ctx context.Context) error {
	s.refresher.workers.Go(func() { s.purgeRevocations(ctx) })
	s.refresher.workers.Go(func() { s.writeTokenUses(ctx) })
	s.refresher.pollUntilDone(ctx, s.config.Poll)
	s.refresher.workers.Wait()
	return nil
}

// EnsureFresh checks that the user cache is recent enough to decide on, and tries one refresh if it is not.
// DATABASE_UNAVAILABLE.
func (s *Service) EnsureFresh(ctx context.Context) error {
	return s.refresher.waitUntilFresh(ctx, time.Now().Add(-s.config.MaxAge))
}

// Age returns the age of the cached users and revoked tokens. Requests are rejected once it exceeds Config.MaxAge and
// the cache cannot be refreshed. Before the first refresh it is the age of the service.
func (s *Service) Age() time.Duration { return s.refresher.age() }

// refreshNow blocks until the cache contains everything that was committed before the call. DATABASE_UNAVAILABLE.
func (s *Service) refreshNow(ctx context.Context) error {
	return s.refresher.waitUntilFresh(ctx, time.Now())
}

// Authenticate returns the principal of a request, from all values of its Authorization header. A token of the identity provider that
// is new here counts as a login.
// UNAUTHENTICATED, INVALID_TOKEN, TOKEN_EXPIRED, DATABASE_UNAVAILABLE; TOKEN_REVOKED with a principal that has the
// user's name, for the audit, and no permissions.
func (s *Service) Authenticate(ctx context.Context, authorization []string) (Principal, error) {
	text, err := bearerToken(authorization)
	if err != nil {
		return Principal{}, err
	}
	if isSecret(text) {
		return s.authenticateSecret(ctx, text)
	}
	if s.config.Provider != nil && s.tokens.verified.get(text) == nil && s.config.Provider.Issued(text) {
		return s.authenticateExternal(ctx, text)
	}
	c, err := s.tokens.verify(text)
	if err != nil {
		return Principal{}, err
	}
	if err := s.EnsureFresh(ctx); err != nil {
		return Principal{}, err
	}
	u, err := s.userOfToken(c)
	if err != nil && s.now().Sub(c.IssuedAt.time()) < justIssued && s.refreshNow(ctx) == nil {
		u, err = s.userOfToken(c) // another replica may have created the user or changed the password a moment ago
	}
	if err != nil {
		return s.revokedOwner(c), err
	}
	return s.principal(u, c.ID, c.ExpiresAt.time()), nil
}

func (s *Service) principal(u *StoredUser, tokenID string, expires time.Time) Principal {
	return Principal{
		UserID: u.ID, Username: u.Username, Permissions: u.Permissions, Roles: u.Roles, Admin: u.Admin, RateLimit: u.RateLimit,
		Queries: s.cache.currentRoles().queriesOf(u.Roles), Attributes: u.Attributes,
		View: s.cache.viewOfUser(u), TokenID: tokenID, ExpiresAt: expires, generation: u.Generation,
	}
}

// Recheck returns the current principal for one that Authenticate returned, for requests that run longer than their
// authentication is valid. It reads only the cache while that is fresh, so it may be called before every batch.
// TOKEN_EXPIRED, TOKEN_REVOKED. DATABASE_UNAVAILABLE: the permissions are currently unknown, and the request must not
// continue until they are known.
func (s *Service) Recheck(ctx context.Context, p Principal) (Principal, error) {
	// A token that the cache shows as ended has ended, however old the cache is.
	if _, err := s.currentPrincipal(p); err != nil {
		return Principal{}, err
	}
	if err := s.EnsureFresh(ctx); err != nil {
		return Principal{}, err
	}
	return s.currentPrincipal(p)
}

// currentPrincipal returns what the cache shows for a principal. TOKEN_EXPIRED, TOKEN_REVOKED.
func (s *Service) currentPrincipal(p Principal) (Principal, error) {
	if p.ServiceToken || p.PersonalToken {
		return s.recheckToken(p)
	}
	if !s.now().Before(p.ExpiresAt) {
		return Principal{}, expiredToken()
	}
	generation := p.generation
	u, err := s.userOfToken(&claims{Subject: p.UserID, ID: p.TokenID, Generation: &generation})
	if err != nil {
		return Principal{}, err
	}
	return s.principal(u, p.TokenID, p.ExpiresAt), nil
}

// justIssued is the age up to which a token may belong to a change that is not yet in this replica's cache; it allows
// for clock differences.
const justIssued = 15 * time.Second

// userOfToken finds the user of a token. TOKEN_REVOKED.
func (s *Service) userOfToken(c *claims) (*StoredUser, error) {
	u, revoked := s.cache.userOfToken(c.Subject, c.ID)
	if revoked || u == nil || u.Disabled || u.Generation != *c.Generation {
		return nil, revokedToken()
	}
	return u, nil
}

// revokedOwner returns the id and name of the user of a revoked token.
func (s *Service) revokedOwner(c *claims) Principal {
	p := Principal{UserID: c.Subject}
	if u, known := s.cache.userByID(c.Subject); known {
		p.Username = u.Username
	}
	return p
}

func revokedToken() error {
	return fault.New(fault.TokenRevoked, "The token is no longer valid; log in again")
}

// Logout revokes the token of a principal. When it returns nil, no request that begins later succeeds with that token on
// this replica, nor on another one once Config.MaxAge has passed. UNAUTHENTICATED for a principal without a token,
// PERMISSION_DENIED for a service token or a personal token.
func (s *Service) Logout(ctx context.Context, p Principal) error {
	if err := p.RequireLogin(); err != nil {
		return err
	}
	if p.TokenID == "" {
		return fault.New(fault.Unauthenticated, "There is no token to revoke")
	}
	r := Revocation{TokenID: p.TokenID, ExpiresAt: p.ExpiresAt}
	if err := s.store.Revoke(ctx, r); err != nil {
		return err
	}
	s.cache.addRevocation(r)
	s.config.Observer.Revoked()
	s.log.Info("token revoked", "user", p.UserID, "token_id", p.TokenID)
	return nil
}

// purgeRevocations removes expired revocations, and deleted service tokens that have expired, until the context ends. It
// queries the database only if there are any.
func (s *Service) purgeRevocations(ctx context.Context) {
	ticker := time.NewTicker(s.config.Purge)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		before := s.now().Add(-expiredRevocationTTL)
		if !s.cache.hasExpired(before) && !s.cache.hasPurgeableTokens(before) {
			continue
		}
		bounded, cancel := context.WithTimeout(ctx, purgeTimeout)
		removed, err := s.store.Purge(bounded, expiredRevocationTTL)
		cancel()
		if err != nil {
			s.log.Debug("expired revocations could not be removed; the next attempt follows soon", "error", err)
			continue
		}
		s.cache.removeExpired(before)
		s.cache.removePurgedTokens(before)
		s.log.Debug("expired revocations removed", "count", removed)
	}
}
