package neo4jstore

import (
	"context"
	"fmt"
	"slices"

	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/rules"
)

// readShared returns what read returns. Only requests that see everything share reads, so that nobody learns by the time of an answer what
// others ask for. own copies what a request may change of a result that others have as well.
func readShared[R any](
	ctx context.Context, s *bolt.SharedReads[R], key string, own func(R) R, read func(context.Context) (R, error),
) (R, error) {
	if !rules.ViewOf(ctx).AllowsAll(rules.Read) {
		return read(ctx)
	}
	result, shared, err := s.Do(ctx, key, read)
	if shared {
		result = own(result)
	}
	return result, err
}

func ownPage[T any](p graph.Page[T]) graph.Page[T] {
	p.Items = slices.Clone(p.Items)
	return p
}

func ownAggregate(a graph.Aggregate) graph.Aggregate {
	a.Groups = slices.Clone(a.Groups)
	return a
}

func pagingKey(p graph.Paging) string {
	return fmt.Sprintf("%d %d %t %q", p.Limit, p.Offset, p.Count, p.After)
}

func nodeAggregateKey(q graph.NodeAggregateQuery) string {
	return fmt.Sprintf("nodes %q %s %s", q.Type, aggregationKey(q.Aggregation), graph.Fingerprint(q.Filter, nil))
}

func edgeAggregateKey(q graph.EdgeAggregateQuery) string {
	return fmt.Sprintf("edges %q %q %q %q %s %s", q.Type, q.SourceID, q.TargetID, q.NodeID, aggregationKey(q.Aggregation),
		graph.Fingerprint(q.Filter, nil))
}

// aggregationKey contains the Go type of a width: 1 and 1.0 are different widths.
func aggregationKey(a graph.Aggregation) string {
	return fmt.Sprintf("%q %T %v %q %q %d", a.GroupBy, a.Bin.Width, a.Bin.Width, a.Bin.Unit, a.Measures, a.Limit)
}
