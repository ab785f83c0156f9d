package changeset_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
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

// A claim is compared with what every other entity has at that point: the first of them in the diff is its holder. The cases are generated;
// the expected holders come from comparing each claim with all entities.
func TestHoldersAreThoseOfComparingAllEntities(t *testing.T) {
	values := []graph.Value{int64(1), 1.0, int64(2), 2.5, int64(0), 0.0, math.Copysign(0, -1), "1", true, int64(1<<53 + 1), float64(1 << 53)}
	key := changeset.UniqueKey{Kind: graph.NodeKind, Type: "Person", Properties: []string{"n"}}
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 1))
		draw := func() graph.Value { return values[random.IntN(len(values))] }
		var operations []graph.Operation
		for n := range 12 {
			switch {
			case n < 3 || random.IntN(3) == 0:
				o := create(fmt.Sprintf("r%d", n))
				o.Properties = graph.Properties{"n": draw()}
				operations = append(operations, o)
			case random.IntN(4) == 0:
				operations = append(operations, graph.Operation{Op: graph.OpDeleteNode, Entity: ref(fmt.Sprintf("r%d", random.IntN(3)))})
			default:
				operations = append(operations, update(ref(fmt.Sprintf("r%d", random.IntN(3))), graph.Properties{"n": draw()}))
			}
		}
		var want, got []string
		names, has := []string{}, map[string]graph.Value{}
		for n, o := range operations {
			name := cmp.Or(o.Ref, o.Entity.Ref)
			was, exists := has[name]
			if o.Op == graph.OpDeleteNode {
				delete(has, name)
				continue
			}
			if o.Op == graph.OpUpdateNode && !exists {
				continue // it is deleted
			}
			if o.Op == graph.OpCreateNode {
				names = append(names, name)
			}
			value := o.Properties["n"]
			has[name] = value
			claim := changeset.Claim{UniqueKey: key, Values: []graph.Value{value}}
			if exists && claim.HeldBy(graph.Properties{"n": was}) {
				continue
			}
			for _, other := range names {
				if held, alive := has[other]; alive && other != name && claim.HeldBy(graph.Properties{"n": held}) {
					want = append(want, fmt.Sprint(n, other))
					break
				}
			}
		}
		for _, v := range changeset.ComputeDiff(operations, changeset.Before{Unique: []changeset.UniqueKey{key}}, nil).Violations {
			n, _, _ := strings.Cut(strings.TrimPrefix(v.Detail.Field, "operations["), "]")
			got = append(got, n+v.Holder.Ref)
		}
		require.Equal(t, want, got, "seed %d", seed)
	}
}
