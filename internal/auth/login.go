package auth

import (
	"context"
	"time"

	"graphrest/internal/audit"
	"graphrest/internal/fault"
)

// Admit decides whether a user with a correct password may get a token: it counts the login against the user's rate
// limit.
type Admit func(p Principal) error

// Login checks a user name and a password and issues a token. Address is the client's, for throttling. An unknown user,
// a wrong password and a disabled user get the same response for the same work. A nil admit allows every login.
// VALIDATION_ERROR, INVALID_CREDENTIALS, RATE_LIMITED with a retry time, DATABASE_UNAVAILABLE.
func (s *Service) Login(ctx context.Context, username, password, address string, admit Admit) (token Token, err error) {
	defer func() { s.config.Observer.Login(fault.CodeOf(err)) }()
	if err := fault.Merge(checkLoginText("username", username), checkLoginText("password", password)); err != nil {
		return Token{}, err
	}
	folded := FoldUsername(username)
	defer func() { err = s.auditLogin(ctx, folded, token, err) }()
	var u *StoredUser
	err = s.withThrottle(ctx, throttleKeysOf(folded, address), func(ctx context.Context) (how outcome, err error) {
		u, how, err = s.verify(ctx, folded, password)
		return how, err
	})
	if err == nil && admit != nil {
		err = admit(s.principal(u, "", time.Time{}))
	}
	if err != nil {
		// The name is not logged: people type passwords into the wrong field.
		s.log.Info("login refused", "address", address, "code", string(fault.CodeOf(err)))
		return Token{}, err
	}
	token, err = s.tokens.issue(u)
	if err == nil {
		s.log.Info("login", "user", u.ID, "address", address)
	}
	return token, err
}

// withThrottle runs a password check in its turn of the queue, on a cache that contains everything committed before, and
// counts its outcome.
func (s *Service) withThrottle(ctx context.Context, who throttleKeys, verify func(context.Context) (outcome, error)) error {
	if err := s.throttle.check(who); err != nil {
		return err
	}
	p, err := s.hasher.queue.enqueue(ctx, who.addr)
	if err != nil {
		return err
	}
	defer p.release()
	if err := pause(p.ctx, s.throttle.delay(who)); err != nil {
		return err
	}
	if err := s.refreshNow(p.ctx); err != nil {
		return err
	}
	if err := p.waitForTurn(); err != nil {
		return err
	}
	a, err := s.throttle.beginAttempt(p.ctx, who)
	if err != nil {
		return err
	}
	how := notChecked
	defer func() { a.finish(how) }()
	how, err = verify(p.ctx)
	return err
}

// auditLogin writes the entry of a login before its token is returned, and buffers that of a rejected one. A name that
// no user has is left out, as in the log.
func (s *Service) auditLogin(ctx context.Context, folded string, token Token, err error) error {
	e := audit.Entry{Actor: audit.ActorFrom(ctx), Action: audit.Login, Kind: audit.Session, Outcome: audit.Done, Entity: token.id}
	if u, known := s.cache.userByName(folded); known {
		e.Actor.User, e.Actor.UserID = u.Username, u.ID
	}
	switch e.Code = string(fault.CodeOf(err)); fault.CodeOf(err) {
	case "":
		return s.config.Audit.WriteLogin(ctx, e)
	case fault.InvalidCredentials, fault.RateLimited:
		s.config.Audit.AddRefusal(e)
	}
	return err
}

// verify finds the user with this name and password.
func (s *Service) verify(ctx context.Context, folded, password string) (*StoredUser, outcome, error) {
	u, exists := s.cache.userByName(folded)
	hash := ""
	if exists {
		hash = u.PasswordHash
	}
	match, stale := s.hasher.verify(password, hash)
	switch {
	case !match || !exists || u.Disabled, s.config.PasswordsClosed && folded != FoldUsername(s.config.Bootstrap):
		return nil, failed, wrongCredentials()
	case stale:
		u = s.rehash(ctx, u, password)
	}
	return u, succeeded, nil
}

// rehash stores a password hash with the current cost parameters. If it fails, the next login tries again.
func (s *Service) rehash(ctx context.Context, u *StoredUser, password string) *StoredUser {
	hash := s.hasher.hash(password)
	stored, err := s.store.UpdateUser(ctx, u.ID, Update{PasswordHash: &hash, ExpectHash: &u.PasswordHash, At: u.UpdatedAt})
	if err != nil {
		s.log.Warn("rehash of a password failed", "user", u.ID, "error", err)
		return u
	}
	s.cache.putOwnChange(stored)
	return &stored
}

func wrongCredentials() error {
	return fault.New(fault.InvalidCredentials, "Wrong user name or password")
}

func pause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return tooBusy()
	}
}
