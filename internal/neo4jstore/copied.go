package neo4jstore

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"graphrest/internal/graph"
)

// copied is something small that the database holds, such as which types are managed, and its copy in memory. What was read
// never changes once it is there.
type copied[T any] struct {
	read  func(context.Context) (*T, error)
	spawn func(func()) // runs work that the store waits for when it closes

	current atomic.Pointer[reading[T]]
	mu      sync.Mutex
	running *refresh // the read under way, shared by all who want one
}

type reading[T any] struct {
	value *T
	began time.Time
}

type refresh struct {
	began time.Time
	done  chan struct{}
	waits *graph.WaitBudget // of its own: it serves many
	err   error
}

// known is the copy as it is; nil before the first read.
func (c *copied[T]) known() *T {
	if r := c.current.Load(); r != nil {
		return r.value
	}
	return nil
}

// get is the copy as it is, read once at the beginning.
func (c *copied[T]) get(ctx context.Context) (*T, error) {
	if value := c.known(); value != nil {
		return value, nil
	}
	return c.within(ctx, 0)
}

// fresh says whether the copy is as the original was at most a while ago.
func (c *copied[T]) fresh(age time.Duration) bool {
	r := c.current.Load()
	return r != nil && !r.began.Before(time.Now().Add(-age))
}

// within is the copy as the original was at most a while ago. One read serves all who wait.
func (c *copied[T]) within(ctx context.Context, age time.Duration) (*T, error) {
	since := time.Now().Add(-age)
	for {
		if r := c.current.Load(); r != nil && !r.began.Before(since) {
			return r.value, nil
		}
		c.mu.Lock()
		r := c.running
		if r == nil {
			alone := graph.WithWaitBudget(graph.WithoutStop(context.WithoutCancel(ctx))) // others may be waiting for it as well
			r = &refresh{began: time.Now(), done: make(chan struct{}), waits: graph.WaitBudgetFrom(alone)}
			c.running = r
			c.spawn(func() { c.refresh(alone, r) })
		}
		c.mu.Unlock()
		joined := time.Now()
		select {
		case <-r.done:
			graph.WaitBudgetFrom(ctx).Charge(min(r.waits.Spent(), time.Since(joined)))
			if r.err != nil {
				return nil, r.err
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (c *copied[T]) refresh(ctx context.Context, r *refresh) {
	value, err := c.read(ctx)
	if err == nil {
		c.current.Store(&reading[T]{value, r.began})
	}
	c.mu.Lock()
	c.running = nil
	c.mu.Unlock()
	r.err = err
	close(r.done)
}
