package neo4jlist

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
// page and sorts what meets the filter, with or without an id. So it does if rows of internal data were dropped from a full page, since it
// excludes all of them. Both ways have the same order and cursor positions.
type filteredByID[T any] struct {
	client    *bolt.Client
	rows      *listRows[T]
	part      typePart
	size      int64 // of the type, some seconds old
	scan      keyset.PageReader[T]
	withoutID keyset.PageReader[T] // the entities without an id, in the database's own order
}

// filteredByID is both phases of a managed type with a filter that no index serves.
func (s *typeSegments[T]) filteredByID(part typePart) keyset.Segment[T] {
	rest := part
	rest.withoutID = true
	segment := s.scan([]string{part.name}, part.under)
	segment.Page = filteredByID[T]{
		client: s.client, rows: s.rows, part: part, size: s.types.sizes[part.name], scan: segment.Page, withoutID: s.inDatabaseOrder(rest).Page,
	}.page
	return segment
}

func (f filteredByID[T]) page(ctx context.Context, from keyset.Start, skip int64, limit int) ([]keyset.Entry[T], error) {
	if from.Phase == 1 {
		return f.withoutID(ctx, from, skip, limit)
	}
	q := f.rows.texts.query
	page, count := keyset.PageBytesOf(ctx), max(minIndexWindow, f.size/indexWindowPart)
	before := *page
	window := map[string]any{"after": from.Key, "window": count, "limit": limit}
	found, got, err := f.rows.readType(ctx, f.part, q.filter.where(f.part.name), q.statements.within, window)
	if err != nil || len(found) >= limit || keyset.PageEnds(ctx, len(found), got) {
		return found, err
	}
	if whole := got.Count < limit && !page.Full; whole {
		more, err := f.hasIDsBehind(ctx, from.Key, count)
		switch {
		case err != nil:
			return nil, err
		case !more:
			rest, err := f.withoutID(ctx, keyset.Start{}, 0, limit-len(found))
			return append(found, rest...), err
		}
	}
	// The scan reads what was found once more.
	if err := graph.TakeBytes(ctx, before.Read-page.Read); err != nil {
		return nil, err
	}
	*page = before
	return f.scan(ctx, from, skip, limit)
}

// hasIDsBehind reports whether the type has more than count ids after one.
func (f filteredByID[T]) hasIDsBehind(ctx context.Context, after string, count int64) (bool, error) {
	text := f.rows.texts.text(f.rows.texts.query.statements.idsAfter, cypher.Slots{"type": cypher.Quote(f.part.name)})
	rows, err := f.client.ReadRows(ctx, text, map[string]any{"after": after, "window": count})
	return err == nil && len(rows) > 0 && bolt.Column[bool](rows[0], "more"), err
}
