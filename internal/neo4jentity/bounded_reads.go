package neo4jentity

import (
	"cmp"
	"context"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
)

// BoundedRun is what reads the records of a statement, which may be of any size.
type BoundedRun struct {
	Begin  func()      // called before each run: a failed statement is run again from its start, and what was read before is forgotten
	IsFull func() bool // reports before each record whether no more is to be read
	Each   func(row *bolt.Record, size int64) (more bool, err error)
}

// ReadBounded runs a statement and takes the bytes of its records of the budget of the context; full reports that there are more records.
// The caller wants about maxBytes.
func (r *RecordSizes) ReadBounded(
	ctx context.Context, client *bolt.Client, text cypher.Text, params map[string]any, maxBytes int64, run BoundedRun,
) (full bool, err error) {
	rows, bytes := 0, int64(0)
	var failed error
	err = client.ReadRecords(ctx, text, params, r.fetchSize(text, maxBytes, firstFetch), func() {
		_ = graph.TakeBytes(ctx, -bytes)
		rows, bytes, full, failed = 0, 0, false, nil
		run.Begin()
	}, func(row *bolt.Record) (more bool) {
		if full = run.IsFull(); full {
			return false
		}
		size := bolt.SizeOfRow(row.Values)
		if failed = graph.TakeBytes(ctx, size); failed == nil {
			rows, bytes = rows+1, bytes+size
			more, failed = run.Each(row, size)
		}
		return more && failed == nil
	})
	r.observe(text, rows, bytes)
	return full, cmp.Or(err, failed)
}

// BoundedReader runs statements whose rows may be of any size, and reads them up to a number of bytes.
type BoundedReader struct {
	Client *bolt.Client
	sizes  RecordSizes
}

// Read runs a statement that returns records and passes each row on, until the rows have maxBytes; full reports that there are more. At
// least one row is read. each must not keep anything of an earlier run: begin is called before each.
func (b *BoundedReader) Read(
	ctx context.Context, statement cypher.Statement, params map[string]any, maxBytes int64, begin func(), each func(*bolt.Record) error,
) (full bool, err error) {
	var bytes int64
	full, err = b.sizes.ReadBounded(ctx, b.Client, statement.Text(nil), params, maxBytes, BoundedRun{
		Begin: func() {
			bytes = 0
			begin()
		},
		IsFull: func() bool { return bytes >= maxBytes },
		Each: func(row *bolt.Record, size int64) (bool, error) {
			bytes += size
			return true, each(row)
		},
	})
	return full, bolt.Translate(err)
}
