package httpapi

import (
	"net/http"

	"graphrest/internal/answer"
	"graphrest/internal/audit"
	"graphrest/internal/auth"
	"graphrest/internal/declared"
	"graphrest/internal/graph"
	"graphrest/internal/query"
	"graphrest/internal/queryguard"
	"graphrest/internal/typedjson"
)

// queryCaller returns who runs a query: the one whose rights decide.
func queryCaller(p auth.Principal) query.Caller {
	return query.Caller{UserID: p.UserID, Username: p.Username, Attributes: p.Attributes, MayRun: p.MayRun, MayRead: readsSomePart(p)}
}

func appendRunnable(dst []byte, q *query.Query) []byte {
	dst = typedjson.AppendString(append(dst, `{"name":`...), q.Name)
	dst = typedjson.AppendString(append(dst, `,"description":`...), q.Description)
	dst = query.AppendParameters(append(dst, `,"parameters":`...), q)
	dst = appendJSON(mapSlice(q.Columns, func(name string) ColumnDocument { return ColumnDocument{Name: name, Types: []string{}} }))(
		append(dst, `,"columns":`...))
	return append(appendMembers(append(dst, ','), RunnableVersion{Version: q.Version}), '}')
}

// listQueries answers GET /api/queries.
//
//	@Summary		List the queries that one may run
//	@Description	With the permission query all saved queries, otherwise those that a role of the caller names.
//	@Description	Parameters that are filled from
//	@Description	the caller are left out. The types of columns are known from answers only.
//	@Tags			Queries
//	@Success		200		{object}	ListAnswer[RunnableQueryDocument]
//	@Router			/api/queries [get]
func (a *API) listQueries(c *call) error {
	page := c.readPaging()
	if err := c.validate(); err != nil {
		return err
	}
	runnable, err := a.options.Queries.Runnable(c.ctx(), queryCaller(c.subject))
	if err != nil {
		return err
	}
	found := pageByName(runnable, page, func(q *query.Query) string { return q.Name })
	sendList(c, page, found, func(dst []byte, q **query.Query) []byte { return appendRunnable(dst, *q) })
	return nil
}

// getQuery answers GET /api/queries/{name}.
//
//	@Summary		Read a query that one may run
//	@Description	One that the caller may not run does not exist for the caller.
//	@Tags			Queries
//	@Param			name	path		string	true	"Name of the query"
//	@Success		200		{object}	Answer[RunnableQueryDocument]
//	@Router			/api/queries/{name} [get]
func (a *API) getQuery(c *call) error {
	name := c.readPathValue("name")
	if err := c.validateWithID("saved query", name); err != nil {
		return err
	}
	q, err := a.options.Queries.Query(c.ctx(), queryCaller(c.subject), name)
	if err != nil {
		return err
	}
	c.send(http.StatusOK, func(dst []byte) []byte { return appendRunnable(dst, q) })
	return nil
}

// runQuery answers GET /api/queries/{name}/run.
//
//	@Summary		Run a query
//	@Description	Each parameter of the query is a query parameter, read by its declared type: since=2024-05-01 for a
//	@Description	Date, ids=1,2 or ids=[1,2] for a
//	@Description	list. A cell may be a node {"$node":id}, an edge {"$edge":id} or a path {"$path":[ids]}, which
//	@Description	stand once in nodes and edges. An
//	@Description	answer that is not whole says so: meta.truncated, or the header Graphrest-Truncated, is rows or bytes.
//	@Tags			Queries
//	@Produce		json,text/csv,application/x-ndjson
//	@Param			name	path		string	true	"Name of the query"
//	@Param			format	query		string	false	"Format of the answer, instead of the header Accept"	Enums(json, csv, ndjson)
//	@Success		200		{object}	Answer[AnswerDocument]
//	@Header			200		{string}	Graphrest-Truncated	"rows or bytes: why a CSV or NDJSON answer is not whole"
//	@Router			/api/queries/{name}/run [get]
func (a *API) runQuery(c *call) error {
	texts := map[string]string{}
	for _, p := range c.query {
		if p.name != "format" {
			texts[p.name] = p.value
		}
	}
	return a.runNamed(c, query.Given{Texts: texts})
}

// runQueryWithBody answers POST /api/queries/{name}/run.
//
//	@Summary		Run a query with a body
//	@Description	As GET, with the parameters in typed JSON.
//	@Tags			Queries
//	@Produce		json,text/csv,application/x-ndjson
//	@Param			name	path		string	true	"Name of the query"
//	@Param			format	query		string	false	"Format of the answer, instead of the header Accept"	Enums(json, csv, ndjson)
//	@Param			body	body		RunQueryBody	true	"The parameters"
//	@Success		200		{object}	Answer[AnswerDocument]
//	@Header			200		{string}	Graphrest-Truncated	"rows or bytes: why a CSV or NDJSON answer is not whole"
//	@Router			/api/queries/{name}/run [post]
func (a *API) runQueryWithBody(c *call) error {
	o := c.parseObject()
	given := query.Given{Values: map[string]graph.Value{}}
	if o != nil {
		given.Values = readParametersMember(o)
		c.addProblem(o.Finish())
	}
	return a.runNamed(c, given)
}

// parameterLimits are the limits of values that a call gives.
func parameterLimits() graph.Limits {
	limits := graph.DefaultLimits
	limits.String, limits.List, limits.Keys = 1<<20, 100_000, query.MaxParameters
	return limits
}

func readParametersMember(o *typedjson.Object) map[string]graph.Value {
	if !o.Has("parameters") || o.Null("parameters") {
		return map[string]graph.Value{}
	}
	return o.Parameters("parameters", false, parameterLimits())
}

func (a *API) runNamed(c *call, given query.Given) error {
	name := c.readPathValue("name")
	format := c.readAnswerFormat()
	if err := c.validateWithID("saved query", name); err != nil {
		return err
	}
	found, err := a.options.Queries.Run(c.ctx(), c.runner(name, given), name, given)
	return c.finishRun(found, format, err)
}

func (c *call) finishRun(found *answer.Answer, format answerFormat, err error) error {
	if err != nil {
		return err
	}
	c.sendAnswer(found, format)
	return nil
}

// author is who saves a query.
func (c *call) author() query.Caller {
	return query.Caller{Username: c.principal.Username, LimitedAs: c.principal.UserID}
}

// runner is who runs a query. The audit has each run that began, also one that failed, with the names of its parameters only.
func (c *call) runner(name string, given query.Given) query.Caller {
	caller := queryCaller(c.subject)
	caller.LimitedAs = c.principal.UserID
	caller.Began = func() {
		c.api.options.RefusalAudit.AddRun(audit.Entry{
			Actor: c.identifyActor(), Action: audit.Run, Kind: audit.SavedQuery, Entity: name, Fields: given.ParameterNames(),
		})
	}
	return caller
}

// runText answers POST /api/query.
//
//	@Summary		Run a query that is not saved
//	@Description	Under the guard of saved queries, with 1,000 rows and 16 MiB at most. With explain the query does
//	@Description	not run: the answer is the verdict
//	@Description	of the guard with its reasons, the plan and the estimated number of rows; a refused query is no error then.
//	@Tags			Queries
//	@Produce		json,text/csv,application/x-ndjson
//	@Param			format	query		string	false	"Format of the answer, instead of the header Accept"	Enums(json, csv, ndjson)
//	@Param			body	body		QueryTextBody	true	"The query"
//	@Success		200		{object}	Answer[AnswerDocument]
//	@Header			200		{string}	Graphrest-Truncated	"rows or bytes: why a CSV or NDJSON answer is not whole"
//	@Failure		422		"QUERY_REJECTED: the guard does not allow the query; the details say why"
//	@Router			/api/query [post]
func (a *API) runText(c *call) error {
	var text string
	var explain bool
	var parameters map[string]graph.Value
	o := c.parseObject()
	if o != nil {
		text = query.ParseText(o, "cypher", o.String("cypher"))
		explain, _ = o.OptionalBool("explain")
		parameters = readParametersMember(o)
	}
	format := c.readAnswerFormat()
	if err := c.finish(o); err != nil {
		return err
	}
	if explain {
		return a.explainText(c, text, parameters)
	}
	found, err := a.options.Queries.RunText(c.ctx(), c.runner(query.Console, query.Given{Values: parameters}), text, parameters)
	return c.finishRun(found, format, err)
}

func (a *API) explainText(c *call, text string, parameters map[string]graph.Value) error {
	verdict, err := a.options.Queries.Explain(c.ctx(), c.runner(query.Console, query.Given{}), text, parameters)
	if err != nil {
		return err
	}
	d := QueryExplanationDocument{
		Verdict: VerdictDocument{
			Accepted: verdict.Accepted,
			Reasons:  mapSlice(verdict.Reasons, func(r queryguard.Reason) ReasonDocument { return ReasonDocument(r) }),
		},
		Columns: nonNil(verdict.Checked.Columns), Operators: nonNil(verdict.Checked.Operators),
		EstimatedRows: verdict.Checked.EstimatedRows, Warnings: c.warningDocuments(verdict.Checked),
	}
	if verdict.Checked.Plan.Name != "" {
		d.Plan = verdict.Checked.Plan
	}
	c.send(http.StatusOK, appendJSON(d))
	return nil
}

// warningDocuments are the warnings that the caller may see: those about names tell what the whole graph has.
func (c *call) warningDocuments(checked queryguard.Checked) []WarningDocument {
	shown := []WarningDocument{}
	for _, w := range checked.Warnings {
		if !w.OfNames || c.principal.May(auth.Console) || c.principal.May(auth.Read) {
			shown = append(shown, WarningDocument{Line: w.Line, Column: w.Column, Message: w.Message})
		}
	}
	return shown
}

// describeQueries describes the saved queries that the caller may run.
func (c *call) describeQueries() ([]declared.Query, error) {
	if c.api.options.Queries == nil {
		return nil, nil
	}
	runnable, err := c.api.options.Queries.Runnable(c.ctx(), queryCaller(c.principal))
	if err != nil {
		return nil, err
	}
	return mapSlice(runnable, func(q *query.Query) declared.Query {
		d := declared.Query{
			Name: q.Name, Description: q.Description,
			Columns: mapSlice(q.Columns, func(name string) declared.QueryColumn { return declared.QueryColumn{Name: name} }),
		}
		for _, p := range q.GivenParameters() {
			d.Parameters = append(d.Parameters, declared.QueryParameter{Name: p.Name, Schema: p.Tree(), Required: !p.Optional})
		}
		return d
	}), nil
}
