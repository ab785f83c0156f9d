package bench

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// same reports whether two values are equal; NaN equals NaN.
func same(t *testing.T, want, got float64) {
	t.Helper()
	if math.IsNaN(want) {
		require.True(t, math.IsNaN(got), "want NaN, got %v", got)
		return
	}
	require.InDelta(t, want, got, 1e-12)
}

func TestMedian(t *testing.T) {
	for _, row := range []struct {
		name   string
		values []float64
		want   float64
	}{
		{"none", nil, math.NaN()},
		{"one", []float64{7}, 7},
		{"odd, unsorted", []float64{9, 1, 5}, 5},
		{"even: the mean of the middle two", []float64{4, 1, 3, 100}, 3.5},
		{"an outlier counts as one value", []float64{2, 2, 1e9}, 2},
		{"negative", []float64{-3, -1, -2}, -2},
	} {
		t.Run(row.name, func(t *testing.T) {
			before := append([]float64(nil), row.values...)
			same(t, row.want, Median(row.values))
			require.Equal(t, before, row.values, "the values stay as they are")
		})
	}
}

func TestPercentile(t *testing.T) {
	upTo := func(n int) []time.Duration {
		all := make([]time.Duration, n)
		for i := range all {
			all[i] = time.Duration(i + 1)
		}
		return all
	}
	for _, row := range []struct {
		name    string
		sorted  []time.Duration
		percent float64
		want    time.Duration
	}{
		{"none", nil, 50, 0},
		{"one value is every percentile", upTo(1), 99, 1},
		{"half of ten", upTo(10), 50, 5},
		{"half of eleven", upTo(11), 50, 6},
		{"99 % of a hundred", upTo(100), 99, 99},
		{"99 % of fifty is the largest", upTo(50), 99, 50},
		{"99 % of a thousand", upTo(1000), 99, 990},
		{"all", upTo(1000), 100, 1000},
		{"next to nothing is the smallest", upTo(1000), 0.01, 1},
	} {
		t.Run(row.name, func(t *testing.T) {
			require.Equal(t, row.want, Percentile(row.sorted, row.percent))
		})
	}
}

func TestRatio(t *testing.T) {
	nan := math.NaN()
	for _, row := range []struct {
		name              string
		over, under, want float64
	}{
		{"twice", 10, 5, 2},
		{"half", 5, 10, 0.5},
		{"nothing", 0, 10, 0},
		{"over nothing", 10, 0, nan},
		{"over less than nothing", 10, -1, nan},
		{"not measured", nan, 1, nan},
		{"over not measured", 1, nan, nan},
	} {
		t.Run(row.name, func(t *testing.T) { same(t, row.want, Ratio(row.over, row.under)) })
	}
}

func TestCellIsTheMedianOfItsRounds(t *testing.T) {
	c := Cell{Target: Gateway, Rounds: []Round{
		{Operations: 100, OpsPerSecond: 100, P50: 1, P99: 9, GatewayCPU: 0.5, Neo4jCPU: 1, ClientCPU: 0.5, GatewayMiB: 30},
		{Operations: 300, OpsPerSecond: 300, P50: 3, P99: 7, GatewayCPU: 0.5, Neo4jCPU: 1, ClientCPU: 0.5, GatewayMiB: 50, Errors: 2},
		{Operations: 200, OpsPerSecond: 200, P50: 2, P99: 8, GatewayCPU: 0.5, Neo4jCPU: 1, ClientCPU: 0.5, GatewayMiB: 40, Errors: 1},
	}}
	c.summarize()
	require.EqualValues(t, 200, c.OpsPerSecond)
	require.EqualValues(t, 2, c.P50)
	require.EqualValues(t, 8, c.P99)
	require.EqualValues(t, 10, c.AllCPU, "2 s for 200 operations, in milliseconds")
	require.EqualValues(t, 50, c.GatewayMiB, "the largest")
	require.Equal(t, 3, c.Errors)

	c = Cell{
		Target: Driver,
		Rounds: []Round{{Operations: 100, GatewayCPU: Number(math.NaN()), Neo4jCPU: 1, ClientCPU: 1, GatewayMiB: Number(math.NaN())}},
	}
	c.summarize()
	require.EqualValues(t, 20, c.AllCPU, "there is no gateway")
	same(t, math.NaN(), float64(c.GatewayMiB))
}
