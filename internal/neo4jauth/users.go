package neo4jauth

import (
	"context"
	"fmt"
	"slices"
	"time"

	"graphrest/cypher"
	"graphrest/internal/audit"
	"graphrest/internal/auth"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
)

// Changes reads the changes after a version.
func (a *Store) Changes(ctx context.Context, since int64) (auth.Changes, error) {
	return a.read(ctx, cypher.AuthChanges, since)
}

// Load reads all users and service tokens, and the revocations after a version.
func (a *Store) Load(ctx context.Context, revokedSince int64) (auth.Changes, error) {
	return a.read(ctx, cypher.AuthLoad, revokedSince)
}

func (a *Store) read(ctx context.Context, s cypher.Statement, since int64) (auth.Changes, error) {
	rows, err := a.run(ctx, s, map[string]any{"since": since})
	if err != nil {
		return auth.Changes{}, translate(err)
	}
	if len(rows) == 0 {
		return auth.Changes{}, auth.ErrNotPrepared
	}
	row := rows[0].AsMap()
	version, isInteger := row["version"].(int64)
	if !isInteger {
		return auth.Changes{}, auth.ErrNotPrepared
	}
	c := auth.Changes{Version: version, Versions: map[string]int64{}}
	for _, value := range bolt.AsList(row["versions"]) {
		if pair := bolt.AsList(value); len(pair) == 2 {
			of, _ := pair[1].(int64)
			c.Versions[bolt.AsText(pair[0])] = of
		}
	}
	for _, value := range bolt.AsList(row["users"]) {
		if u, usable := storedUser(value); usable {
			c.Users = append(c.Users, u)
		}
	}
	for _, value := range bolt.AsList(row["deleted"]) {
		if id, isText := value.(string); isText {
			c.Deleted = append(c.Deleted, id)
		}
	}
	for _, value := range bolt.AsList(row["revoked"]) {
		if r, usable := revocation(value); usable {
			c.Revoked = append(c.Revoked, r)
		}
	}
	for _, value := range bolt.AsList(row["tokens"]) {
		if t, usable := storedToken(value); usable {
			c.Tokens = append(c.Tokens, t)
		}
	}
	if rolesVersion, partial := row["roles_version"].(int64); !partial || rolesVersion > since {
		c.Roles = []auth.StoredRole{}
		for _, value := range bolt.AsList(row["roles"]) {
			if r, usable := storedRole(value); usable {
				c.Roles = append(c.Roles, r)
			}
		}
	}
	return c, nil
}

// CreateUser adds a user.
func (a *Store) CreateUser(ctx context.Context, u auth.StoredUser) (auth.StoredUser, error) {
	err := a.runChange(ctx, func(ctx context.Context, c *change) error {
		holders, err := c.run(ctx, cypher.AuthNameHolder, map[string]any{"folded": u.Folded})
		if err != nil {
			return err
		}
		if len(holders) > 0 {
			if c.retried && holders[0].AsMap()["id"] == u.ID {
				return c.reread(ctx, &u) // the earlier attempt was committed
			}
			return auth.NameTaken()
		}
		return c.create(ctx, &u)
	})
	return u, translate(err)
}

// CreateFirstUser adds a user if there is none.
func (a *Store) CreateFirstUser(ctx context.Context, u auth.StoredUser) (stored auth.StoredUser, created bool, err error) {
	err = a.runChange(ctx, func(ctx context.Context, c *change) error {
		created = false
		rows, err := c.run(ctx, cypher.AuthCountUsers, nil)
		if err != nil {
			return err
		}
		users, err := bolt.SingleInteger(rows, "users")
		if err != nil {
			return err
		}
		if users == 0 {
			created = true
			return c.create(ctx, &u)
		}
		if c.retried {
			switch err := c.reread(ctx, &u); fault.CodeOf(err) {
			case "":
				created = true
			case fault.NotFound:
			default:
				return err
			}
		}
		return nil
	})
	return u, created && err == nil, translate(err)
}

// UpdateUser changes a user.
func (a *Store) UpdateUser(ctx context.Context, id string, u auth.Update) (auth.StoredUser, error) {
	var stored auth.StoredUser
	err := a.runChange(ctx, func(ctx context.Context, c *change) error {
		before := auth.StoredUser{User: auth.User{ID: id}}
		if err := c.reread(ctx, &before); err != nil {
			return err
		}
		if u.ExpectHash != nil && before.PasswordHash != *u.ExpectHash {
			if c.retried && u.PasswordHash != nil && before.PasswordHash == *u.PasswordHash {
				stored = before // the earlier attempt was committed
				return nil
			}
			return auth.ErrHashChanged
		}
		if err := c.update(ctx, before, u); err != nil {
			return err
		}
		stored = before
		if err := c.reread(ctx, &stored); err != nil {
			return err
		}
		if err := c.recordUpdate(ctx, stored, u); err != nil {
			return err
		}
		return c.requireAdmin(ctx, before, stored)
	})
	return stored, translate(err)
}

// DeleteUser removes a user.
func (a *Store) DeleteUser(ctx context.Context, id string, also *auth.Revocation) error {
	err := a.runChange(ctx, func(ctx context.Context, c *change) error {
		before := auth.StoredUser{User: auth.User{ID: id}}
		if err := c.reread(ctx, &before); err != nil {
			if c.retried && fault.CodeOf(err) == fault.NotFound {
				return c.wasDeleted(ctx, id, err)
			}
			return err
		}
		if _, err := c.run(ctx, cypher.AuthUserDelete, map[string]any{"id": id, "version": c.version}); err != nil {
			return err
		}
		if also != nil {
			if _, err := c.run(ctx, cypher.AuthRevoke, c.revocationParameters(*also)); err != nil {
				return err
			}
		}
		if err := c.record(ctx, audit.Delete, audit.User, id, before.Username); err != nil {
			return err
		}
		return c.requireAdmin(ctx, before, auth.StoredUser{})
	})
	return translate(err)
}

func (c *change) create(ctx context.Context, u *auth.StoredUser) error {
	fields := map[string]any{
		"id": u.ID, "username": u.Username, "folded": u.Folded, "password_hash": u.PasswordHash, "admin": u.Admin,
		"disabled": u.Disabled, "generation": u.Generation, "created_at": u.CreatedAt.UTC(), "updated_at": u.UpdatedAt.UTC(),
	}
	if u.RateLimit != nil {
		fields["rate_limit"] = *u.RateLimit
	}
	if u.Identity != "" {
		fields["identity"], fields["granted_at"] = u.Identity, u.GrantedAt
		delete(fields, "password_hash")
	}
	if text := attributesText(u.Attributes); text != nil {
		fields["attributes"] = text
	}
	if _, err := c.run(ctx, cypher.AuthUserCreate, map[string]any{"user": fields, "version": c.version}); err != nil {
		return err
	}
	if err := c.setPermissions(ctx, u.ID, u.Permissions); err != nil {
		return err
	}
	if len(u.Roles) > 0 {
		if err := c.setRoles(ctx, u.ID, u.Roles); err != nil {
			return err
		}
	}
	if err := c.record(ctx, audit.Create, audit.User, u.ID, u.Username); err != nil {
		return err
	}
	return c.reread(ctx, u)
}

func (c *change) update(ctx context.Context, before auth.StoredUser, u auth.Update) error {
	changes := bolt.Changes{Set: map[string]any{"updated_at": u.At.UTC()}}
	bolt.Give(&changes, "password_hash", u.PasswordHash)
	bolt.Give(&changes, "admin", u.Admin)
	bolt.Give(&changes, "disabled", u.Disabled)
	bolt.Give(&changes, "granted_at", u.GrantedAt)
	bolt.GiveAs(&changes, "rate_limit", u.RateLimit, func(limit *int64) any {
		if limit == nil {
			return nil
		}
		return *limit
	})
	bolt.GiveAs(&changes, "attributes", u.Attributes, attributesText)
	ended := 0
	if u.EndTokens || u.Disabled != nil && *u.Disabled && !before.Disabled {
		ended = 1
	}
	params := map[string]any{"id": before.ID, "changes": changes.Set, "ended": ended, "version": c.version}
	if _, err := c.run(ctx, cypher.AuthUserUpdate, params); err != nil {
		return err
	}
	if u.Permissions != nil {
		if err := c.setPermissions(ctx, before.ID, *u.Permissions); err != nil {
			return err
		}
	}
	if u.Roles != nil {
		return c.setRoles(ctx, before.ID, *u.Roles)
	}
	return nil
}

// recordUpdate records the fields that an update set. A hash that is recomputed at a login is the same password, and not a change by a
// user.
func (c *change) recordUpdate(ctx context.Context, stored auth.StoredUser, u auth.Update) error {
	var fields []string
	for name, given := range map[string]bool{
		"password": u.PasswordHash != nil && u.EndTokens, "permissions": u.Permissions != nil, "admin": u.Admin != nil,
		"disabled": u.Disabled != nil, "rate_limit": u.RateLimit != nil, "roles": u.Roles != nil, "attributes": u.Attributes != nil,
	} {
		if given {
			fields = append(fields, name)
		}
	}
	if len(fields) == 0 {
		return nil
	}
	return c.record(ctx, audit.Update, audit.User, stored.ID, stored.Username, fields...)
}

func (c *change) setPermissions(ctx context.Context, id string, permissions []auth.Permission) error {
	_, err := c.run(ctx, cypher.AuthUserPermissions, map[string]any{"id": id, "permissions": permissionNames(permissions)})
	return err
}

func permissionNames(permissions []auth.Permission) []string {
	names := make([]string, len(permissions))
	for i, p := range permissions {
		names[i] = string(p)
	}
	return names
}

// reread reads the user with u's id into u. NOT_FOUND.
func (c *change) reread(ctx context.Context, u *auth.StoredUser) error {
	rows, err := c.run(ctx, cypher.AuthUser, map[string]any{"id": u.ID})
	if err != nil {
		return err
	}
	if len(rows) == 0 {
		return auth.NoSuchUser()
	}
	stored, usable := storedUser(rows[0].AsMap()["user"])
	if !usable {
		return fmt.Errorf("the stored user %s is damaged", u.ID)
	}
	*u = stored
	return nil
}

// requireAdmin rejects a change that would remove the last enabled administrator.
func (c *change) requireAdmin(ctx context.Context, before, after auth.StoredUser) error {
	if !isActiveAdmin(before) || isActiveAdmin(after) {
		return nil
	}
	rows, err := c.run(ctx, cypher.AuthCountAdmins, nil)
	if err != nil {
		return err
	}
	admins, err := bolt.SingleInteger(rows, "admins")
	if err == nil && admins == 0 {
		return auth.LastAdmin()
	}
	return err
}

func isActiveAdmin(u auth.StoredUser) bool { return u.Admin && !u.Disabled }

// wasDeleted accepts that a user is missing if there is a record of the deletion.
func (c *change) wasDeleted(ctx context.Context, id string, otherwise error) error {
	rows, err := c.run(ctx, cypher.AuthWasDeleted, map[string]any{"id": id})
	if err != nil {
		return err
	}
	if len(rows) == 1 && rows[0].AsMap()["deleted"] == true {
		return nil
	}
	return otherwise
}

// storedUser decodes a user as the statements return it. A user without an id or a name is not usable. Other damage by an operator removes
// rights and never adds any: no permission, no administration, disabled.
func storedUser(value any) (auth.StoredUser, bool) {
	fields, _ := value.(map[string]any)
	u := auth.StoredUser{User: auth.User{ID: bolt.AsText(fields["id"]), Username: bolt.AsText(fields["username"])}}
	u.Folded, u.PasswordHash = bolt.AsText(fields["folded"]), bolt.AsText(fields["password_hash"])
	u.Admin = fields["admin"] == true
	u.Disabled = fields["disabled"] != nil && fields["disabled"] != false
	u.Generation, _ = fields["generation"].(int64)
	u.Version, _ = fields["version"].(int64)
	u.Identity = bolt.AsText(fields["identity"])
	u.GrantedAt, _ = fields["granted_at"].(int64)
	u.CreatedAt, u.UpdatedAt = asTime(fields["created_at"]), asTime(fields["updated_at"])
	if limit, isInteger := fields["rate_limit"].(int64); isInteger && limit > 0 {
		u.RateLimit = &limit
	}
	u.Permissions, u.Roles = heldRights(fields["held"])
	u.Attributes = storedAttributes(fields["attributes"])
	return u, u.ID != "" && u.Folded != ""
}

// heldRights decodes the permissions and the names of roles that a user or a service token has: pairs of whether it is a role, and its
// name. One pattern for both is planned in less time than two, and every start waits for that.
func heldRights(pairs any) ([]auth.Permission, []string) {
	var permissions, roles []any
	for _, pair := range bolt.AsList(pairs) {
		if t := bolt.Tuple(bolt.AsList(pair)); len(t) == 2 {
			if isRole, _ := t[0].(bool); isRole {
				roles = append(roles, t[1])
			} else {
				permissions = append(permissions, t[1])
			}
		}
	}
	return heldPermissions(permissions), heldRoles(roles)
}

// heldPermissions decodes the names of permissions, and ignores others.
func heldPermissions(held []any) []auth.Permission {
	permissions := []auth.Permission{}
	for _, p := range auth.AllPermissions() {
		if slices.Contains(held, any(string(p))) {
			permissions = append(permissions, p)
		}
	}
	return permissions
}

func asTime(value any) time.Time {
	t, _ := value.(time.Time)
	return t.UTC()
}
