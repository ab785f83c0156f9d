package neo4jstore

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"graphrest/internal/bolt"
	"graphrest/internal/graph"
)

// snapshot is an in-memory copy of something small in the database, such as the set of managed types. A value is immutable once it was
// read. Concurrent readers share one read (single-flight).
type snapshot[T any] struct {
	read  func(context.Context) (*T, error)
	spawn func(func()) // runs work that the store waits for when it closes

	latest  atomic.Pointer[snapshotVersion[T]]
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
	waitBudget *bolt.WaitBudget // separate: the read serves many callers
	err        error
}

// current is the value as last read; nil before the first read.
func (c *snapshot[T]) current() *T {
	if r := c.latest.Load(); r != nil {
		return r.value
	}
	return nil
}

// get is the value as last read. It reads the value if it was never read.
func (c *snapshot[T]) get(ctx context.Context) (*T, error) {
	if value := c.current(); value != nil {
		return value, nil
	}
	return c.fresh(ctx, 0)
}

// isFresh says whether the value is at most maxAge old.
func (c *snapshot[T]) isFresh(maxAge time.Duration) bool {
	r := c.latest.Load()
	return r != nil && !r.began.Before(time.Now().Add(-maxAge))
}

// fresh is the value, at most maxAge old. It waits for a read if the value is older; one read serves all waiting callers. A read that began
// before this call may fail for a reason that this call has nothing to do with, such as its own deadline: then another one is tried.
func (c *snapshot[T]) fresh(ctx context.Context, maxAge time.Duration) (*T, error) {
	called := time.Now()
	since := called.Add(-maxAge)
	for {
		if r := c.latest.Load(); r != nil && !r.began.Before(since) {
			return r.value, nil
		}
		c.mu.Lock()
		r := c.running
		if r == nil {
			readCtx := bolt.WithWaitBudget(graph.WithoutStop(context.WithoutCancel(ctx))) // other callers may wait for it as well
			r = &refreshCall{began: time.Now(), done: make(chan struct{}), waitBudget: bolt.WaitBudgetFrom(readCtx)}
			c.running = r
			c.spawn(func() { c.runRefresh(readCtx, r) })
		}
		c.mu.Unlock()
		joined := time.Now()
		select {
		case <-r.done:
			bolt.WaitBudgetFrom(ctx).Charge(min(r.waitBudget.Spent(), time.Since(joined)))
			if r.err != nil && !r.began.Before(called) {
				return nil, r.err
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (c *snapshot[T]) runRefresh(ctx context.Context, r *refreshCall) {
	value, err := c.read(ctx)
	if err == nil {
		c.latest.Store(&snapshotVersion[T]{value, r.began})
	}
	c.mu.Lock()
	c.running = nil
	c.mu.Unlock()
	r.err = err
	close(r.done)
}
