package bolt

import (
	"context"
	"time"

	"graphrest/internal/graph"
)

const (
	// DeadlineMargin is how much earlier the server ends a statement than the gateway's deadline: an error from the server leaves the
	// connection usable, a deadline closes it.
	DeadlineMargin = 250 * time.Millisecond
	// batchShare is the part of the query timeout that a batch of several callers may use before its rows are run separately.
	batchShare = 4
)

// WithQueryTimeout returns a context that keeps a caller's deadline, but not its cancellation: cancellation in the middle of a statement
// would make the driver close the connection (neo4j-go-driver#642). It lasts at most the query timeout. The context of graph.WithStop
// cancels it as well: the server then rolls back what is not committed.
func (c *Client) WithQueryTimeout(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline := time.Now().Add(c.timeout)
	if given, ok := ctx.Deadline(); ok && given.Before(deadline) {
		deadline = given
	}
	bounded, cancel := context.WithDeadline(context.WithoutCancel(ctx), deadline)
	stop := graph.StopFrom(ctx)
	if stop == nil {
		return bounded, cancel
	}
	if stop.Err() != nil {
		cancel() // before a statement can begin
	}
	stopWatching := context.AfterFunc(stop, cancel)
	return bounded, func() { stopWatching(); cancel() }
}

// isStopped reports whether a statement was cancelled by graph.WithStop, so that its lost connection is no sign of an outage.
func isStopped(ctx context.Context) bool {
	stop := graph.StopFrom(ctx)
	return stop != nil && stop.Err() != nil
}

// txTimeout is the server's time limit for a statement that must end by the context's deadline.
func txTimeout(ctx context.Context) time.Duration {
	deadline, ok := ctx.Deadline()
	if !ok {
		return 0
	}
	limit := max(time.Until(deadline)-DeadlineMargin, time.Millisecond)
	if shorter, ok := ctx.Value(batchLimitKey{}).(time.Duration); ok {
		limit = min(limit, shorter)
	}
	return limit
}

type batchLimitKey struct{}

// WithBatchLimit makes the server end a statement with the rows of several callers early enough to run each row separately, in case one of
// them waits for a lock or is expensive. Such a timeout is not retried.
func (c *Client) WithBatchLimit(ctx context.Context) context.Context {
	return context.WithValue(ctx, batchLimitKey{}, c.timeout/batchShare)
}

// WithoutBatchLimit undoes WithBatchLimit.
func WithoutBatchLimit(ctx context.Context) context.Context {
	return context.WithValue(ctx, batchLimitKey{}, nil)
}

// HasBatchLimit reports whether a context has the time limit of WithBatchLimit.
func HasBatchLimit(ctx context.Context) bool { return ctx.Value(batchLimitKey{}) != nil }
