package bolt_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/require"

	"graphrest/internal/bolt"
)

var (
	errDeadlock = &neo4j.Neo4jError{Code: "Neo.TransientError.Transaction.DeadlockDetected", Msg: "deadlock"}
	errTaken    = &neo4j.Neo4jError{Code: "Neo.ClientError.Schema.ConstraintValidationFailed", Msg: "taken"}
	errFatal    = errors.New("fatal")

	errUnreachable = &neo4j.ConnectivityError{Inner: errors.New("connection refused")}
)

// repeat retries until the policy ends it, and returns how many attempts there were and how long they took.
func repeat(ctx context.Context, p bolt.RetryPolicy) (attempts int, took time.Duration) {
	began := time.Now()
	attempts = 1
	for retries := p.Begin(); retries.Again(ctx); attempts++ {
	}
	return attempts, time.Since(began)
}

func TestRetryPoliciesEnd(t *testing.T) {
	for name, c := range map[string]struct {
		policy                   bolt.RetryPolicy
		deadline                 time.Duration // of the context; 0 for none
		minAttempts, maxAttempts int
		atLeast, atMost          time.Duration
	}{
		"a transient failure leaves time before the deadline": {
			bolt.Transient, 5 * time.Second, 20, 60, 4*time.Second + 450*time.Millisecond, 5*time.Second - bolt.DeadlineMargin,
		},
		"a concurrent change until the deadline":   {bolt.ConcurrentChange, 5 * time.Second, 20, 60, 5 * time.Second, 5 * time.Second},
		"an outage a minute":                       {bolt.ThroughOutage, 0, 300, 303, time.Minute, time.Minute + 400*time.Millisecond},
		"an outage no longer than the context":     {bolt.ThroughOutage, 10 * time.Second, 49, 52, 10 * time.Second, 10 * time.Second},
		"a look-up at each probe, to the deadline": {bolt.UntilAnswered, 3 * time.Second, 14, 16, 3 * time.Second, 3 * time.Second},
		"three attempts without a pause":           {bolt.AtOnce, 0, 3, 3, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx := t.Context()
				if c.deadline > 0 {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, c.deadline)
					defer cancel()
				}
				attempts, took := repeat(ctx, c.policy)
				require.GreaterOrEqual(t, attempts, c.minAttempts)
				require.LessOrEqual(t, attempts, c.maxAttempts)
				require.GreaterOrEqual(t, took, c.atLeast)
				require.LessOrEqual(t, took, c.atMost)
			})
		})
	}
}

// The pauses double from 20 ms to 200 ms, each with half of it more or less.
func TestRetryPausesGrow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		retries := bolt.ConcurrentChange.Begin()
		for _, milliseconds := range []int{20, 40, 80, 160, 200, 200} {
			pause, began := time.Duration(milliseconds)*time.Millisecond, time.Now()
			require.True(t, retries.Again(t.Context()))
			require.GreaterOrEqual(t, time.Since(began), pause/2)
			require.LessOrEqual(t, time.Since(began), pause*3/2)
		}
	})
}

func TestRetryOfACancelledCallEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(50*time.Millisecond, cancel)
		began := time.Now()
		require.False(t, bolt.ThroughOutage.Begin().Again(ctx))
		require.Equal(t, 50*time.Millisecond, time.Since(began))
		require.False(t, bolt.AtOnce.Begin().Again(ctx), "a cancelled call is not repeated at once either")
	})
}

// Whoever gets no answer to the second attempt either must not conclude that nothing was written.
func TestAWriteOfUnknownOutcomeIsRepeatedOnce(t *testing.T) {
	lost := bolt.WithUnknownOutcome(errors.New("the reply was lost"))
	for name, c := range map[string]struct {
		outcomes     []error
		attempts     int
		want         error
		staysUnknown bool
	}{
		"a success":                      {[]error{nil}, 1, nil, false},
		"a failure that did nothing":     {[]error{errFatal}, 1, errFatal, false},
		"a lost reply":                   {[]error{lost, nil}, 2, nil, false},
		"a lost reply, then a decision":  {[]error{lost, errFatal}, 2, errFatal, false},
		"a lost reply, then no database": {[]error{lost, errUnreachable}, 2, errUnreachable, true},
		"a lost reply, then a deadlock":  {[]error{lost, errDeadlock}, 2, errDeadlock, true},
		"a lost reply, then a refusal":   {[]error{lost, errTaken}, 2, errTaken, false},
		"a lost reply, then no place":    {[]error{lost, bolt.ErrPoolExhausted}, 2, bolt.ErrPoolExhausted, true},
		"two lost replies":               {[]error{lost, lost}, 2, lost, true},
	} {
		t.Run(name, func(t *testing.T) {
			attempts := 0
			err := bolt.RepeatUnknown(func() error {
				attempts++
				return c.outcomes[attempts-1]
			})
			require.Equal(t, c.attempts, attempts)
			require.ErrorIs(t, err, c.want)
			require.Equal(t, c.staysUnknown, bolt.IsOutcomeUnknown(err))
			if c.staysUnknown {
				require.ErrorContains(t, bolt.Translate(err), "whether the change was made is unknown")
			}
		})
	}
}

func TestClientRetriesTransientFailuresOnly(t *testing.T) {
	for name, c := range map[string]struct {
		failures []error
		want     error
	}{
		"transient failures": {[]error{errDeadlock, errDeadlock, nil}, nil},
		"a permanent one":    {[]error{errDeadlock, errFatal}, errFatal},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				calls := 0
				err := (&bolt.Client{}).Retry(t.Context(), func() error {
					calls++
					return c.failures[calls-1]
				})
				require.Equal(t, c.want, err)
				require.Len(t, c.failures, calls)
			})
		})
	}
}
