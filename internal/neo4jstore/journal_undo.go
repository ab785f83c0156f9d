package neo4jstore

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/journal"
	"graphrest/internal/neo4jview"
	"graphrest/internal/rules"
)

const (
	// maxUndo bounds the changes that one transaction reverses: all of them are in memory.
	maxUndo = 20_000
	// maxUndoBytes bounds the bytes of their records.
	maxUndoBytes = 64 << 20
	// undoRows is the number of rows of one statement of an undo.
	undoRows = 1000
)

// Undo reverses changes: see journal.Undoer.
func (j *Journal) Undo(ctx context.Context, r journal.UndoRequest) (journal.UndoResult, error) {
	u := &undo{j: j, request: r, view: j.viewOf(ctx)}
	what, err := u.selectRecords(ctx)
	if err != nil {
		return journal.UndoResult{}, bolt.Translate(err)
	}
	ctx = journal.WithCause(ctx, journal.Cause{Undo: what})
	err = u.run(ctx, what)
	var conflict *journal.ConflictError
	switch {
	case errors.As(err, &conflict), errors.Is(err, errDryRun), err == nil:
	default:
		return journal.UndoResult{}, bolt.Translate(err)
	}
	if conflict != nil {
		return journal.UndoResult{}, conflict
	}
	return u.result, nil
}

func errUndoTooLarge() error {
	return fault.New(fault.Conflict, fmt.Sprintf(
		"More than %d changes, or %d MiB of their values, cannot be undone together; undo them one by one", maxUndo, maxUndoBytes>>20))
}

// undo is one call of Undo.
type undo struct {
	j       *Journal
	request journal.UndoRequest
	records []journal.Record // newest first
	view    *journalView

	// of one attempt
	tx       *bolt.Transaction
	elements map[journal.Entity]string // element ids of live entities, and of restored ones
	labels   map[string][]string       // of live nodes, by id
	degrees  map[string]int64          // of live nodes whose creation is undone, by id
	plan     journal.Plan
	result   journal.UndoResult
}

// run runs the undo in one transaction, which is repeated after a transient failure.
func (u *undo) run(ctx context.Context, what string) error {
	return u.j.client.RunTransaction(ctx, func(ctx context.Context, tx *bolt.Transaction) error {
		u.tx, u.elements, u.labels, u.degrees = tx, map[journal.Entity]string{}, map[string][]string{}, map[string]int64{}
		u.result = journal.UndoResult{Skipped: []journal.Conflict{}, Changes: []string{}, IDs: map[string]string{}}
		live, err := u.lock(ctx)
		if err != nil {
			return err
		}
		u.plan = journal.PlanUndo(u.records, live, u.visibleState, func(k graph.Kind, s *journal.State) string { return u.j.revision(k, s) })
		u.dropDetached()
		u.dropAttached()
		if len(u.plan.Conflicts) > 0 && !u.request.SkipConflicts {
			return newConflictError(u.plan.Conflicts)
		}
		if err := u.validate(ctx); err != nil {
			return err
		}
		if err := u.write(ctx); err != nil {
			return err
		}
		u.result.Undone = u.plan.Undone()
		u.result.Skipped = append(u.result.Skipped, u.plan.Conflicts...)
		if err := u.readChanges(ctx, what); err != nil {
			return err
		}
		if u.request.DryRun {
			return errDryRun
		}
		return nil
	})
}

func newConflictError(conflicts []journal.Conflict) error {
	f := fault.New(fault.Conflict, "The undo conflicts with later changes; nothing was undone")
	for _, c := range conflicts[:min(len(conflicts), 100)] {
		f.Details = append(f.Details, fault.Detail{Field: c.ID, Message: c.Message})
	}
	return &journal.ConflictError{Conflicts: conflicts, Fault: f}
}

// lock takes the locks of all entities that the records name and reads them.
func (u *undo) lock(ctx context.Context) (map[journal.Entity]*journal.State, error) {
	m, err := u.j.reads.catalog.Get(ctx)
	if err != nil {
		return nil, err
	}
	live := map[journal.Entity]*journal.State{}
	for _, k := range []kind{nodes, edges} {
		if err := u.lockKind(ctx, m, k, live); err != nil {
			return nil, err
		}
	}
	return live, nil
}

// idsOf returns the ids of a kind that the records name: of entities and, for nodes, of the ends of edges to be restored. changed has those
// of entities, with true if their creation is undone. ids has no element id of a deleted entity: Neo4j may have given it to another one.
func (u *undo) idsOf(k kind) (ids []string, changed map[string]bool) {
	changed = map[string]bool{}
	seen := map[string]bool{}
	add := func(id string) {
		if !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	for i := range u.records {
		r := &u.records[i]
		if r.Kind == k {
			if r.Action == journal.Delete && isElementID(k, r.Entity) {
				seen[r.Entity] = true
			}
			add(r.Entity)
			changed[r.Entity] = changed[r.Entity] || r.Action == journal.Create
		} else if k == nodes && r.Action == journal.Delete {
			add(r.Image.SourceID)
			add(r.Image.TargetID)
		}
	}
	return ids, changed
}

func (u *undo) lockKind(ctx context.Context, m *managedTypes, k kind, live map[journal.Entity]*journal.State) error {
	ids, changed := u.idsOf(k)
	byElement := map[string]string{} // id by element id
	var elements []string
	for some := range slices.Chunk(ids, undoRows) {
		found, err := u.j.reads.findByIDs(ctx, k, some)
		if err != nil {
			return err
		}
		for id, e := range found {
			if _, isChanged := changed[id]; isChanged {
				byElement[e.elementID] = id
				elements = append(elements, e.elementID)
			} else if own := m.ownID(k, e.names, e.properties[u.j.config.IDProperty]); id == (reference{elementID: e.elementID, own: own}).id() {
				// An end needs no lock: if it is gone when its edge is to be created, there is no edge, and the undo fails.
				u.elements[journal.Entity{Kind: graph.NodeKind, ID: id}], u.labels[id] = e.elementID, e.names
			}
		}
	}
	slices.Sort(elements)
	for some := range slices.Chunk(elements, undoRows) {
		text, params := u.j.texts.lockStatement(rules.WithoutView(ctx), k, some)
		tuples, err := bolt.CollectTuples(u.tx.RunStatement(ctx, text, params))
		if err != nil {
			return err
		}
		for _, t := range tuples {
			if err := u.addLive(ctx, m, k, t, byElement[t.Text(elementIDColumn)], live); err != nil {
				return err
			}
		}
		if k == nodes {
			if err := u.readDegrees(ctx, some, byElement, params); err != nil {
				return err
			}
		}
	}
	return nil
}

// readDegrees reads the degrees of locked nodes.
func (u *undo) readDegrees(ctx context.Context, elements []string, byElement map[string]string, params map[string]any) error {
	tuples, err := bolt.CollectTuples(u.tx.RunStatement(ctx, cypher.NodeDegrees.Text(nil), params))
	for _, t := range tuples {
		u.degrees[byElement[elements[t.Integer(rowColumn)]]] = t.Integer(degreeColumn)
	}
	return err
}

// addLive adds a locked entity, if it still has the id under which it was found.
func (u *undo) addLive(
	ctx context.Context,
	m *managedTypes,
	k kind,
	t bolt.Tuple,
	id string,
	live map[journal.Entity]*journal.State,
) error {
	e := elementOf(k, t)
	key := journal.Entity{Kind: k, ID: id}
	state, err := u.j.stateOf(ctx, m, k, e)
	if err != nil {
		return err
	}
	if k == nodes {
		u.labels[id] = state.Labels
	} else { // its ends are not locked if the edge exists before and after the undo
		for end, labels := range map[string][]any{state.SourceID: e.source.labels, state.TargetID: e.target.labels} {
			if u.labels[end] == nil {
				u.labels[end] = bolt.AsTexts(labels)
			}
		}
	}
	if state.ID == id {
		live[key], u.elements[key] = state, e.elementID
	}
	return nil
}

// dropDetached drops edges to be restored of which an end does not exist.
func (u *undo) dropDetached() {
	for _, v := range u.plan.Kept() {
		if v.Entity.Kind != graph.EdgeKind || v.Live != nil || v.Target == nil {
			continue
		}
		for _, end := range []string{v.Target.SourceID, v.Target.TargetID} {
			key := journal.Entity{Kind: graph.NodeKind, ID: end}
			final, known := u.plan.Final(key)
			if known && final != nil || !known && u.elements[key] != "" {
				continue
			}
			u.plan.Drop(
				v.Entity,
				journal.Conflict{ID: v.Entity.ID, Expected: "", Found: "", Message: "its end " + end + " does not exist"},
			)
			break
		}
	}
}

// dropAttached drops nodes to be deleted that have edges which are not deleted with them.
func (u *undo) dropAttached() {
	removed := map[string]int64{} // edges to be deleted, by the id of an end; a self-loop counts once, as in the degree
	for _, v := range u.plan.Kept() {
		if v.Entity.Kind == graph.EdgeKind && v.Live != nil && v.Target == nil {
			removed[v.Live.SourceID]++
			if v.Live.TargetID != v.Live.SourceID {
				removed[v.Live.TargetID]++
			}
		}
	}
	for _, v := range u.plan.Kept() {
		if v.Entity.Kind != graph.NodeKind || v.Live == nil || v.Target != nil {
			continue
		}
		if u.degrees[v.Entity.ID] > removed[v.Entity.ID] {
			etag := u.j.revision(nodes, u.visibleState(v.Newest, v.Live))
			u.plan.Drop(
				v.Entity,
				journal.Conflict{ID: v.Entity.ID, Expected: etag, Found: etag, Message: "has edges that were attached since"},
			)
		}
	}
}

// validate applies the declared types to the new states.
func (u *undo) validate(ctx context.Context) error {
	types, err := u.j.reads.types.TypesForWrite(ctx)
	if err != nil {
		return err
	}
	for _, v := range u.plan.Kept() {
		if v.Target == nil {
			continue
		}
		switch {
		case v.Live != nil:
			err = neo4jview.ValidateChange(ctx, types, v.Entity.Kind, v.Target.Labels, v.Live.Properties, v.Target.Properties, u.endLabels(v.Target))
		case v.Entity.Kind == graph.EdgeKind:
			err = types.ValidateNewEdge(v.Target.Labels[0], v.Target.Properties, u.endLabels(v.Target))
		default:
			err = neo4jview.ValidateNewNode(ctx, types, v.Target.Labels, v.Target.Properties)
		}
		if err != nil {
			return u.hideDetails(err, v)
		}
	}
	return nil
}

// readChanges reads the ids of the records that the undo wrote.
func (u *undo) readChanges(ctx context.Context, what string) error {
	by := authorFrom(ctx)
	found, err := u.tx.RunStatement(ctx, cypher.JournalMade.Text(nil), map[string]any{
		"request": by.RequestID, "undo": what, "after": u.records[0].ID,
	})
	if err != nil || len(found) == 0 {
		return err
	}
	u.result.Changes = bolt.AsTexts(bolt.Column[[]any](found[0], "ids"))
	return nil
}
