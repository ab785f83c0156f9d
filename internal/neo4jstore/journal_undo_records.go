package neo4jstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/journal"
	"graphrest/internal/rules"
)

func errNoSuchChange() error { return fault.New(fault.NotFound, "There is no such recorded change") }

// selectRecords reads the changes that the request selects, newest first, and checks the user's rights to them. It returns the id that the
// records of the undo name as their cause. Rights are checked before all else: a user without rights to any of the changes gets NOT_FOUND,
// even if they are too many or of several users.
func (u *undo) selectRecords(ctx context.Context) (what string, err error) {
	what, full, err := u.readSelected(ctx)
	if err != nil {
		return "", err
	}
	several := false
	if u.request.RequestID+u.request.Import != "" {
		u.records, several = ownRecords(ctx, u.records)
	}
	switch err := u.checkRights(ctx); {
	case err != nil:
		return "", err
	case full || len(u.records) > maxUndo:
		return "", errUndoTooLarge()
	case several:
		return "", fault.New(fault.Conflict, "Several users sent requests with this id; undo the changes one by one")
	}
	return what, nil
}

// readSelected reads the changes that the request selects; full reports that there are more.
func (u *undo) readSelected(ctx context.Context) (what string, full bool, err error) {
	r, j := u.request, u.j
	if r.Change != "" {
		full, err = u.readChange(ctx, r.Change)
		return r.Change, full, err
	}
	what = r.RequestID + r.Import + r.ChangeSet
	statement, params := cypher.JournalRequest, map[string]any{"request": what, "limit": maxUndo + 1}
	if r.ChangeSet != "" {
		statement = cypher.JournalChanges
		if params, err = j.changesOf(ctx, r.ChangeSet); err != nil {
			return "", false, err
		}
	}
	records, full, err := j.records(ctx, statement, params, maxUndoBytes)
	if err != nil {
		return "", false, err
	}
	oldest := j.oldest()
	u.records = slices.DeleteFunc(records, func(one journal.Record) bool {
		return one.ID < oldest || r.Import != "" && one.Cause.Import != r.Import
	})
	if len(u.records) == 0 && !full {
		return "", false, errNoSuchChange()
	}
	return what, full, nil
}

// readChange reads one change, and those of the edges that were deleted with a node.
func (u *undo) readChange(ctx context.Context, id string) (full bool, err error) {
	first, err := u.j.change(ctx, id)
	if err != nil || first == nil {
		return false, cmp.Or(err, errNoSuchChange())
	}
	u.records = []journal.Record{*first}
	if first.Kind != graph.NodeKind || first.Action != journal.Delete {
		return false, nil
	}
	params := map[string]any{"node": first.Entity, "entity": entityKey(nodes, first.Entity), "change_id": id, "limit": maxUndo + 1}
	ofEdges, full, err := u.j.records(ctx, cypher.JournalWith, params, maxUndoBytes)
	u.records = append(u.records, ofEdges...)
	return full, err
}

// changesOf are the parameters that select the changes of an applied change set; none if there is no such change set.
func (j *Journal) changesOf(ctx context.Context, changeSet string) (map[string]any, error) {
	set, err := j.changeSets.ChangeSet(rules.WithoutView(ctx), changeSet)
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
	return map[string]any{"rows": rows}, nil
}

// ownRecords are the records of the calling user, or all if they are another user's: clients choose request ids, so that two may have
// chosen the same. several says that they are those of several other users.
func ownRecords(ctx context.Context, records []journal.Record) (own []journal.Record, several bool) {
	caller := authorFrom(ctx).UserID
	isOther := func(one journal.Record) bool { return one.UserID != caller }
	if own := slices.DeleteFunc(slices.Clone(records), isOther); len(own) > 0 {
		return own, false
	}
	return records, slices.ContainsFunc(records, func(one journal.Record) bool { return one.UserID != records[0].UserID })
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
