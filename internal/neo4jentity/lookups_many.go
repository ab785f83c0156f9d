package neo4jentity

import (
	"context"
	"maps"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"graphrest/cypher"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jview"
)

const (
	// MaxParallelResolves bounds the concurrent look-ups of one batch. The queues merge them into few statements.
	MaxParallelResolves = 256
	// MaxLikelyTypes bounds the types in which an id is looked up before all others.
	MaxLikelyTypes = 4
)

// SoughtID is an id to look up. Likely are types that it may belong to, which are searched before the others.
type SoughtID struct {
	ID     string
	Likely []string
}

// SoughtIDs looks ids up of whose types nothing is known but what the ids hint at.
func SoughtIDs(ids []string) []SoughtID {
	sought := make([]SoughtID, len(ids))
	for i, id := range ids {
		sought[i].ID = id
	}
	return sought
}

// FindByIDs looks many ids of both kinds up in few statements: each in the types that it hints at and in its likely types, and what is not
// found there in all managed types. Of the properties it reads only the id. An id of several entities is not in found, but in shared.
func (ef *entityFinder) FindByIDs(ctx context.Context, k kind, ids []SoughtID) (found map[string]*Record, shared []string, err error) {
	by := newFoundByID()
	m, err := ef.Catalog.Get(ctx)
	if err != nil || len(ids) == 0 {
		return by.records, nil, err
	}
	err = ef.findByIDs(ctx, k, m, ids, &by)
	for id := range by.shared {
		delete(by.records, id)
	}
	return by.records, slices.Sorted(maps.Keys(by.shared)), err
}

// foundByID are entities by the ids that were looked up.
type foundByID struct {
	records map[string]*Record
	shared  map[string]bool // ids of several entities, of which records has one
}

func newFoundByID() foundByID { return foundByID{map[string]*Record{}, map[string]bool{}} }

func (f *foundByID) put(id string, e *Record) {
	if before := f.records[id]; before != nil && before.ElementID != e.ElementID {
		f.shared[id] = true
	}
	f.records[id] = e
}

func (ef *entityFinder) findByIDs(ctx context.Context, k kind, m *ManagedTypes, ids []SoughtID, found *foundByID) error {
	if err := ef.findInLikelyTypes(ctx, k, m.Of(k), ids, found); err != nil {
		return err
	}
	rest := func() (rest []string) {
		for _, s := range ids {
			if found.records[s.ID] == nil {
				rest = append(rest, s.ID)
			}
		}
		return rest
	}
	if err := ef.findInAllTypes(ctx, k, m, neo4jview.Predicate{}, found, rest); err != nil {
		return err
	}
	return ef.findElements(ctx, k, neo4jview.Predicate{}, found, rest())
}

// findInAllTypes looks ids up in all managed types. It reads the id of each entity that the view shows. sought are the ids that the next
// statement looks up.
func (ef *entityFinder) findInAllTypes(
	ctx context.Context, k kind, m *ManagedTypes, view neo4jview.Predicate, found *foundByID, sought func() []string,
) error {
	for _, some := range m.Of(k).all.parts {
		asked := sought()
		slots, params := cypher.Slots{"types": some.quoted}, map[string]any{"ids": asked}
		if err := ef.findAsked(ctx, k, StatementsOf[k].byID, slots, params, view, found, asked); err != nil {
			return err
		}
	}
	return nil
}

// findElements is findInAllTypes for those of the sought ids that look so, as element ids.
func (ef *entityFinder) findElements(ctx context.Context, k kind, view neo4jview.Predicate, found *foundByID, sought []string) error {
	asked := slices.DeleteFunc(sought, func(id string) bool { return !IsElementID(k, id) })
	return ef.findAsked(ctx, k, StatementsOf[k].byElementID, cypher.Slots{}, ElementParams(asked, RowsPerPart), view, found, asked)
}

// findAsked runs a statement whose rows have the positions of ids among the asked ones.
func (ef *entityFinder) findAsked(
	ctx context.Context, k kind, statement cypher.Statement, slots cypher.Slots, params map[string]any, view neo4jview.Predicate,
	found *foundByID, asked []string,
) error {
	if len(asked) == 0 {
		return nil
	}
	if slots["content"] = ef.texts.referred(k); view.Limits("") {
		slots["view"] = cypher.Found(view.Text(""))
	}
	text := ef.texts.textWithEnds(statement, EndColumns{}, slots)
	return ef.elements.forEachReference(ctx, k, text, view.With(params), func(i int64, e *Record) error {
		found.put(asked[i], e)
		return nil
	})
}

// findInLikelyTypes looks each id up in the types that it hints at and in its likely types.
func (ef *entityFinder) findInLikelyTypes(ctx context.Context, k kind, set *TypeSet, ids []SoughtID, found *foundByID) error {
	var batch []byID
	for _, s := range ids {
		for _, hint := range s.hints(set) {
			types := set.Hinted[hint]
			for _, some := range types.parts {
				batch = append(batch, byID{id: s.ID, types: some, shared: types.shared})
			}
		}
	}
	var mu sync.Mutex
	var group errgroup.Group
	group.SetLimit(maxParallelLookups)
	for _, l := range groupLookups(batch) {
		group.Go(func() error {
			s := ef.elements.lookupStatement(k, l, batch, ef.texts.referred(k))
			return ef.elements.forEachReference(ctx, k, s.text, s.params, func(row int64, e *Record) error {
				mu.Lock()
				defer mu.Unlock()
				found.put(batch[s.queryOf(row)].id, e)
				return nil
			})
		})
	}
	return group.Wait()
}

// hints are the graph.TypeHint of the types that are searched first, without duplicates.
func (s SoughtID) hints(set *TypeSet) []uint16 {
	var hints []uint16
	if hint, hinted := graph.HintOf(s.ID); hinted {
		hints = append(hints, hint)
	}
	for _, name := range s.Likely {
		if set.Has(name) {
			hints = append(hints, graph.TypeHint(name))
		}
	}
	slices.Sort(hints)
	return slices.Compact(hints)
}
