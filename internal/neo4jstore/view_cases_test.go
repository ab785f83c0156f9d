package neo4jstore_test

import (
	"flag"
	"os"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// rulesCases is how many cases each comparison with the rules has, unless GRAPHREST_TEST_RULES says otherwise: see make test-rules.
const rulesCases = 40

// checkRules compares the store with the rules on generated cases.
func checkRules(t *testing.T, compare func(*rapid.T)) {
	t.Helper()
	cases := rulesCases
	if text := os.Getenv("GRAPHREST_TEST_RULES"); text != "" {
		wanted, err := strconv.Atoi(text)
		require.NoError(t, err, "GRAPHREST_TEST_RULES")
		cases = wanted
	}
	checks := flag.Lookup("rapid.checks")
	before := checks.Value.String()
	require.NoError(t, checks.Value.Set(strconv.Itoa(cases)))
	defer func() { require.NoError(t, checks.Value.Set(before)) }()
	drawn := 0
	answersRead.Store(0)
	rapid.Check(t, func(r *rapid.T) {
		drawn++
		compare(r)
	})
	t.Logf("%d cases, and in them %d single reads compared", drawn, answersRead.Load())
}

// answersRead counts the single reads that were compared.
var answersRead atomic.Int64
