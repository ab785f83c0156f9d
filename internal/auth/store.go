package auth

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

// Store keeps users and revoked token ids in the database. Besides the codes named, every method may return
// DATABASE_UNAVAILABLE, DATABASE_TIMEOUT and INTERNAL. Changes are serialized, and each gets a version higher than all
// before it. A change that returned an error has changed nothing, with one exception: if its commit could not be
// confirmed before the context's deadline, the outcome is unknown and the error is DATABASE_UNAVAILABLE.
type Store interface {
	// Prepare creates what the store needs in the database. It is idempotent and may be called by several replicas
	// concurrently.
	Prepare(ctx context.Context) error
	// Changes reads everything newer than a version. ErrNotPrepared if the database contains no state of this store.
	Changes(ctx context.Context, since int64) (Changes, error)
	// Load reads all users, and the revocations newer than a version; -1 for all of them. ErrNotPrepared as above.
	Load(ctx context.Context, revokedSince int64) (Changes, error)

	// CreateUser adds a user. CONFLICT: the folded name is taken.
	CreateUser(ctx context.Context, u StoredUser) (StoredUser, error)
	// CreateFirstUser adds a user if there are none, and reports whether it did.
	CreateFirstUser(ctx context.Context, u StoredUser) (stored StoredUser, created bool, err error)
	// UpdateUser changes the user with that id. NOT_FOUND. CONFLICT: no enabled administrator would be left.
	// ErrHashChanged: the stored password hash is not the expected one.
	UpdateUser(ctx context.Context, id string, u Update) (StoredUser, error)
	// DeleteUser removes the user with that id. NOT_FOUND. CONFLICT: the last enabled administrator.
	DeleteUser(ctx context.Context, id string) error

	// Revoke marks a token id as revoked until the token would have expired. It is idempotent.
	Revoke(ctx context.Context, r Revocation) error
	// Purge removes revocations that expired longer than keep ago, and records of deletions older than an hour, both by
	// the database's clock. It returns the number of revocations removed.
	Purge(ctx context.Context, keep time.Duration) (int64, error)
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
	PasswordHash string // PHC string of argon2id
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
	EndTokens    bool    // increment the generation; disabling an enabled user increments it as well
	ExpectHash   *string // change nothing unless this is the stored hash
	At           time.Time
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
}
