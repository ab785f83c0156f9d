// Package auth knows users, permissions, passwords, tokens and revocation, and decides who may do what. It holds what it
// needs to know in memory and follows changes in the database, so that a request costs no round trip.
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

// AllPermissions in the order answers list them.
func AllPermissions() []Permission { return []Permission{Read, Create, Edit, Delete} }

// User is a stored account. The password's hash never leaves this package and the store.
type User struct {
	ID          string // UUID; the token's sub. A user made again under an old name is another user.
	Username    string
	Permissions []Permission // in the order of AllPermissions; never nil
	Admin       bool
	Disabled    bool
	RateLimit   *int64 // requests per period instead of the default; nil for the default
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// Principal is who a request acts as.
type Principal struct {
	UserID      string
	Username    string
	Permissions []Permission
	Admin       bool
	RateLimit   *int64
	TokenID     string // jti
	ExpiresAt   time.Time
	generation  int64 // of the user's tokens when this one was made
}

// May says whether the principal holds a permission.
func (p Principal) May(want Permission) bool {
	for _, have := range p.Permissions {
		if have == want {
			return true
		}
	}
	return false
}

// Token is the answer to a login.
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

// UserChange is the input of a user's update; nil members stay as they are.
type UserChange struct {
	Password    *string
	Permissions *[]Permission
	Admin       *bool
	Disabled    *bool
	RateLimit   **int64 // set to a nil pointer to go back to the default
}
