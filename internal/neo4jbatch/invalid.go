package neo4jbatch

import (
	"context"
	"errors"
	"slices"

	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/neo4jview"
)

// withAllInvalid adds to the VALIDATION_ERROR of a batch what is invalid in its other operations: its transaction ends at the first, and
// begins only if every create is valid. It returns any other error as it is, and that of a change set: its reader may not see every
// operation.
func (b *batchRun) withAllInvalid(ctx context.Context, err error) error {
	if fault.CodeOf(err) != fault.Validation || b.set != nil {
		return err
	}
	faults := map[int]*fault.Error{}
	for _, o := range b.all {
		if fault.CodeOf(o.failure) == fault.Validation {
			faults[o.index] = fault.As(o.failure)
		}
	}
	if !slices.ContainsFunc(b.all, (*operation).isUpdate) {
		return b.all.withFaults(err, faults)
	}
	failed := b.client.RunTransaction(ctx, func(ctx context.Context, tx *bolt.Transaction) error {
		b.bytes.Release(ctx)
		if err := b.addInvalidUpdates(ctx, tx, faults); err != nil {
			return err
		}
		return neo4jentity.ErrDryRun
	})
	if !errors.Is(failed, neo4jentity.ErrDryRun) {
		return err
	}
	return b.all.withFaults(err, faults)
}

// addInvalidUpdates judges every update in the state that the operations before leave, without those that fail.
func (b *batchRun) addInvalidUpdates(ctx context.Context, tx *bolt.Transaction, faults map[int]*fault.Error) error {
	states := map[string]*neo4jentity.LockedEntity{}
	for _, k := range []graph.Kind{graph.NodeKind, graph.EdgeKind} {
		if err := b.lockUpdated(ctx, tx, k, states); err != nil {
			return err
		}
	}
	for _, o := range b.all {
		switch {
		case o.Op.Creates() && o.failure != nil:
		case o.Op.Creates():
			made := o.newEntity()
			states[o.asDefinition()] = &neo4jentity.LockedEntity{
				Kind: o.k, At: neo4jentity.Reference{Own: o.asDefinition()}, IDProperty: b.config.IDProperty, Managed: true,
				Names: made.Names, Ends: made.Ends, Now: neo4jview.Content{Properties: graph.Stored(o.Properties), Visible: true, SeesEnds: true},
			}
		case o.Op.Deletes():
			delete(states, o.identity())
		case o.failure == nil && states[o.identity()] != nil:
			l := states[o.identity()]
			err := l.JudgeUpdate(ctx, b.types, o.change())
			if err == nil {
				l.Now.Properties = graph.ApplyChange(l.Now.Properties, o.Properties)
			} else if fault.CodeOf(err) == fault.Validation {
				faults[o.index] = fault.As(err)
			}
		}
	}
	return nil
}

func (o *operation) isUpdate() bool { return !o.Op.Creates() && !o.Op.Deletes() }

// lockUpdated locks the entities of a kind that are updated and precede the batch, and adds them by their identity.
func (b *batchRun) lockUpdated(ctx context.Context, tx *bolt.Transaction, k graph.Kind, states map[string]*neo4jentity.LockedEntity) error {
	var at []neo4jentity.Reference
	for _, o := range b.all {
		if o.isUpdate() && o.k == k && o.definition == nil && o.failure == nil && !slices.Contains(at, o.at) {
			at = append(at, o.at)
		}
	}
	if len(at) == 0 {
		return nil
	}
	return b.writes.Judged.Lock(ctx, tx, b.m, k, at, func(i int, e *neo4jentity.Record) error {
		if e == nil {
			return nil
		}
		if err := b.bytes.Take(ctx, e.Size); err != nil {
			return err
		}
		l, err := b.reads.ReadLocked(ctx, b.m, k, at[i], e)
		states[at[i].ElementID] = &l
		return err
	})
}

// withFaults adds the details of operations to a VALIDATION_ERROR, once each and in the order of the operations.
func (ol operationList) withFaults(err error, faults map[int]*fault.Error) error {
	f := fault.As(err)
	details := slices.Clone(f.Details)
	for i, invalid := range faults {
		for _, d := range graph.OperationFault(i, ol[i].Op, invalid).Details {
			if !slices.Contains(details, d) {
				details = append(details, d)
			}
		}
	}
	if len(details) == len(f.Details) {
		return err
	}
	index := func(d fault.Detail) int {
		i, _, _ := graph.CutOperationField(d.Field, len(ol))
		return i
	}
	slices.SortStableFunc(details, func(a, b fault.Detail) int { return index(a) - index(b) })
	return fault.Wrap(err, fault.Validation, "Invalid input", details...)
}
