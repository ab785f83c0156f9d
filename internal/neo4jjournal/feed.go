package neo4jjournal

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/journal"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/snapshot"
)

const (
	// feedScan is how many records one page of the feed reads at most for a filter.
	feedScan = 5000
	// awaitInterval is how often a waiting reader looks for changes. All readers of a gateway share one read.
	awaitInterval = 200 * time.Millisecond
	// maxClockDifference is how far the database's clock, by which changes have their ids, may be ahead of the gateway's.
	maxClockDifference = time.Hour
	// stateAge is the age of the shared state that a reader accepts.
	stateAge = 100 * time.Millisecond
)

// recordsPerRead is how many records the next statement of a page reads, after some that were not shown: as many as all before, so that a
// page takes few statements even if it shows nothing. Config.MaxPageBytes bounds each.
func recordsPerRead(limit, scanned int) int { return max(limit, 100, scanned) }

// changeFeed reads changes in the order of the feed. Its readers share the state of the feed.
type changeFeed struct {
	config       *neo4jentity.Config
	records      *recordReader
	visibleNodes *visibleNodeReader
	state        *snapshot.Snapshot[journalState]
}

// feedCursor is a position in the feed with the id of the record there.
func feedCursor(id string, position int64) string { return id + "." + strconv.FormatInt(position, 10) }

// errUnordered says that a change had no position yet when the state of the feed was read.
var errUnordered = fault.New(fault.DatabaseUnavailable, "The feed has not reached this change yet").RetryAfter(time.Second)

func errFeedGone() error {
	return fault.New(fault.HistoryGone, "The feed does not go back that far",
		fault.Detail{Field: "since", Message: "names a change that is not kept any more; begin at " + journal.FeedStart})
}

// checkIsOfThisFeed refuses a cursor of a feed in which another record was at its position: the database was replaced by an older state of
// it since, and later changes got the positions again; a reader that went on there would miss some. What is not kept cannot tell.
func (cf *changeFeed) checkIsOfThisFeed(ctx context.Context, since string, position int64) error {
	if since == journal.FeedStart {
		return nil
	}
	rows, err := cf.records.bounded.Client.Read(ctx, cypher.JournalAt.Text(nil), map[string]any{"position": position})
	if err != nil || len(rows) == 0 {
		return bolt.Translate(err)
	}
	at := bolt.Column[string](rows[0], "id")
	id, _, _ := strings.Cut(since, ".")
	// A cursor of cursorAt has the time at which the record had its position already.
	if id == at || strings.HasSuffix(id, withoutRecord) && timeOfChange(at).Before(timeOfChange(id).Add(maxClockDifference)) {
		return nil
	}
	return errFeedGone()
}

// positionOf is the position of a Since, as far as a state of the feed knows it; see errUnordered.
func (cf *changeFeed) positionOf(ctx context.Context, since string, state *journalState) (int64, error) {
	if since == journal.FeedStart {
		return state.removedPosition, nil
	}
	id, tail, hasPosition := strings.Cut(since, ".")
	position, err := strconv.ParseInt(tail, 10, 64)
	if !changeIDPattern.MatchString(id) || hasPosition && (err != nil || position < 0) {
		return 0, fault.Invalid("since", "must be the id of a change, a next_cursor, or %s", journal.FeedStart)
	}
	switch {
	case hasPosition && position < state.removedPosition:
		return 0, errFeedGone()
	case hasPosition && position <= state.position:
		return position, nil
	case hasPosition:
		return 0, errUnordered
	}
	r, err := cf.records.change(ctx, id)
	switch {
	case err != nil:
		return 0, err
	case r != nil && r.Position > 0:
		return r.Position, nil
	case r == nil && id > changeIDAt(time.Now().Add(maxClockDifference)):
		return 0, fault.Invalid("since", "is not the id of a recorded change")
	case r == nil: // removed, or erased: where it stood in the feed is not known any more
		return 0, errFeedGone()
	}
	return 0, errUnordered
}

// currentPosition is the position of a Since, and the state of the feed that knows it.
func (cf *changeFeed) currentPosition(ctx context.Context, since string) (int64, *journalState, error) {
	state, err := cf.state.Fresh(ctx, stateAge)
	if err != nil || since == "" {
		return 0, state, bolt.Translate(err)
	}
	position, err := cf.positionOf(ctx, since, state)
	if errors.Is(err, errUnordered) { // the change is younger than the shared state
		if state, err = cf.state.Fresh(ctx, 0); err == nil {
			position, err = cf.positionOf(ctx, since, state)
		}
	}
	if errors.Is(err, errUnordered) && strings.Contains(since, ".") {
		err = fault.Invalid("since", "must be a next_cursor of this database")
	}
	return position, state, bolt.Translate(err)
}

// Feed reads changes in the order of the feed: see journal.Reader.
func (cf *changeFeed) Feed(ctx context.Context, q journal.FeedQuery) (journal.FeedPage, error) {
	after, state, err := cf.currentPosition(ctx, q.Since)
	if err != nil {
		return journal.FeedPage{}, err
	}
	switch {
	case q.Since == "" && q.Last == 0:
		return journal.FeedPage{Next: cursorAt(state.position), AtEnd: true}, nil
	case q.Since == "":
		if after, err = cf.beforeLast(ctx, q, state.position); err != nil {
			return journal.FeedPage{}, err
		}
		q.Since = cursorAt(after)
	}
	page := journal.FeedPage{Next: q.Since}
	if q.Since != journal.FeedStart && !strings.Contains(q.Since, ".") {
		page.Next = feedCursor(q.Since, after) // so that nobody has to look the change up again
	}
	view, oldest := newJournalView(ctx, cf.visibleNodes), oldestKept(cf.config.JournalKeep)
	for scanned := 0; scanned < feedScan; {
		limit := min(recordsPerRead(q.Limit, scanned), feedScan-scanned)
		found, full, err := cf.readFeed(ctx, after, limit)
		if err == nil && scanned == 0 && len(found) > 0 {
			err = cf.checkIsOfThisFeed(ctx, q.Since, after)
		}
		if err != nil {
			return page, err
		}
		if scanned == 0 && len(found) > 0 && found[0].ID < oldest && q.Since != journal.FeedStart {
			return page, errFeedGone() // it is not removed yet, and not served any more
		}
		shown, err := view.showRecords(ctx, found)
		if err != nil {
			return page, err
		}
		for i, r := range shown {
			id, position := found[i].ID, found[i].Position
			if id >= oldest && r != nil && selectsChange(q, r) {
				page.Records = append(page.Records, *r)
			}
			after, page.Next = position, feedCursor(id, position)
			if len(page.Records) == q.Limit {
				page.AtEnd = i == len(found)-1 && len(found) < limit && !full
				return page, nil
			}
		}
		scanned += len(found)
		if full || len(found) < limit {
			page.AtEnd = !full
			return page, nil
		}
	}
	return page, nil
}

// beforeLast is the position before the last changes that a query selects, up to a position.
func (cf *changeFeed) beforeLast(ctx context.Context, q journal.FeedQuery, position int64) (int64, error) {
	view, oldest := newJournalView(ctx, cf.visibleNodes), oldestKept(cf.config.JournalKeep)
	ctx, release := withScratch(ctx)
	defer release()
	for scanned, selected := 0, 0; scanned < feedScan; {
		limit := min(recordsPerRead(q.Last, scanned), feedScan-scanned)
		params := map[string]any{"before": position + 1, "limit": limit}
		found, full, err := cf.records.read(ctx, cypher.JournalRecent, params, max(cf.config.MaxPageBytes, 1))
		if err != nil {
			return 0, err
		}
		shown, err := view.showRecords(ctx, found)
		if err != nil {
			return 0, err
		}
		for i, r := range shown {
			if found[i].ID < oldest {
				return position, nil
			}
			if position = found[i].Position - 1; r != nil && selectsChange(q, r) {
				selected++
			}
			if selected == q.Last {
				return position, nil
			}
		}
		if scanned += len(found); !full && len(found) < limit {
			break
		}
	}
	return position, nil
}

func selectsChange(q journal.FeedQuery, r *journal.Record) bool {
	return (q.Kind == "" || q.Kind == r.Kind) && (q.Action == "" || q.Action == r.Action) &&
		(q.Type == "" || slices.Contains(r.Image.Labels, q.Type))
}

// readFeed reads records after a position, each with the previous one of its entity, up to Config.MaxPageBytes; full reports that there are
// more.
func (cf *changeFeed) readFeed(ctx context.Context, after int64, limit int) (records []journal.Record, full bool, err error) {
	m, err := cf.records.reads.Catalog.Get(ctx)
	if err != nil {
		return nil, false, err
	}
	params := map[string]any{"after": after, "limit": limit, "managed": namesByKind(m)}
	previousOf := func(row *bolt.Record) (*journal.Record, error) {
		stored := bolt.Column[map[string]any](row, "previous")
		if stored == nil {
			return nil, nil
		}
		r, err := cf.records.decode(stored)
		return &r, err
	}
	records, previous, full, err := readBeside(ctx, cf.records, cypher.JournalFeed, params, max(cf.config.MaxPageBytes, 1), previousOf)
	for i := 0; err == nil && i < len(records); i++ {
		if records[i].Previous = previous[i]; previous[i] != nil {
			err = cf.records.completeValues(ctx, previous[i])
		}
	}
	return records, full, err
}

// withoutRecord ends the id of a cursor that is not that of a record.
const withoutRecord = "-0"

// cursorAt is the cursor of a position, whether or not a record is kept there.
func cursorAt(position int64) string {
	if position == 0 {
		return journal.FeedStart
	}
	return feedCursor(changeIDAt(time.Now())+withoutRecord, position)
}

// Change reads one change: see journal.Reader.
func (cf *changeFeed) Change(ctx context.Context, id string) (journal.Record, error) {
	gone := fault.New(fault.NotFound, "There is no such change")
	r, err := cf.records.change(ctx, id)
	switch {
	case err != nil:
		return journal.Record{}, err
	case r == nil || r.Position == 0:
		return journal.Record{}, gone
	}
	found, _, err := cf.readFeed(ctx, r.Position-1, 1) // with the previous record
	switch {
	case err != nil:
		return journal.Record{}, err
	case len(found) == 0 || found[0].ID != id:
		return journal.Record{}, gone
	}
	return found[0], nil
}

// Await waits for changes after a cursor: see journal.Reader.
func (cf *changeFeed) Await(ctx context.Context, after string) error {
	tick := time.NewTicker(awaitInterval)
	defer tick.Stop()
	for {
		position, state, err := cf.currentPosition(ctx, after)
		if err != nil || state.position > position {
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}
