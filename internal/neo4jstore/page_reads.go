package neo4jstore

import (
	"context"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/keyset"
)

// readPage runs a statement of a list and reads its records one by one, until there are no more or the page is full: the entities of all
// its statements together have reached Config.MaxPageBytes, and there is one more. A page has at least one record, if there is one.
func (er *elementReader) readPage(
	ctx context.Context, text cypher.Text, params map[string]any,
) (rows []*bolt.Record, full bool, err error) {
	page := keyset.PageBytesOf(ctx)
	before := *page
	var overBudget error
	begin := func() { // a failed statement is run again from its start
		_ = graph.TakeBytes(ctx, before.Read-page.Read)
		*page, rows = before, nil
	}
	each := func(row *bolt.Record) bool {
		if page.Full = page.IsFull(er.config.MaxPageBytes); page.Full {
			return false
		}
		size := bolt.SizeOfRow(row.Values)
		if overBudget = graph.TakeBytes(ctx, size); overBudget != nil {
			return false
		}
		page.Read, page.Count = page.Read+size, page.Count+1
		rows = append(rows, row)
		return true
	}
	err = er.client.ReadRecords(ctx, text, params, er.recordSizes.fetchSize(text, er.config.MaxPageBytes, firstFetch), begin, each)
	er.recordSizes.observe(text, len(rows), page.Read-before.Read)
	if err == nil {
		err = overBudget
	}
	return rows, page.Full, bolt.TranslateUnlessForbidden(err)
}
