package neo4jjournal

import (
	"context"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/journal"
	"graphrest/internal/neo4jentity"
)

// historyScan is how many records a page of a history reads, about, for a user who sees only some of them.
const historyScan = 5000

// entityHistory reads how one entity changed, and how it was at a moment.
type entityHistory struct {
	client       *bolt.Client
	config       *neo4jentity.Config
	entities     *stateReader
	records      *recordReader
	sequencer    *feedSequencer
	visibleNodes *visibleNodeReader
}

// History reads the changes of one entity: see journal.Reader.
func (eh *entityHistory) History(ctx context.Context, q journal.HistoryQuery) (journal.Page, error) {
	k := q.Kind
	before := neo4jentity.MaxChangeID
	if q.Cursor != "" {
		if !changeIDPattern.MatchString(q.Cursor) {
			return journal.Page{}, fault.Invalid("cursor", "must be a next_cursor of the same query")
		}
		before = q.Cursor
	}
	entity, err := eh.entities.find(ctx, k, q.ID)
	if err != nil {
		return journal.Page{}, err
	}
	view := newJournalView(ctx, eh.visibleNodes)
	live, err := eh.entities.showLive(ctx, view, &entity, q.ID)
	if err != nil {
		return journal.Page{}, err
	}
	page, scanned := journal.Page{}, 0
	for {
		found, err := eh.readHistory(ctx, view, entity, before, view.limitOf(q.Limit, scanned))
		if err != nil {
			return journal.Page{}, err
		}
		for i, r := range found.shown {
			if before = found.ids[i]; r != nil {
				page.Records = append(page.Records, *r)
			}
			if len(page.Records) == q.Limit {
				if found.more || i < len(found.shown)-1 {
					page.Next = before
				}
				return page, nil
			}
		}
		scanned += len(found.shown)
		some := len(page.Records) > 0 || q.Cursor != "" || live != nil
		switch {
		case !found.more && some:
			return page, nil
		case !found.more, view != nil && scanned >= historyScan && !some:
			return page, graph.NoSuchEntity(k)
		case found.full && len(page.Records) > 0, view != nil && scanned >= historyScan:
			page.Next = before
			return page, nil
		}
	}
}

// historyPart is what one statement read of the history of an entity.
type historyPart struct {
	ids   []string          // of the records
	shown []*journal.Record // what the user sees of each; nil for one that is not visible
	more  bool              // there are more records
	full  bool              // because of their bytes
}

// readHistory reads records of an entity before one of them, each with Previous. The bytes of records of which none is shown are released.
func (eh *entityHistory) readHistory(
	ctx context.Context, view *journalView, entity recorded, before string, limit int,
) (p historyPart, err error) {
	read, release := withScratch(ctx)
	params := entity.params()
	params["before"], params["oldest"], params["limit"] = before, oldestKept(eh.config.JournalKeep), limit+1
	records, full, err := eh.records.read(read, cypher.JournalHistory, params, max(eh.config.MaxPageBytes, 1))
	if err != nil {
		return p, err
	}
	for i := range records {
		if entity.isEarlier(&records[i], i == 0 && before == neo4jentity.MaxChangeID) {
			records, full = records[:i], false
			break
		}
	}
	m, err := eh.entities.reads.Catalog.Get(ctx)
	if err != nil {
		return p, err
	}
	linkRecords(m, entity, records)
	p.full, p.more = full, full || len(records) > limit
	records = records[:min(len(records), limit)]
	if full && len(records) > 1 {
		records = records[:len(records)-1] // the last one has no Previous
	}
	for i := range records {
		p.ids = append(p.ids, records[i].ID)
	}
	p.shown, err = view.showRecords(ctx, records)
	if !slices.ContainsFunc(p.shown, func(r *journal.Record) bool { return r != nil }) {
		release()
	}
	return p, err
}

// linkRecords sets Previous of records, which are sorted from the newest. Those under an id of which no owner is known may be of several.
func linkRecords(m *neo4jentity.ManagedTypes, entity recorded, records []journal.Record) {
	for i := range records {
		owner := newRecordOwner(m, records[i].Kind, records[i].Element, records[i].Image.Labels)
		for n := i + 1; n < len(records) && records[i].Previous == nil; n++ {
			if entity.own != nil || owner.has(&records[n]) {
				records[i].Previous = &records[n]
			}
		}
	}
}
