package httpapi

import (
	"graphrest/internal/graph"
	"graphrest/internal/journal"
)

// listTrash answers GET /api/trash.
//
//	@Summary		List what was deleted
//	@Description	Deleted nodes and edges that POST /api/undo can restore, newest first. edges is the number of edges that were deleted with a node and come
//	@Description	back with it, as far as the user sees them; they are not listed. A page may be shorter than limit while has_more is true.
//	@Tags			History
//	@Param			type	query		string	false	"Only this type"				example(Person)
//	@Param			kind	query		string	false	"Only nodes, or only edges"		Enums(node, edge)
//	@Param			user	query		string	false	"Name or id of who deleted it"	example(ann)
//	@Param			since	query		string	false	"Deleted at this time (RFC 3339) or later"	format(date-time)	example(2026-11-21T07:00:00Z)
//	@Param			until	query		string	false	"Deleted before this time"		format(date-time)	example(2026-11-22T07:00:00Z)
//	@Success		200		{object}	ListAnswer[DeletedEntity]
//	@Header			200		{string}	Link	"rel=next: the next page, absent on the last"
//	@Router			/api/trash [get]
func (a *API) listTrash(c *call) error {
	page := c.readPaging()
	q := journal.TrashQuery{
		Kind: graph.Kind(c.readOptionalEnum("kind", entityKinds)), Type: string(c.readTypeName("type")), User: c.readIdentifier("user"),
		Since: c.readTimestamp("since"), Until: c.readTimestamp("until"), Limit: page.limit, Cursor: c.unsealCursor(page),
	}
	if !q.Since.IsZero() && !q.Until.IsZero() && !q.Since.Before(q.Until) {
		c.invalid("until", "must be later than since")
	}
	if err := c.validate(); err != nil {
		return err
	}
	changes, err := a.changes()
	if err != nil {
		return err
	}
	found, err := changes.Trash(c.ctx(), q)
	if err != nil {
		return err
	}
	sendList(
		c,
		page,
		graph.Page[journal.Deleted]{Items: found.Deleted, Next: c.sealPosition(found.Next)},
		func(dst []byte, d *journal.Deleted) []byte {
			return appendJSON(DeletedEntity{
				Change: d.Change, Kind: string(d.Kind), ID: d.ID, Type: orNull(d.Type), DeletedAt: journal.FormatTime(d.DeletedAt),
				User: orNull(d.User), Edges: d.Edges, Caption: orNull(d.Caption),
			})(dst)
		},
	)
	return nil
}
