package neo4jauth

import (
	"context"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/auth"
	"graphrest/internal/bolt"
)

// SignIn creates the user of an identity, or changes its rights.
func (a *Store) SignIn(ctx context.Context, s auth.SignIn) (stored auth.StoredUser, err error) {
	err = a.runChange(ctx, func(ctx context.Context, c *change) error {
		holders, err := c.run(ctx, cypher.AuthIdentityHolder, map[string]any{"identity": s.New.Identity})
		if err != nil {
			return err
		}
		if len(holders) == 0 {
			stored = s.New
			stored.Roles = nil
			if err := c.createNamed(ctx, &stored, s.Names); err != nil {
				return err
			}
			return c.assignRoles(ctx, &stored, s.New.Roles)
		}
		stored = auth.StoredUser{User: auth.User{ID: bolt.AsText(holders[0].AsMap()["id"])}}
		if err := c.reread(ctx, &stored); err != nil {
			return err
		}
		if stored.Disabled || s.GrantedAt < stored.GrantedAt {
			return nil
		}
		return c.grant(ctx, &stored, s)
	})
	return stored, translate(err)
}

// createNamed creates a user under the first name that is free.
func (c *change) createNamed(ctx context.Context, u *auth.StoredUser, names []string) error {
	for _, name := range names {
		u.Username, u.Folded = name, auth.FoldUsername(name)
		holders, err := c.run(ctx, cypher.AuthNameHolder, map[string]any{"folded": u.Folded})
		if err != nil {
			return err
		}
		if len(holders) == 0 {
			return c.create(ctx, u)
		}
	}
	return auth.NameTaken()
}

// grant gives a user the rights of its identity. The time of the last change and the audit show only rights that differ.
func (c *change) grant(ctx context.Context, u *auth.StoredUser, s auth.SignIn) error {
	update := auth.Update{GrantedAt: &s.GrantedAt, At: u.UpdatedAt}
	if !slices.Equal(u.Permissions, s.New.Permissions) {
		update.Permissions, update.At = &s.New.Permissions, s.New.UpdatedAt
	}
	if u.Admin != s.New.Admin {
		update.Admin, update.At = &s.New.Admin, s.New.UpdatedAt
	}
	roles := s.New.Roles
	if slices.Equal(u.Roles, roles) {
		roles = nil
	} else {
		update.At = s.New.UpdatedAt
	}
	if err := c.update(ctx, *u, update); err != nil {
		return err
	}
	recorded := update
	if roles != nil {
		recorded.Roles = &roles
	}
	if err := c.recordUpdate(ctx, *u, recorded); err != nil {
		return err
	}
	return c.assignRoles(ctx, u, roles)
}

// assignRoles replaces the roles of a user unless they are nil, and rereads the user. Roles that were deleted meanwhile give nothing: that
// is no reason to refuse a login.
func (c *change) assignRoles(ctx context.Context, u *auth.StoredUser, roles []string) error {
	if roles != nil {
		if _, err := c.run(ctx, cypher.AuthUserRoles, map[string]any{"id": u.ID, "roles": roles}); err != nil {
			return err
		}
	}
	return c.reread(ctx, u)
}
