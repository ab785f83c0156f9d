package archtest

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// Tests may import more, but the driver and gin only in their packages, or where the database itself is broken or attacked: a test that
// needs them elsewhere tests an implementation, not a contract.
func TestTestsRespectDriverAndGinBoundaries(t *testing.T) {
	production := []string{"internal/bolt", "internal/neo4jauth", "internal/neo4jtest", "internal/bench"}
	tests := append(slices.Clone(production), "cypher", "internal/faulttest", "internal/httpapi", "internal/neo4jstore")
	for _, s := range tree(t) {
		may := production
		if s.test {
			may = tests
		}
		for _, imported := range s.imports {
			if covers(gin, imported) {
				require.Contains(t, []string{"internal/httpapi", "internal/bench"}, s.pkg, "%s imports gin", s.path)
			}
			if covers(driver, imported) {
				require.Contains(t, may, s.pkg, "%s imports the driver", s.path)
			}
		}
	}
}
