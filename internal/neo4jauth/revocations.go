package neo4jauth

import (
	"context"
	"time"

	"graphrest/cypher"
	"graphrest/internal/audit"
	"graphrest/internal/auth"
	"graphrest/internal/bolt"
)

const (
	// purgeBatch bounds how much one transaction removes.
	purgeBatch = 5000
	// deletionRecordTTL is how long the record of a user's deletion is kept for replicas to see: far longer than a replica can be behind
	// without reloading everything.
	deletionRecordTTL = time.Hour
)

// Revoke rejects a token id from now on.
func (a *Store) Revoke(ctx context.Context, r auth.Revocation) error {
	return translate(a.runChange(ctx, func(ctx context.Context, c *change) error {
		_, err := c.run(ctx, cypher.AuthRevoke, c.revocationParameters(r))
		if err != nil {
			return err
		}
		return c.record(ctx, audit.Logout, audit.Session, r.TokenID, "")
	}))
}

func (c *change) revocationParameters(r auth.Revocation) map[string]any {
	return map[string]any{"jti": r.TokenID, "expires_at": r.ExpiresAt.Unix(), "version": c.version}
}

// Redeem revokes a token id unless it is revoked already.
func (a *Store) Redeem(ctx context.Context, r auth.Revocation) (first bool, err error) {
	err = a.runChange(ctx, func(ctx context.Context, c *change) error {
		rows, err := c.run(ctx, cypher.AuthRedeem, c.revocationParameters(r))
		first = err == nil && len(rows) == 1 && rows[0].AsMap()["first"] == true
		return err
	})
	return first && err == nil, translate(err)
}

// Purge removes expired revocations, deleted service tokens that have expired, and old records of deletions. It takes no version,
// because no replica has to follow it.
func (a *Store) Purge(ctx context.Context, keep time.Duration) (int64, error) {
	removed, err := a.purge(ctx, cypher.AuthPurgeRevoked, keep)
	if err != nil {
		return removed, translate(err)
	}
	if _, err = a.purge(ctx, cypher.AuthPurgeTokens, keep); err != nil {
		return removed, translate(err)
	}
	_, err = a.purge(ctx, cypher.AuthPurgeDeleted, deletionRecordTTL)
	return removed, translate(err)
}

func (a *Store) purge(ctx context.Context, s cypher.Statement, keep time.Duration) (total int64, err error) {
	for {
		rows, err := a.run(ctx, s, map[string]any{"keep": int64(keep / time.Second), "limit": purgeBatch})
		if err != nil {
			return total, err
		}
		removed, err := bolt.SingleInteger(rows, "removed")
		total += removed
		if err != nil || removed < purgeBatch {
			return total, err
		}
	}
}

// revocation decodes a pair of token id and expiry in seconds.
func revocation(value any) (auth.Revocation, bool) {
	pair := bolt.AsList(value)
	if len(pair) != 2 {
		return auth.Revocation{}, false
	}
	id, isText := pair[0].(string)
	expiry, isInteger := pair[1].(int64)
	return auth.Revocation{TokenID: id, ExpiresAt: time.Unix(expiry, 0).UTC()}, isText && isInteger
}
