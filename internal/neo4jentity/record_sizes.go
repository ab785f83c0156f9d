package neo4jentity

import (
	"sync"

	"graphrest/cypher"
)

// A list's statement is pulled from the server in batches. A batch should not be much larger than a page: the server sends some of what is
// left of it when the page ends, and the connection is closed if there is a rest (bolt.Client.ReadRecords). The sizes are estimates; the
// bound is that no more is read once the page is full.
const (
	// firstFetch is the size of a batch if the size of the records is unknown. The plan of such a statement costs much more than the round
	// trips.
	firstFetch = 16
	// maxFetch limits what the server sends beyond a page if large entities follow small ones. With minFetch a round trip fetches several
	// records.
	maxFetch = 251
	minFetch = 4
	// maxRecordSizes is the number of statements whose record sizes are kept.
	maxRecordSizes = 1024
	// sizeDecay is how fast the size of large records decays when a statement returns small ones.
	sizeDecay = 4
	// refusalDecay is the part of a size that decays each time a statement is not run because of it.
	refusalDecay = 16
)

// RecordSizes caches the average size of the records of a statement's last run. It is safe for concurrent use.
type RecordSizes struct {
	mu    sync.Mutex
	sizes map[cypher.Text]int64
}

// fetchSize returns how many records to pull at a time so that they have about as many bytes as a page. If the statement has no recorded
// size, it returns unknown.
func (r *RecordSizes) fetchSize(text cypher.Text, page int64, unknown int) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	size, known := r.sizes[text]
	if !known {
		return unknown
	}
	return int(min(max(page/max(size, 1), minFetch), maxFetch))
}

// isSmall reports whether the recorded size of a statement's records is known and at most maxSize.
func (r *RecordSizes) isSmall(text cypher.Text, maxSize int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	size, known := r.sizes[text]
	return known && size <= maxSize
}

// MayBeSmall reports whether the recorded size of a statement's records is unknown or at most maxSize. A larger size decays with each call,
// since it is not observed again while the statement does not run.
func (r *RecordSizes) MayBeSmall(text cypher.Text, maxSize int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	size := r.sizes[text]
	if size > maxSize {
		r.sizes[text] = size - size/refusalDecay - 1
	}
	return size <= maxSize
}

// rowsInPart is how many rows of a statement that returns them in parts are in one record.
func (r *RecordSizes) rowsInPart(text cypher.Text) int {
	if r.isSmall(text, RowsPerPart*smallEntity) {
		return smallRowsPerPart
	}
	return RowsPerPart
}

// observe records the size of the records of one run.
func (r *RecordSizes) observe(text cypher.Text, records int, bytes int64) {
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
