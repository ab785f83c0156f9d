package neo4jstore

import (
	"context"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/journal"
)

const (
	// trashScan is how many records one statement of the trash reads, and maxTrashScan how many one page does.
	trashScan    = 500
	maxTrashScan = 5000
)

// Trash lists deleted entities: see journal.Reader.
func (j *Journal) Trash(ctx context.Context, q journal.TrashQuery) (journal.TrashPage, error) {
	before, oldest := maxChangeID, j.oldest()
	if !q.Until.IsZero() {
		before = changeIDAt(q.Until)
	}
	if !q.Since.IsZero() {
		oldest = max(oldest, changeIDAt(q.Since))
	}
	if q.Cursor != "" {
		if !changeIDPattern.MatchString(q.Cursor) {
			return journal.TrashPage{}, fault.Invalid("cursor", "must be a next_cursor of this very query")
		}
		before = min(before, q.Cursor)
	}
	page := journal.TrashPage{Deleted: []journal.Deleted{}}
	for scanned := 0; scanned < maxTrashScan; scanned += trashScan {
		var rows []*bolt.Record
		params := map[string]any{"before": before, "oldest": oldest, "limit": trashScan}
		full, err := j.s.readBounded(
			ctx, cypher.JournalTrash, params, j.s.config.MaxPageBytes, func() { rows = nil },
			func(row *bolt.Record) error {
				rows = append(rows, row)
				return nil
			})
		if err != nil {
			return page, err
		}
		for _, row := range rows {
			r, err := j.decode(bolt.Column[map[string]any](row, "record"))
			if err != nil {
				return page, err
			}
			if !bolt.Column[bool](row, "recreated") && selectsDeleted(q, &r) {
				if len(page.Deleted) == q.Limit {
					page.Next = before
					return page, nil
				}
				page.Deleted = append(page.Deleted, journal.Deleted{
					Change: r.ID, Kind: r.Kind, ID: r.Entity, Type: r.Type, DeletedAt: r.At, User: r.User,
					Edges: bolt.Column[int64](row, "edges"),
				})
			}
			before = r.ID
		}
		if !full && len(rows) < trashScan {
			return page, nil
		}
	}
	page.Next = before
	return page, nil
}

func selectsDeleted(q journal.TrashQuery, r *journal.Record) bool {
	return (q.Kind == "" || q.Kind == r.Kind) && (q.Type == "" || slices.Contains(r.Image.Labels, q.Type)) &&
		(q.User == "" || q.User == r.User || q.User == r.UserID)
}
