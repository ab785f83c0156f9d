package neo4jbatch

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/audit"
	"graphrest/internal/bolt"
	"graphrest/internal/changeset"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/journal"
	"graphrest/internal/neo4jchangeset"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/neo4jview"
	"graphrest/internal/rules"
)

// changeSetRun is the change set whose operations a batch applies. The transaction of the batch changes its status.
type changeSetRun struct {
	neo4jchangeset.Run

	bases    []graph.Operation // with what each operation was based on
	conflict error             // of the last attempt, if that is why it failed
}

// ApplyChangeSet applies the operations of a change set: see neo4jchangeset.Batches.
func (b *Batches) ApplyChangeSet(ctx context.Context, run neo4jchangeset.Run, operations []graph.Operation) (changeset.Set, error) {
	r := &changeSetRun{Run: run, bases: changeset.WithBases(operations, run.Read)}
	ctx = journal.WithCause(ctx, journal.Cause{ChangeSet: r.Read.ID})
	// beginChangeSet compares with the state before
	_, err := b.applyOperations(ctx, graph.WithoutPreconditions(operations), graph.BatchOptions{}, r)
	if err != nil && r.conflict != nil {
		err = r.conflict
	}
	return r.After, err
}

// fail records conflicts and returns their fault.
func (r *changeSetRun) fail(conflicts ...changeset.Conflict) error {
	e := changeset.NewConflictError(conflicts...)
	r.conflict = e
	return e.Fault // bolt.Translate would lose the list
}

// missingFault is the fault of a batch one of whose operations names an entity that does not exist. A nil changeSetRun means that the batch
// is not of a change set.
func (r *changeSetRun) missingFault(all operationList, e *missingError) error {
	if r != nil {
		return r.fail(changeset.MissingConflicts(e.index, all[e.index].Operation, e.cause)...)
	}
	return all.operationFault(e.index, e.cause)
}

// failMissing fails if operations name what does not exist, before names and types are added. The transaction, which is rolled back, adds
// the conflicts of the other operations.
func (b *batchRun) failMissing(ctx context.Context) error {
	missing := b.set.resolveConflicts(b.all)
	if len(missing) == 0 {
		return nil
	}
	err := b.client.RunTransaction(ctx, func(ctx context.Context, tx *bolt.Transaction) error {
		b.reset(ctx)
		return (&batchTransaction{b, groupTransaction{tx}}).beginChangeSet(ctx)
	})
	var gone *missingError
	if errors.As(err, &gone) { // deleted since it was looked up
		return b.set.fail(missing...)
	}
	return bolt.Translate(err)
}

// resolveConflicts are the conflicts of operations that name what does not exist.
func (r *changeSetRun) resolveConflicts(all []*operation) (conflicts []changeset.Conflict) {
	if r == nil {
		return nil
	}
	for _, o := range all {
		if o.failure != nil && fault.CodeOf(o.failure) != fault.PermissionDenied {
			conflicts = append(conflicts, changeset.MissingConflicts(o.index, r.baseOf(o), o.failure)...)
		}
	}
	return conflicts
}

// appearedEnds are the conflicts of new edges whose ends did not exist when they were proposed.
func (r *changeSetRun) appearedEnds(all []*operation) (conflicts []changeset.Conflict) {
	for _, o := range all {
		if o.Op != graph.OpCreateEdge {
			continue
		}
		exist := [2]bool{o.ends[0] == nil && !o.endStates.missing[0], o.ends[1] == nil && !o.endStates.missing[1]}
		conflicts = append(conflicts, r.Read.BaseOf(o.index).AppearedEnds(o.index, o.Operation, exist)...)
	}
	return conflicts
}

// baseOf is an operation with what it was based on.
func (r *changeSetRun) baseOf(o *operation) graph.Operation {
	based := o.Operation
	based.If = r.bases[o.index].If
	return based
}

// beginChangeSet takes the lock of the change set and checks that it is still the one that was approved, and that all entities are what its
// operations were based on.
func (bt *batchTransaction) beginChangeSet(ctx context.Context) error {
	r := bt.set
	if r == nil {
		return nil
	}
	r.conflict = nil
	found, err := bt.tx.RunStatement(ctx, cypher.ChangeSetLock.Text(nil), map[string]any{"id": r.Read.ID})
	switch {
	case err != nil:
		return err
	case len(found) == 0:
		return changeset.ErrNotFound()
	}
	if _, err := changeset.Status(bolt.Column[string](found[0], "status")).After(changeset.Apply); err != nil {
		return err
	}
	if bolt.Column[int64](found[0], "version") != r.Read.Version {
		return changeset.ErrChanged()
	}
	conflicts := append(r.resolveConflicts(bt.all), r.appearedEnds(bt.all)...)
	for _, k := range []graph.Kind{graph.NodeKind, graph.EdgeKind} {
		changed, err := bt.compareBases(ctx, k)
		if err != nil {
			return err
		}
		conflicts = append(conflicts, changed...)
	}
	attached, err := bt.compareEdges(ctx)
	if err != nil {
		return err
	}
	if conflicts = append(conflicts, attached...); len(conflicts) > 0 {
		slices.SortStableFunc(conflicts, func(a, b changeset.Conflict) int { return cmp.Compare(a.Operation, b.Operation) })
		return r.fail(conflicts...)
	}
	return nil
}

// compareBases locks the entities of a kind that the operations change and compares them with what these were based on.
func (bt *batchTransaction) compareBases(ctx context.Context, k graph.Kind) (conflicts []changeset.Conflict, err error) {
	var changed []*operation
	for _, o := range bt.all {
		base := bt.set.bases[o.index]
		switch {
		case o.Op.Creates() || o.k != k || o.failure != nil:
		case o.definition == nil:
			changed = append(changed, o)
		case base.If.Revisions != nil:
			conflicts = append(conflicts, *changeset.CompareBase(o.index, base, "", ""))
		}
	}
	if len(changed) == 0 {
		return conflicts, nil
	}
	slices.SortStableFunc(changed, func(a, b *operation) int { return cmp.Compare(a.at.ElementID, b.at.ElementID) }) // locks in one order
	at := make([]neo4jentity.Reference, len(changed))
	for i, o := range changed {
		at[i] = o.at
	}
	return conflicts, bt.writes.Judged.Lock(ctx, bt.tx.Transaction, bt.m, k, at, func(i int, e *neo4jentity.Record) error {
		o, base := changed[i], bt.set.bases[changed[i].index]
		revision, err := bt.revisionOf(ctx, o, e)
		if err != nil {
			return err
		}
		if revision == "" {
			conflicts = append(conflicts, *changeset.Missing(o.index, base))
		} else if c := changeset.CompareBase(o.index, base, o.at.ID(), revision); c != nil {
			conflicts = append(conflicts, *c)
		}
		return nil
	})
}

func actionOf(o *operation) rules.Action {
	if o.Op.Deletes() {
		return rules.Delete
	}
	return rules.Edit
}

// revisionOf is the ETag of a locked entity; empty if it does not exist for the user.
func (bt *batchTransaction) revisionOf(ctx context.Context, o *operation, e *neo4jentity.Record) (graph.Revision, error) {
	if e == nil {
		return "", &missingError{o.index, graph.NoSuchEntity(o.k)}
	}
	if err := bt.bytes.Take(ctx, e.Size); err != nil {
		return "", err
	}
	whole := *e
	whole.Properties = maps.Clone(e.Properties)
	now, err := bt.reads.ReadContent(rules.WithoutView(ctx), bt.m, o.k, &whole)
	if err != nil || bt.seesAll {
		return now.Revision, err
	}
	seen, err := bt.reads.ReadContent(ctx, bt.m, o.k, e)
	if err == nil && !neo4jview.IsKnown(rules.ViewOf(ctx), actionOf(o), o.k, e.Names, seen) {
		return "", nil // it does not exist for the user
	}
	return now.Revision, err
}

// endChangeSet sets the status, with the ids of the recorded changes.
func (bt *batchTransaction) endChangeSet(ctx context.Context) error {
	r := bt.set
	if r == nil {
		return nil
	}
	r.After.Changes = nil
	if bt.config.Journal {
		found, err := bt.tx.readRecord(ctx, cypher.ChangeSetChanges.Text(nil), map[string]any{
			"request": audit.ActorFrom(ctx).RequestID, "change_set": r.Read.ID,
		})
		if err != nil {
			return err
		}
		r.After.Changes = bolt.AsTexts(bolt.Column[[]any](found, "ids"))
	}
	return r.Update(ctx, bt.tx.Transaction, r.After, bt.record.id)
}
