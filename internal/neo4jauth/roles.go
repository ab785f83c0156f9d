package neo4jauth

import (
	"context"
	"fmt"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/audit"
	"graphrest/internal/auth"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/typedjson"
)

// CreateRole adds a role.
func (a *Store) CreateRole(ctx context.Context, r auth.StoredRole) (auth.StoredRole, error) {
	err := a.runChange(ctx, func(ctx context.Context, c *change) error {
		switch existing, err := c.role(ctx, r.Name); {
		case err == nil && c.retried && existing.CreatedAt.Equal(r.CreatedAt) && existing.Grants == r.Grants:
			r = existing // the earlier attempt was committed
			return nil
		case err == nil:
			return auth.RoleExists()
		case fault.CodeOf(err) != fault.NotFound:
			return err
		}
		if err := c.requireRoom(ctx); err != nil {
			return err
		}
		fields := map[string]any{
			"name": r.Name, "description": r.Description, "grants": r.Grants, "queries": r.Queries,
			"created_at": r.CreatedAt.UTC(), "updated_at": r.UpdatedAt.UTC(),
		}
		if _, err := c.run(ctx, cypher.AuthRoleCreate, map[string]any{"role": fields, "version": c.version}); err != nil {
			return err
		}
		r.Version = c.version
		return c.record(ctx, audit.Create, audit.Role, r.Name, "")
	})
	return r, translate(err)
}

// requireRoom rejects one role more than the maximum.
func (c *change) requireRoom(ctx context.Context) error {
	rows, err := c.run(ctx, cypher.AuthCountRoles, nil)
	if err != nil {
		return err
	}
	count, err := bolt.SingleInteger(rows, "roles")
	if err == nil && count >= auth.MaxRoles {
		return auth.TooManyRoles()
	}
	return err
}

// UpdateRole changes a role.
func (a *Store) UpdateRole(ctx context.Context, name string, u auth.RoleUpdate) (stored auth.StoredRole, err error) {
	err = a.runChange(ctx, func(ctx context.Context, c *change) error {
		if _, err := c.role(ctx, name); err != nil {
			return err
		}
		changes := bolt.Changes{Set: map[string]any{"updated_at": u.At.UTC()}}
		bolt.Give(&changes, "description", u.Description)
		bolt.Give(&changes, "grants", u.Grants)
		bolt.Give(&changes, "queries", u.Queries)
		if _, err := c.run(ctx, cypher.AuthRoleUpdate, map[string]any{"name": name, "changes": changes.Set, "version": c.version}); err != nil {
			return err
		}
		if err := c.record(ctx, audit.Update, audit.Role, name, "", changes.Names...); err != nil {
			return err
		}
		stored, err = c.role(ctx, name)
		return err
	})
	return stored, translate(err)
}

// DeleteRole removes a role and takes it from its holders.
func (a *Store) DeleteRole(ctx context.Context, name string) error {
	return translate(a.runChange(ctx, func(ctx context.Context, c *change) error {
		if _, err := c.role(ctx, name); err != nil {
			if c.retried && fault.CodeOf(err) == fault.NotFound {
				return nil // the earlier attempt was committed
			}
			return err
		}
		if _, err := c.run(ctx, cypher.AuthRoleDelete, map[string]any{"name": name, "version": c.version}); err != nil {
			return err
		}
		return c.record(ctx, audit.Delete, audit.Role, name, "")
	}))
}

// role reads a role. NOT_FOUND.
func (c *change) role(ctx context.Context, name string) (auth.StoredRole, error) {
	rows, err := c.run(ctx, cypher.AuthRole, map[string]any{"name": name})
	if err != nil {
		return auth.StoredRole{}, err
	}
	if len(rows) == 0 {
		return auth.StoredRole{}, auth.NoSuchRole()
	}
	stored, usable := storedRole(rows[0].AsMap()["role"])
	if !usable {
		return auth.StoredRole{}, fmt.Errorf("the stored role %q is damaged", name)
	}
	return stored, nil
}

// setRoles replaces the roles of a user. VALIDATION_ERROR naming each role that does not exist.
func (c *change) setRoles(ctx context.Context, id string, names []string) error {
	rows, err := c.run(ctx, cypher.AuthUserRoles, map[string]any{"id": id, "roles": names})
	if err != nil {
		return err
	}
	found := make([]string, len(rows))
	for i, row := range rows {
		found[i] = bolt.AsText(row.AsMap()["name"])
	}
	return auth.CheckRolesExist("roles", names, func(name string) bool { return slices.Contains(found, name) })
}

// storedRole decodes a role as the statements return it. One without a name is not usable.
func storedRole(value any) (auth.StoredRole, bool) {
	fields, _ := value.(map[string]any)
	r := auth.StoredRole{
		Name: bolt.AsText(fields["name"]), Description: bolt.AsText(fields["description"]), Grants: bolt.AsText(fields["grants"]),
		Queries:   bolt.AsText(fields["queries"]),
		CreatedAt: asTime(fields["created_at"]), UpdatedAt: asTime(fields["updated_at"]),
	}
	r.Version, _ = fields["version"].(int64)
	return r, r.Name != ""
}

// heldRoles decodes the names of roles, sorted.
func heldRoles(names []any) []string {
	roles := []string{}
	for _, name := range names {
		if text := bolt.AsText(name); text != "" {
			roles = append(roles, text)
		}
	}
	slices.Sort(roles)
	return roles
}

// storedAttributes decodes a user's attributes. Conditions on attributes that are damaged do not hold, as on those that a user lacks.
func storedAttributes(value any) graph.Properties {
	text := bolt.AsText(value)
	if text == "" {
		return nil
	}
	attributes, faults := typedjson.DecodeProperties("attributes", []byte(text))
	if len(faults) > 0 {
		return nil
	}
	return attributes
}

// attributesText is the stored form of attributes; nil for none.
func attributesText(attributes graph.Properties) any {
	if len(attributes) == 0 {
		return nil
	}
	return string(typedjson.AppendProperties(nil, attributes))
}
