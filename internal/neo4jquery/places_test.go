package neo4jquery

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
)

// TestPlacesOfOneUser: the queries of one user leave places for others.
func TestPlacesOfOneUser(t *testing.T) {
	p := newPlaces(4, "full")
	left, cancel := context.WithCancel(t.Context())
	cancel()
	take := func(ctx context.Context, user string) (func(), error) { return p.take(ctx, user) }
	var ofAnn []func()
	for range 2 {
		release, err := take(t.Context(), "ann")
		require.NoError(t, err)
		ofAnn = append(ofAnn, release)
	}
	_, err := take(left, "ann")
	require.Equal(t, fault.DatabaseUnavailable, fault.CodeOf(err), "half of the places are the most of one user")
	require.Positive(t, fault.As(err).After)
	require.Contains(t, fault.As(err).Message, "as one user may have at a time (2)")
	for range 2 {
		release, err := take(t.Context(), "bob")
		require.NoError(t, err)
		t.Cleanup(release)
	}
	_, err = take(left, "eve")
	require.Equal(t, "full", fault.As(err).Message, "eve has none")
	ofAnn[0]()
	ofAnn[0]() // once only
	_, err = take(t.Context(), "ann")
	require.NoError(t, err)
	require.Equal(t, 4, p.used)
}

// TestPlacesAreGivenInOrder: who waits gets the place that becomes free; one whose user has too many is passed over.
func TestPlacesAreGivenInOrder(t *testing.T) {
	p := newPlaces(2, "full")
	first, err := p.take(t.Context(), "ann")
	require.NoError(t, err)
	second, err := p.take(t.Context(), "bob")
	require.NoError(t, err)
	again, other := p.join("ann"), p.join("eve")
	second()
	<-other.granted
	select {
	case <-again.granted:
		t.Fatal("ann has too many")
	default:
	}
	first()
	<-again.granted
	require.Empty(t, p.waiting)
	require.Equal(t, 2, p.used)
	p.release("ann")
	p.release("eve")
	require.Zero(t, p.used)
	require.Empty(t, p.ofUser)
}

// TestPlacesLeaveTimeToRun: who gets a place at last has half of its time left.
func TestPlacesLeaveTimeToRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlaces(1, "full")
		_, err := p.take(t.Context(), "ann")
		require.NoError(t, err)
		for limit, wait := range map[time.Duration]time.Duration{2 * time.Second: time.Second, time.Minute: placeWait} {
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			began := time.Now()
			_, err = p.take(ctx, "bob")
			require.Equal(t, fault.DatabaseUnavailable, fault.CodeOf(err))
			require.Equal(t, wait, time.Since(began))
			cancel()
		}
	})
}

// TestPlacesLeaveProcessors: the queries of one user leave processors of the database for the requests of others.
func TestPlacesLeaveProcessors(t *testing.T) {
	p := newPlaces(8, "full")
	for processors, most := range map[int]int{1: 1, 2: 1, 3: 1, 4: 2, 8: 4, 64: 4} {
		p.share(processors)
		require.Equal(t, most, p.perUser, processors)
	}
}
