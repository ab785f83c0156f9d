package neo4jentity

import (
	"context"
	"errors"
	"maps"
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
	// RowsPerPart is how many rows of a batch of reads are in one record; the statements use the same number. One record per row costs the
	// server and the driver much more; one record for all rows would have to fit in memory.
	RowsPerPart = 8
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
	sizes      *RecordSizes // of parts of RowsPerPart rows, whatever rowsInPart is
}

// ElementReader reads entities by element ids and ids, many with one statement.
type ElementReader struct {
	client *bolt.Client
	Config *Config
	texts  *Texts

	Queues        kindPair[readQueues]
	RecordSizes   RecordSizes
	subgraphSizes RecordSizes // of the entities of neighbors and paths, which single reads must not make look small
}

func newElementReader(client *bolt.Client, c *Config, texts *Texts) *ElementReader {
	er := &ElementReader{client: client, Config: c, texts: texts}
	er.Queues = kindPair[readQueues]{nodes: er.newQueues(nodes), edges: er.newQueues(edges)}
	return er
}

// Close finishes the running reads.
func (er *ElementReader) Close() {
	er.Queues.nodes.close()
	er.Queues.edges.close()
}

// readRowsInParts runs a statement that returns its rows in parts, until the rows reach Config.MaxPageBytes. It reads at least one part.
// each receives a row and its size; it may be called again for the same row after a retry.
func (er *ElementReader) readRowsInParts(ctx context.Context, q partsQuery, each func(t bolt.Tuple, size int64)) (readParts, error) {
	page := keyset.PageBytesOf(ctx)
	before := *page
	parts, rows := readParts{}, 0
	var overBudget error
	begin := func() { // a failed statement is run again from its start
		_ = graph.TakeBytes(ctx, before.Read-page.Read)
		*page, parts, rows = before, readParts{rows: q.rowsInPart, read: map[int64]bool{}}, 0
	}
	take := func(r *bolt.Record) bool {
		if page.Full = page.IsFull(er.Config.MaxPageBytes); page.Full {
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
	fetch := q.sizes.fetchSize(q.text, er.Config.MaxPageBytes*RowsPerPart/int64(q.rowsInPart), firstParts)
	err := er.readRecords(ctx, q.text, q.params, fetch, begin, take)
	q.sizes.observe(q.text, rows, RowsPerPart*(page.Read-before.Read)) // the last part may have fewer rows
	if err == nil {
		err = overBudget
	}
	parts.full = page.Full
	return parts, err
}

// readRecords runs a statement that has one record in memory at a time, and again while other transactions use all the memory: what they
// do must not fail a small read.
func (er *ElementReader) readRecords(
	ctx context.Context, text cypher.Text, params map[string]any, fetch int, begin func(), each func(*bolt.Record) bool,
) error {
	for retries := bolt.ShortOfMemory.Begin(); ; {
		err := er.client.ReadRecords(ctx, text, params, fetch, begin, each)
		if !bolt.IsOutOfMemory(err) || !retries.Again(ctx) {
			return err
		}
	}
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

// A statement of ForEachElement reads between minChunk and maxFetch entities, which should not be much more than a page. firstChunk is the
// number while their size is unknown.
const (
	minChunk   = RowsPerPart
	firstChunk = 4 * RowsPerPart
)

// ForEachElement reads entities by element id and passes existing ones to use, in order, until they reach Config.MaxPageBytes and minCount
// entities. done is how many of wanted were looked up.
func (er *ElementReader) ForEachElement(
	ctx context.Context, k kind, wanted []string, minCount int, use func(*Record) error,
) (done int, err error) {
	ctx, page := keyset.WithPageBytes(ctx)
	page.MinCount = minCount
	for done < len(wanted) {
		chunk, rowsInPart := er.chunkOfElements(k, wanted[done:])
		some := wanted[done:min(done+chunk, len(wanted))]
		found := make([]*Record, len(some))
		parts, err := er.readElementBatch(ctx, k, er.elementsQuery(k, some, EndColumns{}, rowsInPart, &er.subgraphSizes), found)
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

// chunkOfElements is how many entities the next statement of ForEachElement reads, and how many are in one record. Entities that are
// large, or of unknown size, have a record each: the driver's time and memory for a record grow with the square of its size.
func (er *ElementReader) chunkOfElements(k kind, wanted []string) (chunk, rowsInPart int) {
	text := er.texts.ElementsText(k, EndColumns{})
	chunk = er.subgraphSizes.fetchSize(text, er.Config.MaxPageBytes*RowsPerPart, firstChunk)
	wanted = wanted[:min(len(wanted), chunk)]
	if er.subgraphSizes.isSmall(text, RowsPerPart*largeEntity) && !slices.ContainsFunc(wanted, er.Queues.Of(k).large.has) {
		return max(chunk, minChunk), er.subgraphSizes.rowsInPart(text)
	}
	return chunk, 1
}

// ElementParams are the parameters of the statement of ElementsText.
func ElementParams(elementIDs []string, rowsInPart int) map[string]any {
	return map[string]any{"elements": elementIDs, "rows_per_part": rowsInPart}
}

// ElementsText is the statement that reads entities by element id.
func (st *Texts) ElementsText(k kind, ends EndColumns) cypher.Text {
	return st.elementsText(k, ends, whole(k))
}

func (st *Texts) elementsText(k kind, ends EndColumns, content cypher.Fragment) cypher.Text {
	return st.textWithEnds(StatementsOf[k].byElementID, ends, cypher.Slots{"content": content})
}

// whole is the content of a statement that reads entities with all their properties.
func whole(k kind) cypher.Fragment { return cypher.AllContent(StatementsOf[k].Variable) }

// referred is the content of a statement that reads entities to refer to them, and to judge them by some properties: entities of any size
// cost the same.
func (st *Texts) referred(k kind, keys ...string) cypher.Fragment {
	return cypher.SomeContent(StatementsOf[k].Variable, st.IDName, keys)
}

// elementsQuery reads entities by element id.
func (er *ElementReader) elementsQuery(k kind, wanted []string, ends EndColumns, rowsInPart int, sizes *RecordSizes) partsQuery {
	params := ends.AddParams(ElementParams(wanted, rowsInPart))
	return partsQuery{text: er.texts.ElementsText(k, ends), params: params, rowsInPart: rowsInPart, sizes: sizes}
}

// readElementBatch reads the entities of an elementsQuery into found, by index.
func (er *ElementReader) readElementBatch(ctx context.Context, k kind, q partsQuery, found []*Record) (readParts, error) {
	return er.readRowsInParts(ctx, q, func(t bolt.Tuple, size int64) {
		found[t.Integer(RowColumn)] = er.elementOfSize(k, t, size)
	})
}

// elementOfSize is the entity of a row; it records the size.
func (er *ElementReader) elementOfSize(k kind, t bolt.Tuple, size int64) *Record {
	e := elementWithEnds(k, t)
	e.Size = size
	er.Queues.Of(k).large.recordSize(e.ElementID, size)
	return e
}

// forEachReference passes every row of a statement with the slot of content to use.
func (er *ElementReader) forEachReference(
	ctx context.Context, k kind, text cypher.Text, params map[string]any, use func(place int64, e *Record) error,
) error {
	return er.forEachRow(ctx, text, params, func(t bolt.Tuple) error {
		e := elementWithEnds(k, t)
		maps.DeleteFunc(e.Properties, func(_ string, value any) bool { return value == nil }) // named, and not there
		return use(t.Integer(RowColumn), e)
	})
}

// LabelsOf reads the labels of nodes, by element id. An element id may occur several times.
func (er *ElementReader) LabelsOf(ctx context.Context, elementIDs []string) (map[string][]string, error) {
	labels := map[string][]string{}
	if len(elementIDs) == 0 {
		return labels, nil
	}
	some := slices.Compact(slices.Sorted(slices.Values(elementIDs)))
	return labels, er.ForEachReferred(ctx, nodes, some, EndColumns{}, nil, func(e *Record) error {
		labels[e.ElementID] = e.Names
		return nil
	})
}

// ForEachReferred reads entities by element id, each with its id and only the properties keys, and passes them to use, until it fails.
func (er *ElementReader) ForEachReferred(
	ctx context.Context, k kind, elementIDs []string, ends EndColumns, keys []string, use func(*Record) error,
) error {
	text := er.texts.elementsText(k, ends, er.texts.referred(k, keys...))
	params := ends.AddParams(ElementParams(elementIDs, RowsPerPart))
	return er.forEachReference(ctx, k, text, params, func(_ int64, e *Record) error { return use(e) })
}

// forEachRow passes every row of a statement to use, one record in memory at a time, until use fails. After a transient failure the
// statement runs again, from its first row.
func (er *ElementReader) forEachRow(ctx context.Context, text cypher.Text, params map[string]any, use func(bolt.Tuple) error) error {
	fetch := er.RecordSizes.fetchSize(text, er.Config.MaxPageBytes, firstParts)
	var failure error
	err := er.readRecords(ctx, text, params, fetch, func() { failure = nil }, func(r *bolt.Record) bool {
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
