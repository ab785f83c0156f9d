package auth

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"graphrest/internal/fault"
)

// Users lists all users by name. DATABASE_UNAVAILABLE.
func (s *Service) Users(ctx context.Context) ([]User, error) {
	if err := s.refreshNow(ctx); err != nil {
		return nil, err
	}
	stored := s.cache.allUsers()
	list := make([]User, len(stored))
	for i, u := range stored {
		list[i] = u.public()
	}
	return list, nil
}

// User finds a user by name, in any of its spellings. NOT_FOUND, DATABASE_UNAVAILABLE.
func (s *Service) User(ctx context.Context, username string) (User, error) {
	u, err := s.userByName(ctx, username)
	if err != nil {
		return User{}, err
	}
	return u.public(), nil
}

// CreateUser adds a user. VALIDATION_ERROR, CONFLICT if the name is taken, RATE_LIMITED, DATABASE_UNAVAILABLE.
func (s *Service) CreateUser(ctx context.Context, n NewUser) (User, error) {
	if err := fault.Merge(CheckUsername("username", n.Username), CheckPassword("password", n.Password),
		checkPermissions(n.Permissions), CheckRateLimit(n.RateLimit),
		CheckRoleNames("roles", n.Roles), CheckAttributes("attributes", n.Attributes)); err != nil {
		return User{}, err
	}
	// Report a taken name without computing a hash first. The database still decides.
	if err := s.refreshNow(ctx); err != nil {
		return User{}, err
	}
	if _, taken := s.cache.userByName(FoldUsername(n.Username)); taken {
		return User{}, NameTaken()
	}
	if err := s.checkUserConditions(n.Roles); err != nil {
		return User{}, err
	}
	u, err := s.newUser(ctx, n)
	if err != nil {
		return User{}, err
	}
	stored, err := s.store.CreateUser(ctx, u)
	if err != nil {
		return User{}, err
	}
	s.log.Info("user created", "user", stored.ID)
	return stored.public(), s.cacheOwnChange(ctx, stored)
}

// UpdateUser changes a user. A new password and disabling end all tokens; permissions apply from the next request.
// VALIDATION_ERROR, NOT_FOUND, CONFLICT for the last enabled administrator, RATE_LIMITED, DATABASE_UNAVAILABLE.
func (s *Service) UpdateUser(ctx context.Context, username string, c UserChange) (User, error) {
	if err := checkChange(c); err != nil {
		return User{}, err
	}
	u, err := s.userByName(ctx, username)
	if err != nil {
		return User{}, err
	}
	if c.Roles != nil {
		if err := s.checkUserConditions(*c.Roles); err != nil {
			return User{}, err
		}
	}
	change := Update{Admin: c.Admin, Disabled: c.Disabled, RateLimit: c.RateLimit, Roles: c.Roles, Attributes: c.Attributes}
	if c.Permissions != nil {
		list := sortPermissions(*c.Permissions)
		change.Permissions = &list
	}
	if c.Password != nil && u.Identity != "" {
		return User{}, fault.Invalid("password", "cannot be set: this user signs in at the identity provider and has no password here")
	}
	if c.Password != nil {
		hash, err := s.hasher.hashFor(ctx, *c.Password)
		if err != nil {
			return User{}, err
		}
		change.PasswordHash, change.EndTokens = &hash, true
	}
	stored, err := s.applyUpdate(ctx, u.ID, change)
	if err != nil {
		return User{}, err
	}
	return stored.public(), nil
}

// DeleteUser removes a user and ends its tokens. NOT_FOUND, CONFLICT for the last enabled administrator,
// DATABASE_UNAVAILABLE.
func (s *Service) DeleteUser(ctx context.Context, username string) error {
	u, err := s.userByName(ctx, username)
	if err != nil {
		return err
	}
	revocation := s.identityRevocation(u)
	if err := s.store.DeleteUser(ctx, u.ID, revocation); err != nil {
		return err
	}
	s.cache.deleteUser(u.ID)
	if revocation != nil {
		s.cache.addRevocation(*revocation)
	}
	s.log.Info("user deleted", "user", u.ID)
	return nil
}

// Bootstrap creates the first administrator, with all permissions, if there are no users, and reports whether it did.
// With an empty name or password it creates none and logs how to create one.
// VALIDATION_ERROR naming username or password; DATABASE_UNAVAILABLE, after which it may be called again.
func (s *Service) Bootstrap(ctx context.Context, username, password string) (bool, error) {
	if err := s.refreshNow(ctx); err != nil {
		return false, err
	}
	if s.cache.userCount() > 0 {
		s.bootstrapped.Store(true)
		return false, nil
	}
	if username == "" || password == "" {
		s.bootstrapped.Store(true)
		s.log.Warn("there are no users yet: set GRAPHREST_ADMIN_USERNAME and GRAPHREST_ADMIN_PASSWORD, or run: graphrest user add --admin NAME")
		return false, nil
	}
	if err := fault.Merge(CheckUsername("username", username), CheckPassword("password", password)); err != nil {
		return false, err
	}
	u, err := s.newUser(ctx, NewUser{Username: username, Password: password, Permissions: GraphPermissions(), Admin: true})
	if err != nil {
		return false, err
	}
	stored, created, err := s.store.CreateFirstUser(ctx, u)
	if err == nil {
		s.bootstrapped.Store(true)
	}
	if err != nil || !created {
		return false, err
	}
	s.log.Info("first administrator created", "user", stored.ID)
	return true, s.cacheOwnChange(ctx, stored)
}

// applyUpdate changes a stored user and caches the change.
func (s *Service) applyUpdate(ctx context.Context, id string, change Update) (StoredUser, error) {
	change.At = s.timestamp()
	stored, err := s.store.UpdateUser(ctx, id, change)
	if err != nil {
		return StoredUser{}, err
	}
	s.log.Info("user changed", "user", id, "tokens_ended", change.EndTokens)
	return stored, s.cacheOwnChange(ctx, stored)
}

// cacheOwnChange caches an own change. If a newer version is cached already, it refreshes from the database instead.
func (s *Service) cacheOwnChange(ctx context.Context, u StoredUser) error {
	if s.cache.putOwnChange(u) {
		return nil
	}
	return s.refreshNow(ctx)
}

func (s *Service) userByName(ctx context.Context, username string) (*StoredUser, error) {
	if err := s.refreshNow(ctx); err != nil {
		return nil, err
	}
	if len(username) <= maxLoginText {
		if u, found := s.cache.userByName(FoldUsername(username)); found {
			return u, nil
		}
	}
	return nil, NoSuchUser()
}

func (s *Service) newUser(ctx context.Context, n NewUser) (StoredUser, error) {
	hash, err := s.hasher.hashFor(ctx, n.Password)
	if err != nil {
		return StoredUser{}, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return StoredUser{}, fault.Wrap(err, fault.Internal, "Internal error")
	}
	now := s.timestamp()
	return StoredUser{
		User: User{
			ID: id.String(), Username: n.Username, Permissions: sortPermissions(n.Permissions), Admin: n.Admin, Disabled: n.Disabled,
			RateLimit: n.RateLimit, Roles: n.Roles, Attributes: n.Attributes, CreatedAt: now, UpdatedAt: now,
		},
		Folded: FoldUsername(n.Username), PasswordHash: hash,
	}, nil
}

// timestamp returns the current time as it is stored, to the millisecond.
func (s *Service) timestamp() time.Time { return s.now().UTC().Truncate(time.Millisecond) }

// public returns a copy without the stored-only fields, which a caller may keep and change.
func (u *StoredUser) public() User {
	shown := u.User
	shown.Permissions, shown.Roles, shown.Attributes = slices.Clone(u.Permissions), slices.Clone(u.Roles), maps.Clone(u.Attributes)
	if u.RateLimit != nil {
		limit := *u.RateLimit
		shown.RateLimit = &limit
	}
	return shown
}

// sortPermissions returns each permission once, in the order of AllPermissions.
func sortPermissions(list []Permission) []Permission {
	result := make([]Permission, 0, len(list))
	for _, p := range AllPermissions() {
		if slices.Contains(list, p) {
			result = append(result, p)
		}
	}
	return result
}

// maxRateLimit is that of the setting GRAPHREST_RATE_LIMIT.
const maxRateLimit = 1_000_000_000

func checkChange(c UserChange) error {
	var faults []*fault.Error
	if c.Password != nil {
		faults = append(faults, CheckPassword("password", *c.Password))
	}
	if c.Permissions != nil {
		faults = append(faults, checkPermissions(*c.Permissions))
	}
	if c.RateLimit != nil {
		faults = append(faults, CheckRateLimit(*c.RateLimit))
	}
	if c.Roles != nil {
		faults = append(faults, CheckRoleNames("roles", *c.Roles))
	}
	if c.Attributes != nil {
		faults = append(faults, CheckAttributes("attributes", *c.Attributes))
	}
	return fault.Merge(faults...)
}

func checkPermissions(list []Permission) *fault.Error {
	for _, p := range list {
		if !slices.Contains(AllPermissions(), p) {
			return fault.Invalid("permissions", "may contain only %s", PermissionNames())
		}
	}
	return nil
}

// CheckRateLimit returns a fault that names rate_limit if a limit is not possible, or nil.
func CheckRateLimit(limit *int64) *fault.Error {
	if limit != nil && (*limit < 1 || *limit > maxRateLimit) {
		return fault.Invalid("rate_limit", "must be a whole number from 1 to %d, or null for the default", maxRateLimit)
	}
	return nil
}

// Faults that a Store returns as well.

// NameTaken is the CONFLICT of a second user with the same folded name.
func NameTaken() error { return fault.New(fault.Conflict, "A user with this name already exists") }

// NoSuchUser is NOT_FOUND.
func NoSuchUser() error { return fault.New(fault.NotFound, "There is no such user") }

// LastAdmin is the CONFLICT of a change that would leave no enabled administrator.
func LastAdmin() error {
	return fault.New(fault.Conflict, "The last enabled administrator cannot be removed, disabled or demoted")
}
