package neo4jstore

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"time"

	"graphrest/cypher"
	"graphrest/internal/audit"
	"graphrest/internal/fault"
)

// maxFieldsText bounds the names of changed properties in one entry, in bytes.
const maxFieldsText = 1000

// audited are the parameters with which a batch writes what it has done into the audit: null where that is off.
func (s *Store) audited(action audit.Action, k kind) map[string]any {
	if !s.config.Audit.Records(audit.Kind(k)) {
		return map[string]any{"audit": nil}
	}
	return map[string]any{"audit": map[string]any{"action": string(action), "kind": string(k)}}
}

// maxNamedCreates bounds the new entities that one transaction of an import names in the audit; the rest are counted. What it changes it names in full.
const maxNamedCreates = 100

// imported are those of a batch of an import: its rows have lines as others have, up to a number.
func (s *Store) imported(by audit.Actor, k kind, named int) map[string]any {
	params := s.audited(audit.Import, k)
	if entry, on := params["audit"].(map[string]any); on {
		entry["named"], entry["rest"] = named, []string{auditLine(by, "", nil, "")}
	}
	return params
}

// by adds to a batch's row its line of the audit, but for the type, which the statement adds.
func (s *Store) by(a audit.Actor, entity string, fields []string, row map[string]any) map[string]any {
	if s.config.Audit.Records(audit.Node) {
		row["line"] = auditLine(a, entity, fields, "")
	}
	return row
}

// auditLine is what an entry in the database holds of one row, in one text: one property costs a write less than seven. Each
// part begins with a tab, and the last is the only one that may hold one.
func auditLine(a audit.Actor, entity string, fields []string, name string) string {
	named := ""
	if len(fields) > 0 {
		named = fieldsText(fields)
	}
	return auditPrefix(a) + untabbed(entity) + "\t" + untabbed(named) + "\t" + name
}

// auditPrefix is what the lines of an actor begin with, up to the entity.
func auditPrefix(a audit.Actor) string {
	var b strings.Builder
	request := a.RequestID
	if a.GatewayID != "" {
		request += " " + a.GatewayID // no request id holds a space
	}
	for _, part := range []string{a.User, a.UserID, request, a.Address} {
		b.WriteByte('\t')
		b.WriteString(untabbed(part))
	}
	b.WriteByte('\t')
	return b.String()
}

func untabbed(text string) string { return strings.ReplaceAll(text, "\t", " ") }

const auditParts = 7

// readAuditLine takes a line apart. One that somebody else wrote gives what can be read of it.
func readAuditLine(line string) audit.Entry {
	parts := strings.SplitN(strings.TrimPrefix(line, "\t"), "\t", auditParts)
	parts = append(parts, make([]string, auditParts-len(parts))...)
	e := audit.Entry{
		Actor:  audit.Actor{User: parts[0], UserID: parts[1], RequestID: parts[2], Address: parts[3]},
		Entity: parts[4], Name: parts[6], Count: 1,
	}
	e.Actor.RequestID, e.Actor.GatewayID, _ = strings.Cut(parts[2], " ")
	_ = json.Unmarshal([]byte(parts[5]), &e.Fields) // empty where there are none
	return e
}

// fieldsText is names as a JSON array, cut to as many as fit.
func fieldsText(names []string) string {
	size, fit := 2, 0
	for _, name := range names {
		if size += len(name) + 3; size > maxFieldsText {
			break
		}
		fit++
	}
	text, _ := json.Marshal(names[:fit]) // texts can always be encoded
	return string(text)
}

const (
	// auditLookAtMost bounds the entries in the database that one page looks at, and auditStep those of one statement.
	auditLookAtMost = 20_000
	auditStep       = 2000
)

// Entries reads a page of the audit: see audit.Trail. One entry in the database holds what one transaction did, many rows perhaps.
func (s *Store) Entries(ctx context.Context, q audit.Query) (audit.Page, error) {
	at, err := openAuditPlace(q)
	if err != nil {
		return audit.Page{}, err
	}
	var page audit.Page
	step := q.Limit + 1
	for looked := 0; looked < auditLookAtMost; step = min(4*step, auditStep) {
		got, err := s.readAudit(ctx, q, at, min(step, auditLookAtMost-looked))
		if err != nil {
			return audit.Page{}, translate(err)
		}
		for _, e := range got.entries {
			if at.past(e) {
				continue
			}
			if len(page.Entries) == q.Limit {
				page.Next = at.sealed()
				return page, nil
			}
			page.Entries = append(page.Entries, e.Entry)
			at = e.place
		}
		if got.seen == 0 || got.last {
			return page, nil
		}
		at = got.end
		looked += got.seen
	}
	page.Next = at.sealed()
	return page, nil
}

// auditRead is what one statement found.
type auditRead struct {
	entries []placedEntry
	seen    int
	end     auditPlace // of the last one looked at
	last    bool       // there are no more
}

func (s *Store) readAudit(ctx context.Context, q audit.Query, from auditPlace, scan int) (auditRead, error) {
	since := int64(math.MinInt64)
	if !q.Since.IsZero() {
		since = q.Since.UnixMilli()
		if q.Since.Sub(time.UnixMilli(since)) > 0 {
			since++ // entries are to the millisecond
		}
	}
	records, err := s.client.read(ctx, cypher.AuditRead.Text(nil), map[string]any{
		"since": since, "before": from.At, "last": from.Element, "scan": scan, "action": string(q.Action), "kind": string(q.Kind),
		"outcome": string(q.Outcome), "texts": auditTexts(q),
	})
	if err != nil || len(records) == 0 {
		return auditRead{}, err
	}
	r := auditRead{seen: int(column[int64](records[0], "seen"))}
	r.last = r.seen < scan
	r.end = auditPlace{At: column[int64](records[0], "last_at"), Element: column[string](records[0], "last_element"), Row: math.MaxInt32}
	for _, stored := range column[[]any](records[0], "found") {
		for _, e := range storedEntries(stored) {
			if selects(q, e.Entry) {
				r.entries = append(r.entries, e)
			}
		}
	}
	return r, nil
}

// auditTexts are what a line holds, whatever else, that a query selects.
func auditTexts(q audit.Query) []string {
	texts := []string{}
	for _, part := range []string{q.User, q.Entity} {
		if part != "" {
			texts = append(texts, "\t"+untabbed(part))
		}
	}
	if q.RequestID != "" {
		texts = append(texts, untabbed(q.RequestID)) // it may stand behind another
	}
	return texts
}

// selects applies a query to one row of an entry in the database, which was found for any of its rows.
func selects(q audit.Query, e audit.Entry) bool {
	return (q.User == "" || q.User == e.Actor.User || q.User == e.Actor.UserID) &&
		(q.Entity == "" || untabbed(q.Entity) == e.Entity || e.Kind == audit.User && q.Entity == e.Name) &&
		(q.RequestID == "" || q.RequestID == e.Actor.RequestID || q.RequestID == e.Actor.GatewayID)
}

// auditPlace is a place in the audit: a row of an entry in the database.
type auditPlace struct {
	At      int64
	Element string
	Row     int
}

type placedEntry struct {
	audit.Entry
	place auditPlace
}

// past says whether an entry was handed over already, or is at the place itself.
func (p auditPlace) past(e placedEntry) bool {
	return p.Element == e.place.Element && e.place.Row <= p.Row
}

func (p auditPlace) sealed() []byte {
	text, _ := json.Marshal(p) // numbers and a text can always be encoded
	return text
}

func openAuditPlace(q audit.Query) (auditPlace, error) {
	place := auditPlace{At: math.MaxInt64}
	if !q.Until.IsZero() {
		place.At = q.Until.UnixMilli() - 1
		if q.Until.Sub(time.UnixMilli(place.At+1)) > 0 {
			place.At++
		}
	}
	if q.After == nil {
		return place, nil
	}
	if err := json.Unmarshal(q.After, &place); err != nil {
		return place, fault.Invalid("cursor", "must be a next_cursor of this very query")
	}
	return place, nil
}

// storedEntries are the rows of an entry in the database.
func storedEntries(stored any) []placedEntry {
	fields, _ := stored.(map[string]any)
	lines := list(fields["lines"])
	all := make([]placedEntry, 0, len(lines))
	at, _ := fields["at"].(int64)
	for i := range lines {
		e := readAuditLine(text(lines[i]))
		e.At, e.Code = time.UnixMilli(at).UTC(), text(fields["code"])
		e.Action, e.Kind, e.Outcome = audit.Action(text(fields["action"])), audit.Kind(text(fields["kind"])), audit.Outcome(text(fields["outcome"]))
		changes, _ := fields["changes"].(int64)
		rest, _ := fields["rest"].(int64)
		switch {
		case rest > 0 && i == len(lines)-1:
			e.Count = rest
		case len(lines) == 1 && changes > 1:
			e.Count = changes
		}
		all = append(all, placedEntry{e, auditPlace{At: at, Element: text(fields["element"]), Row: i}})
	}
	return all
}

// administered are the parameters of a statement that changes how the service works, and writes one line for it.
func (s *Store) administered(ctx context.Context, action audit.Action, kind audit.Kind, entity, name string) map[string]any {
	params := map[string]any{"rows": rows{}.list(), "audit": nil}
	if s.config.Audit.Records(kind) {
		params["audit"] = map[string]any{"action": string(action), "kind": string(kind)}
		params["rows"] = rows{{"line": auditLine(audit.ActorFrom(ctx), entity, nil, name)}}.list()
	}
	return params
}

// doneBy is the entry of what whoever the context names has done.
func doneBy(ctx context.Context, action audit.Action, kind audit.Kind, entity, name string, fields ...string) audit.Entry {
	slices.Sort(fields)
	return audit.Entry{Actor: audit.ActorFrom(ctx), Action: action, Kind: kind, Outcome: audit.Done, Entity: entity, Name: name, Fields: fields}
}

// recordable are the parameters of audit_record: entries that go with no change of the graph, as the database keeps them.
func recordable(entries ...audit.Entry) map[string]any {
	stored := make([]map[string]any, len(entries))
	for i, e := range entries {
		stored[i] = storedEntry(e)
	}
	return map[string]any{"entries": stored}
}

func storedEntry(e audit.Entry) map[string]any {
	stored := map[string]any{
		"action": string(e.Action), "kind": string(e.Kind), "outcome": string(e.Outcome), "changes": max(e.Count, 1),
		"lines": []string{auditLine(e.Actor, e.Entity, e.Fields, e.Name)},
	}
	if e.Code != "" {
		stored["code"] = e.Code
	}
	return stored
}

// purgeAudit removes the entries that are older than they are kept, in batches. Replicas take turns.
func (s *Store) purgeAudit(ctx context.Context) (total int64, err error) {
	for {
		records, err := s.client.write(ctx, cypher.AuditPurge.Text(nil), map[string]any{"keep": s.config.AuditKeep.Milliseconds(), "limit": purgeBatch})
		if err != nil {
			return total, err
		}
		removed, err := integer(records, "removed")
		total += removed
		if err != nil || removed < purgeBatch {
			return total, err
		}
	}
}

// Record writes entries: see audit.Recorder. Where a connection is lost at the very end they may be there twice.
func (a *Accounts) Record(ctx context.Context, entries []audit.Entry) error {
	ctx, cancel := detached(ctx)
	defer cancel()
	_, err := a.run(ctx, cypher.AuditRecord, recordable(entries...))
	return accountsFault(err)
}

// record writes an entry in the transaction of a change of users or revocations.
func (c *change) record(ctx context.Context, action audit.Action, kind audit.Kind, entity, name string, fields ...string) error {
	if !c.audited {
		return nil
	}
	_, err := c.run(ctx, cypher.AuditRecord, recordable(doneBy(ctx, action, kind, entity, name, fields...)))
	return err
}

var _ audit.Recorder = (*Accounts)(nil)
