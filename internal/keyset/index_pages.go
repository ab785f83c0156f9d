package keyset

import (
	"context"
)

// ReadIndex reads a page by the id index, and reads more if rows of internal data were dropped from it.
func ReadIndex[T any](
	ctx context.Context, after string, skip int64, limit int, read func(after string, skip int64, limit int) ([]Entry[T], RowsRead, error),
) ([]Entry[T], error) {
	var found []Entry[T]
	for {
		asked := limit - len(found)
		entries, got, err := read(after, skip, asked)
		if err != nil {
			return nil, err
		}
		found = append(found, entries...)
		if len(found) >= limit || PageEnds(ctx, len(found), got) {
			return found, nil
		}
		if again := RestartPage(ctx, got); got.Count < asked && !again {
			return found, nil
		}
		after, skip = got.Key, 0
	}
}

// RowsRead describes a statement's rows, before rows of internal data were dropped.
type RowsRead struct {
	Count int
	Key   string // of the last row
}

// PageEnds reports whether a page ends here because of its bytes: the rows found fill it, or it was full before.
func PageEnds(ctx context.Context, found int, got RowsRead) bool {
	return PageBytesOf(ctx).Full && (found > 0 || got.Count == 0)
}

// RestartPage restarts a page that was filled by rows that were all dropped. A page that an earlier statement filled has no room for the
// first row of the next one, and ends.
func RestartPage(ctx context.Context, got RowsRead) bool {
	page := PageBytesOf(ctx)
	full := page.Full && got.Count > 0
	if full {
		*page = PageBytes{}
	}
	return full
}
