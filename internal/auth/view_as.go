package auth

import (
	"context"
	"time"

	"graphrest/internal/fault"
)

// ViewAs names whose view of the graph an administrator asks for: a user, or a role by itself. One of the two is empty.
type ViewAs struct{ User, Role string }

// RolePrincipal begins the user id and name of the principal of a role. No user id begins so.
const RolePrincipal = "role:"

// PrincipalViewedAs returns the principal whose rights decide about a request that is viewed as a user or a role. It reads the cache, so it
// may be called before every batch of a stream. That of a role has no permissions, and no conditions that refer to a user are met.
// NOT_FOUND; TOKEN_REVOKED for a disabled user; DATABASE_UNAVAILABLE.
func (s *Service) PrincipalViewedAs(ctx context.Context, as ViewAs) (Principal, error) {
	if err := s.EnsureFresh(ctx); err != nil {
		return Principal{}, err
	}
	p, err := s.cachedPrincipalOf(as)
	if fault.CodeOf(err) != fault.NotFound {
		return p, err
	}
	if err := s.refreshNow(ctx); err != nil { // another replica may have created it a moment ago
		return Principal{}, err
	}
	return s.cachedPrincipalOf(as)
}

func (s *Service) cachedPrincipalOf(as ViewAs) (Principal, error) {
	if as.Role != "" {
		role, known := s.cache.currentRoles().byName[as.Role]
		if !known {
			return Principal{}, NoSuchRole()
		}
		name := RolePrincipal + as.Role
		return Principal{
			UserID: name, Username: name, Roles: []string{as.Role}, View: role.alone(),
			Queries: s.cache.currentRoles().queriesOf([]string{as.Role}),
		}, nil
	}
	if len(as.User) > maxLoginText {
		return Principal{}, NoSuchUser()
	}
	u, known := s.cache.userByName(FoldUsername(as.User))
	switch {
	case !known:
		return Principal{}, NoSuchUser()
	case u.Disabled:
		return Principal{UserID: u.ID, Username: u.Username}, revokedToken()
	}
	return s.principal(u, "", time.Time{}), nil
}
