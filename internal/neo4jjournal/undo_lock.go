package neo4jjournal

import (
	"context"
	"slices"
	"strings"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/journal"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/rules"
)

// lockedEntities are the entities that an undo has locked, and the ends of edges to be restored.
type lockedEntities struct {
	named    *undoEntities
	live     map[journal.Entity]*journal.State
	elements map[journal.Entity]string   // element ids of live entities, and of restored ones
	labels   map[journal.Entity][]string // of live nodes
	degrees  map[journal.Entity]int64    // of live nodes
}

func newLockedEntities(m *neo4jentity.ManagedTypes) lockedEntities {
	return lockedEntities{
		named: &undoEntities{m, map[journal.Entity][]*recordOwner{}},
		live:  map[journal.Entity]*journal.State{}, elements: map[journal.Entity]string{}, labels: map[journal.Entity][]string{},
		degrees: map[journal.Entity]int64{},
	}
}

// undoLocker locks the entities of an undo in its transaction, and reads them. For a dry run it only reads them.
type undoLocker struct {
	*undoer
	tx       *bolt.Transaction
	selected *undoSelection
	locked   lockedEntities
}

// lock takes the locks of all entities that the records name and reads them.
func (l *undoLocker) lock(ctx context.Context) error {
	m, err := l.reads.Catalog.Get(ctx)
	if err != nil {
		return err
	}
	l.locked = newLockedEntities(m)
	for _, k := range []graph.Kind{graph.NodeKind, graph.EdgeKind} {
		if err := l.lockKind(ctx, m, k); err != nil {
			return err
		}
	}
	return nil
}

func (l *undoLocker) lockKind(ctx context.Context, m *neo4jentity.ManagedTypes, k graph.Kind) error {
	var at []neo4jentity.Reference
	of := map[string]journal.Entity{} // by element id
	for some := range slices.Chunk(l.locked.named.sought(k, l.selected.records), undoRows) {
		if err := l.find(ctx, k, some); err != nil {
			return err
		}
		for _, s := range some {
			if s.several {
				return neo4jentity.SharedID(k, s.ID) // which of them was changed, the records do not tell
			} else if s.live == nil {
				continue
			}
			one, e := m.ReferenceOf(k, s.live, l.config.IDProperty), s.live
			if s.ID != one.ID() {
				continue
			}
			if s.owner.add(&recordOwner{elements: []string{e.ElementID}}); s.changed {
				at, of[e.ElementID] = append(at, one), s.Entity
			} else {
				// An end needs no lock: if it is gone when its edge is to be created, there is no edge, and the undo fails.
				l.locked.elements[s.Entity], l.locked.labels[s.Entity] = e.ElementID, e.Names
			}
		}
	}
	slices.SortFunc(at, func(a, b neo4jentity.Reference) int { return strings.Compare(a.ElementID, b.ElementID) })
	for some := range slices.Chunk(at, undoRows) {
		text, params := l.readStatement(ctx, k, neo4jentity.ElementIDsOf(some))
		err := l.writes.ReadAt(ctx, l.tx, m, k, some, text, params, func(i int, e *neo4jentity.Record) error {
			if e == nil {
				return nil
			}
			return l.addLive(ctx, m, e, of[some[i].ElementID])
		})
		if err == nil && k == graph.NodeKind {
			err = l.readDegrees(ctx, some, of)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readStatement reads entities under their locks. A dry run, which writes nothing, takes no locks that others would wait for.
func (l *undoLocker) readStatement(ctx context.Context, k graph.Kind, elements []string) (cypher.Text, map[string]any) {
	if l.selected.request.DryRun {
		return l.texts.ElementsText(k, neo4jentity.EndColumns{}), neo4jentity.ElementParams(elements, neo4jentity.RowsPerPart)
	}
	return l.texts.LockStatement(rules.WithoutView(ctx), k, elements)
}

// find looks entities up.
func (l *undoLocker) find(ctx context.Context, k graph.Kind, sought []*soughtEntity) error {
	all := make([]*soughtRecord, len(sought))
	for i, s := range sought {
		all[i] = &s.soughtRecord
	}
	if k == graph.NodeKind {
		return l.selector.visibleNodes.find(ctx, nil, all)
	}
	return findLive(ctx, l.reads, k, all)
}

// readDegrees reads the degrees of locked nodes.
func (l *undoLocker) readDegrees(ctx context.Context, at []neo4jentity.Reference, of map[string]journal.Entity) error {
	params := map[string]any{"elements": neo4jentity.ElementIDsOf(at)}
	tuples, err := bolt.CollectTuples(l.tx.RunStatement(ctx, cypher.NodeDegrees.Text(nil), params))
	for _, t := range tuples {
		l.locked.degrees[of[at[t.Integer(neo4jentity.RowColumn)].ElementID]] = t.Integer(neo4jentity.DegreeColumn)
	}
	return err
}

// addLive adds a locked entity.
func (l *undoLocker) addLive(ctx context.Context, m *neo4jentity.ManagedTypes, e *neo4jentity.Record, key journal.Entity) error {
	state, err := l.entities.stateOf(ctx, m, key.Kind, e)
	if err != nil {
		return err
	}
	if key.Kind == graph.NodeKind {
		l.locked.labels[key] = state.Labels
	} else { // its ends are not locked if the edge exists before and after the undo
		for i, end := range l.locked.named.ends(state) {
			if l.locked.labels[end] == nil {
				l.locked.labels[end] = bolt.AsTexts([][]any{e.Source.Labels, e.Target.Labels}[i])
			}
		}
	}
	l.locked.live[key], l.locked.elements[key] = state, e.ElementID
	return nil
}
