package httpapi

import (
	"net/http"
	"strings"

	"graphrest/internal/graph"
)

// TakesBookmark says whether a route is about the graph: what concerns users is read where it is written anyhow.
func (r Route) TakesBookmark() bool { return r.Access.kind == accessPermission }

// GivesBookmark says whether a route's success may have written to the graph. The answer to an import begins before it has.
func (r Route) GivesBookmark() bool {
	return r.TakesBookmark() && !r.stream && r.Method != http.MethodGet && r.Method != http.MethodHead
}

// readBookmark makes the request see what the bookmark it hands back stands for, and marks what it writes itself. Bookmarks are
// sealed: one that a client made up could name a state that never comes, and have others wait for it.
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

// sendBookmark answers the bookmark of what the request has written.
func (c *call) sendBookmark() {
	if latest := c.recorder.Latest(); len(latest) > 0 {
		c.gin.Header(graph.BookmarkHeader, c.api.cursors.encode(graph.Position(strings.Join(latest, "\n")), 0, c.api.bookmarkScope()))
	}
}

// bookmarkScope is what bookmarks are bound to, as cursors are to their query.
func (a *API) bookmarkScope() []byte { return []byte("bookmark\x00" + a.options.Database) }
