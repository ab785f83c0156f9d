package neo4jschema

import (
	"context"
	"sync"
	"time"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
)

const (
	// spentTTL is how long a spent budget is cached, so that a budget whose count in the database was reset is not rejected for the whole
	// day.
	spentTTL        = time.Minute
	maxSpentBudgets = 4096
)

// spentBudget is what a user has added of the budget that ends at renewsAt.
type spentBudget struct {
	types, keys int64
	renewsAt    time.Time
}

// spentBudgets caches the budgets of users who were rejected for them, so that further names of an import cost no write. A count only grows
// within its day, so a stale one rejects nothing wrongly. When the cache is full it is emptied: each budget then costs one more write.
type spentBudgets struct {
	mu     sync.Mutex
	byUser map[string]rememberedBudget
}

type rememberedBudget struct {
	spentBudget
	until time.Time
}

func (s *spentBudgets) put(userID string, spent spentBudget, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, known := s.byUser[userID]; s.byUser == nil || !known && len(s.byUser) >= maxSpentBudgets {
		s.byUser = map[string]rememberedBudget{}
	}
	until := now.Add(spentTTL)
	if until.After(spent.renewsAt) {
		until = spent.renewsAt
	}
	s.byUser[userID] = rememberedBudget{spent, until}
}

// check rejects names that do not fit into a user's budget, as far as it is cached.
func (s *spentBudgets) check(userID string, added NewNames, limits NameLimits, now time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	known, found := s.byUser[userID]
	if !found {
		return nil
	}
	if !now.Before(known.until) {
		delete(s.byUser, userID)
		return nil
	}
	return known.check(added, limits)
}

func (b spentBudget) check(added NewNames, limits NameLimits) error {
	types, keys := added.counts()
	switch {
	case types > 0 && b.types+int64(types) > int64(limits.NewTypes):
		return overBudget("type", "type", types, b.types, limits.NewTypes, b.renewsAt)
	case keys > 0 && b.keys+int64(keys) > int64(limits.NewKeys):
		return overBudget(propertyField(added.Keys[0]), "property key", keys, b.keys, limits.NewKeys, b.renewsAt)
	}
	return nil
}

func (n NewNames) counts() (types, keys int) { return len(n.Labels) + len(n.Types), len(n.Keys) }

// charge charges new names to the budget that a user has for one day (UTC). The count is stored in the database, where it survives a
// restart and applies to all replicas together; new names are so rare that the round trip does not matter. What a request was charged
// remains counted if the request fails later.
func (r *Names) charge(ctx context.Context, userID string, added NewNames) error {
	now := time.Now()
	if err := r.spent.check(userID, added, r.limits, now); err != nil {
		return err
	}
	day := now.UTC().Truncate(24 * time.Hour)
	renewsAt := day.Add(24 * time.Hour)
	types, keys := added.counts()
	records, err := r.client.Write(ctx, cypher.ChargeNames.Text(nil), map[string]any{
		"key": day.Format(time.DateOnly) + " " + userID, "expires": renewsAt.Add(24 * time.Hour).UnixMilli(),
		"types": types, "keys": keys, "max_types": r.limits.NewTypes, "max_keys": r.limits.NewKeys,
	})
	if err != nil {
		return bolt.Translate(err)
	}
	if len(records) == 1 && !bolt.Column[bool](records[0], "charged") {
		spent := spentBudget{types: bolt.Column[int64](records[0], "types"), keys: bolt.Column[int64](records[0], "keys"), renewsAt: renewsAt}
		r.spent.put(userID, spent, now)
		return spent.check(added, r.limits)
	}
	return nil
}

func overBudget(field, what string, added int, used int64, limit int, renewsAt time.Time) error {
	return fault.Invalid(field,
		"is a new %[1]s: the request adds %[2]d, and you have added %[3]d of the %[4]d new %[1]ss that a user may add on one day. "+
			"The budget is renewed at %[5]s; use names that exist, or ask an administrator to add them",
		what, added, used, limit, renewsAt.Format(time.RFC3339))
}
