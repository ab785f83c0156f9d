package neo4jstore

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/journal"
	"graphrest/internal/neo4jaudit"
	"graphrest/internal/snapshot"
)

// Journal reads the records of changes and reverses changes. It is safe for concurrent use.
type Journal struct {
	client     *bolt.Client
	config     *Config
	audit      *neo4jaudit.Store
	texts      *statementTexts
	elements   *elementReader
	reads      *entityReader
	changes    *changeRecorder
	bounded    *boundedReader
	changeSets *ChangeSets

	feedState *snapshot.Snapshot[journalState]
	use       atomic.Pointer[JournalUse]
	prefix    atomic.Pointer[string] // of the database's element ids of nodes
}

var (
	_ journal.Reader = (*Journal)(nil)
	_ journal.Undoer = (*Journal)(nil)
)

const (
	// changeIDDigits is the length of the first part of an id, microseconds since 1970: enough until the year 2286.
	changeIDDigits = 16
	// historyScan is how many records a page of a history reads, about, for a user who sees only some of them.
	historyScan = 5000
)

var changeIDPattern = regexp.MustCompile(`^\d{16}-\d{1,19}$`)

// changeIDAt is the first id that a change of a time can have.
func changeIDAt(t time.Time) string {
	return fmt.Sprintf("%0*d", changeIDDigits, max(0, t.UnixMicro()))
}

// timeOfChange is the time in an id.
func timeOfChange(id string) time.Time {
	micros, _ := strconv.ParseInt(id[:min(changeIDDigits, len(id))], 10, 64)
	return time.UnixMicro(micros).UTC()
}

// oldest is the first id of a record that is still served.
func (j *Journal) oldest() string { return changeIDAt(time.Now().Add(-j.config.JournalKeep)) }

// recorded is an entity as the journal knows it.
type recorded struct {
	kind kind
	// ids under which its changes are recorded: its id, and for one that exists and has its own id the element id, under which they
	// were recorded before it got that id.
	ids  []string
	live *journal.State // nil if there is no such entity now
}

// find reads an entity.
func (j *Journal) find(ctx context.Context, k kind, id string) (r recorded, err error) {
	m, e, err := j.reads.find(ctx, k, id)
	if err != nil || e == nil {
		return recorded{kind: k, ids: []string{id}}, bolt.Translate(err)
	}
	if err := graph.TakeBytes(ctx, e.size); err != nil {
		return r, err
	}
	r = recorded{kind: k}
	r.live, err = j.stateOf(ctx, m, k, e)
	if r.ids = []string{r.live.ID}; r.live.ID != e.elementID {
		r.ids = append(r.ids, e.elementID)
	}
	return r, bolt.Translate(err)
}

// keys are the stored forms of its ids.
func (r recorded) keys() []string {
	keys := make([]string, len(r.ids))
	for i, id := range r.ids {
		keys[i] = entityKey(r.kind, id)
	}
	return keys
}

// isEarlier reports whether a record is of the deletion of another entity, which had the element id before: Neo4j uses element ids again.
// newest says that the record is the last one under these ids.
func (r recorded) isEarlier(record *journal.Record, newest bool) bool {
	return record.Action == journal.Delete && isElementID(r.kind, record.Entity) && (!newest || r.live != nil)
}

// History reads the changes of one entity: see journal.Reader.
func (j *Journal) History(ctx context.Context, q journal.HistoryQuery) (journal.Page, error) {
	k := q.Kind
	before := maxChangeID
	if q.Cursor != "" {
		if !changeIDPattern.MatchString(q.Cursor) {
			return journal.Page{}, fault.Invalid("cursor", "must be a next_cursor of the same query")
		}
		before = q.Cursor
	}
	entity, err := j.find(ctx, k, q.ID)
	if err != nil {
		return journal.Page{}, err
	}
	view := j.viewOf(ctx)
	live, err := j.showLive(ctx, view, entity, q.ID)
	if err != nil {
		return journal.Page{}, err
	}
	page, scanned := journal.Page{}, 0
	for {
		found, err := j.readHistory(ctx, view, entity, before, view.limitOf(q.Limit))
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
func (j *Journal) readHistory(
	ctx context.Context, view *journalView, entity recorded, before string, limit int,
) (p historyPart, err error) {
	read, release := withScratch(ctx)
	records, full, err := j.records(read, cypher.JournalHistory, map[string]any{
		"entities": entity.keys(), "before": before, "oldest": j.oldest(), "limit": limit + 1,
	}, max(j.config.MaxPageBytes, 1))
	if err != nil {
		return p, err
	}
	for i := range records {
		if entity.isEarlier(&records[i], i == 0 && before == maxChangeID) {
			records, full = records[:i], false
			break
		}
	}
	linkRecords(records)
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

// linkRecords sets Previous of the records of one entity, which are sorted from the newest.
func linkRecords(records []journal.Record) {
	for i := range len(records) - 1 {
		records[i].Previous = &records[i+1]
	}
}

// records runs a statement that returns records, up to maxBytes of them. full reports that there are more.
func (j *Journal) records(
	ctx context.Context, statement cypher.Statement, params map[string]any, maxBytes int64,
) (records []journal.Record, full bool, err error) {
	full, err = j.bounded.read(ctx, statement, params, maxBytes, func() { records = nil }, func(row *bolt.Record) error {
		r, err := j.decode(bolt.Column[map[string]any](row, "record"))
		records = append(records, r)
		return err
	})
	for i := 0; err == nil && i < len(records); i++ {
		err = j.completeValues(ctx, &records[i])
	}
	return records, full, err
}

// completeValues reads the values of a record that the driver could not decode: see readUnsupportedZones. A record that was removed
// meanwhile remains as it is.
func (j *Journal) completeValues(ctx context.Context, r *journal.Record) error {
	for _, value := range r.Image.Properties {
		if !bolt.IsUnsupported(value) {
			continue
		}
		element, err := j.elementOf(ctx, r.ID)
		if err == nil {
			_, err = j.reads.readUnsupportedZones(ctx, cypher.JournalTexts, element, imagePrefix, r.Image.Properties)
		}
		return bolt.Translate(err)
	}
	return nil
}

// The parts of _graphrest_meta before the labels.
const (
	metaAction = iota
	metaUser
	metaUserID
	metaGatewayID
	metaUndo
	metaChangeSet
	metaImport
	metaDeletedWith
	metaElement
	metaLabels
)

// imagePrefix starts the keys of the entity's properties in a record, so that a query in Cypher for a property does not find the record.
const imagePrefix = "_graphrest."

// decode converts the properties of a stored record.
func (j *Journal) decode(stored map[string]any) (journal.Record, error) {
	meta := bolt.AsTexts(bolt.AsList(stored["_graphrest_meta"]))
	for len(meta) < metaLabels { // written by another program: what can be read of it
		meta = append(meta, "")
	}
	kindName, entity, _ := strings.Cut(bolt.AsText(stored["_graphrest_entity"]), " ")
	r := journal.Record{
		ID: bolt.AsText(stored["_graphrest_id"]), RequestID: bolt.AsText(stored["_graphrest_request"]),
		User: meta[metaUser], UserID: meta[metaUserID],
		Action: journal.Action(meta[metaAction]), Kind: graph.Kind(kindName), Entity: entity,
		Cause: journal.Cause{
			Undo:        meta[metaUndo],
			ChangeSet:   meta[metaChangeSet],
			Import:      meta[metaImport],
			DeletedWith: meta[metaDeletedWith],
		},
		Image: journal.State{ID: entity, Labels: meta[metaLabels:], Properties: graph.Properties{}},
	}
	r.At = timeOfChange(r.ID)
	r.Position, _ = stored["_graphrest_position"].(int64)
	r.Restored = r.Action == journal.Delete && stored["_graphrest_trash"] == nil && stored["_graphrest_with"] == nil
	if r.Kind == graph.EdgeKind {
		if len(r.Image.Labels) > 0 {
			r.Type = r.Image.Labels[0]
		}
		if ends := bolt.AsTexts(bolt.AsList(stored["_graphrest_ends"])); len(ends) == 4 {
			r.Image.SourceID, r.Image.TargetID = ends[2], ends[3]
		}
	} else {
		r.Type = j.reads.types.CurrentTypes().NodeType(r.Image.Labels)
	}
	for key, value := range stored {
		name, ofEntity := strings.CutPrefix(key, imagePrefix)
		if ofEntity && (name != j.config.IDProperty || value != entity) {
			r.Image.Properties[name] = bolt.FromDriver(value)
		}
	}
	if set := bolt.AsText(stored["_graphrest_set"]); set != "" {
		var err error
		if r.Set, err = journal.DecodeSet(set); err != nil {
			return r, err
		}
	}
	return r, nil
}

// elementOf is the element id of a record's node; empty if the id is none of a change.
func (j *Journal) elementOf(ctx context.Context, id string) (string, error) {
	if !changeIDPattern.MatchString(id) {
		return "", nil
	}
	prefix := j.prefix.Load()
	if prefix == nil {
		state, err := j.readState(ctx)
		if err != nil {
			return "", err
		}
		text := state.element[:strings.LastIndexByte(state.element, ':')+1]
		prefix = &text
		j.prefix.Store(prefix)
	}
	return *prefix + id[changeIDDigits+1:], nil
}

// change reads one record; nil if there is none.
func (j *Journal) change(ctx context.Context, id string) (*journal.Record, error) {
	element, err := j.elementOf(ctx, id)
	if err != nil || element == "" || id < j.oldest() {
		return nil, err
	}
	found, _, err := j.records(ctx, cypher.JournalChange, map[string]any{"element": element, "id": id}, 1)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}

// journalState is the state of the feed.
type journalState struct {
	position, removedPosition, total int64
	element, removedID, oldest       string
	unordered                        bool
}

func (j *Journal) readState(ctx context.Context) (journalState, error) {
	found, err := j.client.Read(ctx, cypher.JournalState.Text(nil), nil)
	if err != nil || len(found) == 0 {
		return journalState{}, bolt.Translate(err)
	}
	r := found[0]
	return journalState{
		position:        bolt.Column[int64](r, "position"),
		removedPosition: bolt.Column[int64](r, "removed_position"),
		total:           bolt.Column[int64](r, "total"),
		element:         bolt.Column[string](r, "element"),
		removedID:       bolt.Column[string](r, "removed_id"),
		oldest:          bolt.Column[string](r, "oldest"),
		unordered:       bolt.Column[bool](r, "unordered"),
	}, nil
}
