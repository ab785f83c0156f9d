package httpapi

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"graphrest/internal/graph"
	"graphrest/internal/journal"
	"graphrest/internal/rules"
)

const (
	// eventMediaType is the type of server-sent events (HTML standard, "Server-sent events").
	eventMediaType = "text/event-stream; charset=utf-8"
	// commentInterval is the time without an event after which a comment shows that the connection works.
	commentInterval = 15 * time.Second
	// eventPage is how many changes a stream reads at a time, and so has in memory.
	eventPage = 100
)

// eventRun is one stream of server-sent events.
type eventRun struct {
	*stream
	changes     journal.Reader
	query       journal.FeedQuery
	nextComment time.Time
}

// streamChanges answers with the changes of the feed as server-sent events, until the client disconnects or the user's rights end.
func (a *API) streamChanges(c *call, changes journal.Reader, q journal.FeedQuery) error {
	st, err := a.readers.open(c)
	if err != nil {
		return err
	}
	defer st.end()
	ctx, cancel := context.WithCancel(st.ctx)
	defer cancel()
	forget := context.AfterFunc(a.readers.draining, cancel)
	defer forget()
	q.Limit = eventPage
	run := &eventRun{stream: st, changes: changes, query: q}
	atEnd, err := run.sendPage(ctx)
	if err == nil && c.gin.Request.Method == http.MethodHead {
		st.setHeader() // sent when this returns, as for an export
		return nil
	}
	if err == nil {
		err = run.sendComment()
	}
	for err == nil {
		if atEnd {
			if err = run.await(ctx); err != nil {
				break
			}
		}
		atEnd, err = run.sendPage(ctx)
	}
	return run.fail(err)
}

// sendPage sends the next changes, as the user's view of now shows them. Their memory is released before it returns, so a slow reader holds
// one page, and each write ends within streamIdleTimeout.
func (r *eventRun) sendPage(ctx context.Context) (atEnd bool, err error) {
	held := &answerReservation{budget: &r.c.api.answerBudget, user: r.c.principal.UserID}
	defer held.release()
	if err := r.confirm(); err != nil {
		return false, err
	}
	view, err := r.c.currentView(ctx)
	if err != nil {
		return false, err
	}
	page, err := r.c.readFeed(graph.WithByteBudget(ctx, held), view, r.changes, r.query)
	if err != nil {
		return false, err
	}
	if r.c.gin.Request.Method != http.MethodHead && len(page.Records) > 0 {
		if sent, err := r.sendEvents(ctx, view, page.Records); err != nil || !sent {
			return false, err
		}
		r.nextComment = time.Now().Add(commentInterval)
	}
	r.query.Since = page.Next
	return page.AtEnd, nil
}

// sendEvents sends changes that were read for a view. If the user has another view by then, sent is false: query.Since is the last change
// that was sent, and the others have to be read again.
func (r *eventRun) sendEvents(ctx context.Context, view *rules.View, changes []journal.Record) (sent bool, err error) {
	var events []byte
	for i := range changes {
		id := changes[i].ID
		if len(events) > 0 {
			events = append(events, '\n')
		}
		if events = appendEvent(events, &changes[i]); len(events) < streamBuffer && i < len(changes)-1 {
			continue
		}
		if err := r.confirm(); err != nil {
			return false, err
		}
		if now, err := r.c.currentView(ctx); err != nil || now != view {
			return false, err
		}
		if err := r.writeLine(func(b []byte) []byte { return append(b, events...) }); err != nil {
			return false, err
		}
		if err := r.flush(); err != nil {
			return false, err
		}
		events, r.query.Since = events[:0], id
	}
	return true, nil
}

// appendEvent appends a change as an event, without the empty line that ends it.
func appendEvent(b []byte, change *journal.Record) []byte {
	b = append(append(append(b, "id: "...), change.ID...), '\n')
	b = append(append(append(b, "event: "...), change.Action...), "\ndata: "...)
	return append(appendChange(b, change), '\n')
}

// sendComment sends a comment.
func (r *eventRun) sendComment() error {
	r.nextComment = time.Now().Add(commentInterval)
	if err := r.writeLine(func(b []byte) []byte { return append(b, ": no more changes yet\n"...) }); err != nil {
		return err
	}
	return r.flush()
}

// await waits until there may be changes, and sends comments meanwhile.
func (r *eventRun) await(ctx context.Context) error {
	for {
		waiting, cancel := context.WithDeadline(ctx, r.nextComment)
		err := r.changes.Await(waiting, r.query.Since)
		idle := waiting.Err() != nil
		cancel()
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case !idle:
			return err
		}
		if err := r.sendComment(); err != nil {
			return err
		}
	}
}

// fail ends a stream: with a normal error response if nothing was sent, else with an event named error.
func (r *eventRun) fail(err error) error {
	err = cmp.Or(r.endReason(), err)
	if !r.hasStarted() && r.c.ctx().Err() == nil {
		return err
	}
	if rightsLost(err) {
		r.discard()
	}
	f := r.logFault(err)
	r.writeLastLine(func(b []byte) []byte { return append(append(b, "event: error\ndata: "...), errorBody(f)...) })
	return nil
}
