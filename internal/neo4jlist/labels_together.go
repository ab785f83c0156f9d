package neo4jlist

import (
	"context"
	"sync"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/keyset"
)

// maxTogether is the maximum number of pairs of labels that readIfLabelsOverlap tests: in the worst case, if nodes with the two labels were
// created alternately, each test reads all entries of both labels in the token lookup index.
const maxTogether = 8

// readIfLabelsOverlap returns segments of a type that no grant of the user names, each of which is read only if some node has the type
// together with a label that a grant names: the user sees no other node of the type. The test is cheaper than the first statement, which
// would read the whole type and return no row.
func (s *typeSegments[T]) readIfLabelsOverlap(name string, seen []string, segments []keyset.Segment[T]) []keyset.Segment[T] {
	switch {
	case len(seen) == 0:
		return nil
	case len(seen) > maxTogether:
		return segments
	}
	var once sync.Once
	var found bool
	var failure error
	test := func(ctx context.Context) (bool, error) {
		once.Do(func() { found, failure = hasNodeWithBothLabels(ctx, s.client, name, seen) })
		return found, failure
	}
	for i := range segments {
		page, count := segments[i].Page, segments[i].Count
		segments[i].Page = func(ctx context.Context, from keyset.Start, skip int64, limit int) ([]keyset.Entry[T], error) {
			if some, err := test(ctx); err != nil || !some {
				return nil, err
			}
			return page(ctx, from, skip, limit)
		}
		segments[i].Count = func(ctx context.Context) (int64, error) {
			if some, err := test(ctx); err != nil || !some {
				return 0, err
			}
			return count(ctx)
		}
	}
	return segments
}

// hasNodeWithBothLabels reports whether a node has a label together with one of others.
func hasNodeWithBothLabels(ctx context.Context, client *bolt.Client, label string, others []string) (bool, error) {
	text := cypher.ListNodesTogether.Text(cypher.Slots{"together": cypher.Together(label, others)})
	records, err := client.ReadRows(ctx, text, nil)
	if err != nil || len(records) == 0 {
		return false, err
	}
	return bolt.Column[bool](records[0], "found"), nil
}
