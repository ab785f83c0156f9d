package changeset_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/changeset"
	"graphrest/internal/graph"
)

// An integer and a float of the same value are one value of a constraint, whatever their size.
func TestClaimsCompareNumbersByValue(t *testing.T) {
	key := changeset.UniqueKey{Kind: graph.NodeKind, Type: "Person", Properties: []string{"n"}}
	for _, test := range []struct {
		claimed, held graph.Value
		want          bool
	}{
		{int64(1), int64(1), true},
		{int64(1), 1.0, true},
		{1.0, int64(1), true},
		{1.5, int64(1), false},
		{"1", int64(1), false},
		{int64(math.MaxInt64), float64(math.MaxInt64), false},
		{int64(math.MinInt64), float64(math.MinInt64), true},
		{int64(1<<53 + 1), float64(1 << 53), false},
		{int64(0), math.Inf(1), false},
		{int64(0), math.NaN(), false},
		{[]graph.Value{"a"}, []graph.Value{"a"}, true},
		{[]graph.Value{"a"}, []graph.Value{"b"}, false},
	} {
		claim := changeset.Claim{UniqueKey: key, Values: []graph.Value{test.claimed}}
		require.Equal(t, test.want, claim.HeldBy(graph.Properties{"n": test.held}), "%v %v", test.claimed, test.held)
		require.False(t, claim.HeldBy(graph.Properties{"m": test.held}))
	}
}

// Equal claims of several operations are one, and only values that change are claimed.
func TestClaims(t *testing.T) {
	b := before()
	b.Unique = []changeset.UniqueKey{
		{Kind: graph.NodeKind, Type: "Person", Properties: []string{"n"}},
		{Kind: graph.EdgeKind, Type: "KNOWS", Properties: []string{"since"}},
		{Kind: graph.NodeKind, Type: "City", Properties: []string{"n"}},
		{Kind: graph.NodeKind, Type: "Person", Properties: []string{"n", "m"}},
	}
	same := update(id("a"), graph.Properties{"n": int64(1)})
	edge := connect("", id("a"), id("b"))
	edge.Properties = graph.Properties{"since": int64(5)}
	claims := changeset.Claims([]graph.Operation{create("x"), create("y"), same, edge, update(id("gone"), graph.Properties{"n": int64(9)})}, b)
	require.Len(t, claims, 2)
	require.ElementsMatch(t, []any{int64(2), int64(5)}, []any{claims[0].Values[0], claims[1].Values[0]})
}
