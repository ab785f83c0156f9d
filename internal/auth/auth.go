// Package auth manages users, permissions, passwords, tokens and revocation, and decides who may do what. It caches
// users and revocations in memory and refreshes the cache from the database, so that a request costs no round trip.
package auth

import (
	"time"
)

// Permission is one of the four permissions of the specification.
type Permission string

// The permissions and the HTTP methods they allow.
const (
	Read   Permission = "read"   // GET, HEAD
	Create Permission = "create" // POST
	Edit   Permission = "edit"   // PUT, PATCH
	Delete Permission = "delete" // DELETE
)

// AllPermissions lists every permission in the order used in responses.
func AllPermissions() []Permission { return []Permission{Read, Create, Edit, Delete} }

// User is a stored account. The password hash never leaves this package and the store.
type User struct {
	ID          string // UUID; the token's sub. A user re-created under the same name gets a new ID.
	Username    string
	Permissions []Permission // in the order of AllPermissions; never nil
	Admin       bool
	Disabled    bool
	RateLimit   *int64 // requests per period instead of the default; nil for the default
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// Principal is the user and token that a request acts as.
type Principal struct {
	UserID      string
	Username    string
	Permissions []Permission
	Admin       bool
	RateLimit   *int64
	TokenID     string // jti
	ExpiresAt   time.Time
	generation  int64 // of the user's tokens when this one was issued
}

// May reports whether the principal has a permission.
func (p Principal) May(want Permission) bool {
	for _, have := range p.Permissions {
		if have == want {
			return true
		}
	}
	return false
}

// Token is the result of a login.
type Token struct {
	AccessToken string
	ExpiresIn   time.Duration
	id          string // the claim jti
}

// NewUser is the input of a user's creation.
type NewUser struct {
	Username    string
	Password    string
	Permissions []Permission
	Admin       bool
	Disabled    bool
	RateLimit   *int64
}

// UserChange is the input of a user's update; nil members are left unchanged.
type UserChange struct {
	Password    *string
	Permissions *[]Permission
	Admin       *bool
	Disabled    *bool
	RateLimit   **int64 // a pointer to nil restores the default
}
