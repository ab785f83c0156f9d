package httpapi

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"graphrest/internal/auth"
	"graphrest/internal/graph"
	"graphrest/internal/savedview"
	"graphrest/internal/typedjson"
)

const savedViewsPath = "/api/views"

// viewer returns the request's user for saved views.
func (c *call) viewer() savedview.User { return savedViewUser(c.principal) }

func savedViewUser(p auth.Principal) savedview.User {
	return savedview.User{ID: p.UserID, Roles: p.Roles, Admin: p.Admin && p.RequireLogin() == nil}
}

func savedViewSummary(v *savedview.SavedView) SavedViewSummary {
	return SavedViewSummary{
		ID: v.ID, Name: v.Name, Description: v.Description, Page: string(v.Page), Owner: v.Owner, Own: v.Own, Roles: v.Roles,
		Everyone: v.Everyone, Version: v.Version, CreatedAt: v.CreatedAt, UpdatedAt: v.UpdatedAt,
	}
}

func savedViewData(v *savedview.SavedView) appender {
	return appendJSON(SavedViewDocument{SavedViewSummary: savedViewSummary(v), State: json.RawMessage(v.State)})
}

// listSavedViews answers GET /api/views.
//
//	@Summary		List saved views
//	@Description	Those of the user and those that are shared with the user, newest first, without their states.
//	@Tags			Saved views
//	@Param			page	query		string	false	"Only those of this page"								Enums(nodes, edges, explore)
//	@Param			owner	query		string	false	"Only those of the user, or only those of others"	Enums(me, others)
//	@Success		200		{object}	ListAnswer[SavedViewSummary]
//	@Header			200		{string}	Link	"rel=next: the next page, absent on the last"
//	@Router			/api/views [get]
func (a *API) listSavedViews(c *call) error {
	page := c.readPaging()
	q := savedview.Query{
		Page: savedview.Page(c.readOptionalEnum("page", savedview.Pages())), Limit: page.limit, After: string(page.after),
	}
	if owner := c.readOptionalEnum("owner", []string{"me", "others"}); owner != "" {
		own := owner == "me"
		q.Own = &own
	}
	if err := c.validate(); err != nil {
		return err
	}
	found, err := a.options.SavedViews.SavedViews(c.ctx(), c.viewer(), q)
	if err != nil {
		return err
	}
	sendList(c, page, graph.Page[savedview.SavedView]{Items: found.Views, Next: toPosition(found.Next)},
		func(dst []byte, v *savedview.SavedView) []byte { return appendJSON(savedViewSummary(v))(dst) })
	return nil
}

// createSavedView answers POST /api/views.
//
//	@Summary		Save a view
//	@Description	state is what a client needs to show the page again, such as filters, columns and the positions of a canvas. It is
//	@Description	kept as a JSON value of at most 256 KiB and not interpreted: clients must check what others have saved. A saved view is
//	@Description	private unless it is shared with roles of its owner (administrators: any roles) or with everyone. It grants no rights to
//	@Description	the graph. A user may have 100; they are deleted with the user. Service tokens cannot save views.
//	@Tags			Saved views
//	@Param			body	body		NewSavedViewBody	true	"The saved view"
//	@Success		201		{object}	Answer[SavedViewDocument]
//	@Header			201		{string}	Location	"Path of the saved view"
//	@Header			201		{string}	ETag		"For If-Match"
//	@Failure		409		"CONFLICT: the user has too many"
//	@Router			/api/views [post]
func (a *API) createSavedView(c *call) error {
	var v savedview.New
	o := c.parseObject()
	if o != nil {
		v.Name = o.String("name")
		change := readSavedViewMembers(o)
		if !o.Has("page") || o.Null("page") {
			o.Invalid("page", "is required")
		}
		if !o.Has("state") || o.Null("state") {
			o.Invalid("state", "is required")
		}
		setGiven(&v.Description, change.Description)
		setGiven(&v.Page, change.Page)
		setGiven(&v.State, change.State)
		setGiven(&v.Roles, change.Roles)
		setGiven(&v.Everyone, change.Everyone)
	}
	if err := c.finish(o); err != nil {
		return err
	}
	created, err := a.options.SavedViews.CreateSavedView(c.ctx(), c.viewer(), v)
	if err != nil {
		return err
	}
	c.sendCreated(savedViewsPath, created.ID, created.Revision(), false, savedViewData(&created))
	return nil
}

// readSavedViewMembers reads the members that creates and updates of saved views share.
func readSavedViewMembers(o *typedjson.Object) savedview.Change {
	var change savedview.Change
	if text, given := o.OptionalString("name"); given {
		o.Add(savedview.CheckName("name", text))
		change.Name = &text
	}
	if text, given := o.OptionalString("description"); given {
		o.Add(savedview.CheckDescription("description", text))
		change.Description = &text
	}
	if text, given := o.OptionalString("page"); given {
		if !slices.Contains(savedview.Pages(), text) {
			o.Invalid("page", "must be one of %s", strings.Join(savedview.Pages(), ", "))
		}
		page := savedview.Page(text)
		change.Page = &page
	}
	if tree, given := o.Tree("state"); given {
		state, f := savedview.EncodeState("state", tree)
		o.Add(f)
		change.State = &state
	}
	if names, given := o.OptionalStrings("roles"); given {
		if len(names) > savedview.MaxRoles {
			o.Invalid("roles", "must have at most %d names", savedview.MaxRoles)
		}
		change.Roles = &names
	}
	if everyone, given := o.OptionalBool("everyone"); given {
		change.Everyone = &everyone
	}
	return change
}

// getSavedView answers GET /api/views/{id}.
//
//	@Summary		Read a saved view
//	@Description	One that is neither the user's nor shared with the user does not exist for the user.
//	@Tags			Saved views
//	@Param			id				path		string	true	"Id of the saved view"
//	@Param			If-Match		header		string	false	"ETags"
//	@Param			If-None-Match	header		string	false	"ETags"
//	@Success		200				{object}	Answer[SavedViewDocument]
//	@Header			200				{string}	ETag	"For If-Match"
//	@Success		304				"It has one of the ETags of If-None-Match"
//	@Router			/api/views/{id} [get]
func (a *API) getSavedView(c *call) error {
	id := c.readPathValue("id")
	when := c.readConditions()
	if err := c.validateWithID("saved view", id); err != nil {
		return err
	}
	v, err := a.options.SavedViews.SavedView(c.ctx(), c.viewer(), id)
	if err != nil {
		return err
	}
	return c.sendEntity(v.Revision(), when, savedViewData(&v))
}

// updateSavedView answers PUT and PATCH /api/views/{id}.
//
//	@Summary		Change a saved view
//	@Description	Only the given members change; state and roles are replaced as a whole. Only its owner may. Roles that it
//	@Description	is shared with already may stay, also if the owner does not have them any more. PUT and PATCH are the same.
//	@Tags			Saved views
//	@Param			id			path		string				true	"Id of the saved view"
//	@Param			If-Match	header		string				false	"ETag of the saved view"
//	@Param			body		body		SavedViewChangeBody	true	"The changed members"
//	@Success		200			{object}	Answer[SavedViewDocument]
//	@Header			200			{string}	ETag	"For If-Match"
//	@Router			/api/views/{id} [put]
//	@Router			/api/views/{id} [patch]
func (a *API) updateSavedView(c *call) error {
	id := c.readPathValue("id")
	when := c.readIfMatch()
	var change savedview.Change
	o := c.parseObject()
	if o != nil {
		change = readSavedViewMembers(o)
		for _, name := range []string{"name", "description", "page", "state", "roles", "everyone"} {
			if o.Null(name) {
				o.Invalid(name, "must not be null")
			}
		}
		c.addProblem(o.Finish())
	}
	if err := c.validateWithID("saved view", id); err != nil {
		return err
	}
	v, err := a.options.SavedViews.UpdateSavedView(c.ctx(), c.viewer(), id, change, when)
	if err != nil {
		return err
	}
	c.setETag(v.Revision())
	c.send(http.StatusOK, savedViewData(&v))
	return nil
}

// deleteSavedView answers DELETE /api/views/{id}.
//
//	@Summary		Delete a saved view
//	@Description	Its owner may, and an administrator.
//	@Tags			Saved views
//	@Param			id			path		string	true	"Id of the saved view"
//	@Param			If-Match	header		string	false	"ETag of the saved view"
//	@Success		200			{object}	Answer[SavedViewDeletionDocument]
//	@Router			/api/views/{id} [delete]
func (a *API) deleteSavedView(c *call) error {
	id := c.readPathValue("id")
	when := c.readIfMatch()
	if err := c.validateWithID("saved view", id); err != nil {
		return err
	}
	if err := a.options.SavedViews.DeleteSavedView(c.ctx(), c.viewer(), id, when); err != nil {
		return err
	}
	c.send(http.StatusOK, appendJSON(SavedViewDeletionDocument{ID: id, Deleted: true}))
	return nil
}
