package graphgen

import (
	"testing"

	"pgregory.net/rapid"

	"graphrest/internal/graph"
)

// Every generated value must be storable; otherwise the tests that use the generators would fail for the wrong reason.
func TestGeneratedPropertiesAreStorable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		over, faults := graph.CheckProperties("properties", Properties().Draw(t, "properties"), graph.DefaultLimits, false)
		if len(over) > 0 || len(faults) > 0 {
			t.Fatalf("over %v, faults %v", over, faults)
		}
	})
}

func TestGeneratedTypeNamesAreAccepted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := TypeName().Draw(t, "name")
		if _, f := graph.ParseTypeName("type", string(name)); f != nil {
			t.Fatal(f)
		}
	})
}
