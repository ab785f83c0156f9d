package neo4jlist

import (
	"context"

	"graphrest/internal/graph"
	"graphrest/internal/keyset"
	"graphrest/internal/neo4jentity"
)

// listSegments divides a list into segments, each of which is read by its own statements.
type listSegments[T any] struct {
	reads      *neo4jentity.Reader
	exclusions *neo4jentity.ExclusionCache
	texts      *listTexts
	types      *listTypes
	rows       *listRows[T]
	totals     *listTotals
	byType     *typeSegments[T]
	ends       endpointFilter
}

// buildSegments builds the segments of the edges of some nodes, of a type or, without either, of all types in use.
func (s *listSegments[T]) buildSegments(ctx context.Context, names []string) ([]keyset.Segment[T], error) {
	q := s.texts.query
	name := string(q.Type)
	switch {
	case s.ends.none:
		return nil, nil
	case s.ends.hasNodes():
		return s.buildAround(ctx)
	case name == "":
		return s.buildAll(names), nil
	case q.kind == graph.EdgeKind && len(q.filter.View.NamesOf([]string{name})) == 0:
		return nil, nil
	}
	if used, err := s.exclusions.TypeInUse(ctx, q.kind, name); err != nil || !used {
		return nil, err
	}
	return s.byType.buildSegments(typePart{name: name}), nil
}

func (s *listSegments[T]) buildAll(names []string) []keyset.Segment[T] {
	q := s.texts.query
	seen, everything := q.filter.View.Names()
	if !everything && len(seen) == 0 {
		return nil
	}
	var segments []keyset.Segment[T]
	isAlone := func(name string) bool { return !s.types.isSmall(name) || q.filter.served(name) }
	for _, types := range keyset.BatchSmallTypes(names, isAlone) {
		if len(types) > 1 {
			segments = append(segments, s.byType.scan(types, true))
			continue
		}
		segments = append(segments, s.byType.buildSegments(typePart{name: types[0], under: q.kind == graph.NodeKind})...)
	}
	if q.kind == graph.EdgeKind || !everything { // a node without a label is in no type
		return segments
	}
	return append(segments, keyset.Segment[T]{Page: unlabelledOrder[T]{s.rows}.page})
}

// countAll counts the visible entities of a list: by its one segment if it is of the edges of some nodes, and otherwise by type.
func (s *listSegments[T]) countAll(ctx context.Context, segments []keyset.Segment[T]) (*int64, error) {
	if len(segments) == 0 {
		return new(int64), nil
	}
	var total int64
	var err error
	if s.ends.hasNodes() {
		total, err = segments[0].Count(ctx)
	} else {
		total, err = s.totals.countType(ctx, string(s.texts.query.Type))
	}
	return &total, err
}
