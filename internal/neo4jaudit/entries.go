package neo4jaudit

import (
	"context"
	"encoding/json"
	"math"
	"time"

	"graphrest/cypher"
	"graphrest/internal/audit"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
)

// Entries reads a page of the audit: see audit.Reader. One entry in the database contains what one transaction did, possibly many rows.
func (s *Store) Entries(ctx context.Context, q audit.Query) (audit.Page, error) {
	at, err := decodePosition(q)
	if err != nil {
		return audit.Page{}, err
	}
	var page audit.Page
	step := q.Limit + 1
	for scanned := 0; scanned < maxScan; step = min(4*step, maxBatch) {
		got, err := s.readBatch(ctx, q, at, min(step, maxScan-scanned))
		if err != nil {
			return audit.Page{}, bolt.Translate(err)
		}
		for _, e := range got.entries {
			if at.isReturned(e) {
				continue
			}
			if len(page.Entries) == q.Limit {
				page.Next = at.encode()
				return page, nil
			}
			page.Entries = append(page.Entries, e.Entry)
			at = e.position
		}
		if got.seen == 0 || got.done {
			return page, nil
		}
		at = got.end
		scanned += got.seen
	}
	page.Next = at.encode()
	return page, nil
}

// batch is the result of one statement.
type batch struct {
	entries []positionedEntry
	seen    int
	end     rowPosition // of the last entry scanned
	done    bool        // there are no more
}

func (s *Store) readBatch(ctx context.Context, q audit.Query, from rowPosition, scan int) (batch, error) {
	since := int64(math.MinInt64)
	if !q.Since.IsZero() {
		since = q.Since.UnixMilli()
		if q.Since.Sub(time.UnixMilli(since)) > 0 {
			since++ // entries are to the millisecond
		}
	}
	records, err := s.client.Read(ctx, cypher.AuditRead.Text(nil), map[string]any{
		"since": since, "before": from.At, "last": from.Element, "scan": scan, "action": string(q.Action), "kind": string(q.Kind),
		"outcome": string(q.Outcome), "texts": textsOf(q),
	})
	if err != nil || len(records) == 0 {
		return batch{}, err
	}
	r := batch{seen: int(bolt.Column[int64](records[0], "seen"))}
	r.done = r.seen < scan
	r.end = rowPosition{
		At: bolt.Column[int64](records[0], "last_at"), Element: bolt.Column[string](records[0], "last_element"),
		Row: math.MaxInt32,
	}
	for _, stored := range bolt.Column[[]any](records[0], "found") {
		for _, e := range decodeEntries(stored) {
			if matchesQuery(q, e.Entry) {
				r.entries = append(r.entries, e)
			}
		}
	}
	return r, nil
}

// textsOf are strings that every line selected by a query contains.
func textsOf(q audit.Query) []string {
	texts := []string{}
	for _, part := range []string{q.User, q.Entity} {
		if part != "" {
			texts = append(texts, "\t"+replaceTabs(part))
		}
	}
	if q.RequestID != "" {
		texts = append(texts, replaceTabs(q.RequestID)) // it may follow another id
	}
	return texts
}

// matchesQuery applies a query to one row of an entry in the database, which was found for any of its rows.
func matchesQuery(q audit.Query, e audit.Entry) bool {
	return (q.User == "" || q.User == e.Actor.User || q.User == e.Actor.UserID) &&
		(q.Entity == "" || replaceTabs(q.Entity) == e.Entity || (e.Kind == audit.User || e.Kind == audit.Token) && q.Entity == e.Name) &&
		(q.RequestID == "" || q.RequestID == e.Actor.RequestID || q.RequestID == e.Actor.GatewayID)
}

// rowPosition is a position in the audit: a row of an entry in the database.
type rowPosition struct {
	At      int64
	Element string
	Row     int
}

type positionedEntry struct {
	audit.Entry
	position rowPosition
}

// isReturned reports whether an entry was returned before, or is at the position itself.
func (p rowPosition) isReturned(e positionedEntry) bool {
	return p.Element == e.position.Element && e.position.Row <= p.Row
}

func (p rowPosition) encode() []byte {
	text, _ := json.Marshal(p) // numbers and a string can always be encoded
	return text
}

func decodePosition(q audit.Query) (rowPosition, error) {
	position := rowPosition{At: math.MaxInt64}
	if !q.Until.IsZero() {
		position.At = q.Until.UnixMilli() - 1
		if q.Until.Sub(time.UnixMilli(position.At+1)) > 0 {
			position.At++
		}
	}
	if q.After == nil {
		return position, nil
	}
	if err := json.Unmarshal(q.After, &position); err != nil {
		return position, fault.Invalid("cursor", "must be a next_cursor of the same query")
	}
	return position, nil
}

// decodeEntries are the rows of an entry in the database.
func decodeEntries(stored any) []positionedEntry {
	fields, _ := stored.(map[string]any)
	lines := bolt.AsList(fields["lines"])
	all := make([]positionedEntry, 0, len(lines))
	at, _ := fields["at"].(int64)
	for i := range lines {
		e := readLine(bolt.AsText(lines[i]))
		e.At, e.Code = time.UnixMilli(at).UTC(), bolt.AsText(fields["code"])
		e.Action, e.Kind, e.Outcome = audit.Action(bolt.AsText(fields["action"])), audit.Kind(bolt.AsText(fields["kind"])),
			audit.Outcome(bolt.AsText(fields["outcome"]))
		changes, _ := fields["changes"].(int64)
		rest, _ := fields["rest"].(int64)
		switch {
		case rest > 0 && i == len(lines)-1:
			e.Count = rest
		case len(lines) == 1 && changes > 1:
			e.Count = changes
		}
		all = append(all, positionedEntry{e, rowPosition{At: at, Element: bolt.AsText(fields["element"]), Row: i}})
	}
	return all
}
