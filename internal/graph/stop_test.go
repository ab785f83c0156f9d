package graph_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
)

// Statements of an old call end when its caller leaves, those of a young one when it has become old; a deadline ends none of them.
func TestStatementsOfAbandonedCallsEnd(t *testing.T) {
	for name, c := range map[string]struct {
		leaves, deadline, ends time.Duration
	}{
		"left early":      {leaves: 100 * time.Millisecond, deadline: time.Minute, ends: 500 * time.Millisecond},
		"left late":       {leaves: 2 * time.Second, deadline: time.Minute, ends: 2 * time.Second},
		"ran out of time": {leaves: time.Minute, deadline: 2 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				caller, leave := context.WithTimeout(t.Context(), c.deadline)
				defer leave()
				time.AfterFunc(c.leaves, leave)
				ctx, release := graph.StopWhenAbandoned(t.Context(), caller)
				defer release()
				stop, began := graph.StopFrom(ctx), time.Now()
				select {
				case <-stop.Done():
					require.Equal(t, c.ends, time.Since(began))
				case <-time.After(10 * time.Second):
					require.Zero(t, c.ends, "nothing was aborted")
				}
			})
		})
	}
}
