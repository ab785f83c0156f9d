package httpapi

import (
	"net/http"

	"graphrest/internal/graph"
	"graphrest/internal/rules"
	"graphrest/internal/typedjson"
)

// listEdges answers GET /api/edges.
//
//	@Summary		List edges
//	@Description	Edges ordered by type name, then by id. An end that does not exist gives an empty list. All parameters must match.
//	@Description	A page of large edges may be shorter than limit while has_more is true.
//	@Tags			Edges
//	@Param			type		query		string	false	"Only edges of this type"				example(ACTED_IN)
//	@Param			source_id	query		string	false	"Only edges that start at this node"
//	@Param			target_id	query		string	false	"Only edges that point to this node"
//	@Param			node_id		query		string	false	"Only edges with this node at either end"
//	@Param			ends		query		string	false	"caption: each edge has source and target, with the type and the caption of these nodes"	Enums(caption)
//	@Success		200			{object}	ListAnswer[Edge]
//	@Header			200			{string}	Link	"rel=next: the next page, absent on the last"
//	@Router			/api/edges [get]
func (a *API) listEdges(c *call) error {
	page, fields := c.readPaging(), c.readFields()
	q := graph.EdgeQuery{
		Type:     c.readTypeName("type"),
		SourceID: c.readIdentifier("source_id"),
		TargetID: c.readIdentifier("target_id"),
		NodeID:   c.readIdentifier("node_id"),
		Ends:     c.readEndNames(),
		Filter:   c.readEdgeFilter(),
		Sort:     c.readEdgeSort(),
		Paging:   page.toPaging(),
	}
	if err := c.validate(); err != nil {
		return err
	}
	return c.answerEdges(page, q, fields)
}

// readEndNames reads ends, whose only value is caption.
func (c *call) readEndNames() bool {
	text, given := c.query.get("ends")
	if given && text != "caption" {
		c.invalid("ends", "must be caption, or be left out")
	}
	return given
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
//	@Param			Idempotency-Key	header		string		false	"1 to 255 visible ASCII characters"
//	@Param			body			body		NewEdgeBody	true	"The edge"
//	@Success		201				{object}	Answer[Edge]
//	@Header			201				{string}	Location			"Path of the edge"
//	@Header			201				{string}	ETag				"Revision of the edge"
//	@Header			201				{string}	Idempotent-Replayed	"true if an earlier request with the same key created it"
//	@Failure		400				"VALIDATION_ERROR; an end that does not exist is named"
//	@Router			/api/edges [post]
func (a *API) createEdge(c *call) error {
	e := graph.NewEdge{Key: c.readIdempotencyKey()}
	o := c.parseObject()
	if o != nil {
		e.Type = readTypeMember(o)
		e.SourceID = readEndMember(o, "source_id")
		e.TargetID = readEndMember(o, "target_id")
		e.Properties = a.readNewProperties(o, false)
	}
	if err := c.finish(o); err != nil {
		return err
	}
	created, err := a.options.Edges.CreateEdge(c.ctx(), e)
	if err != nil {
		return err
	}
	entity := &created.Entity
	if entity.Properties == nil && rules.ViewOf(c.ctx()).HasGrants() {
		c.sendCreatedIDAndType("/api/edges", entity.ID, entity.Type, created.Replayed)
		return nil
	}
	if entity.Properties == nil || created.Replayed && !c.mayRead() { // the type and the ends of an edge never change
		entity = &graph.Edge{
			ID: entity.ID, Type: entity.Type, SourceID: entity.SourceID, TargetID: entity.TargetID, Properties: e.Properties,
		}
	}
	c.sendCreated("/api/edges", entity.ID, entity.Revision(), created.Replayed, edgeData(entity))
	return nil
}

// getEdge answers GET /api/edges/{id}.
//
//	@Summary		Read an edge
//	@Description	The id may also be an element id of the database; the answer contains the edge's own id.
//	@Description	With at it is answered as it was at that time, or right after that change, also if it was deleted since.
//	@Tags			Edges
//	@Param			id				path		string	true	"Id of the edge"
//	@Param			at				query		string	false	"A time (RFC 3339), or the id of a change of the edge: the state right after it"	example(2026-11-22T07:00:00Z)
//	@Param			ends			query		string	false	"caption: the answer has source and target, with the type and the caption of these nodes; the ETag does not cover them"	Enums(caption)
//	@Param			If-None-Match	header		string	false	"Known ETag of the edge; 304 if it is still current"
//	@Param			If-Match		header		string	false	"ETag that the edge must still have; 412 otherwise"
//	@Success		200				{object}	Answer[Edge]
//	@Header			200				{string}	ETag	"Revision of the edge"
//	@Header			200				{string}	Graphrest-As-Of	"With at"
//	@Success		304				"Not modified"
//	@Failure		409				"CONFLICT: more than one edge has the id; with at also: changes are not recorded"
//	@Failure		410				"HISTORY_GONE"
//	@Router			/api/edges/{id} [get]
func (a *API) getEdge(c *call) error {
	id, when, at, endNames := c.readPathValue("id"), c.readConditions(), c.readMoment(), c.readEndNames()
	if at != nil && endNames {
		c.invalid("ends", "must not be used together with at")
	}
	if err := c.validateWithID("edge", id); err != nil {
		return err
	}
	if at != nil {
		return c.sendAsOf(graph.EdgeKind, id, *at, when)
	}
	read := a.options.Edges.Edge
	if endNames {
		read = a.options.Edges.EdgeWithEnds
	}
	e, err := read(c.ctx(), id)
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
//	@Param			id			path		string		true	"Id of the edge"
//	@Param			If-Match	header		string		false	"ETag that the edge must still have"
//	@Param			body		body		ChangeBody	true	"The changed properties"
//	@Success		200			{object}	Answer[UpdatedEdge]
//	@Header			200			{string}	ETag	"Revision of the edge after the update"
//	@Router			/api/edges/{id} [put]
//	@Router			/api/edges/{id} [patch]
func (a *API) updateEdge(c *call) error {
	id, change, err := c.readChange("edge", "id")
	if err != nil {
		return err
	}
	e, err := a.options.Edges.UpdateEdge(c.ctx(), id, change)
	if err != nil {
		return c.explainPrecondition(err)
	}
	if e.Properties == nil {
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
//	@Param			id			path		string	true	"Id of the edge"
//	@Param			If-Match	header		string	false	"ETag that the edge must still have"
//	@Success		200			{object}	Answer[EdgeDeletion]
//	@Failure		409			"CONFLICT: more than one edge has the id"
//	@Router			/api/edges/{id} [delete]
func (a *API) deleteEdge(c *call) error {
	id := c.readPathValue("id")
	removal := graph.Removal{If: c.readPrecondition()}
	if err := c.validateWithID("edge", id); err != nil {
		return err
	}
	d, err := a.options.Edges.DeleteEdge(c.ctx(), id, removal)
	if err != nil {
		return c.explainPrecondition(err)
	}
	c.send(http.StatusOK, func(b []byte) []byte { return appendEdgeDeletion(b, d) })
	return nil
}

func appendEdgeDeletion(b []byte, d graph.Deletion) []byte {
	return append(typedjson.AppendString(append(b, `{"id":`...), d.ID), `,"deleted":true}`...)
}

// readEndMember reads the id of an edge's end.
func readEndMember(o *typedjson.Object, name string) string {
	id := o.String(name)
	if problem := idProblem(id); problem != "" {
		o.Invalid(name, "%s", problem)
	}
	return id
}
