package auth

import (
	"context"
	"errors"
	"time"

	"graphrest/internal/audit"
	"graphrest/internal/fault"
)

// Login checks a user name and a password and makes a token. Address is the client's, for throttling. An unknown user, a
// wrong password and a disabled user get the same answer for the same work.
// VALIDATION_ERROR, INVALID_CREDENTIALS, RATE_LIMITED with a retry time, DATABASE_UNAVAILABLE.
func (s *Service) Login(ctx context.Context, username, password, address string) (token Token, err error) {
	defer func() { s.config.Observer.Login(fault.CodeOf(err)) }()
	if err := fault.Merge(checkLoginText("username", username), checkLoginText("password", password)); err != nil {
		return Token{}, err
	}
	folded := FoldUsername(username)
	defer func() { err = s.auditLogin(ctx, folded, token, err) }()
	a, err := s.throttle.begin(ctx, folded, address)
	if err != nil {
		return Token{}, err
	}
	how := undecided
	defer func() { a.end(how) }()
	if err := pause(ctx, a.delay()); err != nil {
		return Token{}, err
	}
	if err := s.latest(ctx); err != nil {
		return Token{}, err
	}
	u, how, err := s.verify(ctx, folded, password)
	if err != nil {
		// The name is left out: people type passwords into the wrong field.
		s.log.Info("login refused", "address", address, "code", string(fault.CodeOf(err)))
		return Token{}, err
	}
	token, err = s.tokens.mint(u)
	if err == nil {
		s.log.Info("login", "user", u.ID, "address", address)
	}
	return token, err
}

// auditLogin writes a login before its token is handed out, and notes one that was refused. A name that nobody has is left
// out, as in the log.
func (s *Service) auditLogin(ctx context.Context, folded string, token Token, err error) error {
	e := audit.Entry{Actor: audit.ActorOf(ctx), Action: audit.Login, Kind: audit.Session, Outcome: audit.Done, Entity: token.id}
	if u, known := s.memory.named(folded); known {
		e.Actor.User, e.Actor.UserID = u.Username, u.ID
	}
	switch e.Code = string(fault.CodeOf(err)); fault.CodeOf(err) {
	case "":
		return s.config.Audit.Write(ctx, e)
	case fault.InvalidCredentials, fault.RateLimited:
		s.config.Audit.Refuse(e)
	}
	return err
}

// verify finds the user who has this name and password.
func (s *Service) verify(ctx context.Context, folded, password string) (*StoredUser, outcome, error) {
	u, exists := s.memory.named(folded)
	hash := ""
	if exists {
		hash = u.PasswordHash
	}
	match, stale, err := s.hasher.verify(ctx, password, hash)
	switch {
	case err != nil:
		return nil, undecided, err
	case !match || !exists || u.Disabled:
		return nil, failed, wrongCredentials()
	case stale:
		u = s.rehash(ctx, u, password)
	}
	return u, succeeded, nil
}

// rehash stores a password at today's cost. It may fail: the next login tries again.
func (s *Service) rehash(ctx context.Context, u *StoredUser, password string) *StoredUser {
	hash, err := s.hasher.hash(ctx, password)
	if err != nil {
		return u
	}
	stored, err := s.store.UpdateUser(ctx, u.ID, Update{PasswordHash: &hash, ExpectHash: &u.PasswordHash, At: u.UpdatedAt})
	if err != nil {
		s.log.Warn("a password could not be hashed anew", "user", u.ID, "error", err)
		return u
	}
	s.memory.put(stored)
	return &stored
}

// ChangePassword changes the principal's own password and ends all its tokens, this one too.
// VALIDATION_ERROR naming current_password or new_password, INVALID_CREDENTIALS when the current one is wrong,
// RATE_LIMITED after too many wrong ones, TOKEN_REVOKED when the user is gone, DATABASE_UNAVAILABLE.
func (s *Service) ChangePassword(ctx context.Context, p Principal, current, next string) error {
	if err := fault.Merge(checkLoginText("current_password", current), CheckPassword("new_password", next)); err != nil {
		return err
	}
	// Guesses with a stolen token are counted for the user, apart from logins: they must not lock the owner out.
	a, err := s.throttle.begin(ctx, "change of password\x00"+p.UserID, "user\x00"+p.UserID)
	if err != nil {
		return err
	}
	how := undecided
	defer func() { a.end(how) }()
	if err := s.latest(ctx); err != nil {
		return err
	}
	u, exists := s.memory.user(p.UserID)
	if !exists || u.Disabled {
		return revokedToken()
	}
	match, _, err := s.hasher.verify(ctx, current, u.PasswordHash)
	if err != nil {
		return err
	}
	if !match {
		how = failed
		return wrongCredentials()
	}
	how = succeeded
	hash, err := s.hasher.hash(ctx, next)
	if err != nil {
		return err
	}
	_, err = s.update(ctx, u.ID, Update{PasswordHash: &hash, ExpectHash: &u.PasswordHash, EndTokens: true})
	if errors.Is(err, ErrHashChanged) {
		return wrongCredentials()
	}
	if fault.CodeOf(err) == fault.NotFound {
		return revokedToken()
	}
	return err
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
