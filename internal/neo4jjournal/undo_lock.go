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
	live     map[journal.Entity]*journal.State
	elements map[journal.Entity]string // element ids of live entities, and of restored ones
	labels   map[string][]string       // of live nodes, by id
	degrees  map[string]int64          // of live nodes, by id
}

func newLockedEntities() lockedEntities {
	return lockedEntities{
		live: map[journal.Entity]*journal.State{}, elements: map[journal.Entity]string{}, labels: map[string][]string{},
		degrees: map[string]int64{},
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
	for _, k := range []graph.Kind{graph.NodeKind, graph.EdgeKind} {
		if err := l.lockKind(ctx, m, k); err != nil {
			return err
		}
	}
	return nil
}

func (l *undoLocker) lockKind(ctx context.Context, m *neo4jentity.ManagedTypes, k graph.Kind) error {
	ids, changed := l.selected.idsOf(k)
	var at []neo4jentity.Reference
	for some := range slices.Chunk(ids, undoRows) {
		found, shared, err := l.reads.FindByIDs(ctx, k, some)
		switch {
		case err != nil:
			return err
		case len(shared) > 0:
			return neo4jentity.SharedID(k, shared[0]) // which of them was changed, the records do not tell
		}
		for id, e := range found {
			if one := m.ReferenceOf(k, e, l.config.IDProperty); id != one.ID() {
				continue
			} else if changed[id] {
				at = append(at, one)
			} else {
				// An end needs no lock: if it is gone when its edge is to be created, there is no edge, and the undo fails.
				l.locked.elements[journal.Entity{Kind: graph.NodeKind, ID: id}], l.locked.labels[id] = e.ElementID, e.Names
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
			return l.addLive(ctx, m, k, e, some[i].ID())
		})
		if err == nil && k == graph.NodeKind {
			err = l.readDegrees(ctx, some)
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

// readDegrees reads the degrees of locked nodes.
func (l *undoLocker) readDegrees(ctx context.Context, at []neo4jentity.Reference) error {
	params := map[string]any{"elements": neo4jentity.ElementIDsOf(at)}
	tuples, err := bolt.CollectTuples(l.tx.RunStatement(ctx, cypher.NodeDegrees.Text(nil), params))
	for _, t := range tuples {
		l.locked.degrees[at[t.Integer(neo4jentity.RowColumn)].ID()] = t.Integer(neo4jentity.DegreeColumn)
	}
	return err
}

// addLive adds a locked entity.
func (l *undoLocker) addLive(ctx context.Context, m *neo4jentity.ManagedTypes, k graph.Kind, e *neo4jentity.Record, id string) error {
	key := journal.Entity{Kind: k, ID: id}
	state, err := l.entities.stateOf(ctx, m, k, e)
	if err != nil {
		return err
	}
	if k == graph.NodeKind {
		l.locked.labels[id] = state.Labels
	} else { // its ends are not locked if the edge exists before and after the undo
		for end, labels := range map[string][]any{state.SourceID: e.Source.Labels, state.TargetID: e.Target.Labels} {
			if l.locked.labels[end] == nil {
				l.locked.labels[end] = bolt.AsTexts(labels)
			}
		}
	}
	l.locked.live[key], l.locked.elements[key] = state, e.ElementID
	return nil
}
