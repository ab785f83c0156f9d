package auth

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// smallThrottle returns a throttle with few counters, so that its tables fill quickly.
func smallThrottle(c *clock, size int) *throttle {
	h := newThrottle(c.read)
	h.pairs, h.addrs, h.names = newCounters(size, maxPairFailures), newCounters(size, maxAddrFailures), newCounters(size, maxNameFailures)
	return h
}

// A login that is checked but never reaches the password (the queue is full, the client disconnects, the database is unavailable) leaves
// counters whose window is over. They are evicted for later failures.
func TestAFullTableAfterLooksAtCountersThatArePast(t *testing.T) {
	const size = 4
	c := &clock{now: testNow}
	h := smallThrottle(c, size)
	require.NoError(t, try(t, h, "ann", "192.0.2.1", failed))
	c.move(failureWindow)
	require.NoError(t, h.check(throttleKeysOf("ann", "192.0.2.1")))
	require.Zero(t, h.delay(throttleKeysOf("ann", "192.0.2.1")))
	for i := range 2 * size {
		require.NoError(t, try(t, h, fmt.Sprint("user", i), fmt.Sprintf("198.51.100.%d", i), failed))
	}
	for _, all := range []*counters{h.pairs, h.addrs, h.names} {
		require.Equal(t, size, all.listed)
		require.Len(t, all.byKey, size)
	}
	require.Nil(t, h.pairs.get(throttleKeysOf("ann", "192.0.2.1").pair), "expired counters are evicted first")
}

func TestLooksChangeNoCounter(t *testing.T) {
	c := &clock{now: testNow}
	h := newThrottle(c.read)
	who := throttleKeysOf("ann", "192.0.2.1")
	for range maxPairFailures {
		require.NoError(t, try(t, h, "ann", "192.0.2.1", failed))
	}
	c.move(failureWindow)
	require.NoError(t, h.check(who))
	require.Zero(t, h.delay(who))
	for _, one := range []*counter{h.pairs.get(who.pair), h.addrs.get(who.addr), h.names.get(who.name)} {
		require.Len(t, one.failures, one.level)
	}
	require.NoError(t, try(t, h, "ann", "192.0.2.1", failed), "expired failures do not count")
	require.Len(t, h.pairs.get(who.pair).failures, 1, "a failure removes expired failures")
}

func TestACounterWithoutFailuresGoesFirst(t *testing.T) {
	c := newCounters(1, maxPairFailures)
	empty, next := c.beginAttempt(counterKey{1}), c.beginAttempt(counterKey{2})
	c.recordFailure(empty, testNow)
	c.endAttempt(empty)
	empty.failures = nil
	c.recordFailure(next, testNow)
	require.Nil(t, c.get(counterKey{1}))
	require.Equal(t, 1, c.listed)
}

// Whatever happens while an outcome is recorded, the attempt ends: it no longer counts and does not block other attempts.
func TestAnAttemptEndsWhateverHappens(t *testing.T) {
	for name, spoil := range map[string]func(h *throttle) *counters{
		"pair": func(h *throttle) *counters { return h.pairs },
		"addr": func(h *throttle) *counters { return h.addrs },
		"name": func(h *throttle) *counters { return h.names },
	} {
		t.Run(name, func(t *testing.T) {
			h := newThrottle((&clock{now: testNow}).read)
			spoil(h).levels = nil
			a, err := h.beginAttempt(t.Context(), throttleKeysOf("ann", "192.0.2.1"))
			require.NoError(t, err)
			changed := h.changed
			require.Panics(t, func() { a.finish(failed) })
			for _, one := range []*counter{a.pair, a.addr, a.name} {
				require.Zero(t, one.pending)
			}
			select {
			case <-changed:
			case <-time.After(time.Second):
				t.Fatal("waiting attempts are not resumed")
			}
			require.NoError(t, h.check(throttleKeysOf("ann", "192.0.2.1")), "the lock is released")
		})
	}
}
