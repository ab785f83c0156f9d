package httpapi

import (
	"net/http"

	"graphrest/internal/graph"
	"graphrest/internal/query"
	"graphrest/internal/queryguard"
)

const (
	queriesPath      = "/api/queries"
	adminQueriesPath = "/api/admin/queries"
)

// savedQueryData is a saved query as administrators see it.
func savedQueryData(q *query.Query) appender {
	return func(dst []byte) []byte { return append(appendSavedQuery(append(dst, '{'), q), '}') }
}

func appendSavedQuery(dst []byte, q *query.Query) []byte {
	dst = append(query.AppendDefinition(dst, &q.Definition), ',')
	return appendMembers(dst, SavedQueryVersion{
		Version: q.Version, CypherVersion: q.Language, Columns: nonNil(q.Columns), Operators: nonNil(q.Operators), Author: q.Author,
		CreatedAt: q.CreatedAt, UpdatedAt: q.UpdatedAt,
	})
}

// appendMembers appends the members of a document without its braces.
func appendMembers(dst []byte, document any) []byte {
	written := appendJSON(document)(nil)
	return append(dst, written[1:len(written)-1]...)
}

// savedData is savedQueryData with the warnings of the database about the text that was saved.
func (c *call) savedData(q *query.Query, checked queryguard.Checked) appender {
	return func(dst []byte) []byte {
		dst = appendSavedQuery(append(dst, '{'), q)
		if warnings := c.warningDocuments(checked); len(warnings) > 0 {
			dst = appendMembers(append(dst, ','), SavedQueryWarnings{Warnings: warnings})
		}
		return append(dst, '}')
	}
}

// listSavedQueries answers GET /api/admin/queries.
//
//	@Summary		List saved queries
//	@Description	All saved queries by name.
//	@Tags			Saved queries
//	@Success		200		{object}	ListAnswer[SavedQueryDocument]
//	@Router			/api/admin/queries [get]
func (a *API) listSavedQueries(c *call) error {
	page := c.readPaging()
	if err := c.validate(); err != nil {
		return err
	}
	set, err := a.options.Queries.All(c.ctx())
	if err != nil {
		return err
	}
	all := mapSlice(set.Names, func(name string) *query.Query { return set.ByName[name] })
	found := pageByName(all, page, func(q *query.Query) string { return q.Name })
	sendList(c, page, found, func(dst []byte, q **query.Query) []byte { return savedQueryData(*q)(dst) })
	return nil
}

// createSavedQuery answers POST /api/admin/queries.
//
//	@Summary		Save a query
//	@Description	The query is judged by its plan: see docs/query-guard.md. It runs with the rights of its
//	@Description	definition: whoever may run it sees what
//	@Description	it returns; the grants of roles do not reach inside. A parameter is a JSON Schema (with neo4jType),
//	@Description	with default, description,
//	@Description	choices (a saved query whose first column lists values for forms) and from, which fills it from the
//	@Description	caller: $user.username,
//	@Description	$user.id or $user.attributes.x. There may be 500 saved queries.
//	@Tags			Saved queries
//	@Param			body	body		SavedQueryBody	true	"The query"
//	@Success		201		{object}	Answer[SavedQueryDocument]
//	@Header			201		{string}	Location	"Path of the saved query"
//	@Header			201		{string}	ETag		"For If-Match"
//	@Failure		409		"CONFLICT: the name is taken, or there are too many"
//	@Failure		422		"QUERY_REJECTED: the guard does not allow the query; the details say why"
//	@Router			/api/admin/queries [post]
func (a *API) createSavedQuery(c *call) error {
	d := query.NewDefinition()
	o := c.parseObject()
	if o != nil {
		d = query.ParseDefinition(o, d, a.options.QueryTimeout)
		if !o.Has("name") || o.Null("name") {
			o.Invalid("name", "is required")
		}
		if d.Pattern == "" && (!o.Has("cypher") || o.Null("cypher")) {
			o.Invalid("cypher", "is required, or pattern")
		}
	}
	if err := c.finish(o); err != nil {
		return err
	}
	q, checked, err := a.options.Queries.Save(c.ctx(), d, c.author(), true, graph.Precondition{})
	if err != nil {
		return err
	}
	c.sendCreated(adminQueriesPath, q.Name, q.Revision(), false, c.savedData(q, checked))
	return nil
}

// getSavedQuery answers GET /api/admin/queries/{name}.
//
//	@Summary		Read a saved query
//	@Tags			Saved queries
//	@Param			name			path		string	true	"Name of the saved query"
//	@Param			If-Match		header		string	false	"ETags"
//	@Param			If-None-Match	header		string	false	"ETags"
//	@Success		200				{object}	Answer[SavedQueryDocument]
//	@Header			200				{string}	ETag	"For If-Match"
//	@Success		304				"It has one of the ETags of If-None-Match"
//	@Router			/api/admin/queries/{name} [get]
func (a *API) getSavedQuery(c *call) error {
	name := c.readPathValue("name")
	when := c.readConditions()
	if err := c.validateWithID("saved query", name); err != nil {
		return err
	}
	q, err := a.savedQuery(c, name)
	if err != nil {
		return err
	}
	return c.sendEntity(q.Revision(), when, savedQueryData(q))
}

func (a *API) savedQuery(c *call, name string) (*query.Query, error) {
	set, err := a.options.Queries.All(c.ctx())
	if err != nil {
		return nil, err
	}
	return set.Query(name)
}

// updateSavedQuery answers PUT and PATCH /api/admin/queries/{name}.
//
//	@Summary		Save another version of a query
//	@Description	Only the given members change; parameters and allow are replaced as a whole. The query is judged
//	@Description	again, and keeps the Cypher version
//	@Description	that the database has now. The name cannot be changed. It counts at once, on other replicas within
//	@Description	a second. PUT and PATCH are the same.
//	@Tags			Saved queries
//	@Param			name		path		string			true	"Name of the saved query"
//	@Param			If-Match	header		string			false	"ETag of the saved query"
//	@Param			body		body		SavedQueryChangeBody	true	"The changed members"
//	@Success		200			{object}	Answer[SavedQueryDocument]
//	@Header			200			{string}	ETag	"For If-Match"
//	@Failure		422			"QUERY_REJECTED: the guard does not allow the query; the details say why"
//	@Router			/api/admin/queries/{name} [put]
//	@Router			/api/admin/queries/{name} [patch]
func (a *API) updateSavedQuery(c *call) error {
	name := c.readPathValue("name")
	when := c.readIfMatch()
	o := c.parseObject()
	var d query.Definition
	var missing error
	var before *query.Query
	if o != nil {
		d = query.NewDefinition()
		if before, missing = a.savedQuery(c, name); missing == nil {
			d = before.Definition
		}
		d = query.ParseDefinition(o, d, a.options.QueryTimeout)
		if missing == nil && d.Name != name {
			o.Invalid("name", "cannot be changed")
		}
		c.addProblem(o.Finish())
	}
	if err := c.validateWithID("saved query", name); err != nil {
		return err
	}
	if missing != nil {
		return missing
	}
	if !when.Present() { // what was not given is that of this version
		when = graph.Precondition{Revisions: []graph.Revision{before.Revision()}}
	}
	q, checked, err := a.options.Queries.Save(c.ctx(), d, c.author(), false, when)
	if err != nil {
		return err
	}
	c.setETag(q.Revision())
	c.send(http.StatusOK, c.savedData(q, checked))
	return nil
}

// deleteSavedQuery answers DELETE /api/admin/queries/{name}.
//
//	@Summary		Delete a saved query
//	@Description	With all its versions.
//	@Tags			Saved queries
//	@Param			name		path		string	true	"Name of the saved query"
//	@Param			If-Match	header		string	false	"ETag of the saved query"
//	@Success		200			{object}	Answer[SavedQueryDeletionDocument]
//	@Router			/api/admin/queries/{name} [delete]
func (a *API) deleteSavedQuery(c *call) error {
	name := c.readPathValue("name")
	when := c.readIfMatch()
	if err := c.validateWithID("saved query", name); err != nil {
		return err
	}
	if err := a.options.Queries.Delete(c.ctx(), name, when); err != nil {
		return err
	}
	c.send(http.StatusOK, appendJSON(SavedQueryDeletionDocument{Name: name, Deleted: true}))
	return nil
}

// listSavedQueryVersions answers GET /api/admin/queries/{name}/versions.
//
//	@Summary		List the versions of a saved query
//	@Description	The newest first; the last 100 are kept.
//	@Tags			Saved queries
//	@Param			name	path		string	true	"Name of the saved query"
//	@Success		200		{object}	Answer[[]PastQueryDocument]
//	@Router			/api/admin/queries/{name}/versions [get]
func (a *API) listSavedQueryVersions(c *call) error {
	name := c.readPathValue("name")
	if err := c.validateWithID("saved query", name); err != nil {
		return err
	}
	versions, err := a.options.Queries.Versions(c.ctx(), name)
	if err != nil {
		return err
	}
	c.write(http.StatusOK, listData(versions, func(dst []byte, q **query.Query) []byte { return savedQueryData(*q)(dst) }), nil)
	return nil
}
