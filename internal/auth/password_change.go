package auth

import (
	"context"
	"errors"

	"graphrest/internal/audit"
	"graphrest/internal/fault"
)

// ChangePassword changes the principal's own password and ends all its tokens, including this one. A wrong current
// password is audited.
// VALIDATION_ERROR naming current_password or new_password, INVALID_CREDENTIALS if the current one is wrong,
// RATE_LIMITED after too many wrong ones, TOKEN_REVOKED if the user no longer exists, DATABASE_UNAVAILABLE;
// PERMISSION_DENIED for a service token or a personal token.
func (s *Service) ChangePassword(ctx context.Context, p Principal, current, next string) (err error) {
	if err := p.RequireLogin(); err != nil {
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
