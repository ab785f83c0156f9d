package neo4jentity

import (
	"slices"
	"sync"
	"sync/atomic"

	"graphrest/cypher"
	"graphrest/internal/graph"
)

const (
	// typesPerLookup bounds the types in which one statement looks an id up: beyond it, planning costs more than linearly.
	typesPerLookup = 64
	// typesPerBatch is how many types one statement searches if the ids of a batch are of many types: planning takes the database some 10
	// ms for each type.
	typesPerBatch = 24
)

// TypeSet is a set of the names of one kind, with what look-ups in these types need. It is immutable, and contains the parts of statements,
// which are too long to be built for each look-up.
type TypeSet struct {
	Names   []string // in byte order
	Set     map[string]struct{}
	all     searchedTypes
	Hinted  map[uint16]searchedTypes // by graph.TypeHint
	Batches []*typeBatch             // the names in batches of typesPerBatch
}

// NewTypeSet is the set of types of a kind by their names. id is the quoted id property.
func NewTypeSet(k kind, names []string, id cypher.Fragment) TypeSet {
	t := TypeSet{Names: names, Set: map[string]struct{}{}, Hinted: map[uint16]searchedTypes{}}
	byHint, batchOf := map[uint16][]string{}, map[string]*typeBatch{}
	for some := range slices.Chunk(names, typesPerBatch) {
		shared := newTypeBatch(k, some, id)
		t.Batches = append(t.Batches, shared)
		for _, name := range some {
			t.Set[name], batchOf[name] = struct{}{}, shared
			hint := graph.TypeHint(name)
			byHint[hint] = append(byHint[hint], name)
		}
	}
	t.all = newSearchedTypes(names)
	for hint, some := range byHint {
		searched := newSearchedTypes(some)
		if !slices.ContainsFunc(some, func(name string) bool { return batchOf[name] != batchOf[some[0]] }) {
			searched.shared = batchOf[some[0]]
		}
		t.Hinted[hint] = searched
	}
	return t
}

// Has reports whether a type is in the set.
func (t *TypeSet) Has(name string) bool {
	_, found := t.Set[name]
	return found
}

// sortNames sorts the names of a type set, and removes duplicates.
func sortNames(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}

// searchedTypes are types in which an id is looked up.
type searchedTypes struct {
	Names  []string
	parts  []lookupTypes
	shared *typeBatch // contains all names; nil for none
}

func newSearchedTypes(names []string) searchedTypes {
	s := searchedTypes{Names: names}
	for some := range slices.Chunk(names, typesPerLookup) {
		s.parts = append(s.parts, newLookupTypes(some))
	}
	return s
}

// lookupTypes are the types in which one statement looks ids up.
type lookupTypes struct {
	names  []string
	quoted cypher.Fragment
}

func newLookupTypes(names []string) lookupTypes {
	return lookupTypes{names, cypher.QuoteAny(names)}
}

// typeBatch is a fixed set of types, shared by many look-ups.
type typeBatch struct {
	lookupTypes
	positions map[string]int         // the index of each
	perType   func() cypher.Fragment // the searches of the statement that looks up each id only in its own types
	// planCached means that the database has cached the plan of that statement. Until then ids are looked up in all types of the batch,
	// which is more expensive to run and cheap to plan. requested means that such a look-up happened.
	PlanCached, Requested atomic.Bool
}

func newTypeBatch(k kind, names []string, id cypher.Fragment) *typeBatch {
	b := &typeBatch{
		lookupTypes: newLookupTypes(names), positions: map[string]int{},
		perType: sync.OnceValue(func() cypher.Fragment { return StatementsOf[k].perType(names, id) }),
	}
	for i, name := range names {
		b.positions[name] = i
	}
	return b
}
