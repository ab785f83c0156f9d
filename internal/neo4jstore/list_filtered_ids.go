package neo4jstore

import (
	"context"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/keyset"
)

// A filtered page of a managed type is read from the next part of the id index, which has so many ids at least.
const (
	minIndexWindow  = 1000
	indexWindowPart = 16
)

// filteredByID reads pages of a managed type with a filter that no index serves. The id index has the entities in order, but reading one
// of them takes twice as long as in a scan, and the entities without an id, which come last, need a scan as well. So only a window of the
// index is read. If it does not fill the page and more ids are behind it, few entities meet the filter: then one scan of the type reads the
// page and sorts what meets the filter, with or without an id. Both ways have the same order and cursor positions.
type filteredByID[T any] struct {
	store *Store
	size  int64 // how many entities the type has, some seconds old
	// window reads up to limit entities from a part of the index that begins behind an id.
	window func(ctx context.Context, after string, count int64, limit int) ([]keyset.Entry[T], error)
	// idsBehind reports whether more than $window ids are behind $after.
	idsBehind cypher.Text
	scan      keyset.PageReader[T]
	withoutID keyset.PageReader[T] // the entities without an id, in the database's own order
}

func (f filteredByID[T]) page(ctx context.Context, from keyset.Start, skip int64, limit int) ([]keyset.Entry[T], error) {
	if from.Phase == 1 {
		return f.withoutID(ctx, from, skip, limit)
	}
	page, count := keyset.PageBytesOf(ctx), max(minIndexWindow, f.size/indexWindowPart)
	before := *page
	found, err := f.window(ctx, from.Key, count, limit)
	if err != nil || len(found) >= limit || page.Full {
		return found, err
	}
	rows, err := f.store.client.ReadRows(ctx, f.idsBehind, map[string]any{"after": from.Key, "window": count})
	switch {
	case err != nil:
		return nil, err
	case len(rows) == 0 || !bolt.Column[bool](rows[0], "more"):
		rest, err := f.withoutID(ctx, keyset.Start{}, 0, limit-len(found))
		return append(found, rest...), err
	}
	// The scan reads what was found once more.
	if err := graph.TakeBytes(ctx, before.Read-page.Read); err != nil {
		return nil, err
	}
	*page = before
	return f.scan(ctx, from, skip, limit)
}
