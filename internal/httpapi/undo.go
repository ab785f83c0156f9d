package httpapi

import (
	"errors"
	"iter"
	"net/http"

	"graphrest/internal/auth"
	"graphrest/internal/graph"
	"graphrest/internal/journal"
	"graphrest/internal/typedjson"
)

// undo answers POST /api/undo.
//
//	@Summary		Undo changes
//	@Description	Reverses a change, all changes of a request or of an import, newest first, in one transaction. The undo is recorded like other changes;
//	@Description	undoing its X-Request-ID is a redo. Exactly one of change, request_id, import and changeset is required.
//	@Description
//	@Description	Each reverse operation needs its own permission: **delete** to undo a create, **edit** an update, **create** a delete. A restored
//	@Description	node has its own id, all labels, its values, and the edges that were deleted with it. Entities of types without ids come back under new
//	@Description	element ids, which ids maps from the old ones. With roles each reversal needs the grants of such a request: 404 if the user neither sees
//	@Description	nor may reverse one of the changes, 403 if some cannot be reversed.
//	@Description
//	@Description	If an entity is no longer what the change left, the answer is 409 with one detail per entity and meta.conflicts, and nothing is changed;
//	@Description	with on_conflict skip the other changes are undone. expected and found are ETags, null if the entity should not exist or does not, or
//	@Description	if the user does not see it. dry_run answers what would be undone and skipped, without a transaction that
//	@Description	writes: changes is empty, and ids has the old element ids with empty new ones.
//	@Tags			History
//	@Param			body	body		UndoBody	true	"What to undo"
//	@Success		200		{object}	Answer[Undone]
//	@Failure		404		"NOT_FOUND"
//	@Failure		409		"CONFLICT: an entity is not what its change left, more than one node or more than one edge has an id, a constraint in the database, changes are not recorded"
//	@Router			/api/undo [post]
func (a *API) undo(c *call) error {
	request := journal.UndoRequest{Allows: undoAllowedTo(c.principal)}
	o := c.parseObject()
	if o != nil {
		readUndo(o, &request)
	}
	if err := c.finish(o); err != nil {
		return err
	}
	if a.options.Undoer == nil {
		return errNotRecorded()
	}
	done, err := a.options.Undoer.Undo(c.ctx(), request)
	var conflict *journal.ConflictError
	if errors.As(err, &conflict) {
		return &errorWithMeta{err, ConflictMeta{conflictDocuments(conflict.Conflicts)}}
	}
	if err != nil {
		c.auditRefusal(err)
		return err
	}
	c.send(http.StatusOK, appendJSON(Undone{
		Undone: done.Undone, Skipped: conflictDocuments(done.Skipped), Changes: nonNil(done.Changes), IDs: done.IDs,
	}))
	return nil
}

// actionPermissions are the permissions that operations need.
var actionPermissions = map[journal.Action]auth.Permission{
	journal.Create: auth.Create,
	journal.Update: auth.Edit,
	journal.Delete: auth.Delete,
}

// undoAllowedTo says which operations the permissions of a user allow.
func undoAllowedTo(p auth.Principal) func(journal.Action, graph.Kind) bool {
	return func(action journal.Action, _ graph.Kind) bool { return p.May(actionPermissions[action]) }
}

// undoMembers are the members of an undo that select changes.
func undoMembers(r *journal.UndoRequest) iter.Seq2[string, *string] {
	return func(yield func(string, *string) bool) {
		_ = yield("change", &r.Change) && yield("request_id", &r.RequestID) && yield("import", &r.Import) && yield("changeset", &r.ChangeSet)
	}
}

// readUndo reads the members of an undo.
func readUndo(o *typedjson.Object, r *journal.UndoRequest) {
	selected := 0
	for name, member := range undoMembers(r) {
		id, given := o.OptionalString(name)
		if !given {
			continue
		}
		if problem := idProblem(id); problem != "" {
			o.Invalid(name, "%s", problem)
		}
		*member = id
		selected++
	}
	if selected != 1 {
		o.Invalid("body", "must have exactly one of change, request_id, import and changeset")
	}
	r.DryRun, _ = o.OptionalBool("dry_run")
	switch word, given := o.OptionalString("on_conflict"); {
	case word == "skip":
		r.SkipConflicts = true
	case given && word != "fail":
		o.Invalid("on_conflict", "must be fail or skip")
	}
}

// conflictDocuments have null for the ETag of a state that the user does not see.
func conflictDocuments(conflicts []journal.Conflict) []ConflictDocument {
	return mapSlice(conflicts, func(one journal.Conflict) ConflictDocument {
		return ConflictDocument{ID: one.ID, Message: one.Message, Expected: orNull(one.Expected), Found: orNull(one.Found)}
	})
}
