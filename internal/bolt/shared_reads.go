package bolt

import (
	"context"

	"graphrest/internal/coalesce"
	"graphrest/internal/graph"
)

// SharedReads runs equal reads once for all requests that ask for the same at the same time. A read begins after each of its requests has
// arrived, so that a client sees what it wrote before. The zero value is ready for use.
type SharedReads[R any] struct {
	Off   bool // every read runs alone
	reads coalesce.EqualReads[countedResult[R]]
}

// countedResult is a result and the bytes that it takes of a budget.
type countedResult[R any] struct {
	result R
	bytes  int64
}

// Do returns the result of read, or of an equal one, and whether other requests have it as well: they must not see a change of it. Equal
// reads have the same key; what a request may see must be part of it. A request that has to follow a bookmark reads alone.
func (s *SharedReads[R]) Do(ctx context.Context, key string, read func(context.Context) (R, error)) (result R, shared bool, err error) {
	if s.Off || len(graph.BookmarksFrom(ctx)) > 0 {
		result, err = read(ctx)
		return result, false, err
	}
	got, sharing, err := s.reads.Do(ctx, key, func(reading context.Context) (countedResult[R], bool, error) {
		if reading != ctx { // for several requests: its statements end when all of them have been abandoned
			var release func()
			reading, release = graph.StopWhenAbandoned(reading, reading)
			defer release()
		}
		budget := graph.NewCountedBudget(reading)
		result, err := read(graph.WithByteBudget(reading, budget))
		return countedResult[R]{result, budget.Taken()}, budget.Refused(), err
	})
	if err == nil && sharing == coalesce.Joined {
		err = graph.TakeBytes(ctx, got.bytes)
	}
	if err != nil {
		return result, false, Translate(err) // of a request that waited, its context's
	}
	return got.result, sharing != coalesce.Alone, nil
}
