package neo4jschema

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/declared"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// uniquePrefix is the common prefix of the names of the constraints that declarations create for a type.
func uniquePrefix(k graph.Kind, t graph.TypeName) string {
	return UniqueKeyPrefix + string(k) + "_" + hashName(string(t)) + "_"
}

func uniqueName(k graph.Kind, t graph.TypeName, key []string) string {
	return uniquePrefix(k, t) + hashName(strings.Join(key, "\x00"))
}

// createKeys creates the constraints of a declaration, and waits for them until shortly before the request's deadline.
func (s *TypeStore) createKeys(ctx context.Context, d graph.Declaration) error {
	if len(d.Unique) == 0 {
		return nil
	}
	labels, types := []string{string(d.Type)}, []string(nil)
	if d.Kind == graph.EdgeKind {
		labels, types = nil, labels
	}
	names := graph.Properties{}
	for _, key := range d.Unique {
		for _, property := range key {
			names[property] = true
		}
	}
	if err := s.names.Reserve(ctx, labels, types, names); err != nil {
		return err
	}
	states, err := s.UniqueKeys(ctx, d)
	if err != nil {
		return err
	}
	for i, key := range states {
		if key.State != graph.KeyMissing {
			continue
		}
		created := s.keyConstraint(d, i)
		build := s.constraints.start(created.name, func(ctx context.Context) error { return s.constraints.create(ctx, created) })
		if err := s.constraints.await(ctx, build, "The index of a unique key is still being built; nothing is declared yet"); err != nil {
			return err
		}
	}
	return nil
}

// keyConstraint is the constraint of one unique key.
func (s *TypeStore) keyConstraint(d graph.Declaration, i int) newConstraint {
	statements := statementsOf[d.Kind]
	key, name := d.Unique[i], uniqueName(d.Kind, d.Type, d.Unique[i])
	field := func(message string) []fault.Detail {
		return []fault.Detail{{Field: "unique[" + strconv.Itoa(i) + "]", Message: message}}
	}
	return newConstraint{
		name: name,
		create: statements.uniqueKey.Text(cypher.Slots{
			"name": cypher.Quote(name), "type": cypher.Quote(string(d.Type)), "properties": cypher.Keys(statements.variable, key),
		}),
		exists: func(ctx context.Context) (bool, error) {
			states, err := s.UniqueKeys(ctx, d)
			return err == nil && states[i].State != graph.KeyMissing, err
		},
		duplicates: conflict{
			"Entities of this type have the same values of a unique key; the type can be declared once they are unique",
			field(strings.Join(key, ", ") + " is not unique in this type"),
		},
		indexed: conflict{
			"An index prevents the constraint of a unique key; the type can be declared once the index is dropped",
			field("has an index on " + strings.Join(key, ", ")),
		},
		missing: conflict{"The constraint of a unique key could not be created", field("has no constraint")},
	}
}

// UniqueKeys returns the states of unique keys: see graph.TypeStore.
func (s *TypeStore) UniqueKeys(ctx context.Context, d graph.Declaration) ([]graph.UniqueKey, error) {
	if len(d.Unique) == 0 {
		return nil, nil
	}
	constraints, err := ReadConstraints(ctx, s.client)
	if err != nil {
		return nil, bolt.Translate(err)
	}
	keys := make([]graph.UniqueKey, len(d.Unique))
	for i, properties := range d.Unique {
		keys[i] = graph.UniqueKey{Properties: properties, State: graph.KeyMissing}
		for _, c := range constraints {
			if !IsUnique(c) || c.Entity != string(d.Kind) || !slices.Equal(c.Types, []string{string(d.Type)}) ||
				!slices.Equal(c.Properties, properties) {
				continue
			}
			if keys[i].State = graph.KeyForeign; IsUniqueKeyName(c.Name) {
				keys[i].State = graph.KeyEnforced
			}
		}
	}
	return keys, nil
}

// reconcileRounds bounds the rounds of reconcileKeys, in case replicas keep changing the declaration of a type.
const reconcileRounds = 5

// reconcileKeys makes a type's constraints match its declaration, whatever other replicas do concurrently: it drops constraints of
// declarations that are no longer declared, creates missing ones, and repeats until nothing changed. So the replica that changes a
// constraint last has read the declaration after that. What fails remains until the type is declared again, and is logged.
func (s *TypeStore) reconcileKeys(ctx context.Context, k graph.Kind, t graph.TypeName) {
	ctx, cancel := s.client.WithQueryTimeout(ctx)
	defer cancel()
	for range reconcileRounds {
		dropped, err := s.dropKeys(ctx, k, t)
		if err != nil {
			s.log.Warn("a unique key that is no longer declared could not be dropped", "kind", string(k), "type", string(t), "error", err.Error())
			return
		}
		created, err := s.recreateKeys(ctx, k, t)
		if err != nil {
			s.log.Warn("a declared unique key could not be created again", "kind", string(k), "type", string(t), "error", err.Error())
			return
		}
		if !dropped && !created {
			return
		}
	}
}

// readRules reads the current rules of a type; nil if it is not declared.
func (s *TypeStore) readRules(ctx context.Context, k graph.Kind, t graph.TypeName) (*declared.Rules, error) {
	types, err := s.inForce.Fresh(ctx, 0)
	if err != nil {
		return nil, err
	}
	return types.Rules(k, string(t)), nil
}

// dropKeys drops the constraints that declarations created for a type and that its declaration no longer contains.
func (s *TypeStore) dropKeys(ctx context.Context, k graph.Kind, t graph.TypeName) (dropped bool, err error) {
	rules, err := s.readRules(ctx, k, t)
	if err != nil {
		return false, err
	}
	var wanted []string
	if rules != nil {
		for _, key := range rules.Unique {
			wanted = append(wanted, uniqueName(k, t, key))
		}
	}
	constraints, err := ReadConstraints(ctx, s.client)
	if err != nil {
		return false, err
	}
	for _, c := range constraints {
		if strings.HasPrefix(c.Name, uniquePrefix(k, t)) && slices.Equal(c.Types, []string{string(t)}) && !slices.Contains(wanted, c.Name) {
			drop := cypher.UniqueKeyDrop.Text(cypher.Slots{"name": cypher.Quote(c.Name)})
			if err := s.client.Retry(ctx, func() error { return s.client.ChangeSchema(ctx, drop) }); err != nil {
				return dropped, err
			}
			dropped = true
		}
	}
	return dropped, nil
}

// recreateKeys creates the constraints of a type's declaration that are missing.
func (s *TypeStore) recreateKeys(ctx context.Context, k graph.Kind, t graph.TypeName) (created bool, err error) {
	rules, err := s.readRules(ctx, k, t)
	if err != nil || rules == nil {
		return false, err
	}
	states, err := s.UniqueKeys(ctx, rules.Declaration)
	if err != nil || !slices.ContainsFunc(states, func(key graph.UniqueKey) bool { return key.State == graph.KeyMissing }) {
		return false, err
	}
	return true, s.createKeys(ctx, rules.Declaration)
}
