package auth

import (
	"context"
	"log/slog"
	"time"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/rules"
)

// MaxRoles is the maximum number of roles.
const MaxRoles = 500

// Role is a role as administrators see it.
type Role struct {
	rules.Role
	CreatedAt, UpdatedAt time.Time
}

// StoredRole is a role in its stored form.
type StoredRole struct {
	Name, Description    string
	Grants               string // JSON, which rules.ParseGrants reads
	Queries              string // see rules.JoinQueries
	CreatedAt, UpdatedAt time.Time
	Version              int64 // of the last change; set by the store
}

// RoleChange is the input of a role's update; nil members are left unchanged.
type RoleChange struct {
	Description *string
	Grants      *[]rules.Grant
	Queries     *[]string
}

// RoleUpdate is a change of a stored role; nil members are left unchanged.
type RoleUpdate struct {
	Description, Grants *string
	Queries             *string
	At                  time.Time
}

// Roles lists all roles by name. DATABASE_UNAVAILABLE.
func (s *Service) Roles(ctx context.Context) ([]Role, error) {
	if err := s.refreshNow(ctx); err != nil {
		return nil, err
	}
	return s.cache.currentRoles().all(), nil
}

// Role finds a role by name. NOT_FOUND, DATABASE_UNAVAILABLE.
func (s *Service) Role(ctx context.Context, name string) (Role, error) {
	if err := s.refreshNow(ctx); err != nil {
		return Role{}, err
	}
	if r, found := s.cache.currentRoles().byName[name]; found {
		return r.Role, nil
	}
	return Role{}, NoSuchRole()
}

// CreateRole adds a role. VALIDATION_ERROR, CONFLICT if the name is taken or there are MaxRoles, DATABASE_UNAVAILABLE.
func (s *Service) CreateRole(ctx context.Context, r rules.Role) (Role, error) {
	if err := fault.Merge(rules.CheckRoleName("name", r.Name), CheckRoleDescription("description", r.Description),
		rules.CheckConditions("grants", r.Grants), rules.CheckQueries("queries", r.Queries)); err != nil {
		return Role{}, err
	}
	now := s.timestamp()
	stored, err := s.store.CreateRole(ctx, StoredRole{
		Name: r.Name, Description: r.Description, Grants: string(rules.AppendGrants(nil, r.Grants)), Queries: rules.JoinQueries(r.Queries),
		CreatedAt: now, UpdatedAt: now,
	})
	if err != nil {
		return Role{}, err
	}
	return s.changedRole(ctx, stored)
}

// UpdateRole changes a role, from the next request on. VALIDATION_ERROR, NOT_FOUND, DATABASE_UNAVAILABLE.
func (s *Service) UpdateRole(ctx context.Context, name string, c RoleChange) (Role, error) {
	u := RoleUpdate{Description: c.Description, At: s.timestamp()}
	if c.Description != nil {
		if f := CheckRoleDescription("description", *c.Description); f != nil {
			return Role{}, f
		}
	}
	if c.Queries != nil {
		if f := rules.CheckQueries("queries", *c.Queries); f != nil {
			return Role{}, f
		}
		queries := rules.JoinQueries(*c.Queries)
		u.Queries = &queries
	}
	if c.Grants != nil {
		if f := rules.CheckConditions("grants", *c.Grants); f != nil {
			return Role{}, f
		}
		if err := s.checkHolders(ctx, name, *c.Grants); err != nil {
			return Role{}, err
		}
		text := string(rules.AppendGrants(nil, *c.Grants))
		u.Grants = &text
	}
	stored, err := s.store.UpdateRole(ctx, name, u)
	if err != nil {
		return Role{}, err
	}
	return s.changedRole(ctx, stored)
}

// changedRole caches an own change by reading it back: grants are compiled in one place.
func (s *Service) changedRole(ctx context.Context, stored StoredRole) (Role, error) {
	s.log.Info("role changed", "role", stored.Name)
	return newCachedRole(stored).Role, s.refreshNow(ctx)
}

// DeleteRole removes a role and takes it from its holders. NOT_FOUND, DATABASE_UNAVAILABLE.
func (s *Service) DeleteRole(ctx context.Context, name string) error {
	if err := s.store.DeleteRole(ctx, name); err != nil {
		return err
	}
	s.log.Info("role deleted", "role", name)
	return s.refreshNow(ctx)
}

// PrincipalOf returns the principal that a user's next token would have, without a token. NOT_FOUND; TOKEN_REVOKED for a disabled user;
// DATABASE_UNAVAILABLE.
func (s *Service) PrincipalOf(ctx context.Context, username string) (Principal, error) {
	u, err := s.userByName(ctx, username)
	if err != nil {
		return Principal{}, err
	}
	if u.Disabled {
		return Principal{UserID: u.ID, Username: u.Username}, revokedToken()
	}
	return s.principal(u, "", time.Time{}), nil
}

// CheckRoleDescription returns a fault that names the field if a description is too long, or nil.
func CheckRoleDescription(field, text string) *fault.Error {
	if len(text) > rules.MaxDescription {
		return fault.Invalid(field, "must be at most %d bytes long", rules.MaxDescription)
	}
	return nil
}

// CheckRoleNames returns a fault that names the field if a user cannot have that many roles, or nil. Whether they exist is decided with
// the change: see CheckRolesExist.
func CheckRoleNames(field string, names []string) *fault.Error {
	if len(names) > rules.MaxUserRoles {
		return fault.Invalid(field, "must be at most %d names of roles", rules.MaxUserRoles)
	}
	return nil
}

// CheckRolesExist returns the VALIDATION_ERROR of roles that do not exist, with a field such as roles[1] for each of them.
func CheckRolesExist(field string, names []string, exists func(name string) bool) error {
	var faults []*fault.Error
	for i, name := range names {
		if !exists(name) {
			faults = append(faults, fault.Invalid(graph.ElementPath(field, i), "is not the name of a role; GET /api/admin/roles lists them"))
		}
	}
	return fault.Merge(faults...)
}

// CheckAttributes returns a fault that names the field if a user cannot have that many attributes, or nil.
func CheckAttributes(field string, attributes graph.Properties) *fault.Error {
	if len(attributes) > rules.MaxAttributes {
		return fault.Invalid(field, "must have at most %d members", rules.MaxAttributes)
	}
	return nil
}

// Faults that a Store returns as well.

// RoleExists is the CONFLICT of a second role with the same name.
func RoleExists() error { return fault.New(fault.Conflict, "A role with this name already exists") }

// TooManyRoles is the CONFLICT of one role more than MaxRoles.
func TooManyRoles() error {
	return fault.New(fault.Conflict, "There are too many roles: delete one that is not needed")
}

// NoSuchRole is NOT_FOUND.
func NoSuchRole() error { return fault.New(fault.NotFound, "There is no such role") }

// LogValue implements slog.LogValuer. Grants may contain what is secret to a reader of the log.
func (r StoredRole) LogValue() slog.Value { return slog.StringValue("role " + r.Name) }
