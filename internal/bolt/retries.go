package bolt

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// The pause before a call is sent again grows from MinBackoff to MaxBackoff.
const (
	MinBackoff = 20 * time.Millisecond
	MaxBackoff = 200 * time.Millisecond
)

// RetryOutageFor is how long a batch of an import or of an adoption is retried while the database is unreachable.
const RetryOutageFor = time.Minute

// Retry retries transient failures until the context's deadline.
func (c *Client) Retry(ctx context.Context, try func() error) error {
	wait := MinBackoff
	for {
		err := try()
		if err == nil || !IsRetryable(err) || IsTimeout(err) && HasBatchLimit(ctx) {
			return err
		}
		pause := wait/2 + rand.N(wait)
		wait = min(2*wait, MaxBackoff)
		if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < pause+DeadlineMargin {
			return err
		}
		time.Sleep(pause)
	}
}

// IsRetryable says whether a failed call has done nothing and may succeed the next time.
func IsRetryable(err error) bool {
	var unknown unknownOutcome
	var away unreachableError
	switch {
	case errors.As(err, &unknown), errors.As(err, &away), errors.Is(err, errCircuitOpen), errors.Is(err, errPoolExhausted), IsOutOfMemory(err), readOnlyDatabase(err):
		return false
	default:
		return IsConnectionLost(err) || isUnusable(err) || neo4j.IsRetryable(err)
	}
}
