package neo4jstore_test

import (
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// checkRules runs a comparison of the store with the rules on generated cases: GRAPHREST_TEST_RULES of them, or as many as rapid runs by
// default. See make test-rules.
func checkRules(t *testing.T, compare func(*rapid.T)) {
	t.Helper()
	cases := 0
	if text := os.Getenv("GRAPHREST_TEST_RULES"); text != "" {
		wanted, err := strconv.Atoi(text)
		require.NoError(t, err, "GRAPHREST_TEST_RULES")
		cases = wanted
	}
	for done := 0; ; done += rapidChecks {
		rapid.Check(t, compare)
		if done+rapidChecks >= cases || t.Failed() {
			return
		}
	}
}

// rapidChecks is how many cases rapid.Check runs unless the flag -rapid.checks says otherwise.
const rapidChecks = 100
