package httpapi

import (
	"slices"
	"strings"

	"graphrest/internal/auth"
)

// Access defines who may use a route. Its zero value allows no access, and newRoute panics on it: public access must be stated.
type Access struct {
	kind        accessKind
	permissions []auth.Permission // any of them
	noServices  bool              // not even with the permission may service tokens use the route
	queries     bool              // a role with saved queries suffices; the handler decides which
}

type accessKind int

const (
	accessUnset accessKind = iota
	accessPublic
	accessSignedIn
	accessUser
	accessLogin
	accessPermission
	accessAdmin
)

var (
	public    = Access{kind: accessPublic}   // tokens are ignored
	signedIn  = Access{kind: accessSignedIn} // any valid token
	usersOnly = Access{kind: accessUser}     // any valid token of a user, but no service token
	loginOnly = Access{kind: accessLogin}    // any valid token of a login, but no service token and no personal token
	admin     = Access{kind: accessAdmin}    // the token of an administrator
)

// needs allows any token whose user has the permission.
func needs(p auth.Permission) Access { return needsAny(p) }

// needsAny allows any token whose user has at least one of the permissions. The handler decides on the rest.
func needsAny(p ...auth.Permission) Access { return Access{kind: accessPermission, permissions: p} }

// ofUsers excludes service tokens.
func (a Access) ofUsers() Access {
	a.noServices = true
	return a
}

// orQueries also allows whoever may run a saved query by a role.
func (a Access) orQueries() Access {
	a.queries = true
	return a
}

// Public reports whether the route is served without a token.
func (a Access) Public() bool { return a.kind == accessPublic }

// Allows reports whether a principal with a valid token may use the route.
func (a Access) Allows(p auth.Principal) bool {
	if a.noServices && p.ServiceToken {
		return false
	}
	switch a.kind {
	case accessPublic, accessSignedIn:
		return true
	case accessUser:
		return !p.ServiceToken
	case accessLogin:
		return p.RequireLogin() == nil
	case accessPermission:
		return slices.ContainsFunc(a.permissions, p.May) || a.queries && p.MayRunQueries()
	case accessAdmin:
		return p.Admin && p.RequireLogin() == nil
	default:
		return false
	}
}

// String returns "public", "signed in", "user", "login", "admin", or the permission or permissions.
func (a Access) String() string {
	switch a.kind {
	case accessPublic:
		return "public"
	case accessSignedIn:
		return "signed in"
	case accessUser:
		return "user"
	case accessLogin:
		return "login"
	case accessPermission:
		return strings.Join(mapSlice(a.permissions, func(p auth.Permission) string { return string(p) }), " or ")
	case accessAdmin:
		return "admin"
	default:
		return "none"
	}
}
