package httpapi

import "graphrest/internal/graph"

// pageRequest is the requested page of a list. Offset is the number of entities before the page, also with a cursor, which
// contains it.
type pageRequest struct {
	limit  int
	offset int64
	after  graph.Position
	count  bool
	// truncated belongs to the response: a search has not read every hit.
	truncated bool
}

// readPaging reads limit, offset, cursor and count.
func (c *call) readPaging() pageRequest {
	p := pageRequest{
		limit:  int(c.readInteger("limit", graph.DefaultLimit, 1, graph.MaxLimit)),
		offset: c.readInteger("offset", 0, 0, maxOffset),
		count:  c.readExactCount(),
	}
	text, given := c.query.get("cursor")
	if !given {
		return p
	}
	if _, both := c.query.get("offset"); both {
		c.invalid("cursor", "must not be used together with offset")
		return p
	}
	after, offset, ok := c.api.cursors.decode(text, c.fingerprint())
	if !ok {
		c.invalid("cursor", "must be a next_cursor of the same query; only limit may change between pages")
		return p
	}
	p.after, p.offset = after, offset
	return p
}

// maxOffset is the largest offset: any 64-bit whole number.
const maxOffset = 1<<63 - 1

// toPaging converts the page to the stores' type.
func (p pageRequest) toPaging() graph.Paging {
	if p.after != nil {
		return graph.Paging{Limit: p.limit, After: p.after, Count: p.count}
	}
	// No database has as many entities, and adding the limit must not overflow, here or in the database.
	return graph.Paging{Limit: p.limit, Offset: min(p.offset, maxOffset>>1), Count: p.count}
}

// readExactCount reads count, whose only value is exact.
func (c *call) readExactCount() bool {
	text, given := c.query.get("count")
	if given && text != "exact" {
		c.invalid("count", "must be exact, or be left out")
	}
	return given
}
