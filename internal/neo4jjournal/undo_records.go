package neo4jjournal

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/journal"
	"graphrest/internal/neo4jchangeset"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/rules"
)

func errNoSuchChange() error { return fault.New(fault.NotFound, "There is no such recorded change") }

// undoSelector reads the changes that requests select, and checks that their users may reverse them.
type undoSelector struct {
	config       *neo4jentity.Config
	records      *recordReader
	visibleNodes *visibleNodeReader
	changeSets   *neo4jchangeset.Store
}

// selectRecords reads the changes that the request selects, newest first, and checks the user's rights to them. Rights are checked before
// all else: a user without rights to any of the changes gets NOT_FOUND, even if they are too many or of several users.
func (us *undoSelector) selectRecords(ctx context.Context, r journal.UndoRequest) (*undoSelection, error) {
	cause, records, full, err := us.readSelected(ctx, r)
	if err != nil {
		return nil, err
	}
	several := false
	if r.RequestID+r.Import != "" {
		records, several = ownRecords(ctx, records)
	}
	s := &undoSelection{request: r, view: newJournalView(ctx, us.visibleNodes), cause: cause, records: records}
	switch err := s.checkRights(ctx); {
	case err != nil:
		return nil, err
	case full || len(records) > maxUndo:
		return nil, errUndoTooLarge()
	case several:
		return nil, fault.New(fault.Conflict, "Several users sent requests with this id; undo the changes one by one")
	}
	return s, nil
}

// readSelected reads the changes that the request selects, and the id that the records of the undo name as their cause; full reports that
// there are more.
func (us *undoSelector) readSelected(
	ctx context.Context, r journal.UndoRequest,
) (cause string, records []journal.Record, full bool, err error) {
	if r.Change != "" {
		records, full, err = us.readChange(ctx, r.Change)
		return r.Change, records, full, err
	}
	cause = r.RequestID + r.Import + r.ChangeSet
	statement, params := cypher.JournalRequest, map[string]any{"request": cause, "limit": maxUndo + 1}
	if r.ChangeSet != "" {
		statement = cypher.JournalChanges
		if params, err = us.changesOf(ctx, r.ChangeSet); err != nil {
			return "", nil, false, err
		}
	}
	records, full, err = us.records.read(ctx, statement, params, maxUndoBytes)
	if err != nil {
		return "", nil, false, err
	}
	oldest := oldestKept(us.config.JournalKeep)
	records = slices.DeleteFunc(records, func(one journal.Record) bool {
		return one.ID < oldest || r.Import != "" && one.Cause.Import != r.Import
	})
	if len(records) == 0 && !full {
		return "", nil, false, errNoSuchChange()
	}
	return cause, records, full, nil
}

// readChange reads one change, and those of the edges that were deleted with a node.
func (us *undoSelector) readChange(ctx context.Context, id string) (records []journal.Record, full bool, err error) {
	first, err := us.records.change(ctx, id)
	if err != nil || first == nil {
		return nil, false, cmp.Or(err, errNoSuchChange())
	}
	records = []journal.Record{*first}
	if first.Kind != graph.NodeKind || first.Action != journal.Delete {
		return records, false, nil
	}
	key := neo4jentity.EntityKey(graph.NodeKind, first.Entity)
	params := map[string]any{"node": first.Entity, "element": first.Element, "entity": key, "change_id": id, "limit": maxUndo + 1}
	ofEdges, full, err := us.records.read(ctx, cypher.JournalWith, params, maxUndoBytes)
	return append(records, ofEdges...), full, err
}

// changesOf are the parameters that select the changes of an applied change set; none if there is no such change set.
func (us *undoSelector) changesOf(ctx context.Context, changeSet string) (map[string]any, error) {
	set, err := us.changeSets.ChangeSet(rules.WithoutView(ctx), changeSet)
	if err != nil && fault.CodeOf(err) != fault.NotFound {
		return nil, err
	}
	rows := make([]any, len(set.Changes))
	for i, id := range set.Changes {
		element, err := us.records.elementOf(ctx, id)
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
	caller := neo4jentity.AuthorFrom(ctx).UserID
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
