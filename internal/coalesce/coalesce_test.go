package coalesce_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"graphrest/internal/coalesce"
	"graphrest/internal/testmark"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func milliseconds(n int) time.Duration { return time.Duration(n) * time.Millisecond }

func double(_ context.Context, batch []int) []coalesce.Outcome[int] {
	out := make([]coalesce.Outcome[int], len(batch))
	for i, q := range batch {
		out[i].Value = 2 * q
	}
	return out
}

// gate runs batches only on request and records them.
type gate struct {
	mu      sync.Mutex
	batches [][]int
	open    chan struct{}
	entered chan struct{}
}

func newGate() *gate { return &gate{open: make(chan struct{}), entered: make(chan struct{}, 1000)} }

func (g *gate) run(_ context.Context, batch []int) []coalesce.Outcome[int] {
	g.mu.Lock()
	g.batches = append(g.batches, append([]int(nil), batch...))
	g.mu.Unlock()
	g.entered <- struct{}{}
	<-g.open
	return double(context.Background(), batch)
}

func TestDo(t *testing.T) {
	testmark.Concurrent(t)
	t.Run("each caller gets its own answer", func(t *testing.T) {
		g := coalesce.New(coalesce.Options[int]{Lanes: 3}, double)
		defer g.Close()
		var wg sync.WaitGroup
		for i := range 500 {
			wg.Go(func() {
				got, err := g.Do(t.Context(), i)
				if err != nil || got != 2*i {
					t.Errorf("Do(%d) = %d, %v", i, got, err)
				}
			})
		}
		wg.Wait()
	})
	t.Run("calls that wait during a batch form one batch", func(t *testing.T) {
		gt := newGate()
		g := coalesce.New(coalesce.Options[int]{Lanes: 1, MaxBatch: 64}, gt.run)
		var wg sync.WaitGroup
		wg.Go(func() { _, _ = g.Do(context.Background(), 0) })
		<-gt.entered
		for i := 1; i <= 50; i++ {
			wg.Go(func() { _, _ = g.Do(context.Background(), i) })
		}
		require.Eventually(t, func() bool { return g.Waiting() == 50 }, 5*time.Second, time.Millisecond)
		close(gt.open)
		wg.Wait()
		g.Close()
		require.Len(t, gt.batches, 2)
		require.Len(t, gt.batches[1], 50)
	})
	t.Run("a batch is bounded", func(t *testing.T) {
		gt := newGate()
		g := coalesce.New(coalesce.Options[int]{Lanes: 1, MaxBatch: 10}, gt.run)
		var wg sync.WaitGroup
		for i := range 31 {
			wg.Go(func() { _, _ = g.Do(context.Background(), i) })
		}
		require.Eventually(t, func() bool { return g.Waiting() >= 21 }, 5*time.Second, time.Millisecond)
		close(gt.open)
		wg.Wait()
		g.Close()
		for _, b := range gt.batches {
			require.LessOrEqual(t, len(b), 10)
		}
	})
	t.Run("a full batch opens a lane, fewer calls wait for the running batch", func(t *testing.T) {
		gt := newGate()
		g := coalesce.New(coalesce.Options[int]{Lanes: 2, MaxBatch: 10, Linger: time.Hour}, gt.run)
		var wg sync.WaitGroup
		wg.Go(func() { _, _ = g.Do(context.Background(), 0) })
		<-gt.entered
		for i := range 9 {
			wg.Go(func() { _, _ = g.Do(context.Background(), i) })
		}
		require.Eventually(t, func() bool { return g.Waiting() == 9 }, 5*time.Second, time.Millisecond)
		wg.Go(func() { _, _ = g.Do(context.Background(), 9) })
		<-gt.entered // the first batch is still running
		require.Zero(t, g.Waiting())
		close(gt.open)
		wg.Wait()
		g.Close()
		require.Len(t, gt.batches, 2)
	})
	t.Run("a slow batch delays no call for longer than Linger", func(t *testing.T) {
		gt := newGate()
		g := coalesce.New(coalesce.Options[int]{Lanes: 3, MaxBatch: 10, Linger: time.Millisecond}, gt.run)
		var wg sync.WaitGroup
		for i := range 3 {
			wg.Go(func() { _, _ = g.Do(context.Background(), i) })
			<-gt.entered // although the previous batches are still running
		}
		wg.Go(func() { _, _ = g.Do(context.Background(), 3) })
		require.Eventually(t, func() bool { return g.Waiting() == 1 }, 5*time.Second, time.Millisecond)
		close(gt.open)
		wg.Wait()
		g.Close()
		require.Len(t, gt.batches, 4)
	})
	t.Run("while the database is far away, lanes are opened evenly in the time of a batch", func(t *testing.T) {
		for _, test := range []struct{ distance, second, third int }{
			{0, 10, 20}, {1, 10, 20}, {8, 2, 4}, {400, 10, 20},
		} {
			synctest.Test(t, func(t *testing.T) {
				started := make(chan time.Duration, 10)
				begin := time.Now()
				g := coalesce.New(coalesce.Options[int]{
					Lanes: 4, MaxBatch: 10, Linger: 10 * time.Millisecond,
					Distance: func() time.Duration { return milliseconds(test.distance) },
				}, func(ctx context.Context, batch []int) []coalesce.Outcome[int] {
					started <- time.Since(begin)
					time.Sleep(40 * time.Millisecond)
					return double(ctx, batch)
				})
				var wg sync.WaitGroup
				call := func() { wg.Go(func() { _, _ = g.Do(context.Background(), 1) }) }
				call()
				for _, lane := range []int{test.second, test.third} {
					time.Sleep(time.Until(begin.Add(milliseconds(lane - 1))))
					call()
					call()
				}
				wg.Wait()
				g.Close()
				require.Len(t, started, 3)
				for _, lane := range []int{0, test.second, test.third} {
					require.Equal(t, milliseconds(lane), <-started)
				}
			})
		}
	})
	t.Run("a full queue rejects immediately", func(t *testing.T) {
		gt := newGate()
		g := coalesce.New(coalesce.Options[int]{Lanes: 1, MaxBatch: 1, MaxQueue: 2}, gt.run)
		var wg sync.WaitGroup
		wg.Go(func() { _, _ = g.Do(context.Background(), 0) })
		<-gt.entered
		for i := range 2 {
			wg.Go(func() { _, _ = g.Do(context.Background(), i) })
		}
		require.Eventually(t, func() bool { return g.Waiting() == 2 }, 5*time.Second, time.Millisecond)
		_, err := g.Do(context.Background(), 9)
		require.ErrorIs(t, err, coalesce.ErrFull)
		close(gt.open)
		wg.Wait()
		g.Close()
	})
	t.Run("a call canceled before dispatch never runs and leaves the queue", func(t *testing.T) {
		gt := newGate()
		g := coalesce.New(coalesce.Options[int]{Lanes: 1, MaxQueue: 1}, gt.run)
		var wg sync.WaitGroup
		wg.Go(func() { _, _ = g.Do(context.Background(), 1) })
		<-gt.entered
		ctx, cancel := context.WithCancel(context.Background())
		wg.Go(func() {
			_, err := g.Do(ctx, 7)
			if !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
		})
		require.Eventually(t, func() bool { return g.Waiting() == 1 }, 5*time.Second, time.Millisecond)
		cancel()
		require.Eventually(t, func() bool { return g.Waiting() == 0 }, 5*time.Second, time.Millisecond)
		wg.Go(func() { _, _ = g.Do(context.Background(), 2) })
		require.Eventually(t, func() bool { return g.Waiting() == 1 }, 5*time.Second, time.Millisecond)
		close(gt.open)
		wg.Wait()
		g.Close()
		require.Equal(t, [][]int{{1}, {2}}, gt.batches)
	})
	t.Run("a failure of one call affects only its caller", func(t *testing.T) {
		g := coalesce.New(coalesce.Options[int]{Lanes: 1}, func(_ context.Context, batch []int) []coalesce.Outcome[int] {
			out := make([]coalesce.Outcome[int], len(batch))
			for i, q := range batch {
				if out[i].Value = q; q == 3 {
					out[i].Err = errors.New("three")
				}
			}
			return out
		})
		defer g.Close()
		var wg sync.WaitGroup
		for i := range 20 {
			wg.Go(func() {
				if _, err := g.Do(t.Context(), i); (err != nil) != (i == 3) {
					t.Errorf("Do(%d): %v", i, err)
				}
			})
		}
		wg.Wait()
	})
	t.Run("a panic is an error for its callers and the group continues", func(t *testing.T) {
		g := coalesce.New(coalesce.Options[int]{Lanes: 1}, func(ctx context.Context, batch []int) []coalesce.Outcome[int] {
			if batch[0] < 0 {
				panic("negative")
			}
			return double(ctx, batch)
		})
		defer g.Close()
		_, err := g.Do(t.Context(), -1)
		require.ErrorContains(t, err, "negative")
		got, err := g.Do(t.Context(), 4)
		require.NoError(t, err)
		require.Equal(t, 8, got)
	})
	t.Run("a missing answer is an error, not a hang", func(t *testing.T) {
		g := coalesce.New(coalesce.Options[int]{}, func(context.Context, []int) []coalesce.Outcome[int] { return nil })
		defer g.Close()
		_, err := g.Do(t.Context(), 1)
		require.Error(t, err)
	})
	t.Run("the batch has a separate deadline", func(t *testing.T) {
		g := coalesce.New(coalesce.Options[int]{Timeout: time.Minute}, func(ctx context.Context, batch []int) []coalesce.Outcome[int] {
			at, ok := ctx.Deadline()
			if !ok || time.Until(at) < 50*time.Second {
				t.Error("the batch has no separate deadline")
			}
			return double(ctx, batch)
		})
		defer g.Close()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := g.Do(ctx, 1)
		require.NoError(t, err)
	})
	t.Run("a closed group rejects calls", func(t *testing.T) {
		g := coalesce.New(coalesce.Options[int]{}, double)
		g.Close()
		_, err := g.Do(t.Context(), 1)
		require.ErrorIs(t, err, coalesce.ErrClosed)
	})
	t.Run("off runs each call alone and immediately", func(t *testing.T) {
		gt := newGate()
		g := coalesce.New(coalesce.Options[int]{Off: true, Lanes: 1}, gt.run)
		var wg sync.WaitGroup
		for i := range 20 {
			wg.Go(func() { _, _ = g.Do(context.Background(), i) })
		}
		for range 20 {
			<-gt.entered
		}
		close(gt.open)
		wg.Wait()
		g.Close()
		require.Len(t, gt.batches, 20)
	})
}

// TestKeys: for random loads, calls of one key never overlap and run in order, every call is answered, and the limit
// of lanes is never exceeded.
func TestKeys(t *testing.T) {
	testmark.Concurrent(t)
	rapid.Check(t, func(rt *rapid.T) {
		lanes := rapid.IntRange(1, 4).Draw(rt, "lanes")
		keys := rapid.IntRange(1, 5).Draw(rt, "keys")
		calls := rapid.IntRange(1, 60).Draw(rt, "calls")
		// Lanes open by a timer as well: linger is shorter and longer than a batch.
		linger := rapid.SampledFrom([]time.Duration{0, 20 * time.Microsecond, time.Millisecond}).Draw(rt, "linger")
		distance := rapid.SampledFrom([]time.Duration{0, 2 * time.Millisecond}).Draw(rt, "distance")
		leavers := rapid.SliceOfN(rapid.Bool(), calls, calls).Draw(rt, "leavers")
		var mu sync.Mutex
		under := map[string]bool{}
		var busy, ran atomic.Int64
		key := func(q int) string {
			if q%7 == 0 {
				return ""
			}
			return fmt.Sprint(q % keys)
		}
		g := coalesce.New(coalesce.Options[int]{
			Lanes: lanes, MaxBatch: 8, Key: key, Linger: linger, Distance: func() time.Duration { return distance },
		},
			func(ctx context.Context, batch []int) []coalesce.Outcome[int] {
				if busy.Add(1) > int64(lanes) {
					rt.Errorf("more than %d lanes", lanes)
				}
				defer busy.Add(-1)
				mu.Lock()
				for _, q := range batch {
					if k := key(q); k != "" {
						if under[k] {
							rt.Errorf("calls of key %s overlap", k)
						}
						under[k] = true
					}
				}
				mu.Unlock()
				time.Sleep(50 * time.Microsecond)
				mu.Lock()
				for _, q := range batch {
					delete(under, key(q))
				}
				mu.Unlock()
				ran.Add(int64(len(batch)))
				return double(ctx, batch)
			})
		var wg sync.WaitGroup
		for i := range calls {
			wg.Go(func() {
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				if leavers[i] {
					time.AfterFunc(20*time.Microsecond, cancel)
				}
				got, err := g.Do(ctx, i)
				if err == nil && got != 2*i {
					rt.Errorf("Do(%d) = %d", i, got)
				}
				if err != nil && !leavers[i] {
					rt.Errorf("Do(%d): %v", i, err)
				}
			})
		}
		wg.Wait()
		g.Close()
		if g.Waiting() != 0 {
			rt.Errorf("%d still counted as waiting", g.Waiting())
		}
	})
}

func BenchmarkDo(b *testing.B) {
	for _, clients := range []int{1, 32} {
		b.Run(fmt.Sprintf("clients=%d", clients), func(b *testing.B) {
			g := coalesce.New(coalesce.Options[int]{}, double)
			defer g.Close()
			b.ReportAllocs()
			b.SetParallelism(clients)
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					_, _ = g.Do(context.Background(), 1)
				}
			})
		})
	}
}

// A batch runs with what Options.Context adds from its callers' contexts; their end does not end it.
func TestABatchRunsWithTheContextThatItsCallersGiveIt(t *testing.T) {
	testmark.Concurrent(t)
	type key struct{}
	o := coalesce.Options[int]{Lanes: 1, Context: func(ctx context.Context, callers []coalesce.Caller) context.Context {
		sum := 0
		for _, c := range callers {
			sum += c.Context.Value(key{}).(int)
		}
		return context.WithValue(ctx, key{}, sum)
	}}
	g := coalesce.New(o, func(ctx context.Context, batch []int) []coalesce.Outcome[int] {
		_, bounded := ctx.Deadline()
		require.True(t, bounded)
		out := make([]coalesce.Outcome[int], len(batch))
		for i := range out {
			out[i].Value = ctx.Value(key{}).(int)
		}
		return out
	})
	defer g.Close()
	got, err := g.Do(context.WithValue(t.Context(), key{}, 7), 1)
	require.NoError(t, err)
	require.Equal(t, 7, got)
}
