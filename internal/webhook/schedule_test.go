package webhook

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestDelaysOfRetriesGrow(t *testing.T) {
	previous := time.Duration(0)
	for attempts, want := range map[int64]time.Duration{
		1: 5 * time.Second, 2: 10 * time.Second, 5: 80 * time.Second, 10: 2560 * time.Second, 11: time.Hour, 1000: time.Hour,
	} {
		for range 50 {
			delay := retryDelay(attempts, defaultFirstDelay, defaultMaxDelay)
			require.InDelta(t, want, delay, float64(want/5+1))
			require.NotEqual(t, previous, delay)
			previous = delay
		}
	}
}
