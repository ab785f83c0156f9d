package neo4jjournal

import (
	"context"
	"errors"
	"fmt"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/journal"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/neo4jschema"
)

const (
	// maxUndo bounds the changes that one transaction reverses: all of them are in memory.
	maxUndo = 20_000
	// maxUndoBytes bounds the bytes of their records.
	maxUndoBytes = 64 << 20
	// undoRows is the number of rows of one statement of an undo.
	undoRows = 1000
)

// undoer reverses changes: it selects them, and in one transaction locks their entities, plans the reversal and writes it.
type undoer struct {
	client   *bolt.Client
	config   *neo4jentity.Config
	types    *neo4jschema.TypeStore
	texts    *neo4jentity.Texts
	reads    *neo4jentity.Reader
	writes   *neo4jentity.JudgedWriter
	records  *recordReader
	entities *stateReader
	selector *undoSelector
}

// Undo reverses changes: see journal.Undoer.
func (u *undoer) Undo(ctx context.Context, r journal.UndoRequest) (journal.UndoResult, error) {
	selected, err := u.selector.selectRecords(ctx, r)
	if err != nil {
		return journal.UndoResult{}, bolt.Translate(err)
	}
	result, err := u.run(journal.WithCause(ctx, journal.Cause{Undo: selected.cause}), selected)
	var conflict *journal.ConflictError
	switch {
	case errors.As(err, &conflict), err == nil:
	default:
		return journal.UndoResult{}, bolt.Translate(err)
	}
	if conflict != nil {
		return journal.UndoResult{}, conflict
	}
	return result, nil
}

// CheckUndo reports whether a user may undo changes: see journal.Undoer.
func (u *undoer) CheckUndo(ctx context.Context, r journal.UndoRequest) error {
	_, err := u.selector.selectRecords(ctx, r)
	return bolt.Translate(err)
}

func errUndoTooLarge() error {
	return fault.New(fault.Conflict, fmt.Sprintf(
		"More than %d changes, or %d MiB of their values, cannot be undone together; undo them one by one", maxUndo, maxUndoBytes>>20))
}

// run runs the undo in one transaction, which is repeated after a transient failure.
func (u *undoer) run(ctx context.Context, selected *undoSelection) (result journal.UndoResult, err error) {
	err = u.client.RunTransaction(ctx, func(ctx context.Context, tx *bolt.Transaction) error {
		var err error
		result, err = u.reverse(ctx, tx, selected)
		return err
	})
	return result, err
}

// reverse makes one attempt of an undo in a transaction.
func (u *undoer) reverse(ctx context.Context, tx *bolt.Transaction, selected *undoSelection) (result journal.UndoResult, err error) {
	locker := undoLocker{undoer: u, tx: tx, selected: selected}
	if err := locker.lock(ctx); err != nil {
		return result, err
	}
	plan := newUndoPlan(selected, locker.locked, u.entities)
	claims, err := u.readClaims(ctx, tx, plan)
	if err != nil {
		return result, err
	}
	plan.dropImpossible(claims)
	if len(plan.Conflicts) > 0 && !selected.request.SkipConflicts {
		return result, newConflictError(plan.Conflicts)
	}
	types, err := u.types.TypesForWrite(ctx)
	if err != nil {
		return result, err
	}
	if err := plan.validate(ctx, types); err != nil {
		return result, err
	}
	if selected.request.DryRun {
		return plan.expectedResult(), nil
	}
	writer := undoWriter{undoer: u, tx: tx, plan: plan, elements: locker.locked.elements, newIDs: map[string]string{}}
	if err := writer.write(ctx); err != nil {
		return result, err
	}
	made, err := readUndoChanges(ctx, tx, selected)
	return journal.UndoResult{
		Undone: plan.Undone(), Skipped: append([]journal.Conflict{}, plan.Conflicts...), Changes: made, IDs: writer.newIDs,
	}, err
}

func newConflictError(conflicts []journal.Conflict) error {
	f := fault.New(fault.Conflict, "The undo conflicts with later changes; nothing was undone")
	for _, c := range conflicts[:min(len(conflicts), 100)] {
		f.Details = append(f.Details, fault.Detail{Field: c.ID, Message: c.Message})
	}
	return &journal.ConflictError{Conflicts: conflicts, Fault: f}
}

// readUndoChanges reads the ids of the records that an undo wrote.
func readUndoChanges(ctx context.Context, tx *bolt.Transaction, selected *undoSelection) ([]string, error) {
	by := neo4jentity.AuthorFrom(ctx)
	found, err := tx.RunStatement(ctx, cypher.JournalMade.Text(nil), map[string]any{
		"request": by.RequestID, "undo": selected.cause, "after": selected.records[0].ID,
	})
	if err != nil || len(found) == 0 {
		return []string{}, err
	}
	return bolt.AsTexts(bolt.Column[[]any](found[0], "ids")), nil
}
