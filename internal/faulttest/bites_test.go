package faulttest

import (
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// harms is what TestTheFaultsBite saw each kind of fault do, for the figures.
var harms sync.Map

// TestTheFaultsBite shows the harm that each kind of fault does where the protection is off: to the bare driver with a simple repetition,
// to a server without time-outs, to creates without an Idempotency-Key, to gateways that are not let drain. Else TestFaults would prove
// nothing. A kind that harms nobody says why. Those that need Neo4j for themselves are part of make test-faults.
func TestTheFaultsBite(t *testing.T) {
	w := openWorld(t)
	bites := func(t *testing.T, k kind) {
		t.Helper()
		seen := k.harmless
		if k.harm != nil {
			seen = k.harm(w.bare(t))
		}
		require.NotEmpty(t, seen, "what does it do without protection?")
		t.Log(seen)
		harms.Store(k.name, seen)
	}
	t.Run("together", func(t *testing.T) {
		for _, k := range kinds() {
			if !k.apart {
				t.Run(k.name, func(t *testing.T) {
					t.Parallel() // each has a proxy of its own, and most wait
					bites(t, k)
				})
			}
		}
	})
	if os.Getenv(roundsVariable) == "" {
		return
	}
	all := kinds()
	slices.Reverse(all) // the first two leave Neo4j broken
	for _, k := range all {
		if k.apart {
			t.Run(k.name, func(t *testing.T) { bites(t, k) })
		}
	}
}
