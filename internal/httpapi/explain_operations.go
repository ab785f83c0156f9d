package httpapi

import (
	"errors"
	"fmt"
	"strings"

	"graphrest/internal/changeset"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/rules"
)

const (
	batchPath      = "/api/batch"
	changeSetsPath = "/api/changesets"
)

// checkPathEnds checks both ends of a path as reads of these nodes.
func (e *explanation) checkPathEnds() error {
	for _, field := range []string{"source_id", "target_id"} {
		one, err := e.read(graph.NodeKind, e.target.Query().Get(field))
		switch fault.CodeOf(err) {
		case "":
		case fault.NotFound:
			e.fail("entity", "there is no such node as "+field+" names", fault.NotFound)
			return nil
		default:
			return err
		}
		if visible, decided := e.sees(one); !visible {
			e.fail("visible", "the user does not see the node that "+field+" names", fault.NotFound, decided...)
			return nil
		}
	}
	e.pass("visible", "the user sees both ends; what no grant shows is not passed through")
	return nil
}

// checkBatch checks the operations of a batch by simulating them.
func (e *explanation) checkBatch() error {
	if len(e.body.operations) == 0 {
		e.pass("operations", "the body has no operations to check")
		return nil
	}
	if e.authorizeOperations(e.body.operations); e.code != "" {
		return nil
	}
	checked, err := e.call.api.options.ChangeSets.Check(e.ctx(), e.body.operations, true)
	if err != nil {
		err = graph.OperationFault(checked.Failed, e.body.operations[checked.Failed].Op, err)
	}
	if f := fault.As(err); f != nil && f.Code == fault.Conflict { // too many edges: whether one of them refuses the request is not known
		e.fail("operations", detailOf(f), f.Code)
		return nil
	}
	return e.noteOperations(e.body.operations, err, "the user may apply each of the operations")
}

// authorizeOperations checks that the user has each operation's permission or a grant for it.
func (e *explanation) authorizeOperations(operations []graph.Operation) {
	if err := e.route.authorizeOperations(e.principal, operations); err != nil {
		detail := fault.As(err).Details[0]
		reason := detail.Field + " " + detail.Message + ", or a grant for some entities"
		e.fail("access", reason, fault.PermissionDenied, rules.Decision{Reason: reason})
	}
}

// checkChangeSet checks a change of a change set: who may do it, and what its operations need.
func (e *explanation) checkChangeSet() error {
	if e.route.Path == changeSetsPath {
		e.pass("operations", "a proposal may have any operations; they are checked when it is approved and applied")
		return nil
	}
	sets := e.call.api.options.ChangeSets
	id := e.values["id"]
	if cannotBeID(id) {
		return e.addResult(fault.New(fault.NotFound, "There is no such change set"), "entity", "")
	}
	set, err := sets.ChangeSet(e.ctx(), id)
	if err != nil {
		return e.addResult(err, "entity", "")
	}
	action, changes := changeSetActions[strings.TrimPrefix(e.route.Path, changeSetsPath+"/:id")]
	if !changes {
		e.pass("visible", "what no grant shows is absent from the answer")
		return nil
	}
	user := changeset.User{ID: e.principal.UserID, Name: e.principal.Username, MakerID: e.principal.MakerID}
	if err := changeset.CheckUser(action, set.Author, user, e.call.api.options.SelfApproval); err != nil {
		return e.addResult(err, "author", "")
	}
	e.pass("author", "the user may "+string(action)+" a change set of this author")
	if !action.NeedsPermissions() {
		return nil
	}
	operations, err := e.call.decodeOperations(&set)
	if err != nil {
		return e.addResult(err, "operations", "")
	}
	if e.authorizeOperations(operations); e.code != "" {
		return nil
	}
	if _, err := set.Status.After(action); err != nil {
		return e.addResult(err, "status", "")
	}
	if action == changeset.Apply {
		err = sets.CheckApply(e.ctx(), set, operations)
	} else if needsGrants(e.principal, operations) {
		err = sets.CheckAuthorize(e.ctx(), operations)
	}
	if noted := e.noteOperations(operations, err, "the user may apply each of the operations"); noted != nil || err == nil {
		return noted
	}
	if set.Author.ID != user.ID && !rules.ViewOf(e.ctx()).ShowsAll() { // such a user may get another code
		e.code = fault.CodeOf(e.call.api.hidePartsFrom(e.ctx(), user, &set, operations, err))
	}
	return nil
}

// changeSetActions are the actions by the end of their route's path.
var changeSetActions = map[string]changeset.Action{
	"": changeset.Edit, "/approve": changeset.Approve, "/reject": changeset.Reject, "/withdraw": changeset.Withdraw, "/apply": changeset.Apply,
}

// noteOperations adds a check by the error of operations: of grants, and of what does not exist for the user.
func (e *explanation) noteOperations(operations []graph.Operation, err error, allowed string) error {
	if err == nil {
		e.decided = nil
		e.pass("operations", allowed)
		return nil
	}
	f := fault.As(err)
	var refusal rules.Refusal
	var conflict *changeset.ConflictError
	switch {
	case f.Code == fault.PermissionDenied && errors.As(err, &refusal):
		e.fail("operations", detailOf(f), f.Code, refusal.Decided...)
		return nil
	case errors.As(err, &conflict):
		for _, c := range conflict.Conflicts {
			if found, err := e.noteMissing(c.Operation, operations, f.Code); found || err != nil {
				return err
			}
		}
	case f.Code == fault.NotFound, f.Code == fault.Validation, f.Code == fault.PermissionDenied:
		for _, d := range f.Details {
			n, _, ok := graph.CutOperationField(d.Field, len(operations))
			if !ok {
				continue
			}
			if found, err := e.noteMissing(n, operations, f.Code); found || err != nil {
				return err
			}
		}
	}
	return e.addResult(err, "operations", "")
}

// noteMissing adds a failed check if an operation names an entity that does not exist for the user. found is true if it has added one.
func (e *explanation) noteMissing(n int, operations []graph.Operation, code fault.Code) (found bool, err error) {
	o := operations[n]
	named := []graph.EntityRef{o.Entity}
	kind := o.Op.Kind()
	if o.Op == graph.OpCreateEdge {
		named, kind = []graph.EntityRef{o.Source, o.Target}, graph.NodeKind
	}
	subject := fmt.Sprintf("operations[%d]", n)
	if e.namesEntity() || e.route.Path == "/api/edges" {
		subject = "the request"
	}
	for _, r := range named {
		if r.Ref != "" || o.Op == graph.OpCreateNode {
			continue // an earlier operation creates it, or none is named
		}
		one, err := e.read(kind, r.ID)
		if fault.CodeOf(err) == fault.NotFound {
			e.fail("entity", fmt.Sprintf("%s names a %s that does not exist", subject, kind), code)
			return true, nil
		}
		if err != nil {
			return false, err
		}
		if visible, decided := e.sees(one); !visible {
			e.fail("visible", fmt.Sprintf("%s names a %s that the user does not see", subject, kind), code, decided...)
			return true, nil
		}
	}
	return false, nil
}

// detailOf is the message of a fault with the field at fault.
func detailOf(f *fault.Error) string {
	if len(f.Details) == 0 {
		return f.Message
	}
	return f.Details[0].Field + ": " + f.Message
}
