package bench

import (
	"math"
	"slices"
	"time"
)

// Median returns the middle value, the mean of the two middle ones for an even count, and NaN for none. It does not change
// values.
func Median(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}

// Percentile returns the nearest-rank percentile of values sorted in ascending order: the smallest value that at least
// percent (above 0, at most 100) of all values do not exceed. It is 0 for no values.
func Percentile(sorted []time.Duration, percent float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	rank := int(math.Ceil(percent / 100 * float64(len(sorted))))
	return sorted[min(max(rank, 1), len(sorted))-1]
}

// Ratio returns over divided by under, and NaN if the ratio is meaningless: either is missing (NaN) or under is not positive.
func Ratio(over, under float64) float64 {
	if math.IsNaN(over) || math.IsNaN(under) || under <= 0 {
		return math.NaN()
	}
	return over / under
}
