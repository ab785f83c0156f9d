package coalesce

import (
	"context"
	"time"
)

// BatchObserver receives the events of a group, for metrics. Its methods are called outside locks and must be quick and safe
// for concurrent use.
type BatchObserver interface {
	// Batch is called when a batch starts, with its number of calls, the waiting time of the oldest one, and the number
	// of lanes in use, this one included.
	Batch(group string, size int, oldestWait time.Duration, lanesBusy int)
	// Done is called with the duration of a batch.
	Done(group string, size int, took time.Duration)
	// Refused is called for a call that found the queue full.
	Refused(group string)
	// Dropped is called for a call whose caller left before it was dispatched.
	Dropped(group string)
}

// Tracer adds the work of a batch to the traces of its callers.
type Tracer interface {
	// Batch is called when a batch starts. It returns the context that the batch runs with, derived from the given one,
	// and a function to call at the end of the batch. It must not retain callers.
	Batch(ctx context.Context, group string, callers []Caller) (context.Context, func())
}

// Caller is one call of a batch.
type Caller struct {
	Context context.Context // for its values only: its end does not end the batch
	Arrived time.Time
}

// Options configure a group. Zero values mean the defaults named.
type Options[Q any] struct {
	Name     string
	Lanes    int // maximum number of concurrent batches; default 2
	MaxBatch int // maximum calls in one batch; default 128
	MaxQueue int // maximum waiting calls, besides those in progress; default 4096
	// Key identifies what a call works on. Two calls with the same non-empty key are never in one batch nor in progress
	// concurrently; they run in the order of arrival. Nil means that no call has a key.
	Key func(Q) string
	// Linger makes batches larger: while a lane is in use, another one is opened only for a full batch, or if no batch
	// has started for this long, so that a slow batch delays other calls by little more than Linger. 0 opens lanes as
	// long as any is free.
	Linger time.Duration
	// Distance returns how long the shortest batch takes; nil or 0 if that is not known. If it is more than a millisecond, waiting for the
	// batch in progress costs more than smaller batches do: lanes are then opened evenly in that time, if that is sooner than Linger.
	// Called with a lock held, so it must be quick.
	Distance func() time.Duration
	// Timeout bounds one batch; default 30 s. A batch has its own context: a caller that leaves cancels nothing.
	Timeout time.Duration
	// Context adds values that depend on the callers of a batch to the context that it runs with, which it receives and returns. It must not
	// retain callers. Nil adds none.
	Context  func(ctx context.Context, callers []Caller) context.Context
	Observer BatchObserver // may be nil
	Tracer   Tracer        // may be nil
	// Off runs every call as a batch of one, immediately, through the same code. Calls with the same key are then not
	// serialized.
	Off bool
}
