package auth

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
)

// clock is a time that a test advances.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) read() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func try(t testing.TB, h *throttle, folded, address string, how outcome) error {
	t.Helper()
	a, err := h.beginAttempt(t.Context(), throttleKeysOf(folded, address))
	if err == nil {
		a.finish(how)
	}
	return err
}

func TestWrongTriesOfOneNameFromOneAddress(t *testing.T) {
	c := &clock{now: testNow}
	h := newThrottle(c.read)
	for range maxPairFailures {
		require.NoError(t, try(t, h, "ann", "192.0.2.1", failed))
		c.move(time.Minute)
	}
	err := try(t, h, "ann", "192.0.2.1", succeeded)
	require.Equal(t, fault.RateLimited, fault.CodeOf(err))
	require.Equal(t, 10*time.Minute, fault.As(err).After, "when the oldest leaves the window")
	require.Error(t, try(t, h, "ann", "192.0.2.1:4711", succeeded), "the port is ignored")
	require.Error(t, try(t, h, "ann", "::ffff:192.0.2.1", succeeded), "another form of the same address is the same address")
	require.NoError(t, try(t, h, "ann", "192.0.2.2", succeeded), "the owner has another address")
	require.NoError(t, try(t, h, "bob", "192.0.2.1", succeeded), "other names are not limited")
	c.move(10 * time.Minute)
	require.NoError(t, try(t, h, "ann", "192.0.2.1", failed))
	require.Error(t, try(t, h, "ann", "192.0.2.1", failed), "the window slides")
}

func TestASuccessForgivesTheName(t *testing.T) {
	h := newThrottle((&clock{now: testNow}).read)
	for range 10 {
		for range maxPairFailures - 1 {
			require.NoError(t, try(t, h, "ann", "192.0.2.1", failed))
		}
		require.NoError(t, try(t, h, "ann", "192.0.2.1", succeeded))
	}
	for range maxAddrFailures - 10*(maxPairFailures-1) {
		require.NoError(t, try(t, h, fmt.Sprint(t.Name(), time.Now()), "192.0.2.1", failed))
	}
	require.Error(t, try(t, h, "ann", "192.0.2.1", succeeded), "a success does not reset the address: own logins must not allow guesses")
}

func TestManyNamesFromOneAddress(t *testing.T) {
	h := newThrottle((&clock{now: testNow}).read)
	for i := range maxAddrFailures {
		require.NoError(t, try(t, h, fmt.Sprint("user", i), fmt.Sprintf("2001:db8::%x", i), failed), "one /64 is one address")
	}
	require.Error(t, try(t, h, "anybody", "2001:db8::ffff:1", notChecked))
	require.NoError(t, try(t, h, "anybody", "2001:db8:0:1::1", notChecked))
}

// Failures from other addresses delay the owner's login by a second at most and never reject it.
func TestNobodyLocksSomebodyElseOut(t *testing.T) {
	h := newThrottle((&clock{now: testNow}).read)
	for i := range 2000 {
		_ = try(t, h, "ann", fmt.Sprintf("198.51.%d.%d", i/250, i%250), failed)
	}
	require.Equal(t, maxDelay, h.delay(throttleKeysOf("ann", "192.0.2.1")))
	require.NoError(t, try(t, h, "ann", "192.0.2.1", succeeded))
	require.Zero(t, h.delay(throttleKeysOf("bob", "192.0.2.1")))
}

// Parallel guesses have no advantage, and parallel correct logins have no disadvantage.
func TestParallelTries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newThrottle((&clock{now: testNow}).read)
		var wg sync.WaitGroup
		var mu sync.Mutex
		var looked int
		for range 60 {
			wg.Go(func() {
				a, err := h.beginAttempt(context.Background(), throttleKeysOf("ann", "192.0.2.1"))
				if err != nil {
					return
				}
				time.Sleep(time.Millisecond) // until all others wait, in virtual time
				mu.Lock()
				looked++
				mu.Unlock()
				a.finish(failed)
			})
		}
		wg.Wait()
		require.Equal(t, maxPairFailures, looked)
		for range 60 {
			wg.Go(func() {
				if err := try(t, h, "bob", "192.0.2.2", succeeded); err != nil {
					t.Errorf("a correct login was rejected: %v", err)
				}
			})
		}
		wg.Wait()
		require.Len(t, h.pairs.byKey, 1, "the pair that failed, and nothing in progress")
	})
}

func TestWaitingEndsWithTheRequest(t *testing.T) {
	h := newThrottle((&clock{now: testNow}).read)
	var held []*attempt
	for range maxPairFailures {
		a, err := h.beginAttempt(t.Context(), throttleKeysOf("ann", "192.0.2.1"))
		require.NoError(t, err)
		held = append(held, a)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	_, err := h.beginAttempt(ctx, throttleKeysOf("ann", "192.0.2.1"))
	require.Equal(t, fault.RateLimited, fault.CodeOf(err))
	for _, a := range held {
		a.finish(notChecked)
	}
	require.NoError(t, try(t, h, "ann", "192.0.2.1", notChecked))
	require.Empty(t, h.pairs.byKey)
}

// Failures of other users from ever new addresses do not evict a counter that has reached its limit or is close to it. Memory is bounded.
func TestCountersThatBiteOutliveTheNoise(t *testing.T) {
	c := &clock{now: testNow}
	h := newThrottle(c.read)
	for range maxPairFailures {
		require.NoError(t, try(t, h, "ann", "192.0.2.1", failed))
	}
	for range maxPairFailures - 1 {
		require.NoError(t, try(t, h, "bob", "192.0.2.1", failed))
	}
	for i := range 2 * maxCounters {
		require.NoError(t, try(t, h, fmt.Sprint("user", i), fmt.Sprintf("10.%d.%d.%d", i>>16, i>>8&255, i&255), failed))
	}
	for _, all := range []*counters{h.pairs, h.addrs, h.names} {
		require.Len(t, all.byKey, maxCounters)
		require.Equal(t, maxCounters, all.listed)
	}
	require.Error(t, try(t, h, "ann", "192.0.2.1", succeeded), "the sixth guess is still counted as the sixth")
	require.NoError(t, try(t, h, "bob", "192.0.2.1", failed))
	require.Error(t, try(t, h, "bob", "192.0.2.1", failed), "four failures were kept too")

	c.move(failureWindow)
	for i := range maxCounters {
		require.NoError(t, try(t, h, fmt.Sprint("next", i), fmt.Sprintf("10.%d.%d.%d", i>>16, i>>8&255, i&255), failed))
	}
	require.Nil(t, h.pairs.get(throttleKeysOf("ann", "192.0.2.1").pair), "expired counters are evicted first")
	require.Equal(t, maxCounters, h.pairs.listed)
}

// An attempt that is rejected before the check creates no counter, and so evicts none.
func TestRefusedTriesLeaveNoTrace(t *testing.T) {
	h := newThrottle((&clock{now: testNow}).read)
	for i := range maxAddrFailures {
		require.NoError(t, try(t, h, fmt.Sprint("user", i), "198.51.100.1", failed))
	}
	for i := range maxCounters + 1000 {
		require.Error(t, try(t, h, fmt.Sprint("other", i), "198.51.100.1", failed))
	}
	for _, all := range []*counters{h.pairs, h.names} {
		require.Len(t, all.byKey, maxAddrFailures)
	}
	require.Len(t, h.addrs.byKey, 1)
}

// A counter with an attempt in progress may lose its failures but is never evicted: the attempt still counts.
func TestACounterInUseStays(t *testing.T) {
	h := newThrottle((&clock{now: testNow}).read)
	require.NoError(t, try(t, h, "ann", "192.0.2.1", failed))
	held, err := h.beginAttempt(t.Context(), throttleKeysOf("ann", "192.0.2.1"))
	require.NoError(t, err)
	for i := range maxCounters {
		require.NoError(t, try(t, h, fmt.Sprint("user", i), fmt.Sprintf("10.0.%d.%d", i>>8, i&255), failed))
	}
	require.Same(t, held.pair, h.pairs.get(throttleKeysOf("ann", "192.0.2.1").pair))
	held.finish(failed)
	require.Len(t, held.pair.failures, 1)
	require.Len(t, h.pairs.byKey, maxCounters)
}
