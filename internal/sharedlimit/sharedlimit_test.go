package sharedlimit

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sethvargo/go-limiter"
	"github.com/sethvargo/go-limiter/memorystore"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"graphrest/internal/gatewaytest"
	"graphrest/internal/redistest"
	"graphrest/internal/testmark"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func memory(t *testing.T, tokens uint64, interval time.Duration) limiter.Store {
	t.Helper()
	m, err := memorystore.New(&memorystore.Config{Tokens: tokens, Interval: interval})
	require.NoError(t, err)
	return m
}

func open(t *testing.T, url string, tokens uint64, interval time.Duration) (*Store, *gatewaytest.LogBuffer) {
	t.Helper()
	log := &gatewaytest.LogBuffer{}
	s, err := New(Options{
		URL: url, Tokens: tokens, Interval: interval, Memory: memory(t, tokens, interval), Log: slog.New(slog.NewTextHandler(log, nil)),
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close(context.Background())) })
	return s, log
}

// The shared store returns the same answers as the memory store.
func TestItCountsAsTheMemoryDoes(t *testing.T) {
	testmark.Concurrent(t)
	server := redistest.Start(t)
	shared, _ := open(t, server.URL(), 3, time.Hour)
	own := memory(t, 3, time.Hour)
	defer func() { require.NoError(t, own.Close(context.Background())) }()
	ctx := context.Background()
	for _, s := range []limiter.Store{shared, own} {
		tokens, remaining, err := s.Get(ctx, "ann")
		require.NoError(t, err)
		require.Zero(t, tokens)
		require.Zero(t, remaining)
		take := func(key string, left uint64, taken bool) {
			t.Helper()
			tokens, remaining, reset, ok, err := s.Take(ctx, key)
			require.NoError(t, err)
			require.Equal(t, taken, ok)
			require.Equal(t, left, remaining)
			require.EqualValues(t, 3, tokens)
			require.WithinDuration(t, time.Now().Add(time.Hour), time.Unix(0, int64(reset)), 20*time.Second)
		}
		take("ann", 2, true)
		take("ann", 1, true)
		take("bob", 2, true)
		take("ann", 0, true)
		take("ann", 0, false)
		require.NoError(t, s.Burst(ctx, "ann", 2))
		take("ann", 1, true)
		_, remaining, err = s.Get(ctx, "ann")
		require.NoError(t, err)
		require.EqualValues(t, 1, remaining)
		require.NoError(t, s.Set(ctx, "eve", 1, time.Hour))
		_, _, _, ok, err := s.Take(ctx, "eve")
		require.NoError(t, err)
		require.True(t, ok)
		_, _, _, ok, err = s.Take(ctx, "eve")
		require.NoError(t, err)
		require.False(t, ok)
	}
}

func TestAnIntervalEndsAndTheNextBegins(t *testing.T) {
	testmark.Concurrent(t)
	s, _ := open(t, redistest.Start(t).URL(), 1, time.Second)
	ctx := context.Background()
	_, _, reset, ok, err := s.Take(ctx, "ann")
	require.NoError(t, err)
	require.True(t, ok)
	_, _, _, ok, err = s.Take(ctx, "ann")
	require.NoError(t, err)
	require.False(t, ok)
	time.Sleep(time.Until(time.Unix(0, int64(reset)).Add(20 * time.Millisecond)))
	_, _, next, ok, err := s.Take(ctx, "ann")
	require.NoError(t, err)
	require.True(t, ok, "tokens are available at the reported time")
	require.Zero(t, time.Duration(next-reset).Round(100*time.Millisecond)%time.Second, "intervals follow each other without a gap")
}

func TestReplicasShareOneCount(t *testing.T) {
	testmark.Concurrent(t)
	server := redistest.Start(t)
	first, _ := open(t, server.URL(), 100, time.Hour)
	second, _ := open(t, server.URL(), 100, time.Hour)
	var admitted atomic.Int64
	var group sync.WaitGroup
	for worker := range 8 {
		store := []*Store{first, second}[worker%2]
		group.Go(func() {
			for range 50 {
				if _, _, _, ok, err := store.Take(context.Background(), "ann"); ok && err == nil {
					admitted.Add(1)
				}
			}
		})
	}
	group.Wait()
	require.EqualValues(t, 100, admitted.Load())
}

func TestRedisLostAndFound(t *testing.T) {
	testmark.Concurrent(t)
	server := redistest.Start(t)
	s, log := open(t, fmt.Sprintf("redis://%s/0", server.Address), 2, time.Hour)
	ctx := context.Background()
	take := func() bool {
		_, _, _, ok, err := s.Take(ctx, "ann")
		require.NoError(t, err, "no request fails because Redis is unavailable")
		return ok
	}
	require.True(t, take())
	require.True(t, s.Shared())
	server.Kill(t)
	require.True(t, take())
	require.True(t, take(), "counted in memory")
	require.False(t, take(), "limited in memory")
	require.False(t, s.Shared())
	require.EqualValues(t, 1, s.Fallbacks())
	require.Contains(t, log.String(), "Redis is unavailable")

	server.Restart(t)
	require.Eventually(t, s.Shared, 20*time.Second, 20*time.Millisecond)
	require.Contains(t, log.String(), "Redis is back")
	require.True(t, take(), "counted in Redis again, which lost its counters")
	require.EqualValues(t, 1, s.Fallbacks())
}

func TestRedisThatIsNotThereAtTheStart(t *testing.T) {
	testmark.Concurrent(t)
	s, _ := open(t, "redis://127.0.0.1:1", 1, time.Hour)
	_, _, _, ok, err := s.Take(context.Background(), "ann")
	require.NoError(t, err)
	require.True(t, ok)
	require.False(t, s.Shared())
}

func TestNoErrorOrLogLineHoldsThePassword(t *testing.T) {
	testmark.Concurrent(t)
	for _, url := range []string{"http://me:hush-hush@host", "redis://me:hush-hush@host:port", "redis://me:hush%hush-hush@host"} {
		_, err := New(Options{URL: url})
		require.Error(t, err, url)
		require.NotContains(t, err.Error(), "hush")
	}
	server := redistest.Start(t)
	s, log := open(t, "redis://me:hush-hush@"+server.Address, 1, time.Hour) // a wrong login
	_, _, _, ok, err := s.Take(context.Background(), "ann")
	require.NoError(t, err)
	require.True(t, ok)
	require.Contains(t, log.String(), "Redis is unavailable")
	require.NotContains(t, log.String(), "hush")
}
