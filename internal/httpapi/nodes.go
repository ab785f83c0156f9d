package httpapi

import (
	"net/http"
	"strconv"

	"graphrest/internal/graph"
	"graphrest/internal/rules"
	"graphrest/internal/typedjson"
)

// listNodes answers GET /api/nodes.
//
//	@Summary		List nodes
//	@Description	Nodes ordered by type name, then by id; nodes without a type come last. A page by cursor costs the same at any depth (keyset pagination).
//	@Description	A filter compares a property with a value: eq, ne, lt, lte, gt, gte, in, nin, exists, contains, icontains, starts_with, ends_with, has.
//	@Description	filter[born]=1960 is short for filter[born][eq]=1960, and filter[code][eq:string]=007 forces the type. Filter and sort on a
//	@Description	large type may have to scan all of it, within the timeout for queries (504).
//	@Description	The Link header (rel="next") and meta.page.next_cursor lead to the next page; only limit may change between pages.
//	@Description	A page of large nodes may be shorter than limit while has_more is true.
//	@Tags			Nodes
//	@Param			type	query		string	false	"Only nodes that have this type"	example(Person)
//	@Success		200		{object}	ListAnswer[Node]
//	@Header			200		{string}	Link	"rel=next: the next page, absent on the last"
//	@Router			/api/nodes [get]
func (a *API) listNodes(c *call) error {
	page, fields := c.readPaging(), c.readFields()
	q := graph.NodeQuery{Type: c.readTypeName("type"), Filter: c.readFilter(), Sort: c.readSort(), Paging: page.toPaging()}
	if err := c.validate(); err != nil {
		return err
	}
	found, err := a.options.Nodes.Nodes(c.ctx(), q)
	if err != nil {
		return err
	}
	for i := range found.Items {
		found.Items[i].Properties = fields.Select(found.Items[i].Properties)
	}
	sendList(c, page, found, appendAndRelease(typedjson.AppendNode))
	return nil
}

// createNode answers POST /api/nodes.
//
//	@Summary		Create a node
//	@Description	Both members are required; null properties are left out. The first node of a type creates the type. With an Idempotency-Key the same
//	@Description	request from the same user creates once within 24 hours and answers the same node again: as it is now, and to a user
//	@Description	without the permission read as it was created.
//	@Tags			Nodes
//	@Param			Idempotency-Key	header		string		false	"1 to 255 visible ASCII characters"
//	@Param			body			body		NewNodeBody	true	"The node"
//	@Success		201				{object}	Answer[Node]
//	@Header			201				{string}	Location			"Path of the node"
//	@Header			201				{string}	ETag				"Revision of the node"
//	@Header			201				{string}	Idempotent-Replayed	"true if an earlier request with the same key created it"
//	@Router			/api/nodes [post]
func (a *API) createNode(c *call) error {
	n := graph.NewNode{Key: c.readIdempotencyKey()}
	o := c.parseObject()
	if o != nil {
		n.Type = readTypeMember(o)
		n.Properties = a.readNewProperties(o, true)
	}
	if err := c.finish(o); err != nil {
		return err
	}
	created, err := a.options.Nodes.CreateNode(c.ctx(), n)
	if err != nil {
		return err
	}
	entity := &created.Entity
	if entity.Properties == nil && rules.ViewOf(c.ctx()).HasGrants() {
		c.sendCreatedIDAndType("/api/nodes", entity.ID, entity.Type, created.Replayed)
		return nil
	}
	if entity.Properties == nil || created.Replayed && !c.mayRead() {
		entity = &graph.Node{ID: entity.ID, Type: string(n.Type), Labels: []string{string(n.Type)}, Properties: n.Properties}
	}
	c.sendCreated("/api/nodes", entity.ID, entity.Revision(), created.Replayed, nodeData(entity))
	return nil
}

// getNode answers GET /api/nodes/{node_id}.
//
//	@Summary		Read a node
//	@Description	The id may also be an element id of the database; the answer contains the node's own id.
//	@Description	With at it is answered as it was at that time, or right after that change, also if it was deleted since.
//	@Tags			Nodes
//	@Param			node_id			path		string	true	"Id of the node"	example(01938c3e-0b7a-7c3e-9d0a-5f0c6a1b2c3d)
//	@Param			at				query		string	false	"A time (RFC 3339), or the id of a change of the node: the state right after it"	example(2026-11-22T07:00:00Z)
//	@Param			If-None-Match	header		string	false	"Known ETag of the node; 304 if it is still current"
//	@Param			If-Match		header		string	false	"ETag that the node must still have; 412 otherwise"
//	@Success		200				{object}	Answer[Node]
//	@Header			200				{string}	ETag	"Revision of the node"
//	@Header			200				{string}	Graphrest-As-Of	"With at"
//	@Success		304				"Not modified"
//	@Failure		409				"CONFLICT: more than one node has the id; with at also: changes are not recorded"
//	@Failure		410				"HISTORY_GONE"
//	@Router			/api/nodes/{node_id} [get]
func (a *API) getNode(c *call) error {
	id, when, at := c.readPathValue("node_id"), c.readConditions(), c.readMoment()
	if err := c.validateWithID("node", id); err != nil {
		return err
	}
	if at != nil {
		return c.sendAsOf(graph.NodeKind, id, *at, when)
	}
	n, err := a.options.Nodes.Node(c.ctx(), id)
	if err != nil {
		return err
	}
	return c.sendEntity(n.Revision(), when, nodeData(&n))
}

// updateNode answers PUT and PATCH /api/nodes/{node_id}.
//
//	@Summary		Update a node
//	@Description	Sets the properties given and removes those given as null; the others stay. PUT and PATCH are the same. If-Match is compared under the node's lock.
//	@Description	A user without the permission read gets only id and type, without an ETag, and If-Match with an ETag never matches.
//	@Tags			Nodes
//	@Param			node_id		path		string		true	"Id of the node"
//	@Param			If-Match	header		string		false	"ETag that the node must still have"
//	@Param			body		body		ChangeBody	true	"The changed properties"
//	@Success		200			{object}	Answer[UpdatedNode]
//	@Header			200			{string}	ETag	"Revision of the node after the update"
//	@Router			/api/nodes/{node_id} [put]
//	@Router			/api/nodes/{node_id} [patch]
func (a *API) updateNode(c *call) error {
	id, change, err := c.readChange("node", "node_id")
	if err != nil {
		return err
	}
	n, err := a.options.Nodes.UpdateNode(c.ctx(), id, change)
	if err != nil {
		return c.explainPrecondition(err)
	}
	if n.Properties == nil {
		c.sendIDAndType(n.ID, n.Type)
		return nil
	}
	c.setETag(n.Revision())
	c.send(http.StatusOK, nodeData(&n))
	return nil
}

// deleteNode answers DELETE /api/nodes/{node_id}.
//
//	@Summary		Delete a node
//	@Description	Removes the node and its edges. With very many edges (10,000 unless configured otherwise) it needs detach=true.
//	@Description	A node with more than 200 edges is deleted in batches, the node last. On a timeout the answer is 504 with Retry-After, the detail
//	@Description	deleted_edges is the number of edges deleted so far, and a retry of the request continues.
//	@Tags			Nodes
//	@Param			node_id		path		string	true	"Id of the node"
//	@Param			detach		query		bool	false	"false rejects the request if the node has edges, true deletes any number of them"
//	@Param			If-Match	header		string	false	"ETag that the node must still have"
//	@Success		200			{object}	Answer[NodeDeletion]
//	@Failure		409			"CONFLICT: the node has edges, or more than one node has the id"
//	@Router			/api/nodes/{node_id} [delete]
func (a *API) deleteNode(c *call) error {
	id := c.readPathValue("node_id")
	removal := graph.Removal{If: c.readPrecondition(), Detach: c.readBoolean("detach")}
	if err := c.validateWithID("node", id); err != nil {
		return err
	}
	d, err := a.options.Nodes.DeleteNode(c.ctx(), id, removal)
	if err != nil {
		return c.explainPrecondition(err)
	}
	c.send(http.StatusOK, func(b []byte) []byte { return appendNodeDeletion(b, d) })
	return nil
}

func appendNodeDeletion(b []byte, d graph.Deletion) []byte {
	b = typedjson.AppendString(append(b, `{"id":`...), d.ID)
	b = append(b, `,"deleted":true,"deleted_edges":`...)
	return append(strconv.AppendInt(b, d.DeletedEdges, 10), '}')
}

// listNodeEdges answers GET /api/nodes/{node_id}/edges.
//
//	@Summary		List a node's edges
//	@Description	Ordered like all edges; a self-loop is listed once. A page of large edges may be shorter than limit while has_more is true.
//	@Tags			Nodes
//	@Param			node_id		path		string	true	"Id of the node"
//	@Param			direction	query		string	false	"As seen from the node"	Enums(both, out, in)	default(both)
//	@Param			type		query		string	false	"Only edges of this type"	example(ACTED_IN)
//	@Param			ends		query		string	false	"caption: each edge has source and target, with the type and the caption of these nodes"	Enums(caption)
//	@Success		200			{object}	ListAnswer[Edge]
//	@Header			200			{string}	Link	"rel=next: the next page, absent on the last"
//	@Router			/api/nodes/{node_id}/edges [get]
func (a *API) listNodeEdges(c *call) error {
	id, page, fields := c.readPathValue("node_id"), c.readPaging(), c.readFields()
	direction := c.readEnum("direction", string(graph.Both), string(graph.Out), string(graph.In))
	q := graph.EdgeQuery{
		Type: c.readTypeName("type"), Paging: page.toPaging(),
		Of:   &graph.Around{NodeID: id, Direction: graph.Direction(direction)},
		Ends: c.readEndNames(), Filter: c.readEdgeFilter(), Sort: c.readEdgeSort(),
	}
	if err := c.validateWithID("node", id); err != nil {
		return err
	}
	return c.answerEdges(page, q, fields)
}
