package faulttest

import (
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/testmark"
)

// baselineEffects contains, for the report, the effect of each scenario that TestFaultsHaveEffectsWithoutProtection observed.
var baselineEffects sync.Map

// TestFaultsHaveEffectsWithoutProtection shows the effect of each scenario without the gateway's protection: on the bare driver with
// simple retries, on a server without timeouts, on creates without an Idempotency-Key, on gateways that do not drain. Without that,
// TestFaults would prove nothing. A scenario without an effect gives the reason. Exclusive scenarios run in make test-faults only.
func TestFaultsHaveEffectsWithoutProtection(t *testing.T) {
	testmark.Long(t)
	w := newTestbed(t)
	showEffect := func(t *testing.T, k scenario) {
		t.Helper()
		seen := k.noEffectBecause
		if k.baselineEffect != nil {
			seen = k.baselineEffect(w.newUnprotectedClient(t))
		}
		require.NotEmpty(t, seen, "a scenario needs an effect without protection, or a reason")
		t.Log(seen)
		baselineEffects.Store(k.name, seen)
	}
	t.Run("concurrent", func(t *testing.T) {
		for _, k := range scenarios() {
			if !k.exclusive {
				t.Run(k.name, func(t *testing.T) {
					t.Parallel() // each has its own proxy, and most of the time is waiting
					showEffect(t, k)
				})
			}
		}
	})
	if os.Getenv(roundsVariable) == "" {
		return
	}
	all := scenarios()
	slices.Reverse(all) // the first two leave Neo4j unusable
	for _, k := range all {
		if k.exclusive {
			t.Run(k.name, func(t *testing.T) { showEffect(t, k) })
		}
	}
}
