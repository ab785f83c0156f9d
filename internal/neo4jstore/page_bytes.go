package neo4jstore

import (
	"context"
	"sync"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j/dbtype"

	"graphrest/cypher"
)

// pageBytes counts the bytes of the entities read for one page of a list, whatever the number of statements. A page ends where
// they reach Config.MaxPageBytes.
type pageBytes struct {
	read     int64
	count    int  // entities read
	minCount int  // how many the page has room for however large they are; at least one
	full     bool // there are more entities, which the page has no room for
}

// ends says whether the page has no room for one more entity.
func (p *pageBytes) isFull(bound int64) bool { return p.read >= bound && p.count >= max(p.minCount, 1) }

type pageBytesKey struct{}

// withPageBytes returns a context whose statements read one page together.
func withPageBytes(ctx context.Context) (context.Context, *pageBytes) {
	p := new(pageBytes)
	return context.WithValue(ctx, pageBytesKey{}, p), p
}

// pageBytesOf are the bytes of the page that a statement reads for; a statement that reads a page alone gets its own.
func pageBytesOf(ctx context.Context) *pageBytes {
	if p, shared := ctx.Value(pageBytesKey{}).(*pageBytes); shared {
		return p
	}
	return new(pageBytes)
}

// Sizes in memory: of an interface with a number behind it, of a string's header, of a map's entry beside its key and value.
const (
	scalarBytes = 24
	headerBytes = 16
	entryBytes  = 32
)

// sizeOf is about how many bytes of memory a value from the driver takes.
func sizeOf(v any) int64 {
	switch v := v.(type) {
	case nil, bool, int64, float64:
		return scalarBytes
	case string:
		return headerBytes + int64(len(v))
	case []byte:
		return scalarBytes + int64(len(v))
	case []any:
		size := int64(scalarBytes)
		for _, e := range v {
			size += headerBytes + sizeOf(e)
		}
		return size
	case map[string]any:
		size := int64(scalarBytes)
		for key, value := range v {
			size += entryBytes + int64(len(key)) + sizeOf(value)
		}
		return size
	case dbtype.Point3D, dbtype.Duration:
		return 2 * scalarBytes
	default:
		return scalarBytes + headerBytes
	}
}

// sizeOfRow is the size of all values of a record, or of a row in a list.
func sizeOfRow(values []any) int64 {
	size := int64(0)
	for _, v := range values {
		size += sizeOf(v)
	}
	return size
}

// A list's statement is pulled from the server in batches. The driver reads the rest of a batch that was asked for even when the
// page has ended, so a batch should not hold much more than a page.
const (
	// firstFetch is the size of a batch when the size of the records is not known: a page of the default length and one record.
	firstFetch = 101
	// largestFetch bounds what is read in vain where large entities follow small ones; leastFetch keeps a round trip from carrying only one.
	maxFetch = 251
	minFetch = 4
	// forgetAfter is how many statements' record sizes are kept.
	maxRecordSizes = 1024
	// sizeDecay is how fast the size of large records is forgotten when a statement returns small ones.
	sizeDecay = 4
)

// recordSizes remembers how large the records of a statement were, as the average of one run. It is safe for concurrent use.
type recordSizes struct {
	mu    sync.Mutex
	sizes map[cypher.Text]int64
}

// fetchSize is how many records to pull at a time so that they hold about as many bytes as a page; unknown where nothing was seen
// of the statement.
func (r *recordSizes) fetchSize(text cypher.Text, page int64, unknown int) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	size, known := r.sizes[text]
	if !known {
		return unknown
	}
	return int(min(max(page/max(size, 1), minFetch), maxFetch))
}

// observe takes the size of the records of one run.
func (r *recordSizes) observe(text cypher.Text, records int, bytes int64) {
	if records == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.sizes == nil || len(r.sizes) >= maxRecordSizes {
		r.sizes = map[cypher.Text]int64{}
	}
	r.sizes[text] = max(bytes/int64(records), r.sizes[text]/sizeDecay)
}
