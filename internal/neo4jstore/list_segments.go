package neo4jstore

import (
	"context"
	"slices"

	"graphrest/cypher"
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

// walkedAsManaged reports whether a type is listed by ids first. The type of the cursor position keeps its state.
func (l *listRequest[T]) walkedAsManaged(name string) bool {
	if l.at != nil && l.at.Type == name && !l.at.NoType {
		return l.at.Managed
	}
	return l.isManaged(name)
}

func (l *listRequest[T]) isManaged(name string) bool {
	_, managed := slices.BinarySearch(l.managed, name)
	return managed
}

// newSegments are those of the edges of some nodes, of a type or, without either, of all types in use.
func (l *listRequest[T]) newSegments(ctx context.Context, names []string) ([]keyset.Segment[T], error) {
	name := string(l.query.Type)
	switch {
	case l.ends.none:
		return nil, nil
	case l.ends.hasNodes():
		return l.aroundSegments(ctx)
	case name == "":
		return l.allSegments(names), nil
	case l.kind == edges && len(l.filter.view.NamesOf([]string{name})) == 0:
		return nil, nil
	}
	if used, err := l.exclusions.typeInUse(ctx, l.kind, name); err != nil || !used {
		return nil, err
	}
	return l.typeSegments(typePart{name: name}), nil
}

func (l *listRequest[T]) allSegments(names []string) []keyset.Segment[T] {
	seen, everything := l.filter.view.Names()
	if !everything && len(seen) == 0 {
		return nil
	}
	var segments []keyset.Segment[T]
	isAlone := func(name string) bool { return !l.isSmall(name) || l.filter.served(name) }
	for _, types := range keyset.BatchSmallTypes(names, isAlone) {
		if len(types) > 1 {
			segments = append(segments, l.scan(types, true))
			continue
		}
		segments = append(segments, l.typeSegments(typePart{name: types[0], under: l.kind == nodes})...)
	}
	if l.kind == edges || !everything { // a node without a label is in no type
		return segments
	}
	return append(segments, l.unlabelled())
}

func (l *listRequest[T]) typeSegments(part typePart) []keyset.Segment[T] {
	segments := l.segmentsByMode(part)
	if l.kind == edges { // all are of types that the user sees
		return segments
	}
	if seen, all := l.filter.view.Names(); !all && !slices.Contains(seen, part.name) && !l.isSmall(part.name) {
		return l.readIfLabelsOverlap(part.name, seen, segments)
	}
	return segments
}

func (l *listRequest[T]) segmentsByMode(part typePart) []keyset.Segment[T] {
	switch keyset.ChooseReadMode(l.isManaged(part.name), l.walkedAsManaged(part.name), l.isSmall(part.name) || l.filter.served(part.name)) {
	case keyset.ByIndex:
		if l.filter.selects(part.name) && l.query.Offset == 0 {
			return []keyset.Segment[T]{l.filteredByID(part)}
		}
		rest := part
		rest.withoutID = true
		return []keyset.Segment[T]{l.indexed(part), l.inDatabaseOrder(rest)}
	case keyset.ByScan:
		return []keyset.Segment[T]{l.scan([]string{part.name}, part.under)}
	default:
		return []keyset.Segment[T]{l.inDatabaseOrder(part)}
	}
}

func (l *listRequest[T]) isSmall(name string) bool {
	size, known := l.sizes[name]
	return known && size <= keyset.SmallType
}

// scan reads the entities of several types, or the nodes of one: those listed under it, or all that have it.
func (l *listRequest[T]) scan(types []string, under bool) keyset.Segment[T] {
	slots := cypher.Slots{"type": cypher.QuoteAny(types), "where": l.filter.where(soleName(types))}
	ranks := keyset.RanksOf(types)
	var only, counted any = types[0], nil // the driver would send a nil map as an empty map
	if under {
		only, counted = nil, ranks
	}
	return keyset.Segment[T]{
		Types: types,
		Page: func(ctx context.Context, from keyset.Start, skip int64, limit int) ([]keyset.Entry[T], error) {
			return l.entries(ctx, l.statements.scan, slots, map[string]any{
				"only": only, "ranks": ranks, "rank": from.Rank, "phase": from.Phase, "after": from.Key, "number": keyset.NumberOrNone(from.Key),
				"skip": skip, "limit": limit,
			}, l.typeOf(types...))
		},
		Count: func(ctx context.Context) (int64, error) {
			return l.count(ctx, l.statements.scanCount, slots, map[string]any{"ranks": counted})
		},
	}
}

// indexed reads the id index of a managed type in order.
func (l *listRequest[T]) indexed(part typePart) keyset.Segment[T] {
	where := l.filter.where("")
	return keyset.Segment[T]{
		Types: []string{part.name}, Phases: keyset.OwnPhase,
		Page: func(ctx context.Context, from keyset.Start, skip int64, limit int) ([]keyset.Entry[T], error) {
			return keyset.ReadIndex(ctx, from.Key, skip, limit, func(after string, skip int64, limit int) ([]keyset.Entry[T],
				keyset.RowsRead, error,
			) {
				return l.rows(ctx, part, where, l.statements.indexed, map[string]any{"after": after, "skip": skip, "limit": limit})
			})
		},
		Count: func(ctx context.Context) (int64, error) { return l.countIndexed(ctx, part) },
	}
}

func (l *listRequest[T]) countIndexed(ctx context.Context, part typePart) (int64, error) {
	slots := cypher.Slots{"type": cypher.Quote(part.name), "where": l.filter.where("")}
	return l.count(ctx, l.statements.indexedCount, slots, map[string]any{"first": part.first()})
}

// inDatabaseOrder reads a type's entities in the database's own order; of a managed type listed by ids first, those without an id.
func (l *listRequest[T]) inDatabaseOrder(part typePart) keyset.Segment[T] {
	whole := !l.filter.selects(part.name) && !part.withoutID
	order := databaseOrder[T]{listRequest: l, part: part, where: l.filter.where(part.name), filtered: !whole, whole: whole && !part.under}
	page := order.page
	if l.filter.served(part.name) {
		page = l.chooseOrder(part.name, l.scan([]string{part.name}, part.under).Page, order.page)
	}
	return keyset.Segment[T]{
		Types: []string{part.name}, Phases: keyset.ElementPhase, Page: page,
		CountFirst: l.kind == edges && whole,
		Count:      func(ctx context.Context) (int64, error) { return l.countInDatabaseOrder(ctx, part) },
	}
}

// countInDatabaseOrder counts what inDatabaseOrder reads.
func (l *listRequest[T]) countInDatabaseOrder(ctx context.Context, part typePart) (all int64, err error) {
	if l.kind == edges {
		all, err = l.countType(ctx, part.name)
	} else {
		var ranks any
		if part.under {
			ranks = keyset.RanksOf([]string{part.name})
		}
		slots := cypher.Slots{"type": cypher.Quote(part.name), "where": l.filter.where("")}
		all, err = l.count(ctx, l.statements.scanCount, slots, map[string]any{"ranks": ranks})
	}
	if err != nil || !part.withoutID {
		return all, err
	}
	own, err := l.countIndexed(ctx, part)
	return all - own, err
}

func (l *listRequest[T]) unlabelled() keyset.Segment[T] {
	return keyset.Segment[T]{Page: unlabelledOrder[T]{l}.page}
}

// soleName is the only name; empty if there are more.
func soleName(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return ""
}
