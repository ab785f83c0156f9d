package auth

import (
	"context"
	"errors"
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

// ChangePassword changes the principal's own password and ends all its tokens, including this one. A wrong current
// password is audited.
// VALIDATION_ERROR naming current_password or new_password, INVALID_CREDENTIALS if the current one is wrong,
// RATE_LIMITED after too many wrong ones, TOKEN_REVOKED if the user no longer exists, DATABASE_UNAVAILABLE;
// PERMISSION_DENIED for a service token, which has no password.
func (s *Service) ChangePassword(ctx context.Context, p Principal, current, next string) (err error) {
	if err := rejectServiceToken(p); err != nil {
		return err
	}
	if err := fault.Merge(checkLoginText("current_password", current), CheckPassword("new_password", next)); err != nil {
		return err
	}
	if u, exists := s.cache.userByID(p.UserID); exists && u.Identity != "" {
		return fault.New(fault.Conflict, "This user signs in at the identity provider and has no password here; change it there")
	}
	defer func() { s.auditRefusedPasswordChange(ctx, p, err) }()
	var u *StoredUser
	var hash string
	// Guesses with a stolen token are counted per user and separately from logins, so that they cannot lock the owner out.
	who := throttleKeysOf("change of password\x00"+p.UserID, "user\x00"+p.UserID)
	err = s.withThrottle(ctx, who, func(context.Context) (outcome, error) {
		var exists bool
		if u, exists = s.cache.userByID(p.UserID); !exists || u.Disabled {
			return notChecked, revokedToken()
		}
		if match, _ := s.hasher.verify(current, u.PasswordHash); !match {
			return failed, wrongCredentials()
		}
		hash = s.hasher.hash(next)
		return succeeded, nil
	})
	if err != nil {
		return err
	}
	_, err = s.applyUpdate(ctx, u.ID, Update{PasswordHash: &hash, ExpectHash: &u.PasswordHash, EndTokens: true})
	if errors.Is(err, ErrHashChanged) {
		return wrongCredentials()
	}
	if fault.CodeOf(err) == fault.NotFound {
		return revokedToken()
	}
	return err
}

// auditRefusedPasswordChange buffers the entry of a rejected password change: the holder of a token may be guessing. The
// entry of a successful change is written in its transaction.
func (s *Service) auditRefusedPasswordChange(ctx context.Context, p Principal, err error) {
	switch code := fault.CodeOf(err); code {
	case fault.InvalidCredentials, fault.RateLimited:
		s.config.Audit.AddRefusal(audit.Entry{
			Actor: audit.ActorFrom(ctx), Action: audit.Update, Kind: audit.User, Code: string(code), Entity: p.UserID, Name: p.Username,
			Fields: []string{"password"},
		})
	}
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
