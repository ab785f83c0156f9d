package neo4jentity

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"graphrest/cypher"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jview"
)

// MaxParallelResolves bounds the concurrent look-ups of one batch. The queues merge them into few statements.
const MaxParallelResolves = 256

// SoughtID is an id to look up, of an entity that most likely has one of some types, or an element id: if there is one that does, others
// with that id do not count.
type SoughtID struct {
	ID      string
	Types   []string
	Element string // empty if it is not known
	Only    bool   // whether others do not count at all; without types, but for one whose type the id names
}

// SoughtIDs looks ids up of whose types nothing is known but what the ids hint at.
func SoughtIDs(ids []string) []SoughtID {
	sought := make([]SoughtID, len(ids))
	for i, id := range ids {
		sought[i].ID = id
	}
	return sought
}

// FindByIDs looks many ids of both kinds up in few statements: each in the types that it hints at and in those it is sought in, and what is
// not found there in all managed types. Of the properties it reads only the id. An id of several entities is not in found, but in shared.
func (ef *entityFinder) FindByIDs(ctx context.Context, k kind, ids []SoughtID) (found map[string]*Record, shared []string, err error) {
	found = map[string]*Record{}
	err = ef.FindEach(ctx, k, ids, func(i int, e *Record) {
		if e == nil {
			shared = append(shared, ids[i].ID)
		} else {
			found[ids[i].ID] = e
		}
	})
	slices.Sort(shared)
	return found, slices.Compact(shared), err
}

// FindEach is FindByIDs for ids of which one may be sought several times, as that of several entities. It calls each with the index of
// one that was found and its entity, or nil if they are several.
func (ef *entityFinder) FindEach(ctx context.Context, k kind, ids []SoughtID, each func(int, *Record)) error {
	l := &manyIDs{kind: k, ids: ids, elements: true, found: foundByID{}}
	m, err := ef.Catalog.Get(ctx)
	if err != nil || len(ids) == 0 {
		return err
	}
	if err := ef.findByIDs(ctx, m, l); err != nil {
		return err
	}
	for i, s := range ids {
		switch all := m.Of(k).preferNamed(s.ID, s.among(m, k, l.found[s.ID])); len(all) {
		case 0:
		case 1:
			each(i, all[0])
		default:
			each(i, nil)
		}
	}
	return nil
}

// FindEachKnown adds to found, of each of some ids of several entities, the one that a request knows of. shared are the faults of those of
// which it knows several.
func (ef *entityFinder) FindEachKnown(
	ctx context.Context, k kind, ids []string, known Knows, found map[string]*Record,
) (shared map[string]error, err error) {
	shared = map[string]error{}
	var mu sync.Mutex
	var lookups errgroup.Group
	lookups.SetLimit(MaxParallelResolves)
	for _, id := range ids {
		lookups.Go(func() error {
			_, e, err := ef.FindKnown(ctx, k, id, EndNeedsOf(ctx, false), known)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case fault.CodeOf(err) == fault.Conflict:
				shared[id] = err
			case err != nil:
				return err
			case e != nil:
				found[id] = e
			}
			return nil
		})
	}
	return shared, lookups.Wait()
}

// foundByID are entities by the ids that were looked up, each once.
type foundByID map[string][]*Record

func (f foundByID) put(id string, e *Record) { f[id] = appendOnce(f[id], e) }

// among returns, of the entities with the id, the one with the element id that is sought, or else those of the types.
func (s SoughtID) among(m *ManagedTypes, k kind, all []*Record) []*Record {
	at := slices.IndexFunc(all, func(e *Record) bool { return IsSameElement(e.ElementID, s.Element) })
	switch {
	case at >= 0:
		return all[at : at+1]
	case s.Only:
		return slices.DeleteFunc(slices.Clone(all), func(e *Record) bool {
			return !e.hasAny(s.Types) && (len(s.Types) > 0 || !m.IsOnly(k, s.ID, e.Names))
		})
	default:
		return preferTypes(all, s.Types)
	}
}

// IsSameElement reports whether two element ids are of one entity: they are the same, or they are of two databases, of which one may be
// a copy of the other, and have one number.
func IsSameElement(a, b string) bool {
	ofA, ofB := strings.LastIndexByte(a, ':'), strings.LastIndexByte(b, ':')
	return a == b || ofA >= 0 && ofB >= 0 && a[ofA:] == b[ofB:] && a[:ofA] != b[:ofB]
}

// preferTypes are those of some entities that have one of some types, or all if none has.
func preferTypes(all []*Record, types []string) []*Record {
	named := slices.DeleteFunc(slices.Clone(all), func(e *Record) bool { return !e.hasAny(types) })
	if len(named) == 0 {
		return all
	}
	return named
}

// preferNamed are those of the entities with an id that have a type which it names, or all if none has.
func (set *TypeSet) preferNamed(id string, all []*Record) []*Record {
	if hint, hinted := graph.HintOf(id); hinted && len(all) > 1 {
		return preferTypes(all, set.Hinted[hint].Names)
	}
	return all
}

// hasAny reports whether an entity has one of some types.
func (e *Record) hasAny(types []string) bool {
	return slices.ContainsFunc(e.Names, func(name string) bool { return slices.Contains(types, name) })
}

// manyIDs are ids to look up.
type manyIDs struct {
	kind     kind
	ids      []SoughtID
	view     neo4jview.Predicate // of a user of whom not even the time may tell what he does not see; its zero value shows everything
	elements bool                // what looks so is looked up as element id, too
	found    foundByID
}

// rest are the ids that the next statement looks up: those that are not found yet, or with a view all, found or not.
func (l *manyIDs) rest() []string {
	var rest []string
	for _, s := range l.ids {
		isSought := func(e *Record) bool { return !s.Only || IsSameElement(e.ElementID, s.Element) || e.hasAny(s.Types) }
		if !l.view.SeesEverything() || !slices.ContainsFunc(l.found[s.ID], isSought) {
			rest = append(rest, s.ID)
		}
	}
	return rest
}

// findByIDs looks ids up. Of each entity it reads the id.
func (ef *entityFinder) findByIDs(ctx context.Context, m *ManagedTypes, l *manyIDs) error {
	types := m.Of(l.kind)
	if l.view.SeesEverything() {
		if err := ef.findInFirstTypes(ctx, l.kind, types, l.ids, l.found); err != nil {
			return err
		}
	}
	ids := l.rest()
	for _, some := range types.all.parts { // each in all of them: an entity of another part may have the same id
		slots, params := cypher.Slots{"types": some.quoted}, map[string]any{"ids": ids}
		if err := ef.runLookup(ctx, l, StatementsOf[l.kind].byID, slots, params, ids); err != nil {
			return err
		}
	}
	if !l.elements {
		return nil
	}
	ids = slices.DeleteFunc(l.rest(), func(id string) bool { return !IsElementID(l.kind, id) })
	own := l.found
	l.found = foundByID{}
	err := ef.runLookup(ctx, l, StatementsOf[l.kind].byElementID, cypher.Slots{}, ElementParams(ids, RowsPerPart), ids)
	maps.Copy(l.found, own) // ids come before element ids
	return err
}

// runLookup runs a statement whose rows have positions among ids. The database does not send what the view does not show.
func (ef *entityFinder) runLookup(
	ctx context.Context, l *manyIDs, statement cypher.Statement, slots cypher.Slots, params map[string]any, ids []string,
) error {
	if len(ids) == 0 {
		return nil
	}
	if slots["content"] = ef.texts.referred(l.kind); l.view.Limits("") {
		slots["view"] = cypher.Found(l.view.Text(""))
	}
	text := ef.texts.textWithEnds(statement, EndColumns{}, slots)
	return ef.elements.forEachReference(ctx, l.kind, text, l.view.With(params), func(i int64, e *Record) error {
		l.found.put(ids[i], e)
		return nil
	})
}

// findInFirstTypes looks each id up in the types that it hints at and in those it is sought in.
func (ef *entityFinder) findInFirstTypes(ctx context.Context, k kind, set *TypeSet, ids []SoughtID, found foundByID) error {
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
				if q := batch[s.queryOf(row)]; e.hasAny(q.types.names) { // a statement on shared types searches more
					found.put(q.id, e)
				}
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
	for _, name := range s.Types {
		if set.Has(name) {
			hints = append(hints, graph.TypeHint(name))
		}
	}
	slices.Sort(hints)
	return slices.Compact(hints)
}
