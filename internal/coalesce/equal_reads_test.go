package coalesce_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"graphrest/internal/coalesce"
	"graphrest/internal/testmark"
)

// TestEqualReadsBeginAfterTheCall: whatever was written before a call is in its result, while many callers need few reads.
func TestEqualReadsBeginAfterTheCall(t *testing.T) {
	testmark.Concurrent(t)
	synctest.Test(t, func(t *testing.T) {
		var s coalesce.EqualReads[int64]
		var written, reads atomic.Int64
		var callers sync.WaitGroup
		for i := range 200 {
			callers.Go(func() {
				time.Sleep(time.Duration(i) * time.Millisecond / 4) // of the test's own clock
				least := written.Add(1)
				got, _, err := s.Do(t.Context(), "key", func(context.Context) (int64, bool, error) {
					reads.Add(1)
					began := written.Load()
					time.Sleep(5 * time.Millisecond)
					return began, false, nil
				})
				if err != nil || got < least {
					t.Errorf("got %d, %v; wrote %d before", got, err, least)
				}
			})
		}
		callers.Wait()
		require.Less(t, reads.Load(), int64(20))
	})
}

// TestEqualReadsWaitBriefly: a slow read delays an equal one by maxFollow, and one with another key not at all.
func TestEqualReadsWaitBriefly(t *testing.T) {
	testmark.Concurrent(t)
	synctest.Test(t, func(t *testing.T) {
		var s coalesce.EqualReads[string]
		slow := make(chan struct{})
		go func() {
			_, _, _ = s.Do(t.Context(), "key", func(context.Context) (string, bool, error) { <-slow; return "slow", false, nil })
		}()
		synctest.Wait()
		began := time.Now()
		other, _, err := s.Do(t.Context(), "other", func(context.Context) (string, bool, error) { return "other", false, nil })
		require.NoError(t, err)
		require.Equal(t, "other", other)
		require.Zero(t, time.Since(began))
		equal, sharing, err := s.Do(t.Context(), "key", func(context.Context) (string, bool, error) { return "equal", false, nil })
		require.NoError(t, err)
		require.Equal(t, "equal", equal)
		require.Equal(t, coalesce.Alone, sharing)
		require.Equal(t, 20*time.Millisecond, time.Since(began))
		close(slow)
	})
}

// TestEqualReadsOutliveTheirCaller: a read for several callers goes on when the one who runs it leaves, until the latest of their
// deadlines; when all have left it ends. Any of those who wait may be the one, so it is tried until the one who leaves was.
func TestEqualReadsOutliveTheirCaller(t *testing.T) {
	testmark.Concurrent(t)
	synctest.Test(t, func(t *testing.T) {
		for ran := false; !ran; {
			var s coalesce.EqualReads[string]
			first, last := make(chan struct{}), make(chan struct{})
			go func() {
				_, _, _ = s.Do(t.Context(), "key", func(context.Context) (string, bool, error) { <-first; return "first", false, nil })
			}()
			synctest.Wait()
			began := time.Now()
			var ended time.Duration
			read := func(leader bool) func(context.Context) (string, bool, error) {
				return func(ctx context.Context) (string, bool, error) {
					ran = leader
					<-ctx.Done()
					ended = time.Since(began)
					<-last
					return "", false, ctx.Err()
				}
			}
			var callers sync.WaitGroup
			wait := func(timeout time.Duration, leader bool) context.CancelFunc {
				ctx, leave := context.WithTimeout(t.Context(), timeout)
				callers.Go(func() {
					_, _, err := s.Do(ctx, "key", read(leader))
					assert.Error(t, err)
				})
				return leave
			}
			leave := wait(time.Minute, true)
			defer leave()
			defer wait(2*time.Second, false)()
			defer wait(3*time.Second, false)()
			synctest.Wait()
			close(first)
			synctest.Wait()
			leave()
			time.Sleep(4 * time.Second) // of the test's own clock
			close(last)
			callers.Wait()
			require.Equal(t, 3*time.Second, ended)
		}
	})
}

// TestEqualReadsGiveTheirResultToThoseWhoStay although the caller who ran the read has left.
func TestEqualReadsGiveTheirResultToThoseWhoStay(t *testing.T) {
	testmark.Concurrent(t)
	synctest.Test(t, func(t *testing.T) {
		for ran := false; !ran; {
			var s coalesce.EqualReads[string]
			var reads atomic.Int64
			first, next := make(chan struct{}), make(chan struct{})
			go func() {
				_, _, _ = s.Do(t.Context(), "key", func(context.Context) (string, bool, error) { <-first; return "first", false, nil })
			}()
			synctest.Wait()
			read := func(leader bool) func(context.Context) (string, bool, error) {
				return func(ctx context.Context) (string, bool, error) {
					ran = leader
					reads.Add(1)
					<-next
					return "next", false, ctx.Err()
				}
			}
			ctx, leave := context.WithCancel(t.Context())
			var callers sync.WaitGroup
			callers.Go(func() { _, _, _ = s.Do(ctx, "key", read(true)) })
			for range 3 {
				callers.Go(func() {
					text, _, err := s.Do(t.Context(), "key", read(false))
					assert.NoError(t, err)
					assert.Equal(t, "next", text)
				})
			}
			synctest.Wait()
			close(first)
			synctest.Wait()
			leave()
			synctest.Wait()
			close(next)
			callers.Wait()
			require.EqualValues(t, 1, reads.Load())
		}
	})
}

// TestEqualReadsEndWithTheirContext: a caller that waits leaves when its own context ends, also if it is the only one.
func TestEqualReadsEndWithTheirContext(t *testing.T) {
	testmark.Concurrent(t)
	synctest.Test(t, func(t *testing.T) {
		var s coalesce.EqualReads[string]
		first := make(chan struct{})
		go func() {
			_, _, _ = s.Do(t.Context(), "key", func(context.Context) (string, bool, error) { <-first; return "first", false, nil })
		}()
		synctest.Wait()
		ctx, leave := context.WithTimeout(t.Context(), time.Millisecond)
		defer leave()
		_, _, err := s.Do(ctx, "key", func(context.Context) (string, bool, error) { return "own", false, nil })
		require.ErrorIs(t, err, context.DeadlineExceeded)
		close(first)
		text, _, err := s.Do(t.Context(), "key", func(context.Context) (string, bool, error) { return "later", false, nil })
		require.NoError(t, err)
		require.Equal(t, "later", text)
	})
}

// TestEqualReadsShareFailures: a failure that is not the caller's own is that of all.
func TestEqualReadsShareFailures(t *testing.T) {
	testmark.Concurrent(t)
	synctest.Test(t, func(t *testing.T) {
		var s coalesce.EqualReads[string]
		failure := errors.New("unavailable")
		var reads atomic.Int64
		var callers sync.WaitGroup
		for range 10 {
			callers.Go(func() {
				_, _, err := s.Do(t.Context(), "key", func(context.Context) (string, bool, error) {
					reads.Add(1)
					time.Sleep(time.Millisecond)
					return "", false, failure
				})
				if !errors.Is(err, failure) {
					t.Errorf("got %v", err)
				}
			})
		}
		callers.Wait()
		require.EqualValues(t, 2, reads.Load())
	})
}

// TestEqualReadsKeepOwnFailures: a failure that a read says is its caller's own is returned to nobody else, and delays the others once.
func TestEqualReadsKeepOwnFailures(t *testing.T) {
	testmark.Concurrent(t)
	synctest.Test(t, func(t *testing.T) {
		var s coalesce.EqualReads[string]
		const callers, duration = 10, 10 * time.Millisecond
		failure := errors.New("too many bytes of this user")
		began, reads := time.Now(), 0
		var failed atomic.Int64
		var mu sync.Mutex
		var running sync.WaitGroup
		for range callers {
			running.Go(func() {
				_, _, err := s.Do(t.Context(), "key", func(context.Context) (string, bool, error) {
					time.Sleep(duration) // of the test's own clock
					mu.Lock()
					defer mu.Unlock()
					if reads++; reads <= 4 {
						return "", true, failure
					}
					return "read", false, nil
				})
				if err != nil {
					failed.Add(1)
				}
				assert.LessOrEqual(t, time.Since(began), 3*duration)
			})
		}
		running.Wait()
		require.EqualValues(t, 4, failed.Load())
	})
}
