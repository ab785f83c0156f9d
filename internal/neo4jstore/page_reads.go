package neo4jstore

import (
	"context"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/keyset"
)

// readPage runs a statement of a list and reads its records one by one, until there are no more or the page is full: the entities of all
// its statements together have reached Config.MaxPageBytes, and there is one more. A page has at least one record, if there is one.
func (er *elementReader) readPage(
	ctx context.Context, text cypher.Text, params map[string]any,
) (rows []*bolt.Record, full bool, err error) {
	page := keyset.PageBytesOf(ctx)
	before := *page
	full, err = er.recordSizes.readBounded(ctx, er.client, text, params, er.config.MaxPageBytes, boundedRun{
		begin:  func() { *page, rows = before, nil },
		isFull: func() bool { return page.IsFull(er.config.MaxPageBytes) },
		each: func(row *bolt.Record, size int64) (bool, error) {
			page.Read, page.Count, rows = page.Read+size, page.Count+1, append(rows, row)
			return true, nil
		},
	})
	page.Full = page.Full || full
	return rows, page.Full, bolt.TranslateUnlessForbidden(err)
}
