package neo4jstore

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"graphrest/cypher"
	"graphrest/internal/coalesce"
	"graphrest/internal/graph"
)

const (
	// rowsPerPart is how many rows of a batch of reads come in one record, as the statements say. One record for each row costs the server
	// and the driver much more; one for all would have to be in memory as a whole.
	rowsPerPart = 8
	// firstParts is how many records a statement pulls at a time when their size is not known.
	firstParts = 4
	// largeEntity is the size from which on an entity is read by a statement of its own.
	largeEntity = 64 << 10
	// maxLargeElements bounds the large entities that are remembered.
	maxLargeElements = 4096
	// largeLanes is how many large entities are read at the same time.
	largeLanes = 2
)

// errUnread says that an entity was not read because the others of its batch were too large. It is to be read alone.
var errUnread = errors.New("neo4jstore: the batch was too large to be read as a whole")

// readParts are the parts of a batch that were read.
type readParts struct {
	read map[int64]bool
	full bool // there are others
}

// missing says whether the row at a place was not read, so that nothing is known about it.
func (p readParts) isMissing(place int) bool { return p.full && !p.read[int64(place/rowsPerPart)] }

// readRowsInParts runs a statement that returns its rows in parts, until the rows have Config.MaxPageBytes. It reads at least one part.
// each takes a row and its size; it may be called again for the same row.
func (s *Store) readRowsInParts(
	ctx context.Context, text cypher.Text, params map[string]any, each func(t tuple, size int64),
) (readParts, error) {
	page := pageBytesOf(ctx)
	before := *page
	parts, records := readParts{}, 0
	var overBudget error
	begin := func() { // a statement that failed is run again from its start
		_ = graph.TakeBytes(ctx, before.read-page.read)
		*page, parts, records = before, readParts{read: map[int64]bool{}}, 0
	}
	take := func(r *record) bool {
		if page.full = page.isFull(s.config.MaxPageBytes); page.full {
			return false
		}
		records++
		for _, row := range column[[]any](r, "rows") {
			t, _ := row.([]any)
			size := sizeOfRow(t)
			if overBudget = graph.TakeBytes(ctx, size); overBudget != nil {
				return false
			}
			page.read, page.count = page.read+size, page.count+1
			each(t, size)
		}
		parts.read[column[int64](r, "part")] = true
		return true
	}
	err := s.client.readRecords(ctx, text, params, s.recordSizes.fetchSize(text, s.config.MaxPageBytes, firstParts), begin, take)
	s.recordSizes.observe(text, records, page.read-before.read)
	if err == nil {
		err = overBudget
	}
	parts.full = page.full
	return parts, err
}

// unread fails the calls of a batch that were not read.
func failUnread[R any](out []coalesce.Outcome[R], parts readParts) []coalesce.Outcome[R] {
	for i := range out {
		if parts.isMissing(i) {
			out[i].Err = errUnread
		}
	}
	return out
}

// largeElements remembers large entities by element id, so that they are not read in a batch, which would hold many of them at once.
// It is safe for concurrent use.
type largeElements struct {
	count atomic.Int64
	mu    sync.RWMutex
	known map[string]int64 // the size that each was first seen with
}

func (l *largeElements) has(element string) bool { return l.size(element) > 0 }

// size is about how large an entity is that is known to be large; 0 for any other.
func (l *largeElements) size(element string) int64 {
	if l.count.Load() == 0 {
		return 0
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.known[element]
}

// note takes the size that an entity was read with.
func (l *largeElements) recordSize(element string, size int64) {
	large := size >= largeEntity
	if large == l.has(element) {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case !large:
		delete(l.known, element)
	case l.known == nil || len(l.known) >= maxLargeElements:
		l.known = map[string]int64{element: size}
	default:
		l.known[element] = size
	}
	l.count.Store(int64(len(l.known)))
}

// A statement of eachElement reads between leastChunk and mostChunk entities: the database holds them all in memory before it sends the
// first, so they should not have much more bytes than a page. firstChunk is how many while their size is not known.
const (
	minChunk   = rowsPerPart
	firstChunk = 4 * rowsPerPart
	maxChunk   = 1000
)

// eachElement reads entities by element id and gives those that are there, in order, until they have Config.MaxPageBytes and are the
// least that are to be read; done is how many of those wanted were looked for.
func (s *Store) forEachElement(ctx context.Context, k kind, wanted []string, minCount int, use func(*element) error) (done int, err error) {
	ctx, page := withPageBytes(ctx)
	page.minCount = minCount
	for done < len(wanted) {
		chunk := s.recordSizes.fetchSize(s.elementsText(k), s.config.MaxPageBytes*rowsPerPart, firstChunk)
		some := wanted[done:min(done+max(min(chunk, maxChunk), minChunk), len(wanted))]
		found := make([]*element, len(some))
		parts, err := s.readElementBatch(ctx, k, some, found)
		if err != nil {
			return done, err
		}
		for i, e := range found {
			if parts.isMissing(i) {
				return done, nil
			}
			done++
			if e == nil {
				continue
			}
			if err := use(e); err != nil {
				return done, err
			}
		}
	}
	return done, nil
}

// elementsText is the statement that reads entities by element id.
func (s *Store) elementsText(k kind) cypher.Text {
	if k == edges {
		return cypher.EdgesByElement.Text(cypher.Slots{"id": s.idName})
	}
	return cypher.NodesByElement.Text(nil)
}

// readElementBatch reads what is at element ids.
func (s *Store) readElementBatch(ctx context.Context, k kind, wanted []string, found []*element) (readParts, error) {
	return s.readRowsInParts(ctx, s.elementsText(k), map[string]any{"elements": batched(wanted)}, func(t tuple, size int64) {
		found[t.integer(0)] = s.elementOfSize(k, t, size)
	})
}

// sized is the entity of a row, whose size it notes.
func (s *Store) elementOfSize(k kind, t tuple, size int64) *element {
	e := t.element(k)
	e.size = size
	s.queues.of(k).large.recordSize(e.elementID, size)
	return e
}

// eachReference reads what a statement finds, however large it is, and keeps no other property of it than its id.
func (s *Store) forEachReference(
	ctx context.Context, k kind, text cypher.Text, params map[string]any, use func(place int64, e *element),
) error {
	fetch := s.recordSizes.fetchSize(text, s.config.MaxPageBytes, firstParts)
	return s.client.readRecords(ctx, text, params, fetch, func() {}, func(r *record) bool {
		for _, row := range column[[]any](r, "rows") {
			t, _ := row.([]any)
			e := tuple(t).element(k)
			e.properties = map[string]any{s.config.IDProperty: e.properties[s.config.IDProperty]}
			use(tuple(t).integer(0), e)
		}
		return true
	})
}
