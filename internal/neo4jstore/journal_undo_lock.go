package neo4jstore

import (
	"context"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/journal"
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
	tx       *bolt.Transaction
	config   *Config
	texts    *statementTexts
	reads    *entityReader
	entities *stateReader
	selected *undoSelection
	locked   lockedEntities
}

// lock takes the locks of all entities that the records name and reads them.
func (l *undoLocker) lock(ctx context.Context) error {
	m, err := l.reads.catalog.Get(ctx)
	if err != nil {
		return err
	}
	for _, k := range []kind{nodes, edges} {
		if err := l.lockKind(ctx, m, k); err != nil {
			return err
		}
	}
	return nil
}

func (l *undoLocker) lockKind(ctx context.Context, m *managedTypes, k kind) error {
	ids, changed := l.selected.idsOf(k)
	byElement := map[string]string{} // id by element id
	var elements []string
	for some := range slices.Chunk(ids, undoRows) {
		found, err := l.reads.findByIDs(ctx, k, some)
		if err != nil {
			return err
		}
		for id, e := range found {
			if changed[id] {
				byElement[e.elementID] = id
				elements = append(elements, e.elementID)
			} else if own := m.ownID(k, e.names, e.properties[l.config.IDProperty]); id == (reference{elementID: e.elementID, own: own}).id() {
				// An end needs no lock: if it is gone when its edge is to be created, there is no edge, and the undo fails.
				l.locked.elements[journal.Entity{Kind: graph.NodeKind, ID: id}], l.locked.labels[id] = e.elementID, e.names
			}
		}
	}
	slices.Sort(elements)
	for some := range slices.Chunk(elements, undoRows) {
		text, params := l.readStatement(ctx, k, some)
		tuples, err := bolt.CollectTuples(l.tx.RunStatement(ctx, text, params))
		if err != nil {
			return err
		}
		for _, t := range tuples {
			if err := l.addLive(ctx, m, k, t, byElement[t.Text(elementIDColumn)]); err != nil {
				return err
			}
		}
		if k == nodes {
			if err := l.readDegrees(ctx, some, byElement, params); err != nil {
				return err
			}
		}
	}
	return nil
}

// readStatement reads entities under their locks. A dry run, which writes nothing, takes no locks that others would wait for.
func (l *undoLocker) readStatement(ctx context.Context, k kind, elements []string) (cypher.Text, map[string]any) {
	if l.selected.request.DryRun {
		return l.texts.elementsText(k, endColumns{}), elementParams(elements, rowsPerPart)
	}
	return l.texts.lockStatement(rules.WithoutView(ctx), k, elements)
}

// readDegrees reads the degrees of locked nodes.
func (l *undoLocker) readDegrees(ctx context.Context, elements []string, byElement map[string]string, params map[string]any) error {
	tuples, err := bolt.CollectTuples(l.tx.RunStatement(ctx, cypher.NodeDegrees.Text(nil), params))
	for _, t := range tuples {
		l.locked.degrees[byElement[elements[t.Integer(rowColumn)]]] = t.Integer(degreeColumn)
	}
	return err
}

// addLive adds a locked entity, if it still has the id under which it was found.
func (l *undoLocker) addLive(ctx context.Context, m *managedTypes, k kind, t bolt.Tuple, id string) error {
	e := elementOf(k, t)
	key := journal.Entity{Kind: k, ID: id}
	state, err := l.entities.stateOf(ctx, m, k, e)
	if err != nil {
		return err
	}
	if k == nodes {
		l.locked.labels[id] = state.Labels
	} else { // its ends are not locked if the edge exists before and after the undo
		for end, labels := range map[string][]any{state.SourceID: e.source.labels, state.TargetID: e.target.labels} {
			if l.locked.labels[end] == nil {
				l.locked.labels[end] = bolt.AsTexts(labels)
			}
		}
	}
	if state.ID == id {
		l.locked.live[key], l.locked.elements[key] = state, e.elementID
	}
	return nil
}
