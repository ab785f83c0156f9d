package bolt

import (
	"context"
	"time"

	"graphrest/internal/graph"
	"graphrest/internal/snapshot"
)

// SnapshotOptions are how a snapshot is read from the database. spawn runs work that the owner waits for when it closes. The read serves
// many callers: it has none of the limits and bookmarks of the first, and each caller is charged for the time that the read waited for a
// connection.
func SnapshotOptions(spawn func(work func())) snapshot.Options {
	return snapshot.Options{
		Spawn: spawn,
		Detach: func(ctx context.Context) context.Context {
			return WithWaitBudget(WithoutBatchLimit(graph.WithBookmarks(graph.WithoutStop(context.WithoutCancel(ctx)), nil)))
		},
		Waited: func(caller, read context.Context, wait time.Duration) {
			WaitBudgetFrom(caller).Charge(min(WaitBudgetFrom(read).Spent(), wait))
		},
	}
}

// ReadSpeculatively runs read with the last known value while the value is read again. If the new value differs (alike is false), read runs
// again with it, and the bytes that the first run took of the budget are given back. If the value is still the same, a request waits for
// one round trip instead of two. If the value is at most maxAge old, or was never read, read runs once.
func ReadSpeculatively[T, R any](
	ctx context.Context, s *snapshot.Snapshot[T], maxAge time.Duration, alike func(a, b *T) bool, read func(context.Context, *T) (R, error),
) (R, error) {
	var none R
	last := s.Current()
	if last == nil || s.IsFresh(maxAge) {
		value, err := s.Fresh(ctx, maxAge)
		if err != nil {
			return none, err
		}
		return read(ctx, value)
	}
	var latest *T
	reading := make(chan error, 1)
	go func() {
		var err error
		latest, err = s.Fresh(ctx, maxAge)
		reading <- err
	}()
	budget := graph.NewCountedBudget(ctx)
	result, failed := read(graph.WithByteBudget(ctx, budget), last)
	if err := <-reading; err != nil {
		return none, err
	}
	if alike(last, latest) {
		return result, failed
	}
	_ = budget.Take(-budget.Taken())
	return read(ctx, latest)
}
