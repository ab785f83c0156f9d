package bolt

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"graphrest/internal/graph"
)

// Snapshot is an in-memory copy of something small in the database, such as the set of managed types. A value is immutable once it was
// read. Concurrent readers share one read (single-flight).
type Snapshot[T any] struct {
	Read  func(context.Context) (*T, error)
	Spawn func(func()) // runs work that the owner waits for when it closes

	latest  atomic.Pointer[snapshotVersion[T]]
	expired atomic.Pointer[time.Time] // older values are not fresh
	mu      sync.Mutex
	running *refreshCall // the read under way, shared by all waiting callers
}

type snapshotVersion[T any] struct {
	value *T
	began time.Time
}

type refreshCall struct {
	began      time.Time
	done       chan struct{}
	waitBudget *WaitBudget // separate: the read serves many callers
	err        error
}

// Current is the value as last read; nil before the first read.
func (c *Snapshot[T]) Current() *T {
	if r := c.latest.Load(); r != nil {
		return r.value
	}
	return nil
}

// Get is the value as last read. It reads the value if it was never read.
func (c *Snapshot[T]) Get(ctx context.Context) (*T, error) {
	if value := c.Current(); value != nil {
		return value, nil
	}
	return c.Fresh(ctx, 0)
}

// IsFresh reports whether the value is at most maxAge old.
func (c *Snapshot[T]) IsFresh(maxAge time.Duration) bool {
	r := c.latest.Load()
	return r != nil && !r.began.Before(c.oldest(time.Now(), maxAge))
}

// Expire makes all values read before the call stale, whatever their age, because the original has changed.
func (c *Snapshot[T]) Expire() {
	now := time.Now()
	c.expired.Store(&now)
}

// Put sets a value that another read has returned, unless one of a later read is known. began is when that read began.
func (c *Snapshot[T]) Put(value *T, began time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r := c.latest.Load(); r == nil || r.began.Before(began) {
		c.latest.Store(&snapshotVersion[T]{value, began})
	}
}

// oldest is when a read must have begun for its value to be fresh.
func (c *Snapshot[T]) oldest(now time.Time, maxAge time.Duration) time.Time {
	oldest := now.Add(-maxAge)
	if e := c.expired.Load(); e != nil && e.After(oldest) {
		return *e
	}
	return oldest
}

// Fresh is the value, at most maxAge old. It waits for a read if the value is older; one read serves all waiting callers. A read that began
// before this call may fail for a reason of another caller, such as its deadline: then the value is read again.
func (c *Snapshot[T]) Fresh(ctx context.Context, maxAge time.Duration) (*T, error) {
	called := time.Now()
	since := c.oldest(called, maxAge)
	for {
		if r := c.latest.Load(); r != nil && !r.began.Before(since) {
			return r.value, nil
		}
		c.mu.Lock()
		r := c.running
		if r == nil {
			// Other callers may wait for the read as well: it has none of this caller's limits.
			readCtx := WithWaitBudget(WithoutBatchLimit(graph.WithoutStop(context.WithoutCancel(ctx))))
			r = &refreshCall{began: time.Now(), done: make(chan struct{}), waitBudget: WaitBudgetFrom(readCtx)}
			c.running = r
			c.Spawn(func() { c.runRefresh(readCtx, r) })
		}
		c.mu.Unlock()
		joined := time.Now()
		select {
		case <-r.done:
			WaitBudgetFrom(ctx).Charge(min(r.waitBudget.Spent(), time.Since(joined)))
			if r.err != nil && !r.began.Before(called) {
				return nil, r.err
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (c *Snapshot[T]) runRefresh(ctx context.Context, r *refreshCall) {
	value, err := c.Read(ctx)
	if err == nil {
		c.Put(value, r.began)
	}
	c.mu.Lock()
	c.running = nil
	c.mu.Unlock()
	r.err = err
	close(r.done)
}

// ReadPresuming runs read with the last known value while the value is read again. If the new value differs (alike is false), read runs
// again with it, and the bytes that the first run took of the budget are given back. If the value is still the same, a request waits for
// one round trip instead of two. If the value is at most maxAge old, or was never read, read runs once.
func ReadSpeculatively[T, R any](
	ctx context.Context, c *Snapshot[T], maxAge time.Duration, alike func(a, b *T) bool, read func(context.Context, *T) (R, error),
) (R, error) {
	var none R
	speculative := c.Current()
	if speculative == nil || c.IsFresh(maxAge) {
		value, err := c.Fresh(ctx, maxAge)
		if err != nil {
			return none, err
		}
		return read(ctx, value)
	}
	var latest *T
	reading := make(chan error, 1)
	go func() {
		var err error
		latest, err = c.Fresh(ctx, maxAge)
		reading <- err
	}()
	budget := graph.NewCountedBudget(ctx)
	result, failed := read(graph.WithByteBudget(ctx, budget), speculative)
	if err := <-reading; err != nil {
		return none, err
	}
	if alike(speculative, latest) {
		return result, failed
	}
	_ = budget.Take(-budget.Taken())
	return read(ctx, latest)
}
