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

const (
	// trashScan is how many records one statement of the trash reads, and maxTrashScan how many one page does.
	trashScan    = 500
	maxTrashScan = 5000
	// maxTrashEdges is how many deleted edges a page counts one by one, for a user who sees only some of them. A node has more if it alone
	// is on the page.
	maxTrashEdges = 10_000
)

// trashReader lists what was deleted and can be restored.
type trashReader struct {
	config       *neo4jentity.Config
	records      *recordReader
	visibleNodes *visibleNodeReader
}

// Trash lists deleted entities: see journal.Reader.
func (tr *trashReader) Trash(ctx context.Context, q journal.TrashQuery) (journal.TrashPage, error) {
	before, oldest := neo4jentity.MaxChangeID, oldestKept(tr.config.JournalKeep)
	if !q.Until.IsZero() {
		before = changeIDAt(q.Until)
	}
	if !q.Since.IsZero() {
		oldest = max(oldest, changeIDAt(q.Since))
	}
	if q.Cursor != "" {
		if !changeIDPattern.MatchString(q.Cursor) {
			return journal.TrashPage{}, fault.Invalid("cursor", "must be a next_cursor of the same query")
		}
		before = min(before, q.Cursor)
	}
	t := trashPage{
		config: tr.config, records: tr.records, view: newJournalView(ctx, tr.visibleNodes), query: q, before: before,
	}
	t.page.Deleted = []journal.Deleted{}
	for scanned := 0; scanned < maxTrashScan && !t.ended; scanned += trashScan {
		if err := t.read(ctx, oldest); err != nil {
			return t.page, err
		}
	}
	if !t.ended {
		t.page.Next = t.before
	}
	return t.page, t.countEdges(ctx)
}

// trashPage is a page of the trash that is being read.
type trashPage struct {
	config  *neo4jentity.Config
	records *recordReader
	view    *journalView // nil shows everything

	query  journal.TrashQuery
	before string // the last record that was read
	page   journal.TrashPage
	nodes  []*removedEdges // of the page
	edges  int64           // deleted with them
	ended  bool
}

// read reads the next records.
func (t *trashPage) read(ctx context.Context, oldest string) error {
	read, release := withScratch(ctx)
	defer release() // the page has none of their values but captions
	m, err := t.records.reads.Catalog.Get(ctx)
	if err != nil {
		return err
	}
	params := map[string]any{"before": t.before, "oldest": oldest, "limit": trashScan, "managed": namesByKind(m)}
	type beside struct {
		edges     int64
		recreated bool
	}
	records, rows, full, err := readBeside(read, t.records, cypher.JournalTrash, params, t.config.MaxPageBytes,
		func(row *bolt.Record) (beside, error) {
			return beside{bolt.Column[int64](row, "edges"), bolt.Column[bool](row, "recreated")}, nil
		})
	if err != nil {
		return err
	}
	shown, err := t.view.showRecords(read, records)
	if err != nil {
		return err
	}
	for i, r := range shown {
		selected := r != nil && !rows[i].recreated && selectsDeleted(t.query, r)
		if selected && !t.add(r, rows[i].edges) {
			return nil
		}
		t.before = records[i].ID
	}
	t.ended = !full && len(rows) < trashScan
	return nil
}

// add adds a deleted entity; false if the page is full.
func (t *trashPage) add(r *journal.Record, deletedEdges int64) bool {
	if r.Kind == graph.EdgeKind {
		deletedEdges = 0
	}
	t.edges += deletedEdges
	tooMany := t.view != nil && t.edges > maxTrashEdges && len(t.page.Deleted) > 0
	if len(t.page.Deleted) == t.query.Limit || tooMany {
		t.page.Next, t.ended = t.before, true
		return false
	}
	if deletedEdges > 0 {
		t.nodes = append(t.nodes, &removedEdges{
			at: len(t.page.Deleted), node: r.Entity, element: r.Element, unread: deletedEdges, before: neo4jentity.MaxChangeID,
		})
	}
	t.page.Deleted = append(t.page.Deleted, journal.Deleted{
		Change: r.ID, Kind: r.Kind, ID: r.Entity, Type: r.Type, DeletedAt: r.At, User: r.User, Edges: deletedEdges,
		Caption: r.Image.Properties.Caption(),
	})
	return true
}

// countEdges replaces the numbers of edges that were deleted with nodes by those that the user sees.
func (t *trashPage) countEdges(ctx context.Context) error {
	if t.view == nil {
		return nil
	}
	for _, e := range t.nodes {
		t.page.Deleted[e.at].Edges = 0
	}
	for rest := t.nodes; len(rest) > 0; {
		read, err := t.countSomeEdges(ctx, rest)
		if err != nil || read == 0 {
			return err
		}
		rest = slices.DeleteFunc(rest, func(e *removedEdges) bool { return e.unread <= 0 })
	}
	return nil
}

// removedEdges are the edges that were deleted with a node, while they are counted.
type removedEdges struct {
	at            int    // on the page
	node, element string // its id and its element id then
	unread        int64
	before        string // the last record that was read
}

// countSomeEdges reads the next records of the edges of each node.
func (t *trashPage) countSomeEdges(ctx context.Context, rest []*removedEdges) (read int, err error) {
	ctx, release := withScratch(ctx)
	defer release()
	nodes := make([][]any, len(rest))
	for i, e := range rest {
		nodes[i] = []any{e.node, e.before, e.element, i}
	}
	records, numbers, _, err := t.records.readNumbered(ctx, cypher.JournalRemoved, map[string]any{"nodes": nodes, "limit": trashScan},
		max(t.config.MaxPageBytes, 1))
	if err != nil {
		return 0, err
	}
	shown, err := t.view.showRecords(ctx, records)
	if err != nil {
		return 0, err
	}
	for i := range records {
		e := rest[numbers[i]]
		e.unread--
		e.before = min(e.before, records[i].ID)
		if shown[i] != nil {
			t.page.Deleted[e.at].Edges++
		}
	}
	return len(records), nil
}

func selectsDeleted(q journal.TrashQuery, r *journal.Record) bool {
	return (q.Kind == "" || q.Kind == r.Kind) && (q.Type == "" || slices.Contains(r.Image.Labels, q.Type)) &&
		(q.User == "" || q.User == r.User || q.User == r.UserID)
}
