package neo4jlist

import (
	"context"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/keyset"
)

// typePart is what a segment lists of one type.
type typePart struct {
	name      string
	under     bool // only the nodes that are listed under the label, in a list of all types; a node may have several labels
	withoutID bool // only the entities without an own id, of a type that is listed by ids first
}

// first is the parameter of the condition on the label under which a node is listed.
func (p typePart) first() any {
	if p.under {
		return p.name
	}
	return nil
}

// typeSegments builds the segments of types. How a type is read depends on its size, its ids, the filter and the indexes.
type typeSegments[T any] struct {
	client  *bolt.Client
	extents *extentCache
	texts   *listTexts
	types   *listTypes
	rows    *listRows[T]
	totals  *listTotals
}

func (s *typeSegments[T]) buildSegments(part typePart) []keyset.Segment[T] {
	segments := s.buildByMode(part)
	if s.texts.query.kind == graph.EdgeKind { // all are of types that the user sees
		return segments
	}
	if seen, all := s.texts.query.filter.View.Names(); !all && !slices.Contains(seen, part.name) && !s.types.isSmall(part.name) {
		return s.readIfLabelsOverlap(part.name, seen, segments)
	}
	return segments
}

func (s *typeSegments[T]) buildByMode(part typePart) []keyset.Segment[T] {
	q, types := s.texts.query, s.types
	cheap := types.isSmall(part.name) || q.filter.served(part.name)
	switch keyset.ChooseReadMode(types.isManaged(part.name), types.walkedAsManaged(part.name), cheap) {
	case keyset.ByIndex:
		if q.filter.selects(part.name) && q.Offset == 0 {
			return []keyset.Segment[T]{s.filteredByID(part)}
		}
		rest := part
		rest.withoutID = true
		return []keyset.Segment[T]{s.indexed(part), s.inDatabaseOrder(rest)}
	case keyset.ByScan:
		return []keyset.Segment[T]{s.scan([]string{part.name}, part.under)}
	default:
		return []keyset.Segment[T]{s.inDatabaseOrder(part)}
	}
}

// scan reads the entities of several types, or the nodes of one: those listed under it, or all that have it.
func (s *typeSegments[T]) scan(types []string, under bool) keyset.Segment[T] {
	q := s.texts.query
	where := q.filter.whereByParameters()
	if len(types) == 1 {
		where = q.filter.where(types[0])
	}
	slots := cypher.Slots{"type": cypher.QuoteAny(types), "where": where}
	ranks := keyset.RanksOf(types)
	var only, counted any = types[0], nil // the driver would send a nil map as an empty map
	if under {
		only, counted = nil, ranks
	}
	return keyset.Segment[T]{
		Types: types,
		Page: func(ctx context.Context, from keyset.Start, skip int64, limit int) ([]keyset.Entry[T], error) {
			return s.rows.entries(ctx, q.statements.scan, slots, map[string]any{
				"only": only, "ranks": ranks, "rank": from.Rank, "phase": from.Phase, "after": from.Key, "number": keyset.NumberOrNone(from.Key),
				"skip": skip, "limit": limit,
			}, s.rows.typeOf(types...))
		},
		Count: func(ctx context.Context) (int64, error) {
			return s.totals.count(ctx, q.statements.scanCount, slots, map[string]any{"ranks": counted, "types_visible": true})
		},
	}
}

// indexed reads the id index of a managed type in order.
func (s *typeSegments[T]) indexed(part typePart) keyset.Segment[T] {
	q := s.texts.query
	where := q.filter.whereByParameters()
	return keyset.Segment[T]{
		Types: []string{part.name}, Phases: keyset.OwnPhase,
		Page: func(ctx context.Context, from keyset.Start, skip int64, limit int) ([]keyset.Entry[T], error) {
			return keyset.ReadIndex(ctx, from.Key, skip, limit, func(after string, skip int64, limit int) ([]keyset.Entry[T],
				keyset.RowsRead, error,
			) {
				return s.rows.readType(ctx, part, where, q.statements.indexed, map[string]any{"after": after, "skip": skip, "limit": limit})
			})
		},
		Count: func(ctx context.Context) (int64, error) { return s.totals.countIndexed(ctx, part) },
	}
}

// inDatabaseOrder reads a type's entities in the database's own order; of a managed type listed by ids first, those without an id.
func (s *typeSegments[T]) inDatabaseOrder(part typePart) keyset.Segment[T] {
	q := s.texts.query
	whole := !q.filter.selects(part.name) && !part.withoutID
	order := databaseOrder[T]{
		client: s.client, extents: s.extents, exact: s.totals.exact, rows: s.rows, query: q,
		part: part, where: q.filter.where(part.name), filtered: !whole, whole: whole && !part.under,
	}
	page := order.page
	if q.filter.served(part.name) {
		page = s.chooseOrder(part.name, s.scan([]string{part.name}, part.under).Page, order.page)
	}
	return keyset.Segment[T]{
		Types: []string{part.name}, Phases: keyset.ElementPhase, Page: page,
		CountFirst: q.kind == graph.EdgeKind && whole,
		Count:      func(ctx context.Context) (int64, error) { return s.totals.countInDatabaseOrder(ctx, part) },
	}
}

// chooseOrder reads a page of an unmanaged type, with a filter that an index serves: by the index and a sort if the index
// finds few entities, or else in the database's own order. Both have the same cursor positions, so that a list may switch between them.
func (s *typeSegments[T]) chooseOrder(typ string, sorted, inDatabaseOrder keyset.PageReader[T]) keyset.PageReader[T] {
	return func(ctx context.Context, from keyset.Start, skip int64, limit int) ([]keyset.Entry[T], error) {
		few, err := s.totals.findsFew(ctx, typ)
		switch {
		case err != nil:
			return nil, err
		case few:
			return sorted(ctx, from, skip, limit)
		default:
			return inDatabaseOrder(ctx, from, skip, limit)
		}
	}
}
