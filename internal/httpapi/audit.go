package httpapi

import (
	"errors"

	"graphrest/internal/audit"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/rules"
)

// identifyActor returns the request's user and origin for the audit log.
func (c *call) identifyActor() audit.Actor {
	n := requestLogOf(c.gin)
	a := audit.Actor{
		User: c.principal.Username, UserID: c.principal.UserID, RequestID: n.requestID,
		Address: c.gin.ClientIP(), // trusts forwarding headers of configured proxies only
	}
	if n.agent != (audit.Agent{}) {
		a.Agent = n.agent
	} else if c.route.Path == mcpPath {
		a.Agent.Via = audit.MCP
	}
	if c.principal.PersonalToken {
		a.Token, a.TokenID = c.principal.TokenName, c.principal.TokenID
	}
	if n.gatewayID != n.requestID {
		a.GatewayID = n.gatewayID
	}
	return a
}

// auditChanges adds the actor to the context of a request that may write. New names count against the user's name budget; an
// administrator has no budget, since administrators set its size.
func (c *call) auditChanges() {
	if !c.route.mayWrite() {
		return
	}
	c.context = audit.WithActor(c.context, c.identifyActor())
	if !c.principal.Admin {
		c.context = graph.WithNameBudget(c.context, c.principal.UserID)
	}
}

// auditRefusal records a request that was rejected because of its token or its user, at most once. A request without a token, or with an
// expired one, is not recorded.
func (c *call) auditRefusal(err error) {
	if c.refused || c.viewAs != nil { // an administrator views as another user, who has not sent this request
		return
	}
	switch code := fault.CodeOf(err); code {
	case fault.InvalidToken, fault.TokenRevoked, fault.PermissionDenied:
		c.refused = true
		c.api.options.RefusalAudit.AddRefusal(audit.Entry{
			Actor: c.identifyActor(), Action: audit.Request, Kind: audit.Route, Code: string(code),
			Entity: c.route.Method + " " + c.route.Template(), Name: c.refusedBy(err),
		})
	}
}

// refusedBy describes why the rules forbid a request: the grants that match and do not allow it, or that no grant matches.
func (c *call) refusedBy(err error) string {
	if c.route.Rules.mode != rulesObeyed || fault.CodeOf(err) != fault.PermissionDenied {
		return ""
	}
	var refusal rules.Refusal
	errors.As(err, &refusal)
	return refusal.Error()
}

// listAudit answers GET /api/admin/audit.
//
//	@Summary		Read the audit log
//	@Description	Who did what, to what, when and from where, newest first. Changes are recorded in their own transaction; rejected requests follow
//	@Description	within seconds, equal ones as one entry with a count. Entries contain the names of changed properties, never values.
//	@Description	The work per page is bounded: with a filter a page may have fewer entries than limit, or none, while has_more is true.
//	@Tags			Audit
//	@Param			user		query		string	false	"Name or id of who did it"	example(ann)
//	@Param			action		query		string	false	"What was done"
//	@Param			kind		query		string	false	"What it was done to"
//	@Param			entity		query		string	false	"Id of a node, an edge, a user or a token; or a name of a user or a service token"	example(01938c3e-0b7a-7c3e-9d0a-5f0c6a1b2c3d)
//	@Param			outcome		query		string	false	"Whether it was done"
//	@Param			request_id	query		string	false	"X-Request-ID of the request, or the id that the gateway gave it"
//	@Param			since		query		string	false	"At this time (RFC 3339) or later"	format(date-time)	example(2026-11-21T07:00:00Z)
//	@Param			until		query		string	false	"Before this time"			format(date-time)	example(2026-11-22T07:00:00Z)
//	@Success		200			{object}	ListAnswer[AuditDocument]
//	@Header			200			{string}	Link	"The next page"
//	@Router			/api/admin/audit [get]
func (a *API) listAudit(c *call) error {
	page := c.readPaging()
	q := audit.Query{
		User: c.readIdentifier("user"), Entity: c.readIdentifier("entity"), RequestID: c.readIdentifier("request_id"),
		Action: audit.Action(c.readOptionalEnum("action", audit.Actions())), Kind: audit.Kind(c.readOptionalEnum("kind", audit.Kinds())),
		Outcome: audit.Outcome(c.readOptionalEnum("outcome", audit.Outcomes())),
		Since:   c.readTimestamp("since"), Until: c.readTimestamp("until"), Limit: page.limit, After: page.after,
	}
	if !q.Since.IsZero() && !q.Until.IsZero() && !q.Since.Before(q.Until) {
		c.invalid("until", "must be later than since")
	}
	if err := c.validate(); err != nil {
		return err
	}
	if a.options.AuditReader == nil {
		return notFound()
	}
	found, err := a.options.AuditReader.Entries(c.ctx(), q)
	if err != nil {
		return err
	}
	sendList(c, page, graph.Page[audit.Entry]{Items: found.Entries, Next: found.Next}, func(dst []byte, e *audit.Entry) []byte {
		return appendJSON(auditDocument(*e))(dst)
	})
	return nil
}

func auditDocument(e audit.Entry) AuditDocument {
	fields := e.Fields
	if fields == nil {
		fields = []string{}
	}
	gatewayID := e.Actor.GatewayID
	if gatewayID == "" {
		gatewayID = e.Actor.RequestID
	}
	return AuditDocument{
		At: e.At.UTC(), User: optionalText(e.Actor.User), UserID: optionalText(e.Actor.UserID), Action: string(e.Action), Kind: string(e.Kind),
		Entity: optionalText(e.Entity), Name: optionalText(e.Name), Fields: fields, Outcome: string(e.Outcome), Code: optionalText(e.Code),
		Count: e.Count, RequestID: optionalText(e.Actor.RequestID), GatewayRequestID: optionalText(gatewayID),
		Address: optionalText(e.Actor.Address), Token: optionalText(e.Actor.Token), TokenID: optionalText(e.Actor.TokenID),
		Via: optionalText(e.Actor.Agent.Via), Tool: optionalText(e.Actor.Agent.Tool), Client: optionalText(e.Actor.Agent.Client),
	}
}
