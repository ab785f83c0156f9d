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

// auditParams are the parameters by which a batch writes its changes into the audit; null if the audit is off.
func (s *Store) auditParams(action audit.Action, k kind) map[string]any {
	if !s.config.Audit.Records(audit.Kind(k)) {
		return map[string]any{"audit": nil}
	}
	return map[string]any{"audit": map[string]any{"action": string(action), "kind": string(k)}}
}

// maxNamedCreates bounds the new entities that one transaction of an import names in the audit; the rest are counted. Changed entities are
// all named.
const maxNamedCreates = 100

// importAuditParams are the audit parameters of a batch of an import: up to a number of its rows have audit lines, as in other batches.
func (s *Store) importAuditParams(by audit.Actor, k kind, named int) map[string]any {
	params := s.auditParams(audit.Import, k)
	if entry, on := params["audit"].(map[string]any); on {
		entry["named"], entry["rest"] = named, []string{auditLine(by, "", nil, "")}
	}
	return params
}

// withActor adds the audit line to a batch's row, except the type, which the statement adds.
func (s *Store) withActor(a audit.Actor, entity string, fields []string, row map[string]any) map[string]any {
	if s.config.Audit.Records(audit.Node) {
		row["line"] = auditLine(a, entity, fields, "")
	}
	return row
}

// auditLine is the stored form of one row of an entry, as one string: writing one property is cheaper than seven. Each part begins with a
// tab, and only the last may contain one.
func auditLine(a audit.Actor, entity string, fields []string, name string) string {
	named := ""
	if len(fields) > 0 {
		named = fieldsText(fields)
	}
	return auditPrefix(a) + replaceTabs(entity) + "\t" + replaceTabs(named) + "\t" + name
}

// auditPrefix is the common start of an actor's lines, up to the entity.
func auditPrefix(a audit.Actor) string {
	var b strings.Builder
	request := a.RequestID
	if a.GatewayID != "" {
		request += " " + a.GatewayID // no request id contains a space
	}
	for _, part := range []string{a.User, a.UserID, request, a.Address} {
		b.WriteByte('\t')
		b.WriteString(replaceTabs(part))
	}
	b.WriteByte('\t')
	return b.String()
}

func replaceTabs(text string) string { return strings.ReplaceAll(text, "\t", " ") }

const auditLineParts = 7

// readAuditLine splits a line into its parts. A line written by another program yields what can be read of it.
func readAuditLine(line string) audit.Entry {
	parts := strings.SplitN(strings.TrimPrefix(line, "\t"), "\t", auditLineParts)
	parts = append(parts, make([]string, auditLineParts-len(parts))...)
	e := audit.Entry{
		Actor:  audit.Actor{User: parts[0], UserID: parts[1], RequestID: parts[2], Address: parts[3]},
		Entity: parts[4], Name: parts[6], Count: 1,
	}
	e.Actor.RequestID, e.Actor.GatewayID, _ = strings.Cut(parts[2], " ")
	_ = json.Unmarshal([]byte(parts[5]), &e.Fields) // empty where there are none
	return e
}

// fieldsText is names as a JSON array, truncated to those that fit.
func fieldsText(names []string) string {
	size, fit := 2, 0
	for _, name := range names {
		if size += len(name) + 3; size > maxFieldsText {
			break
		}
		fit++
	}
	text, _ := json.Marshal(names[:fit]) // strings can always be encoded
	return string(text)
}

const (
	// maxAuditScan bounds the entries in the database that one page scans, and maxAuditBatch those of one statement.
	maxAuditScan  = 20_000
	maxAuditBatch = 2000
)

// Entries reads a page of the audit: see audit.Reader. One entry in the database contains what one transaction did, possibly many rows.
func (s *Store) Entries(ctx context.Context, q audit.Query) (audit.Page, error) {
	at, err := decodeAuditPosition(q)
	if err != nil {
		return audit.Page{}, err
	}
	var page audit.Page
	step := q.Limit + 1
	for scanned := 0; scanned < maxAuditScan; step = min(4*step, maxAuditBatch) {
		got, err := s.readAudit(ctx, q, at, min(step, maxAuditScan-scanned))
		if err != nil {
			return audit.Page{}, translate(err)
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

// auditBatch is the result of one statement.
type auditBatch struct {
	entries []positionedEntry
	seen    int
	end     auditPosition // of the last entry scanned
	done    bool          // there are no more
}

func (s *Store) readAudit(ctx context.Context, q audit.Query, from auditPosition, scan int) (auditBatch, error) {
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
		return auditBatch{}, err
	}
	r := auditBatch{seen: int(column[int64](records[0], "seen"))}
	r.done = r.seen < scan
	r.end = auditPosition{At: column[int64](records[0], "last_at"), Element: column[string](records[0], "last_element"), Row: math.MaxInt32}
	for _, stored := range column[[]any](records[0], "found") {
		for _, e := range decodeEntries(stored) {
			if matchesQuery(q, e.Entry) {
				r.entries = append(r.entries, e)
			}
		}
	}
	return r, nil
}

// auditTexts are strings that every line selected by a query contains.
func auditTexts(q audit.Query) []string {
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
		(q.Entity == "" || replaceTabs(q.Entity) == e.Entity || e.Kind == audit.User && q.Entity == e.Name) &&
		(q.RequestID == "" || q.RequestID == e.Actor.RequestID || q.RequestID == e.Actor.GatewayID)
}

// auditPosition is a position in the audit: a row of an entry in the database.
type auditPosition struct {
	At      int64
	Element string
	Row     int
}

type positionedEntry struct {
	audit.Entry
	position auditPosition
}

// isReturned says whether an entry was returned before, or is at the position itself.
func (p auditPosition) isReturned(e positionedEntry) bool {
	return p.Element == e.position.Element && e.position.Row <= p.Row
}

func (p auditPosition) encode() []byte {
	text, _ := json.Marshal(p) // numbers and a string can always be encoded
	return text
}

func decodeAuditPosition(q audit.Query) (auditPosition, error) {
	position := auditPosition{At: math.MaxInt64}
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
		return position, fault.Invalid("cursor", "must be a next_cursor of this very query")
	}
	return position, nil
}

// decodeEntries are the rows of an entry in the database.
func decodeEntries(stored any) []positionedEntry {
	fields, _ := stored.(map[string]any)
	lines := asList(fields["lines"])
	all := make([]positionedEntry, 0, len(lines))
	at, _ := fields["at"].(int64)
	for i := range lines {
		e := readAuditLine(asText(lines[i]))
		e.At, e.Code = time.UnixMilli(at).UTC(), asText(fields["code"])
		e.Action, e.Kind, e.Outcome = audit.Action(asText(fields["action"])), audit.Kind(asText(fields["kind"])), audit.Outcome(asText(fields["outcome"]))
		changes, _ := fields["changes"].(int64)
		rest, _ := fields["rest"].(int64)
		switch {
		case rest > 0 && i == len(lines)-1:
			e.Count = rest
		case len(lines) == 1 && changes > 1:
			e.Count = changes
		}
		all = append(all, positionedEntry{e, auditPosition{At: at, Element: asText(fields["element"]), Row: i}})
	}
	return all
}

// adminAuditParams are the audit parameters of a statement that changes the service's configuration; it writes one line.
func (s *Store) adminAuditParams(ctx context.Context, action audit.Action, kind audit.Kind, entity, name string) map[string]any {
	params := map[string]any{"rows": batchRows{}.list(), "audit": nil}
	if s.config.Audit.Records(kind) {
		params["audit"] = map[string]any{"action": string(action), "kind": string(kind)}
		params["rows"] = batchRows{{"line": auditLine(audit.ActorFrom(ctx), entity, nil, name)}}.list()
	}
	return params
}

// newAuditEntry is the entry of a change by the actor of the context.
func newAuditEntry(ctx context.Context, action audit.Action, kind audit.Kind, entity, name string, fields ...string) audit.Entry {
	slices.Sort(fields)
	return audit.Entry{Actor: audit.ActorFrom(ctx), Action: action, Kind: kind, Outcome: audit.Done, Entity: entity, Name: name, Fields: fields}
}

// entryParams are the parameters of audit_record: entries that belong to no change of the graph, in their stored form.
func entryParams(entries ...audit.Entry) map[string]any {
	stored := make([]map[string]any, len(entries))
	for i, e := range entries {
		stored[i] = encodeEntry(e)
	}
	return map[string]any{"entries": stored}
}

func encodeEntry(e audit.Entry) map[string]any {
	stored := map[string]any{
		"action": string(e.Action), "kind": string(e.Kind), "outcome": string(e.Outcome), "changes": max(e.Count, 1),
		"lines": []string{auditLine(e.Actor, e.Entity, e.Fields, e.Name)},
	}
	if e.Code != "" {
		stored["code"] = e.Code
	}
	return stored
}

// purgeAudit removes entries older than Config.AuditKeep in batches. A lock serializes the replicas.
func (s *Store) purgeAudit(ctx context.Context) (total int64, err error) {
	for {
		records, err := s.client.write(ctx, cypher.AuditPurge.Text(nil), map[string]any{"keep": s.config.AuditKeep.Milliseconds(), "limit": purgeBatch})
		if err != nil {
			return total, err
		}
		removed, err := singleInteger(records, "removed")
		total += removed
		if err != nil || removed < purgeBatch {
			return total, err
		}
	}
}

// Record writes entries: see audit.Recorder. If the connection is lost at the commit, they may be written twice.
func (a *Accounts) Record(ctx context.Context, entries []audit.Entry) error {
	ctx, cancel := detached(ctx)
	defer cancel()
	_, err := a.run(ctx, cypher.AuditRecord, entryParams(entries...))
	return accountsFault(err)
}

// record writes an entry in the transaction of a change of users or revocations.
func (c *change) record(ctx context.Context, action audit.Action, kind audit.Kind, entity, name string, fields ...string) error {
	if !c.audited {
		return nil
	}
	_, err := c.run(ctx, cypher.AuditRecord, entryParams(newAuditEntry(ctx, action, kind, entity, name, fields...)))
	return err
}

var _ audit.Recorder = (*Accounts)(nil)
