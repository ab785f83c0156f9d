package neo4jlist

import (
	"fmt"
	"slices"

	"graphrest/internal/graph"
)

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
