package neo4jentity

import (
	"context"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"graphrest/cypher"
	"graphrest/internal/graph"
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
// found there in all managed types. If more than one entity has an id, one of them is returned.
func (ef *entityFinder) FindByIDs(ctx context.Context, k kind, ids []SoughtID) (map[string]*Record, error) {
	found := map[string]*Record{}
	m, err := ef.Catalog.Get(ctx)
	if err != nil || len(ids) == 0 {
		return found, err
	}
	if err := ef.findInLikelyTypes(ctx, k, m.Of(k), ids, found); err != nil {
		return nil, err
	}
	unfound := func() (rest []string) {
		for _, s := range ids {
			if found[s.ID] == nil {
				rest = append(rest, s.ID)
			}
		}
		return rest
	}
	readInto := func(text cypher.Text, asked []string, params map[string]any) error {
		if len(asked) == 0 {
			return nil
		}
		return ef.elements.forEachReference(ctx, k, text, params, func(i int64, e *Record) { found[asked[i]] = e })
	}
	for _, some := range m.Of(k).all.parts {
		rest := unfound()
		text := ef.texts.textWithEnds(StatementsOf[k].byID, EndColumns{}, cypher.Slots{"types": some.quoted})
		if err := readInto(text, rest, map[string]any{"ids": rest}); err != nil {
			return nil, err
		}
	}
	at := slices.DeleteFunc(unfound(), func(id string) bool { return !IsElementID(k, id) })
	if err := readInto(ef.texts.ElementsText(k, EndColumns{}), at, ElementParams(at, RowsPerPart)); err != nil {
		return nil, err
	}
	return found, nil
}

// findInLikelyTypes looks each id up in the types that it hints at and in its likely types.
func (ef *entityFinder) findInLikelyTypes(ctx context.Context, k kind, set *TypeSet, ids []SoughtID, found map[string]*Record) error {
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
			s := ef.elements.lookupStatement(k, l, batch)
			return ef.elements.forEachReference(ctx, k, s.text, s.params, func(row int64, e *Record) {
				mu.Lock()
				defer mu.Unlock()
				found[batch[s.queryOf(row)].id] = e
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
