package bolt

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
	"graphrest/internal/snapshot"
)

// What is read by a value that has changed is read again, and its bytes are given back; by one that has not it is read once.
func TestReadSpeculativelyReadsAgainByAnotherValue(t *testing.T) {
	values := []int{1, 2, 2}
	next := 0
	s := snapshot.New(func(context.Context) (*int, error) {
		value := values[next]
		next++
		return &value, nil
	}, SnapshotOptions(func(work func()) { go work() }))
	_, err := s.Fresh(t.Context(), 0)
	require.NoError(t, err)
	isAlike := func(a, b *int) bool { return *a == *b }
	for _, want := range [][]int{{1, 2}, {2}} {
		budget := graph.NewCountedBudget(t.Context())
		var by []int
		ctx := graph.WithByteBudget(t.Context(), budget)
		got, err := ReadSpeculatively(ctx, s, 0, isAlike, func(ctx context.Context, value *int) (int, error) {
			by = append(by, *value)
			return *value, graph.TakeBytes(ctx, 10)
		})
		require.NoError(t, err)
		require.Equal(t, 2, got)
		require.Equal(t, want, by)
		require.EqualValues(t, 10, budget.Taken())
	}
}
