package httpapi

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/journal"
	"graphrest/internal/typedjson"
)

// asOfHeader is the response header with the time since which an entity was as answered.
const asOfHeader = "Graphrest-As-Of"

// changes returns the journal. CONFLICT: changes are not recorded.
func (a *API) changes() (journal.Reader, error) {
	if a.options.Journal == nil {
		return nil, errNotRecorded()
	}
	return a.options.Journal, nil
}

func errNotRecorded() error {
	return fault.New(fault.Conflict, "Changes are not recorded: the operator has set GRAPHREST_HISTORY=off")
}

// appendChange writes a change and releases its memory.
var appendChange = appendAndRelease(journal.AppendChange)

// listNodeHistory answers GET /api/nodes/{node_id}/history.
//
//	@Summary		List the changes of a node
//	@Description	Newest first, also of a deleted node. before and after are the whole node for a create and a delete, and the changed properties for
//	@Description	an update, with null for absent ones. They are null for a state in which the user does not see the node. gap is true if something past
//	@Description	the API changed the node since the previous recorded change. A page may be shorter than limit while
//	@Description	has_more is true.
//	@Tags			History
//	@Param			node_id	path		string	true	"Id of the node"	example(01938c3e-0b7a-7c3e-9d0a-5f0c6a1b2c3d)
//	@Success		200		{object}	ListAnswer[Change]
//	@Header			200		{string}	Link	"rel=next: the next page, absent on the last"
//	@Router			/api/nodes/{node_id}/history [get]
func (a *API) listNodeHistory(c *call) error { return c.sendHistory(graph.NodeKind, "node_id") }

// listEdgeHistory answers GET /api/edges/{id}/history.
//
//	@Summary		List the changes of an edge
//	@Description	As those of a node.
//	@Tags			History
//	@Param			id		path		string	true	"Id of the edge"
//	@Success		200		{object}	ListAnswer[Change]
//	@Header			200		{string}	Link	"rel=next: the next page, absent on the last"
//	@Router			/api/edges/{id}/history [get]
func (a *API) listEdgeHistory(c *call) error { return c.sendHistory(graph.EdgeKind, "id") }

func (c *call) sendHistory(kind graph.Kind, parameter string) error {
	id, page := c.readPathValue(parameter), c.readPaging()
	q := journal.HistoryQuery{Kind: kind, ID: id, Limit: page.limit, Cursor: c.unsealCursor(page)}
	if err := c.validateWithID(string(kind), id); err != nil {
		return err
	}
	changes, err := c.api.changes()
	if err != nil {
		return err
	}
	found, err := changes.History(c.ctx(), q)
	if err != nil {
		return err
	}
	sendList(c, page, graph.Page[journal.Record]{Items: found.Records, Next: c.sealPosition(found.Next)}, appendChange)
	return nil
}

// toPosition returns a store's cursor in the form that is signed; nil at the end of a list.
func toPosition(cursor string) graph.Position {
	if cursor == "" {
		return nil
	}
	return graph.Position(cursor)
}

// sealPosition is toPosition for a cursor that may be the id of a change that the user does not see.
func (c *call) sealPosition(cursor string) graph.Position {
	if cursor == "" {
		return nil
	}
	return toPosition(c.api.cursors.seal(cursor))
}

// unsealCursor is the reverse of sealPosition.
func (c *call) unsealCursor(page pageRequest) string {
	if page.after == nil {
		return ""
	}
	cursor, ok := c.api.cursors.unseal(string(page.after))
	if !ok {
		c.invalid("cursor", "must be a next_cursor of the same query")
	}
	return cursor
}

// readMoment reads the parameter at; nil if it is absent.
func (c *call) readMoment() *journal.Moment {
	if _, given := c.query.get("at"); !given {
		return nil
	}
	at := momentOf(c.readIdentifier("at"))
	return &at
}

func momentOf(text string) journal.Moment {
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return journal.Moment{Time: t}
	}
	return journal.Moment{Change: text}
}

// sendAsOf answers a read of the past.
func (c *call) sendAsOf(kind graph.Kind, id string, at journal.Moment, when conditions) error {
	changes, err := c.api.changes()
	if err != nil {
		return err
	}
	past, err := changes.AsOf(c.ctx(), kind, id, at)
	if err != nil {
		return err
	}
	since := past.At
	if since.IsZero() {
		since = at.Time
	}
	c.gin.Header(asOfHeader, journal.FormatTime(since))
	var meta appender
	if past.Gap {
		meta = func(b []byte) []byte { return append(b, `,"gap":true`...) }
	}
	if past.Edge != nil {
		return c.sendEntityWithMeta(past.Edge.Revision(), when, edgeData(past.Edge), meta)
	}
	return c.sendEntityWithMeta(past.Node.Revision(), when, nodeData(past.Node), meta)
}

// entityKinds are the kinds of changed entities.
var entityKinds = []string{string(graph.NodeKind), string(graph.EdgeKind)}

// eraseHistory answers DELETE /api/admin/history/{kind}/{id}.
//
//	@Summary		Erase the history of a node or an edge
//	@Description	Removes all records of its changes, with their values, so that neither history nor undo can show them. The node or edge itself stays, if
//	@Description	it exists. The audit records the erasure. A record that a feed reader has received already is not recalled.
//	@Tags			History
//	@Param			kind	path	string	true	"Kind of the entity: node or nodes, edge or edges"	Enums(node, edge, nodes, edges)
//	@Param			id		path	string	true	"Id of the node or edge"
//	@Success		200	{object}	Answer[ErasedHistory]
//	@Router			/api/admin/history/{kind}/{id} [delete]
func (a *API) eraseHistory(c *call) error {
	kind, known := pathKinds[strings.TrimSuffix(c.readPathValue("kind"), "s")+"s"] // as in paths of types, or as in a change
	if !known {
		return notFound()
	}
	id := c.readPathValue("id")
	if err := c.validateWithID(string(kind), id); err != nil {
		return err
	}
	changes, err := a.changes()
	if err != nil {
		return err
	}
	erased, err := changes.Erase(c.ctx(), kind, id)
	if err != nil {
		return err
	}
	c.send(http.StatusOK, func(b []byte) []byte {
		b = typedjson.AppendString(append(b, `{"id":`...), id)
		return append(strconv.AppendInt(append(b, `,"erased":`...), erased, 10), '}')
	})
	return nil
}
