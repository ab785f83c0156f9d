package neo4jstore

import (
	"context"
	"sync"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j/dbtype"

	"graphrest/cypher"
)

// pageBytes counts the bytes of the entities read for one page of a list, whatever the number of statements. A page ends when they reach
// Config.MaxPageBytes.
type pageBytes struct {
	read     int64
	count    int  // entities read
	minCount int  // entities that the page has room for whatever their size; at least one
	full     bool // there are more entities, for which the page has no room
}

// isFull says whether the page has no room for one more entity.
func (p *pageBytes) isFull(bound int64) bool { return p.read >= bound && p.count >= max(p.minCount, 1) }

type pageBytesKey struct{}

// withPageBytes returns a context whose statements together read one page.
func withPageBytes(ctx context.Context) (context.Context, *pageBytes) {
	p := new(pageBytes)
	return context.WithValue(ctx, pageBytesKey{}, p), p
}

// pageBytesOf are the bytes of the page that a statement reads for; a statement that reads a page alone gets a separate count.
func pageBytesOf(ctx context.Context) *pageBytes {
	if p, shared := ctx.Value(pageBytesKey{}).(*pageBytes); shared {
		return p
	}
	return new(pageBytes)
}

// Sizes in memory: of an interface with a number, of a string's header, of a map's entry besides its key and value.
const (
	scalarBytes = 24
	headerBytes = 16
	entryBytes  = 32
)

// sizeOf is approximately how many bytes of memory a value of the driver takes.
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

// A list's statement is pulled from the server in batches. The driver reads the rest of a requested batch even if the page has ended, so a
// batch should not be much larger than a page.
const (
	// firstFetch is the size of a batch if the size of the records is unknown: a page of the default length and one record.
	firstFetch = 101
	// maxFetch bounds the records read in vain if large entities follow small ones; minFetch keeps a round trip from carrying only one.
	maxFetch = 251
	minFetch = 4
	// maxRecordSizes is the number of statements whose record sizes are kept.
	maxRecordSizes = 1024
	// sizeDecay is how fast the size of large records decays when a statement returns small ones.
	sizeDecay = 4
)

// recordSizes caches the average size of the records of a statement's last run. It is safe for concurrent use.
type recordSizes struct {
	mu    sync.Mutex
	sizes map[cypher.Text]int64
}

// fetchSize is how many records to pull at a time so that they have about as many bytes as a page; unknown if the statement has no recorded
// size.
func (r *recordSizes) fetchSize(text cypher.Text, page int64, unknown int) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	size, known := r.sizes[text]
	if !known {
		return unknown
	}
	return int(min(max(page/max(size, 1), minFetch), maxFetch))
}

// isSmall says whether the recorded size of a statement's records is known and at most maxSize.
func (r *recordSizes) isSmall(text cypher.Text, maxSize int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	size, known := r.sizes[text]
	return known && size <= maxSize
}

// observe records the size of the records of one run.
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
