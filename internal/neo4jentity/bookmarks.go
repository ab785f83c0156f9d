package neo4jentity

import (
	"context"
	"slices"

	"graphrest/internal/bolt"
	"graphrest/internal/coalesce"
	"graphrest/internal/graph"
)

// withMergedBookmarks runs a batch's reads after the union of their bookmarks. If the database rejects one of the bookmarks, it runs the
// halves separately, so that in the end only the invalid row fails.
func withMergedBookmarks[Q, R any](
	after func(Q) graph.Bookmarks, run func(context.Context, []Q) []coalesce.Outcome[R],
) func(context.Context, []Q) []coalesce.Outcome[R] {
	var runHalves func(context.Context, []Q) []coalesce.Outcome[R]
	runHalves = func(ctx context.Context, batch []Q) []coalesce.Outcome[R] {
		var union graph.Bookmarks
		for _, q := range batch {
			union = append(union, after(q)...)
		}
		slices.Sort(union)
		out := run(graph.WithBookmarks(ctx, slices.Compact(union)), batch)
		if len(batch) == 1 || len(out) != len(batch) || !bolt.IsForeignBookmark(out[0].Err) {
			return out
		}
		half := len(batch) / 2
		return append(runHalves(ctx, batch[:half]), runHalves(ctx, batch[half:])...)
	}
	return runHalves
}
