// Package auth manages users, permissions, passwords, tokens, service tokens and revocation, and decides who may do what. It caches
// users, service tokens and revocations in memory and refreshes the cache from the database, so that a request costs no round trip.
package auth

import (
	"slices"
	"strings"
	"time"

	"graphrest/internal/graph"
	"graphrest/internal/rules"
)

// Permission is one of the four permissions for the graph, or one for queries.
type Permission string

// The permissions and the HTTP methods they allow.
const (
	Read   Permission = "read"   // GET, HEAD
	Create Permission = "create" // POST
	Edit   Permission = "edit"   // PUT, PATCH
	Delete Permission = "delete" // DELETE
)

// The permissions for queries, which nobody has unless they are given: a query shows whatever it reads, and obeys no roles.
const (
	Query   Permission = "query"   // run saved queries
	Console Permission = "console" // run queries that are not saved
)

// GraphPermissions lists the permissions for the graph in the order used in responses. Together they allow everything in it.
func GraphPermissions() []Permission { return []Permission{Read, Create, Edit, Delete} }

// AllPermissions lists every permission in the order used in responses.
func AllPermissions() []Permission { return append(GraphPermissions(), Query, Console) }

// PermissionNames are the names of all permissions, for messages.
func PermissionNames() string {
	var names []string
	for _, p := range AllPermissions() {
		names = append(names, string(p))
	}
	return strings.Join(names, ", ")
}

// User is a stored account. The password hash never leaves this package and the store.
type User struct {
	ID          string // UUID; the token's sub. A user re-created under the same name gets a new ID.
	Username    string
	Permissions []Permission // in the order of AllPermissions; never nil
	Admin       bool
	Disabled    bool
	RateLimit   *int64           // requests per period instead of the default; nil for the default
	Roles       []string         // names, sorted; never nil
	Attributes  graph.Properties // for the conditions of grants
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// Principal is the user and token that a request acts as. A service token acts as a separate user: its id is the user id, and its name
// begins with ServiceTokenUser.
type Principal struct {
	UserID      string
	Username    string
	Permissions []Permission
	Roles       []string
	Admin       bool
	RateLimit   *int64
	Attributes  graph.Properties // of the user; nil of a service token
	// Queries are the saved queries that the roles allow beside the permission query: names, or AllQueries.
	Queries []string
	// View is what the permissions and the roles together allow; nil if the permissions allow everything. It is the same pointer as long as
	// neither the permissions, roles and attributes of the user or service token nor the grants of these roles change.
	View      *rules.View
	TokenID   string // jti, or the id of a service token or a personal token
	ExpiresAt time.Time
	// ServiceToken marks a service token, which may never do what is for users only: administer, log out, change a password.
	ServiceToken bool
	// PersonalToken marks a personal token, which acts as its user and may never do what needs a login: administer, log out, change a
	// password, make tokens. TokenName is its name; empty for others.
	PersonalToken bool
	TokenName     string
	// MakerID is the user id of the administrator who made the service token; empty for others.
	MakerID    string
	generation int64 // of the user's tokens when this one was issued
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

// MayRunQueries reports whether the principal may run some saved query.
func (p Principal) MayRunQueries() bool { return p.May(Query) || len(p.Queries) > 0 }

// MayRun reports whether the principal may run the saved query with a name.
func (p Principal) MayRun(name string) bool {
	return p.May(Query) || slices.Contains(p.Queries, rules.AllQueries) || slices.Contains(p.Queries, name)
}

// Token is the result of a login.
type Token struct {
	AccessToken string
	ExpiresIn   time.Duration
	ExpiresAt   time.Time // to the second
	id          string    // the claim jti
}

// NewUser is the input of a user's creation.
type NewUser struct {
	Username    string
	Password    string
	Permissions []Permission
	Admin       bool
	Disabled    bool
	RateLimit   *int64
	Roles       []string
	Attributes  graph.Properties
}

// UserChange is the input of a user's update; nil members are left unchanged.
type UserChange struct {
	Password    *string
	Permissions *[]Permission
	Admin       *bool
	Disabled    *bool
	RateLimit   **int64 // a pointer to nil restores the default
	Roles       *[]string
	Attributes  *graph.Properties // replaced as a whole
}

// Identity is a user as a verified token of an identity provider describes it.
type Identity struct {
	Issuer      string // has no spaces
	Subject     string // the provider's id of the user
	Username    string // what the provider calls the user: a wish for the name here, never the identity
	Permissions []Permission
	Roles       []string
	Admin       bool
	IssuedAt    time.Time // of the provider's token; zero if unknown
	ExpiresAt   time.Time
}

// Key identifies the user: no two identities have the same.
func (i Identity) Key() string { return i.Issuer + " " + i.Subject }
