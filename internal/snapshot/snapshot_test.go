package snapshot

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/testmark"
)

// A call that joins a read which began before it does not fail with that read, which may have used up its time: it reads again. The call
// that began the read gets its error.
func TestSnapshotReadsAgainAfterJoiningAFailedRead(t *testing.T) {
	testmark.Concurrent(t)
	synctest.Test(t, func(t *testing.T) {
		outOfTime := errors.New("the read is out of time")
		reads := 0
		s := New(func(context.Context) (*int, error) {
			reads++
			time.Sleep(time.Second)
			if value := reads; value > 1 {
				return &value, nil
			}
			return nil, outOfTime
		}, Options{})
		first := make(chan error)
		go func() {
			_, err := s.Fresh(t.Context(), 0)
			first <- err
		}()
		time.Sleep(time.Second / 2)
		value, err := s.Fresh(t.Context(), 0)
		require.NoError(t, err)
		require.Equal(t, 2, *value)
		require.ErrorIs(t, <-first, outOfTime)
		require.Equal(t, 2, reads)
	})
}

// A value that has expired is not used, whatever its age, and a read that began before does not bring it back.
func TestSnapshotReadsAgainAfterItExpired(t *testing.T) {
	testmark.Concurrent(t)
	synctest.Test(t, func(t *testing.T) {
		reads := 0
		s := New(func(context.Context) (*int, error) {
			reads++
			value := reads
			time.Sleep(time.Second)
			return &value, nil
		}, Options{})
		go func() {
			time.Sleep(time.Second / 2)
			s.Expire() // in the middle of the first read
		}()
		value, err := s.Fresh(t.Context(), time.Minute)
		require.NoError(t, err)
		require.Equal(t, 1, *value, "it was asked before")
		value, err = s.Fresh(t.Context(), time.Minute)
		require.NoError(t, err)
		require.Equal(t, 2, *value)
		_, err = s.Fresh(t.Context(), time.Minute)
		require.NoError(t, err)
		require.Equal(t, 2, reads)
	})
}

func TestSnapshotKeepsTheLaterValue(t *testing.T) {
	testmark.Concurrent(t)
	early, late := 1, 2
	began := time.Now()
	s := New[int](nil, Options{})
	s.Put(&late, began)
	s.Put(&early, began.Add(-time.Second))
	require.Equal(t, late, *s.Current())
}

// A refresh returns at once, is shared with callers that wait, and leaves the last value if it fails.
func TestSnapshotIsRefreshedInTheBackground(t *testing.T) {
	testmark.Concurrent(t)
	synctest.Test(t, func(t *testing.T) {
		unavailable := errors.New("unavailable")
		reads := 0
		s := New(func(context.Context) (*int, error) {
			reads++
			time.Sleep(time.Second)
			if value := reads; value < 3 {
				return &value, nil
			}
			return nil, unavailable
		}, Options{})
		s.Refresh(t.Context(), time.Minute)
		s.Refresh(t.Context(), time.Minute)
		require.Nil(t, s.Current())
		value, err := s.Fresh(t.Context(), time.Minute)
		require.NoError(t, err)
		require.Equal(t, 1, *value)
		s.Refresh(t.Context(), time.Minute) // it is fresh
		time.Sleep(time.Minute)
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		s.Refresh(ended, time.Second) // the read has none of the caller's limits
		require.Equal(t, 1, *s.Current(), "until it has been read")
		time.Sleep(time.Minute)
		require.Equal(t, 2, *s.Current())
		s.Refresh(t.Context(), time.Second)
		time.Sleep(time.Minute)
		synctest.Wait()
		require.Equal(t, 2, *s.Current(), "the last value")
		require.Equal(t, 3, reads)
	})
}

// Each caller that has waited for a read is reported, with its own context and that of the read.
func TestSnapshotReportsWhoWaited(t *testing.T) {
	testmark.Concurrent(t)
	synctest.Test(t, func(t *testing.T) {
		type key struct{}
		var waits []time.Duration
		s := New(func(ctx context.Context) (*int, error) {
			time.Sleep(time.Second)
			return new(int), nil
		}, Options{
			Detach: func(ctx context.Context) context.Context { return context.WithValue(ctx, key{}, "read") },
			Waited: func(caller, read context.Context, wait time.Duration) {
				require.Equal(t, "caller", caller.Value(key{}))
				require.Equal(t, "read", read.Value(key{}))
				waits = append(waits, wait)
			},
		})
		ctx := context.WithValue(t.Context(), key{}, "caller")
		_, err := s.Fresh(ctx, 0)
		require.NoError(t, err)
		_, err = s.Fresh(ctx, time.Minute)
		require.NoError(t, err)
		require.Equal(t, []time.Duration{time.Second}, waits)
	})
}

// In the pause after a failed read nothing is read, and the error is that of the read. After it, the value is read again.
func TestSnapshotPausesAfterAFailure(t *testing.T) {
	testmark.Concurrent(t)
	synctest.Test(t, func(t *testing.T) {
		reads := 0
		unavailable := errors.New("unavailable")
		s := New(func(context.Context) (*int, error) {
			reads++
			time.Sleep(time.Minute) // the pause begins at the end of the read
			if reads == 1 {
				return nil, unavailable
			}
			return &reads, nil
		}, Options{FailurePause: func() time.Duration { return 2 * time.Second }})
		s.Refresh(t.Context(), 0)
		time.Sleep(time.Second)
		_, err := s.Fresh(t.Context(), 0)
		require.ErrorIs(t, err, unavailable, "also of a read that began before the call")
		time.Sleep(time.Second)
		_, err = s.Fresh(t.Context(), 0)
		require.ErrorIs(t, err, unavailable)
		s.Refresh(t.Context(), 0)
		synctest.Wait()
		require.Equal(t, 1, reads)
		time.Sleep(time.Second)
		_, err = s.Fresh(t.Context(), 0)
		require.NoError(t, err)
		require.Equal(t, 2, reads)
	})
}

// The owner's periodic call reads often while somebody asks for the value, and rarely while nobody does.
func TestSnapshotIsKeptFreshWhileSomebodyAsks(t *testing.T) {
	testmark.Concurrent(t)
	synctest.Test(t, func(t *testing.T) {
		reads := 0
		s := New(func(context.Context) (*int, error) {
			reads++
			value := reads
			return &value, nil
		}, Options{})
		keep := func(seconds int, ask func()) (count int) {
			before := reads
			for range seconds {
				time.Sleep(time.Second)
				ask()
				_, err := s.KeepFresh(t.Context(), time.Second/2, 10*time.Second)
				require.NoError(t, err)
			}
			return reads - before
		}
		require.Equal(t, 1, keep(10, func() {}), "the first read")
		require.Equal(t, 10, keep(10, func() { _, _ = s.Get(t.Context()) }))
		require.Equal(t, 10, keep(10, func() { _, _ = s.Fresh(t.Context(), time.Hour) }))
		require.LessOrEqual(t, keep(30, func() {}), 3)
	})
}
