package neo4jauth

import (
	"context"
	"encoding/base64"
	"fmt"
	"time"

	"graphrest/cypher"
	"graphrest/internal/audit"
	"graphrest/internal/auth"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
)

// CreateServiceToken adds a service token.
func (a *Store) CreateServiceToken(ctx context.Context, t auth.StoredToken) (auth.StoredToken, error) {
	err := a.runChange(ctx, func(ctx context.Context, c *change) error {
		actsAs := auth.FoldUsername(auth.ServiceTokenUser + t.Name)
		holders, err := c.run(ctx, cypher.AuthTokenHolder, map[string]any{"folded": t.Folded, "username": actsAs})
		if err != nil {
			return err
		}
		for _, row := range holders {
			switch holder := row.AsMap(); {
			case c.retried && holder["token"] == t.ID:
				return c.rereadToken(ctx, &t) // the earlier attempt was committed
			case holder["token"] != nil, holder["user"] != nil:
				return auth.TokenNameTaken()
			}
		}
		return c.createToken(ctx, &t)
	})
	return t, translate(err)
}

func (c *change) createToken(ctx context.Context, t *auth.StoredToken) error {
	fields := map[string]any{
		"id": t.ID, "name": t.Name, "hash": base64.RawURLEncoding.EncodeToString(t.Hash[:]),
		"created_at": t.CreatedAt.UTC(), "expires_at": t.ExpiresAt.UTC(),
	}
	if t.OwnerID == "" {
		fields["folded"] = t.Folded
	} else {
		fields["owner_id"], fields["generation"], fields["uncut"] = t.OwnerID, t.Generation, t.Uncut
	}
	if t.CreatedBy != "" {
		fields["created_by"] = t.CreatedBy
	}
	if t.CreatedByID != "" {
		fields["created_by_id"] = t.CreatedByID
	}
	if t.RateLimit != nil {
		fields["rate_limit"] = *t.RateLimit
	}
	params := map[string]any{"token": fields, "permissions": permissionNames(t.Permissions), "version": c.version}
	if _, err := c.run(ctx, cypher.AuthTokenCreate, params); err != nil {
		return err
	}
	if err := c.setTokenRoles(ctx, t.ID, t.Roles); err != nil {
		return err
	}
	if err := c.record(ctx, audit.Create, audit.Token, t.ID, t.Name); err != nil {
		return err
	}
	return c.rereadToken(ctx, t)
}

// setTokenRoles gives a new service token its roles. VALIDATION_ERROR naming each role that does not exist.
func (c *change) setTokenRoles(ctx context.Context, id string, names []string) error {
	if len(names) == 0 {
		return nil
	}
	rows, err := c.run(ctx, cypher.AuthTokenRoles, map[string]any{"id": id, "roles": names})
	if err != nil {
		return err
	}
	found := map[string]bool{}
	for _, row := range rows {
		found[bolt.AsText(row.AsMap()["name"])] = true
	}
	return auth.CheckRolesExist("roles", names, func(name string) bool { return found[name] })
}

// DeleteToken marks a service token, or the personal token of an owner, as deleted.
func (a *Store) DeleteToken(ctx context.Context, id, ownerID string, at time.Time) (auth.StoredToken, error) {
	var t auth.StoredToken
	err := a.runChange(ctx, func(ctx context.Context, c *change) error {
		t = auth.StoredToken{ServiceToken: auth.ServiceToken{ID: id}, OwnerID: ownerID}
		if err := c.rereadToken(ctx, &t); err != nil {
			return err
		}
		if t.OwnerID != ownerID {
			return noSuchToken(ownerID)
		}
		if !t.DeletedAt.IsZero() {
			if c.retried && t.DeletedAt.Equal(at) {
				return nil // the earlier attempt was committed
			}
			return noSuchToken(ownerID)
		}
		params := map[string]any{"id": id, "at": at.UTC(), "version": c.version}
		if _, err := c.run(ctx, cypher.AuthTokenDelete, params); err != nil {
			return err
		}
		if err := c.record(ctx, audit.Delete, audit.Token, id, t.Name); err != nil {
			return err
		}
		return c.rereadToken(ctx, &t)
	})
	return t, translate(err)
}

// noGeneration is the generation of no user.
const noGeneration = -1

// CreatePersonalToken adds a personal token to its owner.
func (a *Store) CreatePersonalToken(ctx context.Context, t auth.StoredToken) (auth.StoredToken, error) {
	err := a.runChange(ctx, func(ctx context.Context, c *change) error {
		rows, err := c.run(ctx, cypher.AuthTokenOwner, map[string]any{"id": t.ID, "owner": t.OwnerID, "generation": t.Generation})
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			return auth.EndedOwner()
		}
		switch found := rows[0].AsMap(); {
		case c.retried && found["made"] == true:
			return c.rereadToken(ctx, &t) // the earlier attempt was committed
		case bolt.Column[int64](rows[0], "tokens") >= auth.MaxPersonalTokens:
			return auth.TooManyPersonalTokens()
		}
		return c.createToken(ctx, &t)
	})
	return t, translate(err)
}

// RecordTokenUses stores when service tokens were used last.
func (a *Store) RecordTokenUses(ctx context.Context, uses []auth.TokenUse) error {
	rows := make([]map[string]any, len(uses))
	for i, u := range uses {
		rows[i] = map[string]any{"id": u.TokenID, "at": u.At.UTC()}
	}
	_, err := a.run(ctx, cypher.AuthTokensUsed, map[string]any{"uses": rows})
	return translate(err)
}

// noSuchToken is the NOT_FOUND of a service token, or of a personal token of an owner.
func noSuchToken(ownerID string) error {
	if ownerID != "" {
		return auth.NoSuchPersonalToken()
	}
	return auth.NoSuchServiceToken()
}

// rereadToken reads the token with t's id into t. NOT_FOUND.
func (c *change) rereadToken(ctx context.Context, t *auth.StoredToken) error {
	rows, err := c.run(ctx, cypher.AuthToken, map[string]any{"id": t.ID})
	if err != nil {
		return err
	}
	if len(rows) == 0 {
		return noSuchToken(t.OwnerID)
	}
	stored, usable := storedToken(rows[0].AsMap()["token"])
	if !usable {
		return fault.Wrap(fmt.Errorf("the stored token %s is damaged", t.ID), fault.Internal, "Internal error")
	}
	*t = stored
	return nil
}

// storedToken decodes a token as the statements return it. One without an id or a hash is not usable. Other damage by an operator removes
// rights and never adds any: a token without a time of expiry has expired, and any deletion mark counts.
func storedToken(value any) (auth.StoredToken, bool) {
	fields, _ := value.(map[string]any)
	t := auth.StoredToken{ServiceToken: auth.ServiceToken{
		ID: bolt.AsText(fields["id"]), Name: bolt.AsText(fields["name"]),
		CreatedAt: asTime(fields["created_at"]), CreatedBy: bolt.AsText(fields["created_by"]),
		CreatedByID: bolt.AsText(fields["created_by_id"]), ExpiresAt: asTime(fields["expires_at"]),
		LastUsedAt: asTime(fields["last_used_at"]),
	}}
	t.Permissions, t.Roles = heldRights(fields["held"])
	if limit, isInteger := fields["rate_limit"].(int64); isInteger && limit > 0 {
		t.RateLimit = &limit
	}
	t.Folded = bolt.AsText(fields["folded"])
	t.Version, _ = fields["version"].(int64)
	t.OwnerID, t.Uncut = bolt.AsText(fields["owner_id"]), fields["uncut"] == true
	if generation, isInteger := fields["generation"].(int64); isInteger {
		t.Generation = generation
	} else {
		t.Generation = noGeneration
	}
	if t.DeletedAt = asTime(fields["deleted_at"]); fields["deleted_at"] != nil && t.DeletedAt.IsZero() {
		t.DeletedAt = t.CreatedAt.Add(time.Second)
	}
	hash, err := base64.RawURLEncoding.DecodeString(bolt.AsText(fields["hash"]))
	return t, t.ID != "" && err == nil && copy(t.Hash[:], hash) == len(t.Hash) && len(hash) == len(t.Hash)
}
