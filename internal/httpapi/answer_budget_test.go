package httpapi

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/testmark"
)

func TestBytesInFlightAreLimited(t *testing.T) {
	testmark.Concurrent(t)
	const mib = 1 << 20
	b := &answerBudget{limit: 10 * mib, limitPerUser: 6 * mib, perUser: map[string]int64{}}
	hold := func(user string) *answerReservation { return &answerReservation{budget: b, user: user} }
	rejected := func(err error, message string) {
		t.Helper()
		require.Error(t, err)
		f := fault.As(err)
		require.Equal(t, fault.DatabaseUnavailable, f.Code)
		require.Positive(t, f.After)
		require.Contains(t, f.Message, message)
	}
	first, second, other := hold("ann"), hold("ann"), hold("ben")
	require.NoError(t, first.Take(4*mib))
	rejected(second.Take(3*mib), "of this user")
	require.NoError(t, second.Take(2*mib), "a rejected reservation is not counted")
	rejected(other.Take(5*mib), "of all users")
	require.NoError(t, other.Take(3*mib))

	first.release()
	second.release()
	require.NoError(t, other.Take(50*mib), "no other request holds bytes")
	rejected(first.Take(mib), "of all users")
	require.NoError(t, first.Take(uncountedBytes), "a small response is never rejected")
	require.NoError(t, other.Take(-50*mib))
	require.NoError(t, first.Take(mib))
	first.release()
	other.release()
	require.Zero(t, b.total)
	require.Empty(t, b.perUser)
}

func TestBytesInFlightAreReleasedByEveryRequest(t *testing.T) {
	testmark.Concurrent(t)
	b := &answerBudget{limit: 1 << 20, limitPerUser: 1 << 19, perUser: map[string]int64{}}
	var group sync.WaitGroup
	for range 16 {
		group.Go(func() {
			for range 200 {
				h := &answerReservation{budget: b, user: "ann"}
				for h.Take(uncountedBytes/2) == nil && h.held < 1<<19 {
				}
				h.release()
			}
		})
	}
	group.Wait()
	require.Zero(t, b.total)
	require.Empty(t, b.perUser)
}
