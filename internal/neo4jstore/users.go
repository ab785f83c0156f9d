package neo4jstore

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"graphrest/cypher"
	"graphrest/internal/audit"
	"graphrest/internal/auth"
	"graphrest/internal/fault"
)

// Changes reads the changes after a version.
func (a *Accounts) Changes(ctx context.Context, since int64) (auth.Changes, error) {
	return a.read(ctx, cypher.AuthChanges, since)
}

// Load reads all users, and the revocations after a version.
func (a *Accounts) Load(ctx context.Context, revokedSince int64) (auth.Changes, error) {
	return a.read(ctx, cypher.AuthLoad, revokedSince)
}

func (a *Accounts) read(ctx context.Context, s cypher.Statement, since int64) (auth.Changes, error) {
	rows, err := a.run(ctx, s, map[string]any{"since": since})
	if err != nil {
		return auth.Changes{}, accountsFault(err)
	}
	if len(rows) == 0 {
		return auth.Changes{}, auth.ErrNotPrepared
	}
	row := rows[0].AsMap()
	version, isInteger := row["version"].(int64)
	if !isInteger {
		return auth.Changes{}, auth.ErrNotPrepared
	}
	c := auth.Changes{Version: version}
	for _, value := range asList(row["users"]) {
		if u, usable := storedUser(value); usable {
			c.Users = append(c.Users, u)
		}
	}
	for _, value := range asList(row["deleted"]) {
		if id, isText := value.(string); isText {
			c.Deleted = append(c.Deleted, id)
		}
	}
	for _, value := range asList(row["revoked"]) {
		if r, usable := revocation(value); usable {
			c.Revoked = append(c.Revoked, r)
		}
	}
	return c, nil
}

// CreateUser adds a user.
func (a *Accounts) CreateUser(ctx context.Context, u auth.StoredUser) (auth.StoredUser, error) {
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
	return u, accountsFault(err)
}

// CreateFirstUser adds a user if there is none.
func (a *Accounts) CreateFirstUser(ctx context.Context, u auth.StoredUser) (stored auth.StoredUser, created bool, err error) {
	err = a.runChange(ctx, func(ctx context.Context, c *change) error {
		created = false
		rows, err := c.run(ctx, cypher.AuthCountUsers, nil)
		if err != nil {
			return err
		}
		users, err := singleInteger(rows, "users")
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
	return u, created && err == nil, accountsFault(err)
}

// UpdateUser changes a user.
func (a *Accounts) UpdateUser(ctx context.Context, id string, u auth.Update) (auth.StoredUser, error) {
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
	return stored, accountsFault(err)
}

// DeleteUser removes a user.
func (a *Accounts) DeleteUser(ctx context.Context, id string) error {
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
		if err := c.record(ctx, audit.Delete, audit.User, id, before.Username); err != nil {
			return err
		}
		return c.requireAdmin(ctx, before, auth.StoredUser{})
	})
	return accountsFault(err)
}

func (c *change) create(ctx context.Context, u *auth.StoredUser) error {
	fields := map[string]any{
		"id": u.ID, "username": u.Username, "folded": u.Folded, "password_hash": u.PasswordHash, "admin": u.Admin,
		"disabled": u.Disabled, "generation": u.Generation, "created_at": u.CreatedAt.UTC(), "updated_at": u.UpdatedAt.UTC(),
	}
	if u.RateLimit != nil {
		fields["rate_limit"] = *u.RateLimit
	}
	if _, err := c.run(ctx, cypher.AuthUserCreate, map[string]any{"user": fields, "version": c.version}); err != nil {
		return err
	}
	if err := c.setPermissions(ctx, u.ID, u.Permissions); err != nil {
		return err
	}
	if err := c.record(ctx, audit.Create, audit.User, u.ID, u.Username); err != nil {
		return err
	}
	return c.reread(ctx, u)
}

func (c *change) update(ctx context.Context, before auth.StoredUser, u auth.Update) error {
	fields := map[string]any{"updated_at": u.At.UTC()}
	if u.PasswordHash != nil {
		fields["password_hash"] = *u.PasswordHash
	}
	if u.Admin != nil {
		fields["admin"] = *u.Admin
	}
	if u.Disabled != nil {
		fields["disabled"] = *u.Disabled
	}
	if u.RateLimit != nil {
		fields["rate_limit"] = nil
		if limit := *u.RateLimit; limit != nil {
			fields["rate_limit"] = *limit
		}
	}
	ended := 0
	if u.EndTokens || u.Disabled != nil && *u.Disabled && !before.Disabled {
		ended = 1
	}
	params := map[string]any{"id": before.ID, "changes": fields, "ended": ended, "version": c.version}
	if _, err := c.run(ctx, cypher.AuthUserUpdate, params); err != nil {
		return err
	}
	if u.Permissions == nil {
		return nil
	}
	return c.setPermissions(ctx, before.ID, *u.Permissions)
}

// recordUpdate records the fields that an update set. A hash that is recomputed at a login is the same password, and not a change by a
// user.
func (c *change) recordUpdate(ctx context.Context, stored auth.StoredUser, u auth.Update) error {
	var fields []string
	for name, given := range map[string]bool{
		"password": u.PasswordHash != nil && u.EndTokens, "permissions": u.Permissions != nil, "admin": u.Admin != nil,
		"disabled": u.Disabled != nil, "rate_limit": u.RateLimit != nil,
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
	names := make([]string, len(permissions))
	for i, p := range permissions {
		names[i] = string(p)
	}
	_, err := c.run(ctx, cypher.AuthUserPermissions, map[string]any{"id": id, "permissions": names})
	return err
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
	admins, err := singleInteger(rows, "admins")
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
	u := auth.StoredUser{User: auth.User{ID: asText(fields["id"]), Username: asText(fields["username"])}}
	u.Folded, u.PasswordHash = asText(fields["folded"]), asText(fields["password_hash"])
	u.Admin = fields["admin"] == true
	u.Disabled = fields["disabled"] != nil && fields["disabled"] != false
	u.Generation, _ = fields["generation"].(int64)
	u.Version, _ = fields["version"].(int64)
	u.CreatedAt, u.UpdatedAt = asTime(fields["created_at"]), asTime(fields["updated_at"])
	if limit, isInteger := fields["rate_limit"].(int64); isInteger && limit > 0 {
		u.RateLimit = &limit
	}
	u.Permissions = []auth.Permission{}
	held := asList(fields["permissions"])
	for _, p := range auth.AllPermissions() {
		if slices.Contains(held, any(string(p))) {
			u.Permissions = append(u.Permissions, p)
		}
	}
	return u, u.ID != "" && u.Folded != ""
}

func asText(value any) string {
	s, _ := value.(string)
	return s
}

func asList(value any) []any {
	l, _ := value.([]any)
	return l
}

func asTime(value any) time.Time {
	t, _ := value.(time.Time)
	return t.UTC()
}

// singleInteger returns the integer of a result of one row.
func singleInteger(rows []*neo4j.Record, column string) (int64, error) {
	if len(rows) == 1 {
		if n, isInteger := rows[0].AsMap()[column].(int64); isInteger {
			return n, nil
		}
	}
	return 0, fmt.Errorf("the database answered without an integer %q", column)
}
