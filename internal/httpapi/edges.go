package httpapi

import (
	"net/http"
	"strings"

	"graphrest/internal/graph"
	"graphrest/internal/typedjson"
)

// listEdges answers GET /api/edges.
//
//	@Summary		List edges
//	@Description	Edges ordered by type name, then by id. An end that does not exist gives an empty list. All parameters must match.
//	@Description	A page of large edges may be shorter than limit while has_more is true.
//	@Tags			Edges
//	@Produce		json
//	@Security		BearerAuth
//	@Param			type		query		string	false	"Only edges of this type"				example(ACTED_IN)
//	@Param			source_id	query		string	false	"Only edges that start at this node"
//	@Param			target_id	query		string	false	"Only edges that point to this node"
//	@Param			node_id		query		string	false	"Only edges with this node at either end"
//	@Param			limit		query		int		false	"Edges per page"						minimum(1)	maximum(1000)	default(100)
//	@Param			offset		query		int		false	"Edges to skip; not together with cursor"	minimum(0)	default(0)
//	@Param			cursor		query		string	false	"next_cursor of the previous page"
//	@Param			filter		query		string	false	"Conditions, all of which must match: filter[property][operator]=value; see the guide on lists"
//	@Param			sort		query		string	false	"Properties to sort by, comma-separated; a minus sign sorts in descending order; id is the last sort key, and entities without the property come last"	example(-born,name)
//	@Param			fields		query		string	false	"Returns only these properties: comma-separated names, or a JSON array of names"	example(name,born)
//	@Param			count		query		string	false	"exact: returns meta.page.total, whatever the cost"	Enums(exact)
//	@Success		200			{object}	EdgeListAnswer
//	@Header			200			{string}	Link	"rel=next: the next page, absent on the last"
//	@Failure		400			{object}	ErrorAnswer	"VALIDATION_ERROR"
//	@Failure		401			{object}	ErrorAnswer	"UNAUTHENTICATED, INVALID_TOKEN, TOKEN_EXPIRED or TOKEN_REVOKED"
//	@Failure		403			{object}	ErrorAnswer	"PERMISSION_DENIED: needs the permission read"
//	@Failure		429			{object}	ErrorAnswer	"RATE_LIMITED"
//	@Failure		500			{object}	ErrorAnswer	"INTERNAL"
//	@Failure		503			{object}	ErrorAnswer	"DATABASE_UNAVAILABLE"
//	@Failure		504			{object}	ErrorAnswer	"DATABASE_TIMEOUT"
//	@Router			/api/edges [get]
func (a *API) listEdges(c *call) error {
	page, fields := c.paging(), c.fields()
	q := graph.EdgeQuery{
		Type:     c.typeName("type"),
		SourceID: c.identifier("source_id"),
		TargetID: c.identifier("target_id"),
		NodeID:   c.identifier("node_id"),
		Filter:   c.filter(),
		Sort:     c.sort(),
		Paging:   page.store(),
	}
	if err := c.validate(); err != nil {
		return err
	}
	return c.answerEdges(page, q, fields)
}

func (c *call) answerEdges(page pageRequest, q graph.EdgeQuery, fields graph.Fields) error {
	found, err := c.api.options.Edges.Edges(c.ctx(), q)
	if err != nil {
		return err
	}
	for i := range found.Items {
		found.Items[i].Properties = fields.Select(found.Items[i].Properties)
	}
	sendList(c, page, found, appendAndRelease(typedjson.AppendEdge))
	return nil
}

// createEdge answers POST /api/edges.
//
//	@Summary		Create an edge
//	@Description	Both ends must exist; self-loops and parallel edges are allowed; properties may be left out. With an Idempotency-Key the same request
//	@Description	from the same user creates once within 24 hours and answers the same edge again.
//	@Tags			Edges
//	@Accept			json
//	@Produce		json
//	@Security		BearerAuth
//	@Param			Idempotency-Key	header		string		false	"1 to 255 visible ASCII characters"
//	@Param			body			body		NewEdgeBody	true	"The edge"
//	@Success		201				{object}	EdgeAnswer
//	@Header			201				{string}	Location			"Path of the edge"
//	@Header			201				{string}	ETag				"Revision of the edge"
//	@Header			201				{string}	Idempotent-Replayed	"true if an earlier request with the same key created it"
//	@Failure		400				{object}	ErrorAnswer			"VALIDATION_ERROR; an end that does not exist is named"
//	@Failure		401				{object}	ErrorAnswer			"UNAUTHENTICATED, INVALID_TOKEN, TOKEN_EXPIRED or TOKEN_REVOKED"
//	@Failure		403				{object}	ErrorAnswer			"PERMISSION_DENIED: needs the permission create"
//	@Failure		409				{object}	ErrorAnswer			"CONFLICT: a constraint in the database"
//	@Failure		413				{object}	ErrorAnswer			"PAYLOAD_TOO_LARGE"
//	@Failure		415				{object}	ErrorAnswer			"UNSUPPORTED_MEDIA_TYPE"
//	@Failure		422				{object}	ErrorAnswer			"IDEMPOTENCY_KEY_REUSED"
//	@Failure		429				{object}	ErrorAnswer			"RATE_LIMITED"
//	@Failure		500				{object}	ErrorAnswer			"INTERNAL"
//	@Failure		503				{object}	ErrorAnswer			"DATABASE_UNAVAILABLE"
//	@Failure		504				{object}	ErrorAnswer			"DATABASE_TIMEOUT"
//	@Router			/api/edges [post]
func (a *API) createEdge(c *call) error {
	e := graph.NewEdge{Key: c.idempotencyKey()}
	o := c.parseObject()
	if o != nil {
		e.Type = typeMember(o)
		e.SourceID = endMember(o, "source_id")
		e.TargetID = endMember(o, "target_id")
		e.Properties = o.NewProperties("properties", false, a.options.Limits)
	}
	if err := c.finish(o); err != nil {
		return err
	}
	created, err := a.options.Edges.CreateEdge(c.ctx(), e)
	if err != nil {
		return err
	}
	entity := &created.Entity
	if created.Replayed && !c.mayRead() { // the type and the ends of an edge never change
		entity = &graph.Edge{
			ID: entity.ID, Type: entity.Type, SourceID: entity.SourceID, TargetID: entity.TargetID, Properties: e.Properties,
		}
	}
	c.sendCreated("/api/edges/", entity.ID, entity.Revision(), created.Replayed, edgeData(entity))
	return nil
}

// getEdge answers GET /api/edges/{id}.
//
//	@Summary		Read an edge
//	@Description	The id may also be an element id of the database; the answer contains the edge's own id.
//	@Tags			Edges
//	@Produce		json
//	@Security		BearerAuth
//	@Param			id				path		string	true	"Id of the edge"
//	@Param			If-None-Match	header		string	false	"Known ETag of the edge; 304 if it is still current"
//	@Param			If-Match		header		string	false	"ETag that the edge must still have; 412 otherwise"
//	@Success		200				{object}	EdgeAnswer
//	@Header			200				{string}	ETag	"Revision of the edge"
//	@Success		304				"Not modified"
//	@Failure		400				{object}	ErrorAnswer	"VALIDATION_ERROR"
//	@Failure		401				{object}	ErrorAnswer	"UNAUTHENTICATED, INVALID_TOKEN, TOKEN_EXPIRED or TOKEN_REVOKED"
//	@Failure		403				{object}	ErrorAnswer	"PERMISSION_DENIED: needs the permission read"
//	@Failure		404				{object}	ErrorAnswer	"NOT_FOUND"
//	@Failure		409				{object}	ErrorAnswer	"CONFLICT: more than one edge has the id"
//	@Failure		412				{object}	ErrorAnswer	"PRECONDITION_FAILED"
//	@Failure		429				{object}	ErrorAnswer	"RATE_LIMITED"
//	@Failure		500				{object}	ErrorAnswer	"INTERNAL"
//	@Failure		503				{object}	ErrorAnswer	"DATABASE_UNAVAILABLE"
//	@Failure		504				{object}	ErrorAnswer	"DATABASE_TIMEOUT"
//	@Router			/api/edges/{id} [get]
func (a *API) getEdge(c *call) error {
	id, when := c.pathValue("id"), c.conditions()
	if err := c.validateWithID("edge", id); err != nil {
		return err
	}
	e, err := a.options.Edges.Edge(c.ctx(), id)
	if err != nil {
		return err
	}
	return c.sendEntity(e.Revision(), when, edgeData(&e))
}

// updateEdge answers PUT and PATCH /api/edges/{id}.
//
//	@Summary		Update an edge
//	@Description	Sets the properties given and removes those given as null; the others, the type and the ends stay. PUT and PATCH are the same.
//	@Description	A user without the permission read gets only id and type, without an ETag, and If-Match with an ETag never matches.
//	@Tags			Edges
//	@Accept			json
//	@Produce		json
//	@Security		BearerAuth
//	@Param			id			path		string		true	"Id of the edge"
//	@Param			If-Match	header		string		false	"ETag that the edge must still have"
//	@Param			body		body		ChangeBody	true	"The changed properties"
//	@Success		200			{object}	UpdatedEdgeAnswer
//	@Header			200			{string}	ETag	"Revision of the edge after the update"
//	@Failure		400			{object}	ErrorAnswer	"VALIDATION_ERROR"
//	@Failure		401			{object}	ErrorAnswer	"UNAUTHENTICATED, INVALID_TOKEN, TOKEN_EXPIRED or TOKEN_REVOKED"
//	@Failure		403			{object}	ErrorAnswer	"PERMISSION_DENIED: needs the permission edit"
//	@Failure		404			{object}	ErrorAnswer	"NOT_FOUND"
//	@Failure		409			{object}	ErrorAnswer	"CONFLICT: a constraint in the database"
//	@Failure		412			{object}	ErrorAnswer	"PRECONDITION_FAILED"
//	@Failure		413			{object}	ErrorAnswer	"PAYLOAD_TOO_LARGE"
//	@Failure		415			{object}	ErrorAnswer	"UNSUPPORTED_MEDIA_TYPE"
//	@Failure		429			{object}	ErrorAnswer	"RATE_LIMITED"
//	@Failure		500			{object}	ErrorAnswer	"INTERNAL"
//	@Failure		503			{object}	ErrorAnswer	"DATABASE_UNAVAILABLE"
//	@Failure		504			{object}	ErrorAnswer	"DATABASE_TIMEOUT"
//	@Router			/api/edges/{id} [put]
//	@Router			/api/edges/{id} [patch]
func (a *API) updateEdge(c *call) error {
	id, change, err := c.change("edge", "id")
	if err != nil {
		return err
	}
	e, err := a.options.Edges.UpdateEdge(c.ctx(), id, change)
	if err != nil {
		return c.explainPrecondition(err)
	}
	if !c.mayRead() {
		c.sendIDAndType(e.ID, e.Type)
		return nil
	}
	c.setETag(e.Revision())
	c.send(http.StatusOK, edgeData(&e))
	return nil
}

// deleteEdge answers DELETE /api/edges/{id}.
//
//	@Summary		Delete an edge
//	@Description	Its ends stay.
//	@Tags			Edges
//	@Produce		json
//	@Security		BearerAuth
//	@Param			id			path		string	true	"Id of the edge"
//	@Param			If-Match	header		string	false	"ETag that the edge must still have"
//	@Success		200			{object}	EdgeDeletionAnswer
//	@Failure		400			{object}	ErrorAnswer	"VALIDATION_ERROR"
//	@Failure		401			{object}	ErrorAnswer	"UNAUTHENTICATED, INVALID_TOKEN, TOKEN_EXPIRED or TOKEN_REVOKED"
//	@Failure		403			{object}	ErrorAnswer	"PERMISSION_DENIED: needs the permission delete"
//	@Failure		404			{object}	ErrorAnswer	"NOT_FOUND"
//	@Failure		409			{object}	ErrorAnswer	"CONFLICT: more than one edge has the id"
//	@Failure		412			{object}	ErrorAnswer	"PRECONDITION_FAILED"
//	@Failure		429			{object}	ErrorAnswer	"RATE_LIMITED"
//	@Failure		500			{object}	ErrorAnswer	"INTERNAL"
//	@Failure		503			{object}	ErrorAnswer	"DATABASE_UNAVAILABLE"
//	@Failure		504			{object}	ErrorAnswer	"DATABASE_TIMEOUT"
//	@Router			/api/edges/{id} [delete]
func (a *API) deleteEdge(c *call) error {
	id := c.pathValue("id")
	removal := graph.Removal{If: c.precondition()}
	if err := c.validateWithID("edge", id); err != nil {
		return err
	}
	d, err := a.options.Edges.DeleteEdge(c.ctx(), id, removal)
	if err != nil {
		return c.explainPrecondition(err)
	}
	c.send(http.StatusOK, func(b []byte) []byte {
		return append(typedjson.AppendString(append(b, `{"id":`...), d.ID), `,"deleted":true}`...)
	})
	return nil
}

// endMember reads the id of an edge's end.
func endMember(o *typedjson.Object, name string) string {
	id := o.String(name)
	switch {
	case id == "":
		o.Invalid(name, "must not be empty")
	case len(id) > maxPathID:
		o.Invalid(name, "must be at most %d bytes long", maxPathID)
	case strings.ContainsRune(id, 0):
		o.Invalid(name, "must not contain a NUL character")
	}
	return id
}
