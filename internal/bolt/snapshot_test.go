package bolt

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
)

// A call that joins a read which began before it does not fail with that read, which may have used up its time: it reads again. The call
// that began the read gets its error.
func TestSnapshotReadsAgainAfterJoiningAFailedRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		outOfTime := errors.New("the read is out of time")
		reads := 0
		s := Snapshot[int]{Spawn: func(work func()) { go work() }, Read: func(context.Context) (*int, error) {
			reads++
			time.Sleep(time.Second)
			if value := reads; value > 1 {
				return &value, nil
			}
			return nil, outOfTime
		}}
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
	synctest.Test(t, func(t *testing.T) {
		reads := 0
		s := Snapshot[int]{Spawn: func(work func()) { go work() }, Read: func(context.Context) (*int, error) {
			reads++
			value := reads
			time.Sleep(time.Second)
			return &value, nil
		}}
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
	early, late := 1, 2
	began := time.Now()
	var s Snapshot[int]
	s.Put(&late, began)
	s.Put(&early, began.Add(-time.Second))
	require.Equal(t, late, *s.Current())
}

// What is read by a value that has changed is read again, and its bytes are given back; by one that has not it is read once.
func TestReadSpeculativelyReadsAgainByAnotherValue(t *testing.T) {
	values := []int{1, 2, 2}
	next := 0
	s := Snapshot[int]{Spawn: func(work func()) { go work() }, Read: func(context.Context) (*int, error) {
		value := values[next]
		next++
		return &value, nil
	}}
	_, err := s.Fresh(t.Context(), 0)
	require.NoError(t, err)
	isAlike := func(a, b *int) bool { return *a == *b }
	for _, want := range [][]int{{1, 2}, {2}} {
		budget := graph.NewCountedBudget(t.Context())
		var by []int
		ctx := graph.WithByteBudget(t.Context(), budget)
		got, err := ReadSpeculatively(ctx, &s, 0, isAlike, func(ctx context.Context, value *int) (int, error) {
			by = append(by, *value)
			return *value, graph.TakeBytes(ctx, 10)
		})
		require.NoError(t, err)
		require.Equal(t, 2, got)
		require.Equal(t, want, by)
		require.EqualValues(t, 10, budget.Taken())
	}
}
