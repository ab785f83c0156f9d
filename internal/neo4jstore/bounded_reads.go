package neo4jstore

import (
	"context"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
)

// boundedReader runs statements whose rows may be of any size, and reads them up to a number of bytes.
type boundedReader struct {
	client *bolt.Client
	sizes  recordSizes
}

// read runs a statement that returns records and passes each row on, until the rows have maxBytes; full reports that there are more. At
// least one row is read. The bytes are reserved in the caller's budget. each must not keep anything of an earlier run: begin is called
// before each.
func (b *boundedReader) read(
	ctx context.Context, statement cypher.Statement, params map[string]any, maxBytes int64, begin func(), each func(*bolt.Record) error,
) (full bool, err error) {
	text := statement.Text(nil)
	var bytes int64
	rows := 0
	var failed error
	err = b.client.ReadRecords(ctx, text, params, b.sizes.fetchSize(text, maxBytes, firstFetch), func() {
		_ = graph.TakeBytes(ctx, -bytes)
		bytes, rows, full, failed = 0, 0, false, nil
		begin()
	}, func(row *bolt.Record) bool {
		if full = bytes >= maxBytes; full {
			return false
		}
		size := bolt.SizeOfRow(row.Values)
		if failed = graph.TakeBytes(ctx, size); failed != nil {
			return false
		}
		bytes, rows = bytes+size, rows+1
		failed = each(row)
		return failed == nil
	})
	b.sizes.observe(text, rows, bytes)
	if err == nil {
		err = failed
	}
	return full, bolt.Translate(err)
}
