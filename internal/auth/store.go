package auth

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"graphrest/internal/graph"
)

// Store keeps users, roles, revoked token ids and service tokens in the database. Besides the codes named, every method may return
// DATABASE_UNAVAILABLE, DATABASE_TIMEOUT and INTERNAL. Changes are serialized, and each gets a version higher than all
// before it. A change that returned an error has changed nothing, with one exception: if its commit could not be
// confirmed before the context's deadline, the outcome is unknown and the error is DATABASE_UNAVAILABLE.
type Store interface {
	// Prepare creates what the store needs in the database. It is idempotent and may be called by several replicas
	// concurrently.
	Prepare(ctx context.Context) error
	// Changes reads everything newer than a version. ErrNotPrepared if the database contains no state of this store.
	Changes(ctx context.Context, since int64) (Changes, error)
	// Load reads all users, service tokens and roles, and the revocations newer than a version; -1 for all of them. ErrNotPrepared as
	// above.
	Load(ctx context.Context, revokedSince int64) (Changes, error)

	// CreateUser adds a user. CONFLICT: the folded name is taken. VALIDATION_ERROR: a role does not exist; as UpdateUser.
	CreateUser(ctx context.Context, u StoredUser) (StoredUser, error)
	// CreateFirstUser adds a user if there are none, and reports whether it did.
	CreateFirstUser(ctx context.Context, u StoredUser) (stored StoredUser, created bool, err error)
	// UpdateUser changes the user with that id. NOT_FOUND. CONFLICT: no enabled administrator would be left.
	// ErrHashChanged: the stored password hash is not the expected one. A new generation marks the user's personal tokens as
	// deleted.
	UpdateUser(ctx context.Context, id string, u Update) (StoredUser, error)
	// SignIn returns the user of an identity, created or with its rights changed if necessary. Rights older than those that the user
	// has, and rights of a disabled user, are not applied. The last administrator may lose that right here: the provider decides.
	SignIn(ctx context.Context, s SignIn) (StoredUser, error)
	// DeleteUser removes the user with that id and marks its personal tokens as deleted, and adds a revocation in the same transaction
	// unless it is nil. NOT_FOUND. CONFLICT: the last enabled administrator.
	DeleteUser(ctx context.Context, id string, also *Revocation) error

	// CreateRole adds a role. CONFLICT: the name is taken, or there are MaxRoles.
	CreateRole(ctx context.Context, r StoredRole) (StoredRole, error)
	// UpdateRole changes a role. NOT_FOUND.
	UpdateRole(ctx context.Context, name string, u RoleUpdate) (StoredRole, error)
	// DeleteRole removes a role and takes it from its holders. NOT_FOUND.
	DeleteRole(ctx context.Context, name string) error

	// Revoke marks a token id as revoked until the token would have expired. It is idempotent.
	Revoke(ctx context.Context, r Revocation) error
	// Redeem revokes a token id and reports whether it was not revoked before: of concurrent calls on all replicas one gets true. If the
	// outcome of a commit is unknown, all may get false.
	Redeem(ctx context.Context, r Revocation) (first bool, err error)
	// Purge removes revocations and deleted service tokens that expired longer than keep ago, and records of deletions older
	// than an hour, all by the database's clock. It returns the number of revocations removed.
	Purge(ctx context.Context, keep time.Duration) (int64, error)

	// CreateServiceToken adds a service token. CONFLICT: the folded name is taken, or a user has the name under which the
	// token would act.
	CreateServiceToken(ctx context.Context, t StoredToken) (StoredToken, error)
	// CreatePersonalToken adds a personal token to the user OwnerID. CONFLICT: the user has MaxPersonalTokens. TOKEN_REVOKED: there is no
	// such user, or it is disabled or of another generation.
	CreatePersonalToken(ctx context.Context, t StoredToken) (StoredToken, error)
	// DeleteToken marks the service token with that id as deleted, or the personal token of an owner, takes its permissions and releases
	// its name. NOT_FOUND.
	DeleteToken(ctx context.Context, id, ownerID string, at time.Time) (StoredToken, error)
	// RecordTokenUses stores when service tokens were used last. It never sets an earlier time. Unknown ids are ignored.
	RecordTokenUses(ctx context.Context, uses []TokenUse) error
}

// Errors of a Store besides faults.
var (
	ErrNotPrepared = errors.New("the database contains no state of users and revocations")
	ErrHashChanged = errors.New("the password was changed concurrently")
)

// StoredUser is a user with the fields that only the store and this package may see.
type StoredUser struct {
	User
	Folded       string // see FoldUsername; unique
	PasswordHash string // PHC string of argon2id; empty if the user has no password
	Identity     string // at an identity provider, see Identity.Key; unique; empty for a user with a password
	GrantedAt    int64  // when the token was issued that the rights of such a user come from; seconds since 1970
	Generation   int64  // tokens of another generation are rejected
	Version      int64  // of the last change; set by the store
}

// String contains only the user id, so that no formatter prints the hash.
func (u StoredUser) String() string { return "user " + u.ID }

// GoString implements %#v.
func (u StoredUser) GoString() string { return u.String() }

// LogValue implements slog.LogValuer.
func (u StoredUser) LogValue() slog.Value { return slog.StringValue(u.String()) }

// Update is a change of a stored user; nil members are left unchanged.
type Update struct {
	PasswordHash *string
	Permissions  *[]Permission
	Admin        *bool
	Disabled     *bool
	RateLimit    **int64
	GrantedAt    *int64
	Roles        *[]string
	Attributes   *graph.Properties
	EndTokens    bool    // increment the generation; disabling an enabled user increments it as well
	ExpectHash   *string // change nothing unless this is the stored hash
	At           time.Time
}

// SignIn is a user of an identity provider who signs in.
type SignIn struct {
	New       StoredUser // the user to create if there is none with its Identity; its rights are those to apply
	Names     []string   // names for it, in the order of preference; the first that is free is taken
	GrantedAt int64      // as in StoredUser
}

// Revocation is a token id that is rejected until ExpiresAt, in whole seconds.
type Revocation struct {
	TokenID   string
	ExpiresAt time.Time
}

// Changes is the result of a read of the store.
type Changes struct {
	Version int64 // of the newest change that is certainly included
	Users   []StoredUser
	Deleted []string // ids of deleted users; Load leaves it empty
	Revoked []Revocation
	Tokens  []StoredToken // deleted ones included, until they would have expired
	Roles   []StoredRole  // all of them; nil if none has changed
	// Versions are those of all internal data that has one, by name: see Config.Polled.
	Versions map[string]int64
}
