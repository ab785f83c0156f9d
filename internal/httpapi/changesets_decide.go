package httpapi

import (
	"context"
	"errors"
	"net/http"

	"graphrest/internal/changeset"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/rules"
	"graphrest/internal/typedjson"
)

func errSetDiffers() error {
	return fault.New(fault.PreconditionFailed, "The change set does not match If-Match; read it again")
}

// approveChangeSet answers POST /api/changesets/{id}/approve.
//
//	@Summary		Approve a change set
//	@Description	Needs every permission that its operations need, or grants that allow all of them as the graph is now. Its author may
//	@Description	not, unless the operator has set GRAPHREST_SELF_APPROVAL=true. With If-Match, what is approved is what was read.
//	@Tags			Change sets
//	@Param			id			path		string	true	"Id of the change set"
//	@Param			If-Match	header		string	false	"ETag of the change set"
//	@Success		200			{object}	Answer[ChangeSetDocument]
//	@Header			200			{string}	ETag	"For If-Match"
//	@Failure		409			"CONFLICT: it is not open"
//	@Router			/api/changesets/{id}/approve [post]
func (a *API) approveChangeSet(c *call) error { return c.changeStatus(changeset.Approve) }

// rejectChangeSet answers POST /api/changesets/{id}/reject.
//
//	@Summary		Reject a change set
//	@Description	Needs what approving it needs. A comment can say why.
//	@Tags			Change sets
//	@Param			id			path		string	true	"Id of the change set"
//	@Param			If-Match	header		string	false	"ETag of the change set"
//	@Success		200			{object}	Answer[ChangeSetDocument]
//	@Header			200			{string}	ETag	"For If-Match"
//	@Failure		409			"CONFLICT: it is neither open nor approved"
//	@Router			/api/changesets/{id}/reject [post]
func (a *API) rejectChangeSet(c *call) error { return c.changeStatus(changeset.Reject) }

// withdrawChangeSet answers POST /api/changesets/{id}/withdraw.
//
//	@Summary		Withdraw a change set
//	@Description	Only its author may.
//	@Tags			Change sets
//	@Param			id			path		string	true	"Id of the change set"
//	@Param			If-Match	header		string	false	"ETag of the change set"
//	@Success		200			{object}	Answer[ChangeSetDocument]
//	@Header			200			{string}	ETag	"For If-Match"
//	@Failure		409			"CONFLICT: it is neither open nor approved"
//	@Router			/api/changesets/{id}/withdraw [post]
func (a *API) withdrawChangeSet(c *call) error { return c.changeStatus(changeset.Withdraw) }

func (c *call) changeStatus(action changeset.Action) error {
	set, _, err := c.readAuthorizedChangeSet(action)
	if err != nil {
		return err
	}
	set, err = c.api.options.ChangeSets.Change(c.ctx(), set, changeset.Event{User: c.actingUser(), Action: action}, changeset.Edited{})
	if err != nil {
		return err
	}
	c.api.options.Observer.ChangeSet(string(action))
	c.sendChangeSet(&set)
	return nil
}

// applyChangeSet answers POST /api/changesets/{id}/apply.
//
//	@Summary		Apply a change set
//	@Description	Applies the operations of an approved change set in one transaction, once. Needs every permission that they need; its
//	@Description	author may apply it too. If an entity is not what its operation was based on, or an entity or an end does not exist, the
//	@Description	answer is 409 with one detail per operation and meta.conflicts; nothing is changed and the status remains approved. Every
//	@Description	100 operations, or part of them, count as one request for the rate limit. With grants each
//	@Description	operation is authorized as in a batch. POST /api/undo with changeset takes it back.
//	@Tags			Change sets
//	@Param			id			path		string	true	"Id of the change set"
//	@Param			If-Match	header		string	false	"ETag of the change set"
//	@Success		200			{object}	Answer[ChangeSetDocument]
//	@Header			200			{string}	ETag	"For If-Match"
//	@Failure		409			"CONFLICT: it is not approved, an entity was changed since, or a constraint in the database"
//	@Router			/api/changesets/{id}/apply [post]
func (a *API) applyChangeSet(c *call) error {
	set, operations, err := c.readAuthorizedChangeSet(changeset.Apply)
	if err != nil {
		return err
	}
	if _, err := set.Status.After(changeset.Apply); err != nil { // before it counts
		return err
	}
	if err := c.countOperations(operations); err != nil {
		return err
	}
	applied, err := a.options.ChangeSets.Apply(c.ctx(), set, changeset.Event{User: c.actingUser(), Action: changeset.Apply}, operations)
	err = c.hideParts(&set, operations, err)
	var conflict *changeset.ConflictError
	if errors.As(err, &conflict) {
		return &errorWithMeta{err, ChangeSetConflictMeta{mapSlice(conflict.Conflicts, c.conflictDocument)}}
	}
	if err != nil {
		return err
	}
	c.api.options.Observer.ChangeSet(string(changeset.Apply))
	c.sendChangeSet(&applied)
	return nil
}

// hideParts removes from the error of somebody else's operations what the request's user does not see of them. What the diff shows decides,
// and nothing is shown if it cannot be computed.
func (c *call) hideParts(set *changeset.Set, operations []graph.Operation, err error) error {
	if err == nil || c.seesOperations(set) {
		return err
	}
	return c.api.hidePartsFrom(c.ctx(), c.actingUser(), set, operations, err)
}

// hidePartsFrom is hideParts for a user, whose view the context has.
func (a *API) hidePartsFrom(ctx context.Context, user changeset.User, set *changeset.Set, operations []graph.Operation, err error) error {
	shown, failure := a.options.ChangeSets.Diff(ctx, *set, user, operations)
	if failure != nil {
		shown = changeset.Diff{}
	}
	return changeset.HideParts(err, operations, shown)
}

// hideOperations is hideParts without a diff, for what is checked before operations count for the rate limit.
func (c *call) hideOperations(set *changeset.Set, operations []graph.Operation, err error) error {
	if err == nil || c.seesOperations(set) {
		return err
	}
	return changeset.HideParts(err, operations, changeset.Diff{})
}

// conflictDocument leaves out the ETags unless the user sees the whole graph: see write_only.go.
func (c *call) conflictDocument(one changeset.Conflict) ChangeSetConflict {
	d := ChangeSetConflict{Field: one.Field(), ID: orNull(one.ID), Message: one.Message}
	if rules.ViewOf(c.ctx()).ShowsAll() {
		d.Expected, d.Found = orNull(one.Expected), orNull(one.Found)
	}
	return d
}

// sendChangeSet answers a change set. A user who may read no part of the graph gets its id, its status and the ids of the changes.
func (c *call) sendChangeSet(set *changeset.Set) {
	if v := rules.ViewOf(c.ctx()); v.Allows(rules.Read, graph.NodeKind) || v.Allows(rules.Read, graph.EdgeKind) {
		*set = c.visibleSet(*set)
		c.setETag(set.Revision())
		c.send(http.StatusOK, func(dst []byte) []byte { return changeset.AppendSet(dst, set) })
		return
	}
	c.send(http.StatusOK, func(dst []byte) []byte {
		dst = typedjson.AppendString(append(dst, `{"id":`...), set.ID)
		dst = typedjson.AppendString(append(dst, `,"status":`...), string(set.Status))
		return append(appendJSON(nonNil(set.Changes))(append(dst, `,"changes":`...)), '}')
	})
}
