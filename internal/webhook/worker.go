package webhook

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"graphrest/internal/fault"
	"graphrest/internal/journal"
)

const (
	// feedPage is how many changes a worker reads at a time.
	feedPage = 100
	// parallelAttempts is how many attempts of one webhook are under way at a time, each for another entity.
	parallelAttempts = 8
	// roundTime is how long a round begins attempts. The rest of its page is then stored.
	roundTime = 5 * time.Second
	// cursorInterval is how often the cursor is stored while no change is selected.
	cursorInterval = 5 * time.Second
	maxIdle        = time.Minute
	errorPause     = time.Second
	purgeInterval  = time.Hour
)

// worker delivers to one webhook, in rounds: it reads a page of the feed, sends what can be sent, and stores the result.
type worker struct {
	d       *Deliverer
	webhook Webhook
	holder  string
	stop    context.CancelFunc // ends the worker after its round
	done    chan struct{}
	gone    atomic.Bool  // the endpoint wants no deliveries any more
	oldest  atomic.Int64 // time of the oldest change that is not delivered, in microseconds since 1970; 0 for none

	cursor      string
	outstanding []*Delivery // pending and failed ones; those of one entity in the order of the feed
	cursorAt    time.Time   // when the cursor was stored
	purgedAt    time.Time
}

// startWorker starts a worker after the previous one of its webhook has ended, which it asks to; nil if there is none. The context ends the
// worker at once, in the middle of an attempt.
func startWorker(ctx context.Context, d *Deliverer, hook Webhook, holder string, previous *worker) *worker {
	stopping, stop := context.WithCancel(ctx)
	w := &worker{d: d, webhook: hook, holder: holder, stop: stop, done: make(chan struct{})}
	d.running.Go(func() {
		defer close(w.done)
		defer w.oldest.Store(0)
		defer stop()
		if previous != nil {
			previous.stop()
			<-previous.done
		}
		w.run(ctx, stopping)
	})
	return w
}

func (w *worker) hasEnded() bool {
	select {
	case <-w.done:
		return true
	default:
		return false
	}
}

func (w *worker) run(ctx, stopping context.Context) {
	log := w.d.options.Log.With("webhook", w.webhook.Name)
	loaded := false
	for stopping.Err() == nil {
		worked, err := false, error(nil)
		if !loaded {
			err = w.load(ctx)
			loaded = err == nil
		}
		if err == nil {
			worked, err = w.round(ctx, stopping)
		}
		switch {
		case errors.Is(err, ErrLeaseLost), err == nil && w.gone.Load():
			return
		case err != nil && ctx.Err() == nil:
			log.Warn("changes could not be delivered for now", "error", err.Error())
			loaded = false // what was stored is not known
			sleep(stopping, errorPause)
		case !worked:
			w.await(stopping)
		}
	}
}

// load reads where the webhook stands.
func (w *worker) load(ctx context.Context) error {
	stored, err := w.d.queue.Backlog(ctx, w.webhook.UID)
	if err != nil {
		return err
	}
	w.cursor, w.outstanding = stored.Cursor, make([]*Delivery, len(stored.Outstanding))
	for i := range stored.Outstanding {
		w.outstanding[i] = &stored.Outstanding[i]
	}
	return nil
}

// round makes the attempts that are due and stores their result. It reports whether there was anything to do.
func (w *worker) round(ctx, stopping context.Context) (worked bool, err error) {
	if err := w.purge(ctx); err != nil {
		return false, err
	}
	attempts := groupByEntity(w.outstanding)
	next := w.cursor
	if len(w.outstanding) < w.d.options.Window {
		page, err := w.readFeed(ctx)
		if err != nil {
			return false, err
		}
		next = page.Next
		for i := range page.Records {
			if r := &page.Records[i]; w.webhook.Selects(r) {
				attempts.add(attempt{Delivery: newDelivery(&w.webhook, r), record: r})
			}
		}
	}
	w.oldest.Store(attempts.oldest())
	w.deliverSequences(ctx, stopping, attempts)
	worked, err = w.store(ctx, attempts, next)
	if err == nil && w.gone.Load() {
		err = w.disable(ctx)
	}
	return worked, err
}

// readFeed reads the next page of the feed. If the cursor is older than the oldest change that is kept, the webhook continues with that
// one: what was removed cannot be delivered any more.
func (w *worker) readFeed(ctx context.Context) (journal.FeedPage, error) {
	page, err := w.d.feed.Feed(ctx, journal.FeedQuery{Since: w.cursor, Limit: feedPage})
	if fault.CodeOf(err) != fault.HistoryGone {
		return page, err
	}
	w.d.options.Log.Warn("changes were removed from the history before they were delivered; going on with the oldest that is kept",
		"webhook", w.webhook.Name)
	sleep(ctx, errorPause) // changes may be expired and not removed yet: each page of them would end here again
	return w.d.feed.Feed(ctx, journal.FeedQuery{Since: journal.FeedStart, Limit: feedPage})
}

// disable ends the deliveries until an administrator enables the webhook again, which keeps its position and its outstanding deliveries.
func (w *worker) disable(ctx context.Context) error {
	w.d.options.Log.Warn("a webhook was disabled: "+string(endpointGone), "webhook", w.webhook.Name)
	return w.d.queue.Disable(ctx, w.webhook)
}

// deliverSequences works through the sequences, several at a time.
func (w *worker) deliverSequences(ctx, stopping context.Context, attempts *sequences) {
	until := time.Now().Add(roundTime)
	var group errgroup.Group
	group.SetLimit(parallelAttempts)
	for _, entity := range attempts.order {
		s := attempts.byEntity[entity]
		if !s.isDue(time.Now()) {
			continue
		}
		group.Go(func() error {
			w.deliverSequence(ctx, stopping, s, until)
			return nil
		})
	}
	_ = group.Wait()
}

// deliverSequence makes the attempts of one entity in order, until one fails. After one that is given up, the next one waits for the next
// round: were this replica killed before it stored the end of the former, another replica would make that attempt after the latter.
func (w *worker) deliverSequence(ctx, stopping context.Context, s sequence, until time.Time) {
	for i := range s {
		now := time.Now()
		if stopping.Err() != nil || w.gone.Load() || now.After(until) || s[i].NextAt.After(now) {
			return
		}
		err := w.attempt(ctx, s[i])
		var p problem
		switch {
		case err == nil:
			s[i].delivered = true
			w.d.options.Observer.WebhookAttempt("delivered")
		case !errors.As(err, &p): // no attempt was made
			s[i].NextAt = now.Add(errorPause)
			return
		default:
			w.recordFailure(s[i], p)
			return
		}
	}
}

// attempt makes one attempt. The error is a problem, or says why no attempt was made.
func (w *worker) attempt(ctx context.Context, a *attempt) error {
	r := a.record
	if r == nil {
		found, err := w.d.feed.Change(ctx, a.Change)
		switch {
		case fault.CodeOf(err) == fault.NotFound:
			a.expired = true
			return problem("the change is not recorded any more")
		case err != nil:
			return err
		}
		r = &found
	}
	return w.d.sender.send(ctx, &w.webhook, a.ID, appendPayload(nil, r))
}

// recordFailure records a failed attempt, and gives its delivery up or schedules the next attempt.
func (w *worker) recordFailure(a *attempt, p problem) {
	if p == endpointGone {
		w.gone.Store(true)
	}
	now, end := time.Now(), a.CreatedAt.Add(w.d.options.GiveUp)
	a.State, a.Problem, a.AttemptedAt, a.attempted = Failed, string(p), now, true
	a.Attempts++
	if a.expired || !now.Before(end) {
		w.giveUp(a)
		return
	}
	w.d.options.Observer.WebhookAttempt("failed")
	a.NextAt = now.Add(retryDelay(a.Attempts, w.d.options.FirstDelay, w.d.options.MaxDelay))
	if a.NextAt.After(end) {
		a.NextAt = end // the last attempt
	}
}

func (w *worker) giveUp(a *attempt) {
	a.State = Dead
	w.d.options.Observer.WebhookAttempt("dead")
	w.d.options.Log.Warn("a delivery was given up", "webhook", w.webhook.Name, "delivery", a.ID, "attempts", a.Attempts, "problem", a.Problem)
}

// store stores the result of a round, and forgets what is delivered or given up.
func (w *worker) store(ctx context.Context, attempts *sequences, next string) (worked bool, err error) {
	var p Progress
	var outstanding []*Delivery
	attempts.each(func(a *attempt) {
		fresh := a.record != nil
		switch {
		case a.delivered && !fresh:
			p.Delivered = append(p.Delivered, a.ID)
		case a.delivered:
			worked = true
		case fresh || a.attempted:
			p.Remaining = append(p.Remaining, a.Delivery)
		}
		if !a.delivered && a.State != Dead {
			outstanding = append(outstanding, a.Delivery)
		}
	})
	worked = worked || len(p.Delivered)+len(p.Remaining) > 0
	if next != w.cursor && (worked || time.Since(w.cursorAt) > cursorInterval) {
		p.Cursor = next
	}
	if worked || p.Cursor != "" {
		if err := w.d.queue.Record(ctx, w.holder, w.webhook.UID, p); err != nil {
			return false, err
		}
		w.cursorAt = time.Now()
	}
	worked = worked || next != w.cursor
	w.cursor, w.outstanding = next, outstanding
	w.oldest.Store(oldestOf(outstanding))
	return worked, nil
}

// await waits until there may be changes, an attempt is due, or the context ends.
func (w *worker) await(stopping context.Context) {
	until := time.Now().Add(maxIdle)
	for _, s := range groupByEntity(w.outstanding).byEntity {
		if s[0].NextAt.Before(until) {
			until = s[0].NextAt
		}
	}
	waiting, cancel := context.WithDeadline(stopping, until)
	defer cancel()
	if len(w.outstanding) >= w.d.options.Window {
		<-waiting.Done()
		return
	}
	if err := w.d.feed.Await(waiting, w.cursor); err != nil && fault.CodeOf(err) != fault.HistoryGone {
		sleep(waiting, errorPause)
	}
}

// purge removes old dead deliveries from time to time.
func (w *worker) purge(ctx context.Context) error {
	if time.Since(w.purgedAt) < purgeInterval {
		return nil
	}
	w.purgedAt = time.Now()
	return w.d.queue.Purge(ctx, w.webhook.UID, w.d.options.Keep)
}

func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
