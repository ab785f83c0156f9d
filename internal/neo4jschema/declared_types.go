package neo4jschema

import (
	"context"
	"crypto/rand"
	"log/slog"
	"slices"
	"strconv"
	"sync"
	"time"

	"graphrest/cypher"
	"graphrest/internal/audit"
	"graphrest/internal/bolt"
	"graphrest/internal/declared"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jaudit"
	"graphrest/internal/snapshot"
)

// TypeStore stores the declarations of types, and has those in force in memory. It is a graph.TypeStore and safe for concurrent use.
type TypeStore struct {
	client       *bolt.Client
	audit        *neo4jaudit.Store
	names        *Names
	constraints  *Constraints
	schema       graph.SchemaStore
	entities     EachEntity
	idProperty   string
	onlyDeclared bool
	log          *slog.Logger

	inForce   *snapshot.Snapshot[declarations]
	writeLock sync.Mutex // held while this replica changes the declarations
}

var _ graph.TypeStore = (*TypeStore)(nil)

// maxDeclarations is how many types can be declared: every replica keeps all declarations in memory.
const maxDeclarations = 2000

// DeclaredTypes lists the declarations: see graph.TypeStore.
func (s *TypeStore) DeclaredTypes(ctx context.Context) ([]graph.DeclaredType, error) {
	types, err := s.inForce.Fresh(ctx, ReadAge)
	if err != nil {
		return nil, bolt.Translate(err)
	}
	return types.all, nil
}

// DeclaredType reads a declaration: see graph.TypeStore.
func (s *TypeStore) DeclaredType(ctx context.Context, k graph.Kind, t graph.TypeName) (graph.DeclaredType, error) {
	all, err := s.DeclaredTypes(ctx)
	if err != nil {
		return graph.DeclaredType{}, err
	}
	return declarationOf(all, k, t)
}

func declarationOf(all []graph.DeclaredType, k graph.Kind, t graph.TypeName) (graph.DeclaredType, error) {
	i := slices.IndexFunc(all, func(d graph.DeclaredType) bool { return d.Kind == k && d.Type == t })
	if i < 0 {
		return graph.DeclaredType{}, fault.New(fault.NotFound, "This type is not declared")
	}
	return all[i], nil
}

// Declare creates or replaces a declaration: see graph.TypeStore. It creates the constraints first, so that a declaration in force is
// always enforced. Constraints that are no longer declared are dropped last, and those that another replica dropped in between are created
// again.
func (s *TypeStore) Declare(ctx context.Context, d graph.Declaration) (graph.DeclaredType, bool, error) {
	var none graph.DeclaredType
	rules, err := declared.Compile(d)
	if err != nil {
		return none, false, err
	}
	d = rules.Declaration
	if err := s.rejectIDProperty(rules); err != nil {
		return none, false, err
	}
	before, err := s.inForce.Fresh(ctx, 0)
	if err != nil {
		return none, false, bolt.Translate(err)
	}
	replaced := before.Rules(d.Kind, string(d.Type))
	if replaced == nil && len(before.all) >= maxDeclarations {
		return none, false, fault.Invalid("type", "exceeds the limit: %d types can be declared", maxDeclarations)
	}
	if err := s.createKeys(ctx, d); err != nil {
		if fault.CodeOf(err) != fault.DatabaseUnavailable {
			s.reconcileKeys(ctx, d.Kind, d.Type)
		}
		return none, false, bolt.Translate(err)
	}
	s.writeLock.Lock()
	defer s.writeLock.Unlock()
	declaredType := graph.DeclaredType{Declaration: d, UpdatedAt: time.Now().UTC().Truncate(time.Millisecond)}
	key := declarationKey(d.Kind, d.Type)
	action := audit.Update
	if replaced == nil {
		action = audit.Create
	}
	params := s.audit.AdminParameters(ctx, action, audit.Type, typePath(d.Kind, d.Type), string(d.Type))
	params["key"], params["row"] = key, encodeDeclaration(declaredType)
	if err := s.changeDeclarations(ctx, cypher.DeclarationWrite, params, nil); err != nil {
		return none, false, err
	}
	s.reconcileKeys(ctx, d.Kind, d.Type)
	return declaredType, replaced == nil, nil
}

// Undeclare removes a declaration: see graph.TypeStore.
func (s *TypeStore) Undeclare(ctx context.Context, k graph.Kind, t graph.TypeName) error {
	s.writeLock.Lock()
	defer s.writeLock.Unlock()
	missing := func() error { return fault.New(fault.NotFound, "This type is not declared") }
	params := s.audit.AdminParameters(ctx, audit.Delete, audit.Type, typePath(k, t), string(t))
	params["key"] = declarationKey(k, t)
	if err := s.changeDeclarations(ctx, cypher.DeclarationRemove, params, missing); err != nil {
		return err
	}
	s.reconcileKeys(ctx, k, t)
	return nil
}

// typePath is the path of a declared type in the API: nodes/Person.
func typePath(k graph.Kind, t graph.TypeName) string { return string(k) + "s/" + string(t) }

// changeDeclarations runs a change and reads the new declarations. If the connection was lost, the change is sent again: it has an id by
// which the statement recognizes a repetition, so declaration and audit are changed once. missing is the fault if the declaration does not
// exist.
func (s *TypeStore) changeDeclarations(ctx context.Context, statement cypher.Statement, params map[string]any, missing func() error) error {
	params["write"] = rand.Text()
	records, err := s.client.RepeatWrite(ctx, statement.Text(nil), params)
	if err != nil {
		return bolt.Translate(err)
	}
	if len(records) == 0 && missing != nil {
		return missing()
	}
	_, err = s.inForce.Fresh(ctx, 0)
	return bolt.Translate(err)
}

// rejectIDProperty rejects a declaration that names the property of the ids, which is not a property to clients.
func (s *TypeStore) rejectIDProperty(r *declared.Rules) error {
	id := s.idProperty
	var faults []*fault.Error
	for i, key := range r.Unique {
		if slices.Contains(key, id) {
			field := graph.FieldPath("", "unique["+strconv.Itoa(i)+"]")
			faults = append(faults, fault.Invalid(field, "%s holds the id, which is unique already", id))
		}
	}
	if r.Mentions(id) {
		faults = append(faults, fault.Invalid("schema", "must not name %s, which holds the id", id))
	}
	return fault.Merge(faults...)
}
