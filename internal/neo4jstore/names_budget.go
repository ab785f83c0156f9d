package neo4jstore

import (
	"context"
	"time"

	"graphrest/cypher"
	"graphrest/internal/fault"
)

// chargeNames counts new names against the budget that a user has for one day (UTC). The count is kept in the database, where it
// outlives a restart and holds for all replicas together; names are new so rarely that the round trip does not matter. What a request
// was charged for stays counted when it fails later on.
func (s *Store) chargeNames(ctx context.Context, userID string, added newNames) error {
	day := time.Now().UTC().Truncate(24 * time.Hour)
	renewed := day.Add(24 * time.Hour)
	types, keys := len(added.labels)+len(added.types), len(added.keys)
	records, err := s.client.write(ctx, cypher.ChargeNames.Text(nil), map[string]any{
		"key": day.Format(time.DateOnly) + " " + userID, "expires": renewed.Add(24 * time.Hour).UnixMilli(),
		"types": types, "keys": keys, "max_types": s.config.MaxNewTypes, "max_keys": s.config.MaxNewKeys,
	})
	if err != nil {
		return translate(err)
	}
	if len(records) == 1 && !column[bool](records[0], "charged") {
		used := column[int64](records[0], "types")
		if used+int64(types) > int64(s.config.MaxNewTypes) {
			return overBudget("type", "type", types, used, s.config.MaxNewTypes, renewed)
		}
		return overBudget(propertyField(added.keys[0]), "property key", keys, column[int64](records[0], "keys"), s.config.MaxNewKeys, renewed)
	}
	return nil
}

func overBudget(field, what string, added int, used int64, limit int, renewed time.Time) error {
	return fault.Invalid(field, "is a new %[1]s: the request adds %[2]d, and you have added %[3]d of the %[4]d new %[1]ss that a user may add on one day. "+
		"The budget is renewed at %[5]s; use names that exist, or ask an administrator to add them",
		what, added, used, limit, renewed.Format(time.RFC3339))
}
