package neo4jstore_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"graphrest/cypher"
	"graphrest/internal/graph"
	"graphrest/internal/rules"
)

// rulesCases is how many cases each comparison with the rules has, also with -short, unless GRAPHREST_TEST_RULES says otherwise: see make
// test-rules.
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
	if testing.Short() {
		cases *= 5 // rapid runs a fifth of them
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

// drawManyConditions draws whether a role has a grant for no entity with so many conditions that statements have those of all its grants as
// data.
func drawManyConditions(r *rapid.T, kind graph.Kind, role *rules.Role) {
	if rapid.Bool().Draw(r, "many conditions") {
		role.Grants = append(role.Grants, grantOfManyConditions(kind))
	}
}

// grantOfManyConditions is a grant for no entity: see drawManyConditions.
func grantOfManyConditions(kind graph.Kind) rules.Grant {
	g := rules.Grant{Kind: kind, Type: "Unused", Actions: rules.Actions()}
	for i := range cypher.MaxScopeConditions + 1 {
		condition := graph.Condition{Property: "name", Operator: graph.Equal, Value: int64(i)}
		g.Where = append(g.Where, rules.Condition{Condition: condition})
	}
	return g
}

// answersRead counts the single reads that were compared.
var answersRead atomic.Int64

// chainOf is the text of an error with the types of the errors that it wraps, because some texts leave their cause out.
func chainOf(err error) string {
	var chain strings.Builder
	for ; err != nil; err = errors.Unwrap(err) {
		fmt.Fprintf(&chain, "\n  %T: %v", err, err)
	}
	return chain.String()
}
