package neo4jstore

import (
	"context"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"graphrest/cypher"
	"graphrest/internal/graph"
)

const (
	// maxParallelResolves bounds the concurrent look-ups of one batch. The queues merge them into few statements.
	maxParallelResolves = 256
	// maxLikelyTypes bounds the types in which an id is looked up before all others.
	maxLikelyTypes = 4
)

// soughtID is an id to look up. likely are types that it may belong to, which are searched before the others.
type soughtID struct {
	id     string
	likely []string
}

// soughtIDs looks ids up of whose types nothing is known but what the ids hint at.
func soughtIDs(ids []string) []soughtID {
	sought := make([]soughtID, len(ids))
	for i, id := range ids {
		sought[i].id = id
	}
	return sought
}

// findByIDs looks many ids of both kinds up in few statements: each in the types that it hints at and in its likely types, and what is not
// found there in all managed types. If more than one entity has an id, one of them is returned.
func (ef *entityFinder) findByIDs(ctx context.Context, k kind, ids []soughtID) (map[string]*entityRecord, error) {
	found := map[string]*entityRecord{}
	m, err := ef.catalog.Get(ctx)
	if err != nil || len(ids) == 0 {
		return found, err
	}
	if err := ef.findInLikelyTypes(ctx, k, m.of(k), ids, found); err != nil {
		return nil, err
	}
	unfound := func() (rest []string) {
		for _, s := range ids {
			if found[s.id] == nil {
				rest = append(rest, s.id)
			}
		}
		return rest
	}
	readInto := func(text cypher.Text, asked []string, params map[string]any) error {
		if len(asked) == 0 {
			return nil
		}
		return ef.elements.forEachReference(ctx, k, text, params, func(i int64, e *entityRecord) { found[asked[i]] = e })
	}
	for _, some := range m.of(k).all.parts {
		rest := unfound()
		text := ef.texts.textWithEnds(statementsOf[k].byID, endColumns{}, cypher.Slots{"types": some.quoted})
		if err := readInto(text, rest, map[string]any{"ids": rest}); err != nil {
			return nil, err
		}
	}
	at := slices.DeleteFunc(unfound(), func(id string) bool { return !isElementID(k, id) })
	if err := readInto(ef.texts.elementsText(k, endColumns{}), at, elementParams(at, rowsPerPart)); err != nil {
		return nil, err
	}
	return found, nil
}

// findInLikelyTypes looks each id up in the types that it hints at and in its likely types.
func (ef *entityFinder) findInLikelyTypes(ctx context.Context, k kind, set *typeSet, ids []soughtID, found map[string]*entityRecord) error {
	var batch []byID
	for _, s := range ids {
		for _, hint := range s.hints(set) {
			types := set.hinted[hint]
			for _, some := range types.parts {
				batch = append(batch, byID{id: s.id, types: some, shared: types.shared})
			}
		}
	}
	var mu sync.Mutex
	var group errgroup.Group
	group.SetLimit(maxParallelLookups)
	for _, l := range groupLookups(batch) {
		group.Go(func() error {
			s := ef.elements.lookupStatement(k, l, batch)
			return ef.elements.forEachReference(ctx, k, s.text, s.params, func(row int64, e *entityRecord) {
				mu.Lock()
				defer mu.Unlock()
				found[batch[s.queryOf(row)].id] = e
			})
		})
	}
	return group.Wait()
}

// hints are the graph.TypeHint of the types that are searched first, without duplicates.
func (s soughtID) hints(set *typeSet) []uint16 {
	var hints []uint16
	if hint, hinted := graph.HintOf(s.id); hinted {
		hints = append(hints, hint)
	}
	for _, name := range s.likely {
		if set.has(name) {
			hints = append(hints, graph.TypeHint(name))
		}
	}
	slices.Sort(hints)
	return slices.Compact(hints)
}
