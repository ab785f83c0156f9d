package neo4jstore

import (
	"context"

	"graphrest/internal/keyset"
)

// A filtered page of a managed type is read by the id index if that passes at most this many entities, or this part of the type's.
const (
	minPassed  = 1000
	passedPart = 16
)

// filteredByID reads pages of a managed type with a filter that no index serves. The id index has the entities in order, but each of them
// takes it twice the time of a scan, and the entities without an id, which come last, take a scan of their own. So a page that a part of the
// index does not fill is read by one scan of the type, which sorts what meets the filter. Both have the same cursor positions.
type filteredByID[T any] struct {
	size int64 // how many entities the type has, some seconds old
	// within reads up to limit entities of a window of the index behind an id.
	within func(ctx context.Context, after string, window int64, limit int) ([]keyset.Entry[T], error)
	scan   keyset.PageReader[T]
}

func (f filteredByID[T]) page(ctx context.Context, from keyset.Start, skip int64, limit int) ([]keyset.Entry[T], error) {
	if skip == 0 && from.Phase != 1 { // among the entities with an id
		found, err := f.within(ctx, from.Key, max(minPassed, f.size/passedPart), limit)
		if err != nil || len(found) >= limit || keyset.PageBytesOf(ctx).Full {
			return found, err
		}
	}
	return f.scan(ctx, from, skip, limit)
}
