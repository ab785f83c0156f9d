package auth

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

// Store keeps users and revoked token ids in the database. Besides the codes named, every method may return
// DATABASE_UNAVAILABLE, DATABASE_TIMEOUT and INTERNAL. Changes happen one after another, and each gets a version higher
// than all before it. A change that returned an error has changed nothing, save that the outcome of one whose commit could
// not be confirmed within the context's deadline is DATABASE_UNAVAILABLE.
type Store interface {
	// Prepare makes what the store needs in the database. It may be called any number of times, by several replicas at once.
	Prepare(ctx context.Context) error
	// Changes reads what is newer than a version. ErrNotPrepared when the database holds no state of this store.
	Changes(ctx context.Context, since int64) (Changes, error)
	// Load reads all users, and the revocations newer than a version; -1 for all of them. ErrNotPrepared as above.
	Load(ctx context.Context, revokedSince int64) (Changes, error)

	// CreateUser adds a user. CONFLICT: the folded name is taken.
	CreateUser(ctx context.Context, u StoredUser) (StoredUser, error)
	// CreateFirstUser adds a user if there is none at all, and says whether it did.
	CreateFirstUser(ctx context.Context, u StoredUser) (stored StoredUser, created bool, err error)
	// UpdateUser changes the user with that id. NOT_FOUND. CONFLICT: the last enabled administrator would be gone.
	// ErrHashChanged: the update expected another password hash.
	UpdateUser(ctx context.Context, id string, u Update) (StoredUser, error)
	// DeleteUser removes the user with that id. NOT_FOUND. CONFLICT: the last enabled administrator.
	DeleteUser(ctx context.Context, id string) error

	// Revoke refuses a token id until the token would have expired. Revoking it again changes nothing.
	Revoke(ctx context.Context, r Revocation) error
	// Purge removes revocations that expired longer than keep ago, and records of deletions made longer than an hour ago,
	// both by the database's clock. It says how many revocations it removed.
	Purge(ctx context.Context, keep time.Duration) (int64, error)
}

// What a Store says besides faults.
var (
	ErrNotPrepared = errors.New("the database holds no state of users and revocations")
	ErrHashChanged = errors.New("the password was changed meanwhile")
)

// StoredUser is a user with what only the store and this package may know.
type StoredUser struct {
	User
	Folded       string // see FoldUsername; unique
	PasswordHash string // PHC string of argon2id
	Generation   int64  // tokens of another generation are refused
	Version      int64  // of the last change; set by the store
}

// String names the user and nothing else, so that no formatter prints the hash.
func (u StoredUser) String() string { return "user " + u.ID }

// GoString serves %#v.
func (u StoredUser) GoString() string { return u.String() }

// LogValue serves slog.
func (u StoredUser) LogValue() slog.Value { return slog.StringValue(u.String()) }

// Update is a change of a stored user; nil members stay as they are.
type Update struct {
	PasswordHash *string
	Permissions  *[]Permission
	Admin        *bool
	Disabled     *bool
	RateLimit    **int64
	EndTokens    bool    // raise the generation; disabling an enabled user raises it as well
	ExpectHash   *string // change nothing unless this is the stored hash
	At           time.Time
}

// Revocation is a token id that is refused until ExpiresAt, whole seconds.
type Revocation struct {
	TokenID   string
	ExpiresAt time.Time
}

// Changes is what a read of the store found.
type Changes struct {
	Version int64 // of the newest change that is certainly included
	Users   []StoredUser
	Deleted []string // ids of deleted users; Load leaves it empty
	Revoked []Revocation
}
