package auth

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
)

func enter(t testing.TB, q *queue, address string) *place {
	t.Helper()
	p, err := q.enter(t.Context(), throttleKey(address))
	require.NoError(t, err)
	return p
}

// Five addresses that want all places leave one to a sixth, whose turn comes after one of each of theirs.
func TestAFloodFromAFewAddressesLeavesRoom(t *testing.T) {
	q := newQueue(1)
	first := enter(t, q, "flood 0")
	require.NoError(t, first.wait())
	var mu sync.Mutex
	var order []string
	var wg sync.WaitGroup
	follow := func(address string, p *place) {
		wg.Go(func() {
			if p.wait() == nil {
				mu.Lock()
				order = append(order, address)
				mu.Unlock()
			}
			p.leave()
		})
	}
	inside := 1
	for i := range 5 {
		for range maxOfAddress {
			address := fmt.Sprint("flood ", i)
			if p, err := q.enter(t.Context(), throttleKey(address)); err == nil {
				inside++
				follow(address, p)
			} else {
				require.Equal(t, fault.RateLimited, fault.CodeOf(err))
			}
		}
		_, err := q.enter(t.Context(), throttleKey(fmt.Sprint("flood ", i)))
		require.Equal(t, fault.RateLimited, fault.CodeOf(err), "one address holds no more than its share")
	}
	require.GreaterOrEqual(t, inside, maxInside)
	awaitWaiting(t, q, maxInside-1)
	admin := enter(t, q, "admin") // all places are taken
	follow("admin", admin)
	awaitWaiting(t, q, maxInside-1) // one of theirs has gone
	first.leave()
	wg.Wait()
	require.LessOrEqual(t, len(order), maxInside)
	require.Contains(t, order[:6], "admin")
	require.Empty(t, q.lines)
	require.Equal(t, 1, q.free)
	require.Zero(t, q.inside+q.waiting+q.turns.Len())
}

// awaitWaiting waits until as many have asked for their turn.
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
			t.Fatal("nobody asked")
		default:
		}
	}
}

// An address that holds as many places as the others takes none from them.
func TestPlacesAreTakenFromWhoHoldsMore(t *testing.T) {
	q := newQueue(1)
	for i := range maxInside {
		enter(t, q, fmt.Sprint(i%(maxInside/2)))
	}
	_, err := q.enter(t.Context(), throttleKey("0"))
	require.Equal(t, fault.RateLimited, fault.CodeOf(err))
	newcomer := enter(t, q, "newcomer")
	require.NoError(t, newcomer.wait())
	require.Equal(t, maxInside, q.inside)
	_, err = q.enter(t.Context(), throttleKey("newcomer"))
	require.Equal(t, fault.RateLimited, fault.CodeOf(err))
}
