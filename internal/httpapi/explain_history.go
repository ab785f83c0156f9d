package httpapi

import (
	"context"
	"errors"

	"graphrest/internal/audit"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/journal"
	"graphrest/internal/rules"
)

// ctx is the context of the explained user's reads.
func (e *explanation) ctx() context.Context {
	ctx := audit.WithActor(e.call.ctx(), audit.Actor{User: e.principal.Username, UserID: e.principal.UserID})
	return rules.WithView(rules.WithoutView(ctx), e.principal.View)
}

// checkPast reads the history or a past state of an entity as its user would: each recorded state is checked on its own.
func (e *explanation) checkPast(kind graph.Kind, id string) error {
	changes, err := e.call.api.changes()
	if err != nil {
		return e.addResult(err, "visible", "")
	}
	if cannotBeID(id) {
		return e.addResult(fault.New(fault.NotFound, "There is no such "+string(kind)), "visible", "")
	}
	if at := e.target.Query().Get("at"); at != "" {
		_, err = changes.AsOf(e.ctx(), kind, id, momentOf(at))
	} else {
		_, err = changes.History(e.ctx(), journal.HistoryQuery{Kind: kind, ID: id, Limit: 1})
	}
	if fault.CodeOf(err) == fault.NotFound { // if it still exists, its present state says which grants hide it
		if one, err := e.read(kind, id); err == nil {
			if visible, decided := e.sees(one); !visible {
				e.fail("visible", "the user does not see this "+string(kind), fault.NotFound, decided...)
				return nil
			}
		}
	}
	return e.addResult(err, "visible", "the user sees a recorded state of this "+string(kind))
}

// checkUndo checks the rights to the changes that an undo would reverse.
func (e *explanation) checkUndo() error {
	if e.call.api.options.Undoer == nil {
		return e.addResult(errNotRecorded(), "allowed", "")
	}
	r := e.body.undo
	r.Allows = undoAllowedTo(e.principal)
	return e.addResult(e.call.api.options.Undoer.CheckUndo(e.ctx(), r), "allowed", "the user may reverse each of the changes")
}

// addResult adds a check with the result of err. It returns err if it is a failure of another kind, such as one of the database.
func (e *explanation) addResult(err error, check, detail string) error {
	switch code := fault.CodeOf(err); code {
	case "":
		e.pass(check, detail)
	case fault.NotFound, fault.PermissionDenied:
		var refusal rules.Refusal
		errors.As(err, &refusal)
		e.fail(check, fault.As(err).Message, code, refusal.Decided...)
	case fault.Validation, fault.Conflict, fault.HistoryGone:
		e.pass(check, "the request fails for another reason")
	default:
		return err
	}
	return nil
}
