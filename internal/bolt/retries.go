package bolt

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// RetryPolicy says how often and how long a call is sent again, and with which pauses. Which failures are repeated is decided by the
// caller, who knows what the call may have done. Zero values set no limit: then the context's end is the only one.
type RetryPolicy struct {
	firstPause, maxPause time.Duration // the pause doubles from the first to the longest, with jitter; equal ones are constant
	limit                time.Duration // since the first attempt
	attempts             int
	margin               time.Duration // what must be left until the context's deadline after a pause
}

// The policies of all calls to Neo4j that wait for a better time. A write that is sent again once, because it recognizes what it has
// written, uses RepeatUnknown. (Creates, batches of operations and large deletes count attempts themselves: they find out first what was
// done.)
var (
	// Transient is for calls that did nothing, because of a deadlock or a connection that was dead, for example. An error is better than an
	// attempt that the deadline will interrupt.
	Transient = RetryPolicy{firstPause: 20 * time.Millisecond, maxPause: 200 * time.Millisecond, margin: DeadlineMargin}
	// ConcurrentChange is for changes of the schema or of users with which others interfere, until they are made.
	ConcurrentChange = RetryPolicy{firstPause: Transient.firstPause, maxPause: Transient.maxPause}
	// ThroughOutage is for batches of an import or of an adoption, which wait for a database that is unreachable: many were written before.
	ThroughOutage = RetryPolicy{firstPause: Transient.maxPause, maxPause: Transient.maxPause, limit: time.Minute}
	// UntilAnswered is for look-ups of what a call with an unknown outcome has done: no other answer is correct.
	UntilAnswered = RetryPolicy{firstPause: probeInterval, maxPause: probeInterval}
	// ShortOfMemory is for small reads that found the memory of all transactions in use, by those of others: they end soon, or fail.
	ShortOfMemory = RetryPolicy{firstPause: Transient.firstPause, maxPause: Transient.maxPause, attempts: 20, margin: DeadlineMargin}
	// AtOnce is for idempotent calls that another attempt is likely to carry out: on another connection, or without what was deleted.
	AtOnce = RetryPolicy{attempts: 3}
)

// A call that failed because an entity was deleted concurrently (IsEntityDeleted) is sent again at once: it does not find the entity then.
// How often follows from what the call works on, so that there is no policy for all:
//
//   - a batch of writes: each failed row once and alone, because the rows of other callers must not run twice (rowRunner of neo4jentity);
//   - a change under a lock: once, because it locks few entities (judgedWriter);
//   - a batch of operations: three times, because it names many entities, each of which may be deleted (batchRun);
//   - a transaction of a large delete: until its context ends, because it must end with none of the edges, and each of them can be
//     deleted only once (deleteEdgesOf);
//   - a search: as AtOnce, because it may find what is being deleted as long as an index contains it (neo4jsearch).

// Retries counts the attempts of one call. It is for one goroutine.
type Retries struct {
	policy   RetryPolicy
	began    time.Time
	attempts int
	pause    time.Duration // before the next attempt, without jitter
}

// Begin begins the first attempt.
func (p RetryPolicy) Begin() *Retries {
	return &Retries{policy: p, began: time.Now(), attempts: 1, pause: p.firstPause}
}

// Again waits before the next attempt. It returns false if there is none: because of a limit of the policy, at once, or because the context
// ends.
func (r *Retries) Again(ctx context.Context) bool {
	p := r.policy
	if ctx.Err() != nil || p.attempts > 0 && r.attempts >= p.attempts || p.limit > 0 && r.Lasting() > p.limit {
		return false
	}
	r.attempts++
	pause := r.pause
	if p.firstPause < p.maxPause {
		pause = pause/2 + rand.N(pause)
	}
	r.pause = min(2*r.pause, p.maxPause)
	if deadline, ok := ctx.Deadline(); ok && p.margin > 0 && time.Until(deadline) < pause+p.margin {
		return false
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// Lasting is the time since the first attempt.
func (r *Retries) Lasting() time.Duration { return time.Since(r.began) }

// Retry retries transient failures until the context's deadline.
func (c *Client) Retry(ctx context.Context, try func() error) error {
	for retries := Transient.Begin(); ; {
		err := try()
		if err == nil || !IsRetryable(err) || IsTimeout(err) && HasBatchLimit(ctx) || !retries.Again(ctx) {
			return err
		}
	}
}

// RepeatUnknown runs a write that recognizes what it has written, and once more if its outcome is unknown. If the database does not carry
// out the second attempt either, the outcome remains unknown: the first may have been committed.
func RepeatUnknown(write func() error) error {
	err := write()
	if !IsOutcomeUnknown(err) {
		return err
	}
	if err = write(); IsConnectionLost(err) || IsNotSent(err) || Code(err) != "" && !isRefusal(err) {
		return WithUnknownOutcome(err)
	}
	return err
}

// IsRetryable reports whether a failed call has done nothing and may succeed the next time.
func IsRetryable(err error) bool {
	var unknown unknownOutcome
	var away unreachableError
	switch {
	case errors.As(err, &unknown), errors.As(err, &away), errors.Is(err, errCircuitOpen), errors.Is(err, errPoolExhausted),
		IsOutOfMemory(err), readOnlyDatabase(err):
		return false
	default:
		return IsConnectionLost(err) || isUnusable(err) || neo4j.IsRetryable(unnamed(err)) // which compares the type of the error
	}
}
