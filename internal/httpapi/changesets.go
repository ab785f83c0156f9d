package httpapi

import (
	"net/http"
	"slices"
	"strings"

	"graphrest/internal/auth"
	"graphrest/internal/changeset"
	"graphrest/internal/graph"
	"graphrest/internal/rules"
	"graphrest/internal/typedjson"
)

var appendChangeSet = appendAndRelease(changeset.AppendSet)

// listChangeSets answers GET /api/changesets.
//
//	@Summary		List change sets
//	@Description	Newest first. A page may be shorter than limit, or empty, while has_more is true.
//	@Tags			Change sets
//	@Param			status	query		string	false	"Only those of this status"			Enums(open, approved, applied, rejected, withdrawn)
//	@Param			author	query		string	false	"Name or id of who proposed it"	example(ann)
//	@Success		200		{object}	ListAnswer[ChangeSetDocument]
//	@Header			200		{string}	Link	"rel=next: the next page, absent on the last"
//	@Router			/api/changesets [get]
func (a *API) listChangeSets(c *call) error {
	page := c.readPaging()
	q := changeset.Query{
		Status: changeset.Status(c.readOptionalEnum("status", changeset.Statuses())), Author: c.readIdentifier("author"),
		Limit: page.limit, After: string(page.after),
	}
	if err := c.validate(); err != nil {
		return err
	}
	found, err := a.options.ChangeSets.ChangeSets(c.ctx(), q)
	if err != nil {
		return err
	}
	for i := range found.Sets {
		found.Sets[i] = c.visibleSet(found.Sets[i])
	}
	sendList(c, page, graph.Page[changeset.Set]{Items: found.Sets, Next: toPosition(found.Next)}, appendChangeSet)
	return nil
}

// proposeChangeSet answers POST /api/changesets.
//
//	@Summary		Propose changes
//	@Description	Stores the operations of a batch until somebody else approves them. Nothing is changed. The operations are stored with the
//	@Description	ids of their entities; each update and delete keeps the ETag that its entity has now, with which if_match is compared, and the
//	@Description	delete of a node which edges go with it: what came later is a conflict when they are applied. Operations that
//	@Description	violate a declared type or name an entity that does not exist are accepted, and shown by the diff. Every 100 operations, or
//	@Description	part of them, count as one request for the rate limit. With an Idempotency-Key a repeated proposal is stored once; the answer has the
//	@Description	change set as it is now.
//	@Tags			Change sets
//	@Param			Idempotency-Key	header		string			false	"1 to 255 visible ASCII characters"
//	@Param			body			body		NewChangeSet	true	"Title and operations"
//	@Success		201				{object}	Answer[ChangeSetDocument]
//	@Header			201				{string}	Location			"Path of the change set"
//	@Header			201				{string}	ETag				"For If-Match"
//	@Header			201				{string}	Idempotent-Replayed	"true if an earlier request with the same key was stored"
//	@Failure		404				"NOT_FOUND: the change set that an earlier request with the same key has stored was removed"
//	@Failure		409				"CONFLICT: more than one node or more than one edge has an id; change sets too large together"
//	@Failure		412				"PRECONDITION_FAILED: an entity does not match the if_match of an operation"
//	@Router			/api/changesets [post]
func (a *API) proposeChangeSet(c *call) error {
	set := changeset.Set{Author: c.actingUser()}
	key := c.readIdempotencyKey()
	var operations []graph.Operation
	o := c.parseObject()
	if o != nil {
		set.Title = readTitle(o)
		set.Description, _ = readTextMember(o, "description", false, changeset.MaxDescription)
		operations = c.readOperations(o)
	}
	if err := c.finish(o); err != nil {
		return err
	}
	if err := c.countOperations(operations); err != nil {
		return err
	}
	set, replayed, err := a.options.ChangeSets.Propose(c.ctx(), set, operations, key)
	if err != nil {
		return err
	}
	if replayed {
		set = c.visibleSet(set)
	} else {
		c.api.options.Observer.ChangeSet(string(changeset.Propose))
	}
	c.sendCreated(changeSetsPath, set.ID, set.Revision(), replayed, func(dst []byte) []byte { return changeset.AppendSet(dst, &set) })
	return nil
}

// visibleSet returns what the request's user sees of a change set. The operations of others, and what was changed by them, are shown only
// to who sees the whole graph; others read the diff.
func (c *call) visibleSet(set changeset.Set) changeset.Set {
	if rules.ViewOf(c.ctx()).ShowsAll() {
		return set
	}
	set.Changes = nil
	if !c.seesOperations(&set) {
		set.Operations = "null"
	}
	return set
}

// seesOperations reports whether the request's user sees the operations of a change set: its author, and who sees the whole graph.
func (c *call) seesOperations(set *changeset.Set) bool {
	return set.Author.ID == c.subject.UserID || rules.ViewOf(c.ctx()).ShowsAll()
}

// needsGrants reports whether an operation is allowed to a user by grants only.
func needsGrants(p auth.Principal, operations []graph.Operation) bool {
	return slices.ContainsFunc(operations, func(o graph.Operation) bool { return !p.May(operationPermissions[o.Op]) })
}

// actingUser is the user whose rights decide about the request. Of a proposal it is the author, otherwise who edits, approves, comments or
// reads.
func (c *call) actingUser() changeset.User {
	return changeset.User{ID: c.subject.UserID, Name: c.subject.Username, MakerID: c.subject.MakerID}
}

// readTextMember reads a text with a maximum size in bytes; given is false if it is absent.
func readTextMember(o *typedjson.Object, name string, required bool, maxBytes int) (text string, given bool) {
	if required {
		text, given = o.String(name), o.Has(name)
	} else {
		text, given = o.OptionalString(name)
	}
	switch {
	case !given:
	case required && strings.TrimSpace(text) == "":
		o.Invalid(name, "must not be empty")
	case len(text) > maxBytes:
		o.Invalid(name, "must be at most %d bytes long", maxBytes)
	}
	return text, given
}

// readTitle reads the title of a change set, which is a name of at most changeset.MaxTitle bytes.
func readTitle(o *typedjson.Object) string {
	title, given := readTextMember(o, "title", true, changeset.MaxTitle)
	if given && strings.TrimSpace(title) != "" {
		o.Add(graph.CheckName("title", title, changeset.MaxTitle))
	}
	return title
}

// getChangeSet answers GET /api/changesets/{id}.
//
//	@Summary		Read a change set
//	@Description	operations are those of POST /api/batch, events who did what when, and changes the ids of the recorded changes of an
//	@Description	applied one. To a user who sees only parts of the graph, operations is null unless the user is the author, and changes is
//	@Description	empty.
//	@Tags			Change sets
//	@Param			id				path		string	true	"Id of the change set"
//	@Param			If-None-Match	header		string	false	"ETags"
//	@Success		200				{object}	Answer[ChangeSetDocument]
//	@Header			200				{string}	ETag	"For If-Match"
//	@Success		304				"It has one of the ETags of If-None-Match"
//	@Router			/api/changesets/{id} [get]
func (a *API) getChangeSet(c *call) error {
	when := conditions{noneMatch: c.readIfNoneMatch()}
	set, err := c.readChangeSet()
	if err != nil {
		return err
	}
	set = c.visibleSet(set)
	return c.sendEntity(set.Revision(), when, func(dst []byte) []byte { return changeset.AppendSet(dst, &set) })
}

// readChangeSet reads the change set of the path, after the input was validated.
func (c *call) readChangeSet() (changeset.Set, error) {
	id := c.readPathValue("id")
	if err := c.validateWithID("change set", id); err != nil {
		return changeset.Set{}, err
	}
	return c.api.options.ChangeSets.ChangeSet(c.ctx(), id)
}

// readAuthorizedChangeSet is readChangeSet for a request that acts on it. It audits a refusal of authorizeAction, and checks If-Match. If
// the action needs the permissions of the operations, these are returned.
func (c *call) readAuthorizedChangeSet(action changeset.Action) (changeset.Set, []graph.Operation, error) {
	when := c.readIfMatch()
	set, err := c.readChangeSet()
	if err != nil {
		return set, nil, err
	}
	operations, err := c.authorizeAction(&set, action)
	if err != nil {
		c.auditRefusal(err)
		return set, nil, err
	}
	if !when.Allows(set.Revision()) {
		return set, nil, errSetDiffers()
	}
	return set, operations, nil
}

// authorizeAction checks what the request's user needs for an action on a change set. If that are the permissions of the operations, these
// are returned.
func (c *call) authorizeAction(set *changeset.Set, action changeset.Action) ([]graph.Operation, error) {
	if err := changeset.CheckUser(action, set.Author, c.actingUser(), c.api.options.SelfApproval); err != nil {
		return nil, err
	}
	if !action.NeedsPermissions() {
		return nil, nil
	}
	operations, err := c.decodeOperations(set)
	if err != nil {
		return nil, err
	}
	if err := c.hideOperations(set, operations, c.authorizeOperations(operations)); err != nil {
		return nil, err
	}
	if action != changeset.Apply && needsGrants(c.principal, operations) { // applying checks them under their locks
		return operations, c.countAndAuthorizeOperations(set, action, operations)
	}
	return operations, nil
}

// countAndAuthorizeOperations counts the operations of a change set, whose status allows an action, against the rate limit, and checks that
// the grants of the request's user allow all of them.
func (c *call) countAndAuthorizeOperations(set *changeset.Set, action changeset.Action, operations []graph.Operation) error {
	if _, err := set.Status.After(action); err != nil {
		return err
	}
	if err := c.countOperations(operations); err != nil {
		return err
	}
	return c.hideParts(set, operations, c.api.options.ChangeSets.Authorize(c.ctx(), operations))
}

// decodeOperations reads the stored operations as those of a batch.
func (c *call) decodeOperations(set *changeset.Set) ([]graph.Operation, error) {
	o, f := typedjson.ParseObject([]byte(`{"operations":` + set.Operations + `}`))
	if f != nil {
		return nil, f
	}
	operations := c.readOperations(o)
	if f := o.Finish(); f != nil { // a limit was lowered since
		return nil, f
	}
	return operations, nil
}

// updateChangeSet answers PUT and PATCH /api/changesets/{id}.
//
//	@Summary		Edit a change set
//	@Description	Replaces the members given. Only its author may, while it is open or approved; an approved one becomes open again. New
//	@Description	operations are based on what their entities are now.
//	@Tags			Change sets
//	@Param			id			path		string			true	"Id of the change set"
//	@Param			If-Match	header		string			false	"ETag of the change set"
//	@Param			body		body		ChangeSetEdit	true	"What to replace"
//	@Success		200			{object}	Answer[ChangeSetDocument]
//	@Header			200			{string}	ETag	"For If-Match"
//	@Failure		409			"CONFLICT: its status; more than one node or more than one edge has an id; change sets too large together"
//	@Router			/api/changesets/{id} [put]
//	@Router			/api/changesets/{id} [patch]
func (a *API) updateChangeSet(c *call) error {
	o := c.parseObject()
	var edited changeset.Edited
	if o != nil {
		edited = c.readEdit(o)
		c.addProblem(o.Finish())
	}
	set, _, err := c.readAuthorizedChangeSet(changeset.Edit)
	if err != nil {
		return err
	}
	if err := c.countOperations(edited.Operations); err != nil {
		return err
	}
	set, err = a.options.ChangeSets.Change(c.ctx(), set, changeset.Event{User: c.actingUser(), Action: changeset.Edit}, edited)
	if err != nil {
		return err
	}
	c.api.options.Observer.ChangeSet(string(changeset.Edit))
	c.sendChangeSet(&set)
	return nil
}

func (c *call) readEdit(o *typedjson.Object) (e changeset.Edited) {
	if o.Has("title") {
		title := readTitle(o)
		e.Title = &title
	}
	if text, given := readTextMember(o, "description", false, changeset.MaxDescription); given {
		e.Description = &text
	}
	if o.Has("operations") {
		e.Operations = c.readOperations(o)
	}
	if e.Title == nil && e.Description == nil && !o.Has("operations") {
		o.Invalid("body", "must have title, description or operations")
	}
	return e
}

// diffChangeSet answers GET /api/changesets/{id}/diff.
//
//	@Summary		Show what a change set would change
//	@Description	Computed now: each entity that the operations concern with its states before and after, edges that go with a deleted node,
//	@Description	conflicts, and violations of declared types, of unique keys and of other uniqueness constraints. A new entity has its
//	@Description	ref, or null, instead of an id. A user with roles gets what these show of the states before and after. Every 100
//	@Description	operations, or part of them, count as one request for the rate limit.
//	@Tags			Change sets
//	@Param			id	path		string	true	"Id of the change set"
//	@Success		200	{object}	Answer[ChangeSetDiff]
//	@Router			/api/changesets/{id}/diff [get]
func (a *API) diffChangeSet(c *call) error {
	set, err := c.readChangeSet()
	if err != nil {
		return err
	}
	operations, err := c.decodeOperations(&set)
	if err != nil {
		return err
	}
	if err := c.countOperations(operations); err != nil {
		return err
	}
	diff, err := a.options.ChangeSets.Diff(c.ctx(), set, c.actingUser(), operations)
	if err != nil {
		return err
	}
	c.send(http.StatusOK, func(dst []byte) []byte { return changeset.AppendDiff(dst, &diff) })
	return nil
}

// commentOnChangeSet answers POST /api/changesets/{id}/comments.
//
//	@Summary		Comment on a change set
//	@Tags			Change sets
//	@Param			id		path		string				true	"Id of the change set"
//	@Param			body	body		NewChangeSetComment	true	"The comment"
//	@Success		201		{object}	Answer[ChangeSetComment]
//	@Failure		409		"CONFLICT: it has too many comments, in total or of this user"
//	@Router			/api/changesets/{id}/comments [post]
func (a *API) commentOnChangeSet(c *call) error {
	id := c.readPathValue("id")
	comment := changeset.Comment{User: c.actingUser()}
	o := c.parseObject()
	if o != nil {
		comment.Text, _ = readTextMember(o, "text", true, changeset.MaxComment)
		c.addProblem(o.Finish())
	}
	if err := c.validateWithID("change set", id); err != nil {
		return err
	}
	comment, err := a.options.ChangeSets.Comment(c.ctx(), id, comment)
	if err != nil {
		return err
	}
	c.send(http.StatusCreated, func(dst []byte) []byte { return changeset.AppendComment(dst, &comment) })
	return nil
}
