package neo4jstore

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/coalesce"
	"graphrest/internal/graph"
	"graphrest/internal/keyset"
)

const (
	// rowsPerPart is how many rows of a batch of reads are in one record; the statements use the same number. One record per row costs the
	// server and the driver much more; one record for all rows would have to fit in memory.
	rowsPerPart = 8
	// smallRowsPerPart is how many rows are in one record while entities are at most smallEntity bytes on average: the driver starts three
	// goroutines to read a record from its socket.
	smallRowsPerPart = 32
	smallEntity      = 1 << 10
	// firstParts is how many records a statement pulls at a time while their size is unknown.
	firstParts = 4
	// largeEntity is the size from which an entity is read by a separate statement.
	largeEntity = 64 << 10
	// maxLargeElements bounds the cache of large entities.
	maxLargeElements = 4096
	// largeLanes is how many large entities are read concurrently.
	largeLanes = 2
)

// errUnread means that an entity was not read because the others of its batch were too large. The caller reads it alone.
var errUnread = errors.New("neo4jstore: the batch was too large to be read as a whole")

// readParts are the parts of a batch that were read.
type readParts struct {
	rows int // in each part
	read map[int64]bool
	full bool // there are others
}

// isMissing reports whether the row at an index was not read, so that its result is unknown.
func (p readParts) isMissing(place int) bool { return p.full && !p.read[int64(place/p.rows)] }

// partsQuery is a statement that returns its rows in parts.
type partsQuery struct {
	text       cypher.Text
	params     map[string]any
	rowsInPart int
	sizes      *recordSizes // of parts of rowsPerPart rows, whatever rowsInPart is
}

// elementReader reads entities by element ids and ids, many with one statement.
type elementReader struct {
	client *bolt.Client
	config *Config
	texts  *statementTexts

	queues        kindPair[readQueues]
	recordSizes   recordSizes
	subgraphSizes recordSizes // of the entities of neighbors and paths, which single reads must not make look small
}

func newElementReader(client *bolt.Client, c *Config, texts *statementTexts) *elementReader {
	er := &elementReader{client: client, config: c, texts: texts}
	er.queues = kindPair[readQueues]{nodes: er.newQueues(nodes), edges: er.newQueues(edges)}
	return er
}

// close finishes the running reads.
func (er *elementReader) close() {
	er.queues.nodes.close()
	er.queues.edges.close()
}

// readRowsInParts runs a statement that returns its rows in parts, until the rows reach Config.MaxPageBytes. It reads at least one part.
// each receives a row and its size; it may be called again for the same row after a retry.
func (er *elementReader) readRowsInParts(ctx context.Context, q partsQuery, each func(t bolt.Tuple, size int64)) (readParts, error) {
	page := keyset.PageBytesOf(ctx)
	before := *page
	parts, rows := readParts{}, 0
	var overBudget error
	begin := func() { // a failed statement is run again from its start
		_ = graph.TakeBytes(ctx, before.Read-page.Read)
		*page, parts, rows = before, readParts{rows: q.rowsInPart, read: map[int64]bool{}}, 0
	}
	take := func(r *bolt.Record) bool {
		if page.Full = page.IsFull(er.config.MaxPageBytes); page.Full {
			return false
		}
		for _, row := range bolt.Column[[]any](r, "rows") {
			t, _ := row.([]any)
			size := bolt.SizeOfRow(t)
			if overBudget = graph.TakeBytes(ctx, size); overBudget != nil {
				return false
			}
			page.Read, page.Count = page.Read+size, page.Count+1
			rows++
			each(t, size)
		}
		parts.read[bolt.Column[int64](r, "part")] = true
		return true
	}
	fetch := q.sizes.fetchSize(q.text, er.config.MaxPageBytes*rowsPerPart/int64(q.rowsInPart), firstParts)
	err := er.client.ReadRecords(ctx, q.text, q.params, fetch, begin, take)
	q.sizes.observe(q.text, rows, rowsPerPart*(page.Read-before.Read)) // the last part may have fewer rows
	if err == nil {
		err = overBudget
	}
	parts.full = page.Full
	return parts, err
}

// failUnread fails the calls of a batch that were not read.
func failUnread[R any](out []coalesce.Outcome[R], parts readParts) []coalesce.Outcome[R] {
	for i := range out {
		if parts.isMissing(i) {
			out[i].Err = errUnread
		}
	}
	return out
}

// largeElements is a cache of large entities by element id. They are not read in a batch, which could contain many of them. It is safe for
// concurrent use.
type largeElements struct {
	count atomic.Int64
	mu    sync.RWMutex
	known map[string]int64 // by element id; the size at the first read
}

func (l *largeElements) has(element string) bool { return l.size(element) > 0 }

// size is the approximate size of an entity that is known to be large; 0 for any other.
func (l *largeElements) size(element string) int64 {
	if l.count.Load() == 0 {
		return 0
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.known[element]
}

// recordSize records the size of an entity that was read.
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

// A statement of forEachElement reads between minChunk and maxFetch entities, which should not be much more than a page. firstChunk is the
// number while their size is unknown.
const (
	minChunk   = rowsPerPart
	firstChunk = 4 * rowsPerPart
)

// forEachElement reads entities by element id and passes existing ones to use, in order, until they reach Config.MaxPageBytes and minCount
// entities. done is how many of wanted were looked up.
func (er *elementReader) forEachElement(
	ctx context.Context, k kind, wanted []string, minCount int, use func(*entityRecord) error,
) (done int, err error) {
	ctx, page := keyset.WithPageBytes(ctx)
	page.MinCount = minCount
	for done < len(wanted) {
		chunk, rowsInPart := er.chunkOfElements(k, wanted[done:])
		some := wanted[done:min(done+chunk, len(wanted))]
		found := make([]*entityRecord, len(some))
		parts, err := er.readElementBatch(ctx, k, er.elementsQuery(k, some, endColumns{}, rowsInPart, &er.subgraphSizes), found)
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

// chunkOfElements is how many entities the next statement of forEachElement reads, and how many are in one record. Entities that are
// large, or of unknown size, have a record each: the driver's time and memory for a record grow with the square of its size.
func (er *elementReader) chunkOfElements(k kind, wanted []string) (chunk, rowsInPart int) {
	text := er.texts.elementsText(k, endColumns{})
	chunk = er.subgraphSizes.fetchSize(text, er.config.MaxPageBytes*rowsPerPart, firstChunk)
	wanted = wanted[:min(len(wanted), chunk)]
	if er.subgraphSizes.isSmall(text, rowsPerPart*largeEntity) && !slices.ContainsFunc(wanted, er.queues.of(k).large.has) {
		return max(chunk, minChunk), er.subgraphSizes.rowsInPart(text)
	}
	return chunk, 1
}

// elementParams are the parameters of the statement of elementsText.
func elementParams(elementIDs []string, rowsInPart int) map[string]any {
	return map[string]any{"elements": elementIDs, "rows_per_part": rowsInPart}
}

// elementsText is the statement that reads entities by element id.
func (st *statementTexts) elementsText(k kind, ends endColumns) cypher.Text {
	return st.textWithEnds(statementsOf[k].byElementID, ends, nil)
}

// elementsQuery reads entities by element id.
func (er *elementReader) elementsQuery(k kind, wanted []string, ends endColumns, rowsInPart int, sizes *recordSizes) partsQuery {
	params := ends.addParams(elementParams(wanted, rowsInPart))
	return partsQuery{text: er.texts.elementsText(k, ends), params: params, rowsInPart: rowsInPart, sizes: sizes}
}

// readElementBatch reads the entities of an elementsQuery into found, by index.
func (er *elementReader) readElementBatch(ctx context.Context, k kind, q partsQuery, found []*entityRecord) (readParts, error) {
	return er.readRowsInParts(ctx, q, func(t bolt.Tuple, size int64) {
		found[t.Integer(rowColumn)] = er.elementOfSize(k, t, size)
	})
}

// elementOfSize is the entity of a row; it records the size.
func (er *elementReader) elementOfSize(k kind, t bolt.Tuple, size int64) *entityRecord {
	e := elementWithEnds(k, t)
	e.size = size
	er.queues.of(k).large.recordSize(e.elementID, size)
	return e
}

// forEachReference passes every row of a statement to use, whatever its size, and keeps of its properties only the id.
func (er *elementReader) forEachReference(
	ctx context.Context, k kind, text cypher.Text, params map[string]any, use func(place int64, e *entityRecord),
) error {
	return er.forEachRow(ctx, text, params, func(t bolt.Tuple) error {
		e := elementOf(k, t)
		e.properties = map[string]any{er.config.IDProperty: e.properties[er.config.IDProperty]}
		use(t.Integer(rowColumn), e)
		return nil
	})
}

// labelsOf reads the labels of nodes, by element id. An element id may occur several times.
func (er *elementReader) labelsOf(ctx context.Context, elementIDs []string) (map[string][]string, error) {
	labels := map[string][]string{}
	if len(elementIDs) == 0 {
		return labels, nil
	}
	params := elementParams(slices.Compact(slices.Sorted(slices.Values(elementIDs))), rowsPerPart)
	return labels, er.forEachReference(ctx, nodes, cypher.NodesByElement.Text(nil), params, func(_ int64, e *entityRecord) {
		labels[e.elementID] = e.names
	})
}

// forEachRow passes every row of a statement to use, one record in memory at a time, until use fails. After a transient failure the
// statement runs again, from its first row.
func (er *elementReader) forEachRow(ctx context.Context, text cypher.Text, params map[string]any, use func(bolt.Tuple) error) error {
	fetch := er.recordSizes.fetchSize(text, er.config.MaxPageBytes, firstParts)
	var failure error
	err := er.client.ReadRecords(ctx, text, params, fetch, func() { failure = nil }, func(r *bolt.Record) bool {
		for _, row := range bolt.Column[[]any](r, "rows") {
			t, _ := row.([]any)
			if failure = use(t); failure != nil {
				return false
			}
		}
		return true
	})
	if err == nil {
		err = failure
	}
	return err
}
