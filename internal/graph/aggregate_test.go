package graph

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBoundsContainEveryInteger: a filter by the bounds of a bin finds what is in it, also where a bound has more than 64 bits.
func TestBoundsContainEveryInteger(t *testing.T) {
	number := func(v Value) *big.Float {
		if n, whole := v.(int64); whole {
			return new(big.Float).SetInt64(n)
		}
		return big.NewFloat(v.(float64))
	}
	for _, width := range []int64{1, 2, 3, 7, 10, 1000, maxBinWidth} {
		for _, n := range []int64{
			math.MinInt64, math.MinInt64 + 1, math.MinInt64 + 9, -1 << 53, -8, -7, -1, 0, 1, 6, 7, 1<<53 + 1, math.MaxInt64 - 9, math.MaxInt64 - 1,
			math.MaxInt64,
		} {
			index := n / width
			if n%width < 0 {
				index--
			}
			from, until := Bin{Width: width}.Bounds(index)
			require.LessOrEqual(t, number(from).Cmp(number(n)), 0, "%v <= %d", from, n)
			require.Equal(t, 1, number(until).Cmp(number(n)), "%v > %d", until, n)
		}
	}
}
