package auth

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
)

func enter(t testing.TB, q *queue, address string) *queueEntry {
	t.Helper()
	p, err := q.enqueue(t.Context(), hashKey(address))
	require.NoError(t, err)
	return p
}

// Five addresses that request all slots leave one to a sixth, whose turn comes after one of each of the five.
func TestAFloodFromAFewAddressesLeavesRoom(t *testing.T) {
	q := newQueue(1)
	first := enter(t, q, "flood 0")
	require.NoError(t, first.waitForTurn())
	var mu sync.Mutex
	var order []string
	var wg sync.WaitGroup
	follow := func(address string, p *queueEntry) {
		wg.Go(func() {
			if p.waitForTurn() == nil {
				mu.Lock()
				order = append(order, address)
				mu.Unlock()
			}
			p.release()
		})
	}
	inside := 1
	for i := range 5 {
		for range maxQueuedPerAddress {
			address := fmt.Sprint("flood ", i)
			if p, err := q.enqueue(t.Context(), hashKey(address)); err == nil {
				inside++
				follow(address, p)
			} else {
				require.Equal(t, fault.RateLimited, fault.CodeOf(err))
			}
		}
		_, err := q.enqueue(t.Context(), hashKey(fmt.Sprint("flood ", i)))
		require.Equal(t, fault.RateLimited, fault.CodeOf(err), "one address gets no more than its share")
	}
	require.GreaterOrEqual(t, inside, maxQueued)
	awaitWaiting(t, q, maxQueued-1)
	admin := enter(t, q, "admin") // all slots are occupied
	follow("admin", admin)
	awaitWaiting(t, q, maxQueued-1) // one of the other entries was removed
	first.release()
	wg.Wait()
	require.LessOrEqual(t, len(order), maxQueued)
	require.Contains(t, order[:6], "admin")
	require.Empty(t, q.byAddress)
	require.Equal(t, 1, q.free)
	require.Zero(t, q.admitted+q.waiting+q.rotation.Len())
}

// awaitWaiting waits until the given number of entries wait for their turn.
func awaitWaiting(t *testing.T, q *queue, count int) {
	t.Helper()
	for {
		q.mu.Lock()
		waiting := q.waiting
		q.mu.Unlock()
		if waiting == count {
			return
		}
		select {
		case <-t.Context().Done():
			t.Fatal("too few entries wait for their turn")
		default:
		}
	}
}

// An address that has as many slots as the others takes none from them.
func TestPlacesAreTakenFromWhoHoldsMore(t *testing.T) {
	q := newQueue(1)
	for i := range maxQueued {
		enter(t, q, fmt.Sprint(i%(maxQueued/2)))
	}
	_, err := q.enqueue(t.Context(), hashKey("0"))
	require.Equal(t, fault.RateLimited, fault.CodeOf(err))
	newcomer := enter(t, q, "newcomer")
	require.NoError(t, newcomer.waitForTurn())
	require.Equal(t, maxQueued, q.admitted)
	_, err = q.enqueue(t.Context(), hashKey("newcomer"))
	require.Equal(t, fault.RateLimited, fault.CodeOf(err))
}
