package webhook

import (
	"math/rand/v2"
	"time"
)

// The schedule of attempts. It is also in docs/webhooks.md, in the annotations of internal/httpapi/webhooks.go and webhook_deliveries.go,
// in the page of deliveries and in deployments/prometheus/alerts.yml.
const (
	defaultFirstDelay = 5 * time.Second
	defaultMaxDelay   = time.Hour
	defaultGiveUp     = 24 * time.Hour // the age at which a delivery is dead
)

// retryDelay is the time before the next attempt: it doubles with each attempt, and varies by a fifth, so that deliveries that failed
// together are not all repeated together.
func retryDelay(attempts int64, first, longest time.Duration) time.Duration {
	delay := first
	for n := int64(1); n < attempts && delay < longest; n++ {
		delay *= 2
	}
	delay = min(delay, longest)
	return delay - delay/5 + rand.N(2*delay/5+1) //nolint:gosec // it only spreads retries
}
