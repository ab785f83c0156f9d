package neo4jstore

import (
	"cmp"
	"context"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
)

// boundedRun is what reads the records of a statement, which may be of any size.
type boundedRun struct {
	begin  func()      // called before each run: a failed statement is run again from its start, and what was read before is forgotten
	isFull func() bool // reports before each record whether no more is to be read
	each   func(row *bolt.Record, size int64) (more bool, err error)
}

// readBounded runs a statement and takes the bytes of its records of the budget of the context; full reports that there are more records.
// The caller wants about maxBytes.
func (r *recordSizes) readBounded(
	ctx context.Context, client *bolt.Client, text cypher.Text, params map[string]any, maxBytes int64, run boundedRun,
) (full bool, err error) {
	rows, bytes := 0, int64(0)
	var failed error
	err = client.ReadRecords(ctx, text, params, r.fetchSize(text, maxBytes, firstFetch), func() {
		_ = graph.TakeBytes(ctx, -bytes)
		rows, bytes, full, failed = 0, 0, false, nil
		run.begin()
	}, func(row *bolt.Record) (more bool) {
		if full = run.isFull(); full {
			return false
		}
		size := bolt.SizeOfRow(row.Values)
		if failed = graph.TakeBytes(ctx, size); failed == nil {
			rows, bytes = rows+1, bytes+size
			more, failed = run.each(row, size)
		}
		return more && failed == nil
	})
	r.observe(text, rows, bytes)
	return full, cmp.Or(err, failed)
}

// boundedReader runs statements whose rows may be of any size, and reads them up to a number of bytes.
type boundedReader struct {
	client *bolt.Client
	sizes  recordSizes
}

// read runs a statement that returns records and passes each row on, until the rows have maxBytes; full reports that there are more. At
// least one row is read. each must not keep anything of an earlier run: begin is called before each.
func (b *boundedReader) read(
	ctx context.Context, statement cypher.Statement, params map[string]any, maxBytes int64, begin func(), each func(*bolt.Record) error,
) (full bool, err error) {
	var bytes int64
	full, err = b.sizes.readBounded(ctx, b.client, statement.Text(nil), params, maxBytes, boundedRun{
		begin: func() {
			bytes = 0
			begin()
		},
		isFull: func() bool { return bytes >= maxBytes },
		each: func(row *bolt.Record, size int64) (bool, error) {
			bytes += size
			return true, each(row)
		},
	})
	return full, bolt.Translate(err)
}
