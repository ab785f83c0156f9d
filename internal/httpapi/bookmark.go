package httpapi

import (
	"strings"

	"graphrest/internal/graph"
)

// TakesBookmark reports whether a route accesses the graph. Users are always read from the leader, so their routes take no bookmark.
func (r Route) TakesBookmark() bool {
	return r.Access.kind == accessPermission
}

// GivesBookmark reports whether a successful request may have written to the graph. The response of an import starts before its
// writes, so it gives none.
func (r Route) GivesBookmark() bool {
	return r.TakesBookmark() && !r.stream && r.mayWrite()
}

// readBookmark applies the bookmarks of the request header to its reads and records those of its writes. Bookmarks are signed: a
// forged one could name a transaction that never happens, and requests would wait for it.
func (c *call) readBookmark() {
	if !c.route.TakesBookmark() {
		return
	}
	if c.route.GivesBookmark() {
		c.recorder = &graph.BookmarkRecorder{}
		c.context = graph.WithBookmarkRecorder(c.context, c.recorder)
	}
	lines := c.gin.Request.Header[graph.BookmarkHeader]
	if len(lines) == 0 {
		return
	}
	text, _, sealed := c.api.cursors.decode(lines[0], c.api.bookmarkScope())
	if len(lines) > 1 || !sealed {
		c.invalid(graph.BookmarkHeader, "must be given once, as an answer of this service gave it; leave it out")
		return
	}
	c.context = graph.WithBookmarks(c.context, strings.Split(string(text), "\n"))
}

// sendBookmark sets the header with the bookmarks of the request's writes.
func (c *call) sendBookmark() {
	if latest := c.recorder.Latest(); len(latest) > 0 {
		c.gin.Header(graph.BookmarkHeader, c.api.cursors.encode(graph.Position(strings.Join(latest, "\n")), 0, c.api.bookmarkScope()))
	}
}

// bookmarkScope is the fingerprint that bookmarks are signed with; cursors use that of their query.
func (a *API) bookmarkScope() []byte { return []byte("bookmark\x00" + a.options.Database) }
