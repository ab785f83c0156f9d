package neo4jstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/journal"
)

func errNoSuchChange() error { return fault.New(fault.NotFound, "There is no such recorded change") }

// undoRecords reads the changes that a request selects, newest first. what is the id that the records of the undo name.
func (j *Journal) undoRecords(ctx context.Context, r journal.UndoRequest) (what string, records []journal.Record, err error) {
	if r.Change != "" {
		records, err = j.recordsOfChange(ctx, r.Change)
		return r.Change, records, err
	}
	what = r.RequestID + r.Import + r.ChangeSet
	statement, params := cypher.JournalRequest, map[string]any{"request": what, "limit": maxUndo + 1}
	if r.ChangeSet != "" {
		statement = cypher.JournalChanges
		if params, err = j.changesOf(ctx, r.ChangeSet); err != nil {
			return "", nil, err
		}
	}
	records, full, err := j.records(ctx, statement, params, maxUndoBytes)
	if err != nil || full {
		return "", nil, cmp.Or(err, errUndoTooLarge())
	}
	oldest := j.oldest()
	records = slices.DeleteFunc(records, func(one journal.Record) bool {
		return one.ID < oldest || r.Import != "" && one.Cause.Import != r.Import
	})
	if len(records) == 0 {
		return "", nil, errNoSuchChange()
	}
	if r.ChangeSet == "" {
		records, err = ownRecords(ctx, records)
	}
	return what, records, err
}

// recordsOfChange reads one change, and those of the edges that were deleted with a node.
func (j *Journal) recordsOfChange(ctx context.Context, id string) ([]journal.Record, error) {
	first, err := j.change(ctx, id)
	if err != nil || first == nil {
		return nil, cmp.Or(err, errNoSuchChange())
	}
	records := []journal.Record{*first}
	if first.Kind != graph.NodeKind || first.Action != journal.Delete {
		return records, nil
	}
	params := map[string]any{"node": first.Entity, "entity": entityKey(nodes, first.Entity), "change": id, "limit": maxUndo + 1}
	edges, full, err := j.records(ctx, cypher.JournalWith, params, maxUndoBytes)
	if err != nil || full {
		return nil, cmp.Or(err, errUndoTooLarge())
	}
	return append(records, edges...), nil
}

// changesOf are the parameters that select the changes of an applied change set; none if there is no such change set.
func (j *Journal) changesOf(ctx context.Context, changeSet string) (map[string]any, error) {
	set, err := j.s.ChangeSets().ChangeSet(ctx, changeSet)
	if err != nil && fault.CodeOf(err) != fault.NotFound {
		return nil, err
	}
	rows := make([]any, len(set.Changes))
	for i, id := range set.Changes {
		element, err := j.elementOf(ctx, id)
		if err != nil {
			return nil, err
		}
		rows[i] = []string{element, id}
	}
	return map[string]any{"rows": bolt.Batched(rows)}, nil
}

// ownRecords are the records of the calling user, or all if they are another user's: clients choose request ids, so that two may have
// chosen the same.
func ownRecords(ctx context.Context, records []journal.Record) ([]journal.Record, error) {
	caller := authorFrom(ctx).UserID
	isOther := func(one journal.Record) bool { return one.UserID != caller }
	if !slices.ContainsFunc(records, isOther) {
		return records, nil
	}
	if own := slices.DeleteFunc(slices.Clone(records), isOther); len(own) > 0 {
		return own, nil
	}
	if slices.ContainsFunc(records, func(one journal.Record) bool { return one.UserID != records[0].UserID }) {
		return nil, fault.New(fault.Conflict, "Several users sent requests with this id; undo the changes one by one")
	}
	return records, nil
}

// reverseOf is the operation that reverses a change.
func reverseOf(a journal.Action) journal.Action {
	switch a {
	case journal.Create:
		return journal.Delete
	case journal.Delete:
		return journal.Create
	default:
		return journal.Update
	}
}

func checkAllowed(r journal.UndoRequest, records []journal.Record) error {
	for i := range records {
		if reverse := reverseOf(records[i].Action); r.Allows != nil && !r.Allows(reverse, records[i].Kind) {
			return fault.New(
				fault.PermissionDenied,
				fmt.Sprintf("Undoing this needs the permission to %s a %s", reverse, records[i].Kind),
			)
		}
	}
	return nil
}
