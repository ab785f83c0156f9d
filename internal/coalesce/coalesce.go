// Package coalesce merges calls that wait at the same moment into one. While a batch is under way the calls that arrive
// queue up; the next free lane takes all that wait, up to a bound, runs them as one, and hands every caller its own answer.
// Nothing waits on a timer, so an idle group adds no delay. The package knows nothing of databases.
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

// Errors of Do that are not the batch's own.
var (
	// ErrFull means that the bounded queue has no place; the call had no effect and may be tried again.
	ErrFull = errors.New("coalesce: the queue is full")
	// ErrClosed means that the group no longer takes calls.
	ErrClosed = errors.New("coalesce: closed")
)

// Outcome is one caller's answer.
type Outcome[R any] struct {
	Value R
	Err   error
}

// Observer hears what a group does, for metrics. Its methods are called outside locks, must be quick and safe for
// concurrent use.
type Observer interface {
	// Batch is told of each batch as it leaves: how many calls it carries, how long the oldest of them waited, and how
	// many of the group's lanes are in use, this one included.
	Batch(group string, size int, oldestWait time.Duration, lanesBusy int)
	// Done is told how long a batch took.
	Done(group string, size int, took time.Duration)
	// Refused is told of a call that found the queue full.
	Refused(group string)
	// Dropped is told of a call whose caller left before it was dispatched.
	Dropped(group string)
}

// Tracer makes what is done for a batch part of the traces of its callers.
type Tracer interface {
	// Batch is told of a batch as it leaves. It returns the context that the batch runs with, made from the one given, and
	// what to call at the batch's end. It must not keep the callers.
	Batch(ctx context.Context, group string, callers []Caller) (context.Context, func())
}

// Caller is one call of a batch.
type Caller struct {
	Context context.Context // for what it carries: its end is no end of the batch
	Arrived time.Time
}

// Options of a group. Zero values mean the defaults named.
type Options[Q any] struct {
	Name     string
	Lanes    int // batches under way at the same time, at most; default 2
	MaxBatch int // calls in one batch; default 128
	MaxQueue int // calls waiting, beyond those under way; default 4096
	// Key names what a call works on. Two calls with the same non-empty key are never in one batch nor under way at the
	// same time; they run in the order of their arrival. Nil means no call has one.
	Key func(Q) string
	// Linger keeps calls together: while a lane is in use, another one is opened only for a full batch, or when no batch has
	// left for this long, so that a slow batch holds nobody up for much longer. 0 opens lanes as long as there are any.
	Linger time.Duration
	// Timeout bounds one batch; default 30 s. A batch's context is its own: a caller that leaves cancels nothing.
	Timeout  time.Duration
	Observer Observer // may be nil
	Tracer   Tracer   // may be nil
	// Off runs every call alone and at once, as a batch of one, through the same code. Keys are then not kept apart.
	Off bool
}

// Group merges calls of one kind. It is safe for concurrent use.
type Group[Q, R any] struct {
	o   Options[Q]
	run func(context.Context, []Q) []Outcome[R]

	mu          sync.Mutex
	ready       []*call[Q, R]            // may leave with the next batch; at most one call of each key
	blocked     map[string][]*call[Q, R] // wait for an earlier call of their key; present while that key is ready or under way
	waiting     int                      // calls in ready and held whose callers are still there
	lanes       int                      // batches under way
	lastBatchAt time.Time                // when the last batch left
	timerArmed  bool                     // relieve will be called
	closed      bool
	idle        sync.Cond // signalled when a lane ends
}

type call[Q, R any] struct {
	query      Q
	ctx        context.Context // the caller's, for the tracer only
	key        string
	arrived    time.Time
	dispatched bool // left with a batch
	abandoned  bool // its caller left first
	answer     chan Outcome[R]
}

// New makes a group whose batches run executes. run gets at least one query and returns one outcome for each, in order;
// a panic in it, or a missing outcome, becomes an error for the callers concerned.
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

// Do runs one call and returns its own answer. It returns early with the context's error when the caller leaves; a call
// that was not dispatched by then never runs, one that was runs to its end unheard. ErrFull and ErrClosed mean that
// nothing ran.
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

// hold puts a call behind an earlier one of the same key, if there is one, and otherwise takes the key for it.
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

// release gives a key to the next call that waits for it and is still wanted, or frees it.
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

// open says whether a lane is to be started for what is ready, and counts it.
func (g *Group[Q, R]) tryOpenLane() bool {
	switch {
	case len(g.ready) == 0 || g.lanes >= g.o.Lanes:
		return false
	case g.lanes == 0 || g.o.Linger == 0 || len(g.ready) >= g.o.MaxBatch:
		g.lanes++
		return true
	}
	g.armLingerTimer()
	return false
}

// guard sees to it that what is ready does not wait for a slow batch.
func (g *Group[Q, R]) armLingerTimer() {
	if !g.timerArmed {
		g.timerArmed = true
		time.AfterFunc(g.o.Linger, g.onLingerTimer)
	}
}

// relieve starts a lane when calls have waited while no batch left.
func (g *Group[Q, R]) onLingerTimer() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.timerArmed = false
	if len(g.ready) == 0 || g.lanes >= g.o.Lanes {
		return
	}
	if time.Since(g.lastBatchAt) < g.o.Linger {
		g.armLingerTimer()
		return
	}
	g.lanes++
	go g.runLane()
}

// lane runs batches until nothing is ready, then ends.
func (g *Group[Q, R]) runLane() {
	var done []*call[Q, R]
	for {
		// Callers that can run just now get to put their calls in first: the batch is larger, and where nobody else runs
		// this costs next to nothing.
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
		// What is still ready may use another lane: keys that were released just now had none to wake.
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

// take removes the next batch from the ready calls, skipping those whose callers left.
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

// protected turns a panic of run into an error for each caller: it happens in a goroutine that no caller's recovery covers.
func (g *Group[Q, R]) runRecovered(batch []*call[Q, R], queries []Q) (outcomes []Outcome[R]) {
	ctx, cancel := context.WithTimeout(context.Background(), g.o.Timeout)
	defer cancel()
	if g.o.Tracer != nil {
		callers := make([]Caller, len(batch))
		for i, c := range batch {
			callers[i] = Caller{c.ctx, c.arrived}
		}
		traced, end := g.o.Tracer.Batch(ctx, g.o.Name, callers)
		defer end()
		ctx = traced
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

// Close refuses further calls and waits until those accepted have been answered.
func (g *Group[Q, R]) Close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
	for g.lanes > 0 {
		g.idle.Wait()
	}
}

// Waiting is how many calls wait to be dispatched.
func (g *Group[Q, R]) Waiting() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.waiting
}
