package neo4jlist

import (
	"cmp"
	"context"

	"graphrest/internal/graph"
	"graphrest/internal/keyset"
	"graphrest/internal/neo4jentity"
)

// defaultOrderList reads a page in the contract's default order.
type defaultOrderList[T any] struct{ listRequest[T] }

func (l defaultOrderList[T]) read(ctx context.Context) (graph.Page[T], error) {
	at, err := keyset.DecodePosition(l.query.After, l.query.fingerprint)
	if err != nil {
		return graph.Page[T]{}, err
	}
	if speculative := l.ends.speculativeNode(ctx, l.query.EdgeQuery); speculative != nil {
		wait := l.reads.LookUpStart(ctx, l.query.Of.NodeID)
		page, failed := l.readWithEnds(ctx, at, endsAround(*l.query.Of, speculative))
		if found, err := wait(); err != nil || speculative.IsAt(found) {
			return page, cmp.Or(err, failed)
		}
	}
	ends, err := l.ends.resolveEnds(ctx, l.query.EdgeQuery)
	if err != nil {
		return graph.Page[T]{}, err
	}
	return l.readWithEnds(ctx, at, ends)
}

// readWithEnds reads the page of a list without a type by the names in use.
func (l defaultOrderList[T]) readWithEnds(ctx context.Context, at *keyset.Position, ends endpointFilter) (graph.Page[T], error) {
	read := func(ctx context.Context, names []string) (graph.Page[T], error) {
		return readWithCatalog(ctx, l.reads, func(ctx context.Context, m *neo4jentity.ManagedTypes) (graph.Page[T], error) {
			hidden, err := l.exclusions.ExclusionOfPage(ctx, l.query.Paging)
			if err != nil {
				return graph.Page[T]{}, err
			}
			return l.readPage(ctx, l.newPageReaders(m, at, ends, hidden), names)
		})
	}
	if l.query.Type == "" && !ends.none && !ends.hasNodes() {
		return readWithNames(ctx, l.exclusions, l.query.namesOf, read)
	}
	return read(ctx, nil)
}

// readPage reads the page by the names in use.
func (l defaultOrderList[T]) readPage(ctx context.Context, p pageReaders[T], names []string) (page graph.Page[T], err error) {
	q := l.query
	segments, err := p.segments.buildSegments(ctx, names)
	if err != nil {
		return page, err
	}
	total := keyset.CountConcurrently(q.Paging, func() (*int64, error) { return p.segments.countAll(ctx, segments) })
	defer func() { _, _ = total() }()
	found, err := keyset.Walk(ctx, segments, p.types.at, q.Offset, q.Limit+1)
	if err != nil {
		return page, err
	}
	page = keyset.PageOf(found, q.Paging, func(e keyset.Entry[T]) keyset.Position {
		return keyset.Position{
			Query: q.fingerprint, Type: e.Type, NoType: e.Type == "", Managed: p.types.walkedAsManaged(e.Type), Own: e.Own, Key: e.Key,
		}
	})
	if q.Count && page.Total == nil {
		page.Total, err = total()
	}
	return page, err
}
