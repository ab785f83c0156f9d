package httpapi

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"graphrest/internal/graph"
	"graphrest/internal/journal"
	"graphrest/internal/rules"
	"graphrest/internal/typedjson"
)

const (
	feedPath = "/api/changes"
	// maxFeedWait is the longest wait of a request for changes, in seconds.
	maxFeedWait = 30
)

// readChanges answers GET /api/changes.
//
//	@Summary		Read the change feed
//	@Description	Recorded changes, oldest first, after since: the id of a change, or meta.page.next_cursor of the previous answer, which is there also if
//	@Description	the page is empty and goes past changes that a filter or the user's roles left out. Each change is delivered once per cursor; changes of one
//	@Description	entity come in the order of their commits. With wait an empty answer is delayed until there is a change.
//	@Description
//	@Description	With Accept: text/event-stream the changes are server-sent events without end: id is the id of the change, event its action, data the change.
//	@Description	Last-Event-ID or since says where to begin. A comment follows every 15 seconds without a change. The stream ends within a second after the
//	@Description	user's rights end, with an event named error. limit and wait have no effect on it. A user may have 8 streams and waiting requests.
//	@Tags			History
//	@Produce		json
//	@Produce		text/event-stream
//	@Param			since			query		string	false	"Id of a change, or a next_cursor; 0 begins at the oldest change that is kept; now if it is absent"
//	@Param			kind			query		string	false	"Only nodes, or only edges"		Enums(node, edge)
//	@Param			type			query		string	false	"Only this type"				example(Person)
//	@Param			action			query		string	false	"Only this action"				Enums(create, update, delete)
//	@Param			last			query		int		false	"Without since: begin before so many changes, if they are among the last 5,000"	minimum(0)	maximum(1000)	default(0)
//	@Param			limit			query		int		false	"Changes per page"				minimum(1)	maximum(1000)	default(100)
//	@Param			wait			query		int		false	"Seconds to wait for a change"	minimum(0)	maximum(30)		default(0)
//	@Param			Last-Event-ID	header		string	false	"Of server-sent events: id of the last one received; instead of since"
//	@Success		200				{object}	FeedAnswer
//	@Failure		410				"HISTORY_GONE"
//	@Failure		429				"RATE_LIMITED, also while the user has too many streams and waiting requests"
//	@Failure		503				"DATABASE_UNAVAILABLE, also while there are too many streams and waiting requests"
//	@Router			/api/changes [get]
func (a *API) readChanges(c *call) error {
	wait := time.Duration(c.readInteger("wait", 0, 0, maxFeedWait)) * time.Second
	q := journal.FeedQuery{
		Since:  c.readFeedCursor("since", c.readIdentifier("since")),
		Kind:   graph.Kind(c.readOptionalEnum("kind", entityKinds)),
		Type:   string(c.readTypeName("type")),
		Action: journal.Action(c.readOptionalEnum("action", journal.Actions())),
		Last:   int(c.readInteger("last", 0, 0, graph.MaxLimit)),
		Limit:  int(c.readInteger("limit", graph.DefaultLimit, 1, graph.MaxLimit)),
	}
	events := asksFor(c.gin.Request.Header, "text/event-stream")
	if id := c.gin.Request.Header.Get("Last-Event-ID"); events && id != "" {
		q.Since = c.readFeedCursor("since", id)
	}
	if q.Last > 0 && q.Since != "" {
		c.invalid("last", "has a meaning only without since")
	}
	if err := c.validate(); err != nil {
		return err
	}
	changes, err := a.changes()
	if err != nil {
		return err
	}
	if events {
		return a.streamChanges(c, changes, q)
	}
	held := &answerReservation{budget: &a.answerBudget, user: c.principal.UserID}
	defer held.release()
	page, err := c.pollFeed(graph.WithByteBudget(c.ctx(), held), changes, q, wait)
	if err != nil {
		return err
	}
	c.sendFeedPage(q.Limit, page)
	return nil
}

// seesPart reports whether roles limit what the request's user sees. To such a user the store's cursors of the feed would tell how many
// changes there are.
func (c *call) seesPart() bool { return !c.subject.View.AllowsAll(rules.Read) }

// readFeedCursor reads a Since: the id of a change, or the cursor of a page, sealed if the user sees a part of the graph.
func (c *call) readFeedCursor(field, text string) string {
	if cursor, sealed := c.api.cursors.unseal(text); sealed {
		return cursor
	}
	if c.seesPart() && strings.Contains(text, ".") {
		c.invalid(field, "must be the id of a change, a next_cursor, or %s", journal.FeedStart)
	}
	return text
}

// sealFeedCursor is the reverse of readFeedCursor.
func (c *call) sealFeedCursor(next string) string {
	if !c.seesPart() || next == journal.FeedStart {
		return next
	}
	return c.api.cursors.seal(next)
}

func (c *call) sendFeedPage(limit int, page journal.FeedPage) {
	c.write(http.StatusOK, listData(page.Records, appendChange), func(b []byte) []byte {
		b = strconv.AppendInt(append(b, `,"page":{"limit":`...), int64(limit), 10)
		b = strconv.AppendBool(append(b, `,"has_more":`...), !page.AtEnd)
		return append(typedjson.AppendString(append(b, `,"next_cursor":`...), c.sealFeedCursor(page.Next)), '}')
	})
}

// readFeed reads a page within the timeout of one request, as a view of the user shows it.
func (c *call) readFeed(ctx context.Context, view *rules.View, changes journal.Reader, q journal.FeedQuery) (journal.FeedPage, error) {
	ctx, cancel := context.WithTimeout(rules.WithView(rules.WithoutView(ctx), view), c.api.options.QueryTimeout+deadlineMargin)
	defer cancel()
	return changes.Feed(c.api.options.StoreContext(ctx), q)
}

// currentView returns the view of the request's user now. Errors are those of checkRights.
func (c *call) currentView(ctx context.Context) (*rules.View, error) {
	p, err := c.recheckSubject(ctx)
	if err != nil {
		return nil, err
	}
	return p.View, c.authorize(p)
}

// pollFeed reads a page and, while it is empty, waits for changes.
func (c *call) pollFeed(ctx context.Context, changes journal.Reader, q journal.FeedQuery, wait time.Duration) (journal.FeedPage, error) {
	page, err := c.readFeed(ctx, c.subject.View, changes, q)
	if err != nil || wait == 0 || len(page.Records) > 0 {
		return page, err
	}
	readers := c.api.readers
	user := streamUser{c.principal.UserID, c.route.Path}
	if err := readers.acquire(user); err != nil {
		return page, err
	}
	defer readers.release(user)
	c.extendDeadlines(wait)
	waiting, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	forget := context.AfterFunc(readers.draining, cancel)
	defer forget()
	for len(page.Records) == 0 {
		err := changes.Await(waiting, page.Next)
		if c.ctx().Err() != nil {
			return page, c.ctx().Err()
		}
		if waiting.Err() != nil {
			return page, c.checkRights(ctx)
		}
		if err == nil {
			err = c.checkRights(ctx)
		}
		if err != nil {
			return page, err
		}
		q.Since = page.Next
		view, err := c.currentView(ctx)
		if err != nil {
			return page, err
		}
		if page, err = c.readFeed(ctx, view, changes, q); err != nil {
			return page, err
		}
	}
	return page, nil
}

// extendDeadlines gives a request that waits as much time to send its response as any other. If the connection has no deadlines, as in a
// test, nothing changes.
func (c *call) extendDeadlines(wait time.Duration) {
	control := http.NewResponseController(c.gin.Writer)
	_ = control.SetReadDeadline(time.Time{}) // otherwise its end would end the request's context: see streams.open
	_ = control.SetWriteDeadline(time.Now().Add(wait + c.api.options.QueryTimeout + minWriteTimeout))
}
