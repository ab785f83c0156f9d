// Package coalesce merges concurrent calls into batches. While a batch is in progress, arriving calls are queued; the
// next free lane takes all waiting calls, up to a maximum, runs them as one batch and returns each caller its own
// result. An idle group runs a call at once, without a timer. The package does not depend on any database.
package coalesce

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"time"
)

// Errors of Do that do not come from the batch.
var (
	// ErrFull means that the bounded queue is full; the call had no effect and may be retried.
	ErrFull = errors.New("coalesce: the queue is full")
	// ErrClosed means that the group accepts no more calls.
	ErrClosed = errors.New("coalesce: closed")
)

// Outcome is one caller's result.
type Outcome[R any] struct {
	Value R
	Err   error
}

// Group merges calls of one kind. It is safe for concurrent use.
type Group[Q, R any] struct {
	o   Options[Q]
	run func(context.Context, []Q) []Outcome[R]

	mu          sync.Mutex
	ready       []*call[Q, R]            // calls for the next batch; at most one of each key
	blocked     map[string][]*call[Q, R] // calls that wait for an earlier call of their key; present while that key is ready or in progress
	waiting     int                      // calls in ready and blocked whose callers still wait
	lanes       int                      // batches in progress
	lastBatchAt time.Time                // when the last batch started, or a lane was opened for it
	timerArmed  bool                     // onLingerTimer will be called
	closed      bool
	idle        sync.Cond // signalled when a lane ends
}

type call[Q, R any] struct {
	query      Q
	ctx        context.Context // the caller's, for Options.Tracer and Options.Context only
	key        string
	arrived    time.Time
	dispatched bool // part of a started batch
	abandoned  bool // its caller left before that
	answer     chan Outcome[R]
}

// New creates a group whose batches run executes. run gets at least one query and returns one outcome for each, in
// order; a panic in it, or a missing outcome, becomes an error for the callers concerned.
func New[Q, R any](o Options[Q], run func(context.Context, []Q) []Outcome[R]) *Group[Q, R] {
	if o.Lanes <= 0 {
		o.Lanes = 2
	}
	if o.MaxBatch <= 0 {
		o.MaxBatch = 128
	}
	if o.MaxQueue <= 0 {
		o.MaxQueue = 4096
	}
	if o.Timeout <= 0 {
		o.Timeout = 30 * time.Second
	}
	if o.Off {
		o.Lanes, o.MaxBatch, o.Key, o.Linger = o.MaxQueue, 1, nil, 0
	}
	g := &Group[Q, R]{o: o, run: run, blocked: map[string][]*call[Q, R]{}}
	g.idle.L = &g.mu
	return g
}

// Do runs one call and returns its result. If the caller leaves, it returns early with the error of the context: a call
// that was not dispatched by then never runs, a dispatched one runs to its end and its result is discarded. ErrFull and
// ErrClosed mean that nothing ran.
func (g *Group[Q, R]) Do(ctx context.Context, q Q) (R, error) {
	var none R
	if err := ctx.Err(); err != nil {
		return none, err
	}
	c := &call[Q, R]{query: q, ctx: ctx, arrived: time.Now(), answer: make(chan Outcome[R], 1)}
	if g.o.Key != nil {
		c.key = g.o.Key(q)
	}
	if err := g.enqueue(c); err != nil {
		return none, err
	}
	select {
	case out := <-c.answer:
		return out.Value, out.Err
	case <-ctx.Done():
		g.abandon(c)
		return none, ctx.Err()
	}
}

func (g *Group[Q, R]) enqueue(c *call[Q, R]) error {
	g.mu.Lock()
	if g.closed {
		g.mu.Unlock()
		return ErrClosed
	}
	if g.waiting >= g.o.MaxQueue {
		g.mu.Unlock()
		if g.o.Observer != nil {
			g.o.Observer.Refused(g.o.Name)
		}
		return ErrFull
	}
	g.waiting++
	if g.queueBehindKey(c) {
		g.mu.Unlock()
		return nil
	}
	g.ready = append(g.ready, c)
	start := g.tryOpenLane()
	g.mu.Unlock()
	if start {
		go g.runLane()
	}
	return nil
}

// queueBehindKey queues a call behind an earlier one with the same key, if there is one, and otherwise reserves the key
// for it.
func (g *Group[Q, R]) queueBehindKey(c *call[Q, R]) bool {
	if c.key == "" {
		return false
	}
	behind, taken := g.blocked[c.key]
	if taken {
		g.blocked[c.key] = append(behind, c)
		return true
	}
	g.blocked[c.key] = nil
	return false
}

// releaseKey passes a key to the next call that waits for it and has not been abandoned, or frees it.
func (g *Group[Q, R]) releaseKey(key string) {
	if key == "" {
		return
	}
	behind := g.blocked[key]
	for i, c := range behind {
		if !c.abandoned {
			g.blocked[key] = behind[i+1:]
			g.ready = append(g.ready, c)
			return
		}
	}
	delete(g.blocked, key)
}

func (g *Group[Q, R]) abandon(c *call[Q, R]) {
	g.mu.Lock()
	dropped := !c.dispatched
	if dropped {
		c.abandoned = true
		g.waiting--
	}
	g.mu.Unlock()
	if dropped && g.o.Observer != nil {
		g.o.Observer.Dropped(g.o.Name)
	}
}

// near is the distance up to which one lane with all calls is faster than several with a part each.
const near = time.Millisecond

// linger is how long after the start of a batch another lane is opened.
func (g *Group[Q, R]) linger() time.Duration {
	if g.o.Distance == nil {
		return g.o.Linger
	}
	if distance := g.o.Distance(); distance > near {
		return min(g.o.Linger, distance/time.Duration(g.o.Lanes))
	}
	return g.o.Linger
}

// tryOpenLane reports whether the caller must start a lane for the ready calls, and counts that lane. If it is too early for one, it
// ensures that the ready calls do not wait longer than for linger.
func (g *Group[Q, R]) tryOpenLane() bool {
	if len(g.ready) == 0 || g.lanes >= g.o.Lanes {
		return false
	}
	if g.lanes > 0 && g.o.Linger > 0 && len(g.ready) < g.o.MaxBatch {
		if g.timerArmed {
			return false
		}
		if wait := g.linger() - time.Since(g.lastBatchAt); wait > 0 {
			g.timerArmed = true
			time.AfterFunc(wait, g.onLingerTimer)
			return false
		}
	}
	g.lanes++
	g.lastBatchAt = time.Now()
	return true
}

// onLingerTimer starts a lane if calls have waited for linger without a batch starting.
func (g *Group[Q, R]) onLingerTimer() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.timerArmed = false
	if g.tryOpenLane() {
		go g.runLane()
	}
}

// runLane runs batches until no call is ready, then ends.
func (g *Group[Q, R]) runLane() {
	var done []*call[Q, R]
	for {
		// Let runnable callers add their calls first: the batch becomes larger, and if no goroutine is runnable this costs
		// almost nothing.
		runtime.Gosched()
		g.mu.Lock()
		for _, c := range done {
			g.releaseKey(c.key)
		}
		batch, oldest := g.takeBatch()
		if len(batch) == 0 {
			g.lanes--
			g.idle.Broadcast()
			g.mu.Unlock()
			return
		}
		// The remaining ready calls may use another lane: releasing keys above did not start one.
		more := g.tryOpenLane()
		busy := g.lanes
		g.mu.Unlock()
		if more {
			go g.runLane()
		}
		g.runBatch(batch, oldest, busy)
		done = batch
	}
}

// takeBatch removes the next batch from the ready calls and skips abandoned ones.
func (g *Group[Q, R]) takeBatch() ([]*call[Q, R], time.Time) {
	var batch []*call[Q, R]
	var oldest time.Time
	n := 0
	for n < len(g.ready) && len(batch) < g.o.MaxBatch {
		c := g.ready[n]
		g.ready[n] = nil
		n++
		if c.abandoned {
			g.releaseKey(c.key) // appends to ready: the loop sees it
			continue
		}
		c.dispatched = true
		g.waiting--
		if oldest.IsZero() || c.arrived.Before(oldest) {
			oldest = c.arrived
		}
		batch = append(batch, c)
	}
	if len(batch) > 0 {
		g.lastBatchAt = time.Now()
	}
	if n == len(g.ready) {
		g.ready = g.ready[:0]
	} else {
		g.ready = g.ready[n:]
	}
	return batch, oldest
}

func (g *Group[Q, R]) runBatch(batch []*call[Q, R], oldest time.Time, busy int) {
	start := time.Now()
	if g.o.Observer != nil {
		g.o.Observer.Batch(g.o.Name, len(batch), start.Sub(oldest), busy)
	}
	queries := make([]Q, len(batch))
	for i, c := range batch {
		queries[i] = c.query
	}
	outcomes := g.runRecovered(batch, queries)
	for i, c := range batch {
		if i < len(outcomes) {
			c.answer <- outcomes[i]
			continue
		}
		c.answer <- Outcome[R]{Err: fmt.Errorf("coalesce %s: the batch gave no answer", g.o.Name)}
	}
	if g.o.Observer != nil {
		g.o.Observer.Done(g.o.Name, len(batch), time.Since(start))
	}
}

// runRecovered turns a panic of run into an error for each caller: run executes in a goroutine that no caller's recover
// covers.
func (g *Group[Q, R]) runRecovered(batch []*call[Q, R], queries []Q) (outcomes []Outcome[R]) {
	ctx, cancel := context.WithTimeout(context.Background(), g.o.Timeout)
	defer cancel()
	if g.o.Tracer != nil || g.o.Context != nil {
		callers := make([]Caller, len(batch))
		for i, c := range batch {
			callers[i] = Caller{c.ctx, c.arrived}
		}
		if g.o.Tracer != nil {
			traced, end := g.o.Tracer.Batch(ctx, g.o.Name, callers)
			defer end()
			ctx = traced
		}
		if g.o.Context != nil {
			ctx = g.o.Context(ctx, callers)
		}
	}
	defer func() {
		if p := recover(); p != nil {
			err := fmt.Errorf("coalesce %s: panic: %v\n%s", g.o.Name, p, debug.Stack())
			outcomes = make([]Outcome[R], len(queries))
			for i := range outcomes {
				outcomes[i].Err = err
			}
		}
	}()
	return g.run(ctx, queries)
}

// Close rejects further calls and waits until all accepted calls are answered.
func (g *Group[Q, R]) Close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
	for g.lanes > 0 {
		g.idle.Wait()
	}
}

// Waiting returns the number of calls that wait to be dispatched.
func (g *Group[Q, R]) Waiting() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.waiting
}
