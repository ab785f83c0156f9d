package neo4jentity

import (
	"context"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/keyset"
)

// ReadPage runs a statement of a list and reads its records one by one, until there are no more or the page is full: the entities of all
// its statements together have reached Config.MaxPageBytes, and there is one more. A page has at least one record, if there is one.
func (er *ElementReader) ReadPage(
	ctx context.Context, text cypher.Text, params map[string]any,
) (rows []*bolt.Record, full bool, err error) {
	page := keyset.PageBytesOf(ctx)
	before := *page
	full, err = er.RecordSizes.ReadBounded(ctx, er.client, text, params, er.Config.MaxPageBytes, BoundedRun{
		Begin:  func() { *page, rows = before, nil },
		IsFull: func() bool { return page.IsFull(er.Config.MaxPageBytes) },
		Each: func(row *bolt.Record, size int64) (bool, error) {
			page.Read, page.Count, rows = page.Read+size, page.Count+1, append(rows, row)
			return true, nil
		},
	})
	page.Full = page.Full || full
	return rows, page.Full, bolt.TranslateUnlessForbidden(err)
}
