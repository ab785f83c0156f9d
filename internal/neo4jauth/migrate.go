package neo4jauth

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"graphrest/cypher"
	"graphrest/internal/auth"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
)

// Prepare creates the gateway's own constraints, indexes, state node and permissions if they are missing. It is idempotent, may run
// concurrently on several replicas, and changes only internal data.
func (a *Store) Prepare(ctx context.Context) error {
	if err := a.checkLayout(ctx); err != nil {
		return translate(err)
	}
	existing, err := a.ownSchema(ctx)
	if err != nil {
		return translate(err)
	}
	for _, s := range cypher.OwnSchema {
		if existing[declaredName(s)] {
			continue
		}
		if err := a.runWithRetry(ctx, s, nil); err != nil {
			return translate(fmt.Errorf("%s: %w", s.Name, err))
		}
	}
	if err := a.checkConstraints(ctx); err != nil {
		return translate(err)
	}
	return translate(a.runWithRetry(ctx, cypher.InitState, map[string]any{
		"permissions": permissionNames(auth.AllPermissions()), "layout": cypher.DataLayout,
	}))
}

// checkLayout refuses internal data that a newer version wrote in a form that this one would misread.
func (a *Store) checkLayout(ctx context.Context) error {
	rows, err := a.run(ctx, cypher.ReadDataLayout, nil)
	if err != nil || len(rows) == 0 {
		return err
	}
	if message, remedy, newer := graph.NewerLayout(bolt.Column[int64](rows[0], "layout"), cypher.DataLayout); newer {
		return errors.New(message + ": " + remedy)
	}
	return nil
}

// declaredName is what a statement of OwnSchema creates: INDEX or CONSTRAINT and a name.
func declaredName(s cypher.Statement) string {
	before, _, _ := strings.Cut(s.Text(nil).String(), " IF NOT EXISTS")
	words := strings.Fields(before)
	return strings.Join(words[max(0, len(words)-2):], " ")
}

// ownSchema says which of the gateway's own constraints and indexes exist. To create each IF NOT EXISTS takes a database several times as
// long as this.
func (a *Store) ownSchema(ctx context.Context) (existing map[string]bool, err error) {
	rows, err := a.run(ctx, cypher.OwnIndexes, nil)
	existing = map[string]bool{}
	for _, row := range rows {
		fields := row.AsMap()
		if constraint := bolt.AsText(fields["constraint"]); constraint != "" {
			existing["CONSTRAINT "+constraint] = true
		} else {
			existing["INDEX "+bolt.AsText(fields["name"])] = true
		}
	}
	return existing, err
}

// runWithRetry runs an idempotent statement until it succeeds or fails permanently: two replicas that create the same constraint
// concurrently interfere with each other.
func (a *Store) runWithRetry(ctx context.Context, s cypher.Statement, params map[string]any) error {
	for retries := bolt.ConcurrentChange.Begin(); ; {
		_, err := a.run(ctx, s, params)
		switch {
		case bolt.IsIndexOfSameName(err) && retries.Lasting() < 2*bolt.UnfinishedAfter:
			if retries.Lasting() > bolt.UnfinishedAfter {
				a.dropUnfinished(ctx)
			}
		case err == nil || !isTransient(err):
			return err
		}
		if !retries.Again(ctx) {
			return err
		}
	}
}

// dropUnfinished drops the indexes of constraints whose creation was cut off: see bolt.UnfinishedAfter. The database refuses to drop an
// index that belongs to a constraint.
func (a *Store) dropUnfinished(ctx context.Context) {
	names := slices.Collect(maps.Keys(ownUniqueness))
	rows, err := a.run(ctx, cypher.UnfinishedConstraints, map[string]any{"names": names})
	if err != nil {
		return
	}
	for _, name := range bolt.UnfinishedIndexes(rows, func() ([]*bolt.Record, error) { return a.run(ctx, cypher.ConstraintCreators, nil) }) {
		_, _ = a.runText(ctx, cypher.Schema, cypher.DropIndex.Text(cypher.Slots{"name": cypher.Quote(name)}), nil)
	}
}

// isTransient reports whether a failure is transient.
func isTransient(err error) bool {
	var serverErr *neo4j.Neo4jError
	if errors.As(err, &serverErr) {
		switch serverErr.Code {
		case "Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists", "Neo.ClientError.Schema.ConstraintValidationFailed",
			"Neo.DatabaseError.Schema.ConstraintCreationFailed":
			return true
		}
	}
	return neo4j.IsRetryable(err)
}

// ownUniqueness is the expected constraints: IF NOT EXISTS accepts any constraint with the same name.
var ownUniqueness = map[string][2]string{
	"_GraphrestStateName":          {"_GraphrestState", "name"},
	"_GraphrestUserId":             {"_GraphrestUser", "id"},
	"_GraphrestUserFolded":         {"_GraphrestUser", "folded"},
	"_GraphrestUserIdentity":       {"_GraphrestUser", "identity"},
	"_GraphrestPermissionName":     {"_GraphrestPermission", "name"},
	"_GraphrestRoleName":           {"_GraphrestRole", "name"},
	"_GraphrestRevokedTokenJti":    {"_GraphrestRevokedToken", "jti"},
	"_GraphrestDeletedUserId":      {"_GraphrestDeletedUser", "id"},
	"_GraphrestServiceTokenId":     {"_GraphrestServiceToken", "id"},
	"_GraphrestServiceTokenFolded": {"_GraphrestServiceToken", "folded"},
	"_GraphrestServiceTokenHash":   {"_GraphrestServiceToken", "hash"},
	"_GraphrestTypeKey":            {"_GraphrestType", "key"},
	"_GraphrestTypeStyleKey":       {"_GraphrestTypeStyle", "key"},
	"_GraphrestIdempotencyKeyKey":  {"_GraphrestIdempotencyKey", "key"},
	"_GraphrestNameBudgetKey":      {"_GraphrestNameBudget", "key"},
	"_GraphrestListShapeKey":       {"_GraphrestListShape", "key"},
	"_GraphrestWebhookName":        {"_GraphrestWebhook", "name"},
	"_GraphrestWebhookUid":         {"_GraphrestWebhook", "uid"},
	"_GraphrestDeliveryId":         {"_GraphrestDelivery", "id"},
	"_GraphrestSavedViewId":        {"_GraphrestSavedView", "id"},
	"_GraphrestQueryName":          {"_GraphrestQuery", "name"},
}

func (a *Store) checkConstraints(ctx context.Context) error {
	rows, err := a.run(ctx, cypher.OwnConstraints, nil)
	if err != nil {
		return err
	}
	found := map[string]bool{}
	for _, row := range rows {
		fields := row.AsMap()
		name := bolt.AsText(fields["name"])
		want := ownUniqueness[name]
		found[name] = bolt.AsText(fields["type"]) == "UNIQUENESS" && slices.Equal(bolt.AsList(fields["labels"]), []any{want[0]}) &&
			slices.Equal(bolt.AsList(fields["properties"]), []any{want[1]})
	}
	for name := range ownUniqueness {
		if !found[name] {
			return fmt.Errorf("the database's constraint %s is missing or not the gateway's own", name)
		}
	}
	return nil
}
