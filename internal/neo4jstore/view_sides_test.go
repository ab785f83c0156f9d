package neo4jstore_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"graphrest/internal/graph"
	"graphrest/internal/rules"
	"graphrest/internal/testmark"
)

// TestListsByEndsShowWhatAViewAllows compares lists of edges that are filtered and sorted by their ends with the rules evaluated on the
// whole graph. Its grants show most edges, and hide properties of their ends.
func TestListsByEndsShowWhatAViewAllows(t *testing.T) {
	testmark.EveryRelease(t)
	vg := newViewedGraph(t)
	checkRules(t, func(r *rapid.T) {
		role := rules.Role{Name: "r", Grants: []rules.Grant{{Kind: graph.EdgeKind, Type: rules.AnyType, Actions: []rules.Action{rules.Read}}}}
		for range rapid.IntRange(1, 3).Draw(r, "node grants") {
			role.Grants = append(role.Grants, drawHidingGrant(r))
		}
		drawManyConditions(r, graph.NodeKind, &role)
		vg.view = rules.NewView(rules.User{ID: "1", Name: "ann"}, nil, []rules.Role{role})
		vg.checkEdges(rules.WithView(t.Context(), vg.view), r)
	})
}

// drawHidingGrant draws a grant for nodes that hides what drawQuery asks for.
func drawHidingGrant(r *rapid.T) rules.Grant {
	types := []string{"Person", "Staff", "City", rules.AnyType, rules.AnyType}
	g := rules.Grant{Kind: graph.NodeKind, Type: rapid.SampledFrom(types).Draw(r, "type"), Actions: []rules.Action{rules.Read}}
	g.Hidden = drawHidden(r)
	if rapid.Bool().Draw(r, "conditional") {
		at := graph.Condition{Property: "level", Operator: graph.GreaterEqual, Value: int64(rapid.IntRange(0, 2).Draw(r, "level"))}
		g.Where = []rules.Condition{{Condition: at}}
	}
	return g
}

// drawHidden draws properties that a grant hides. Few, so that the grants of a view hide and show the same ones.
func drawHidden(r *rapid.T) []string {
	return rapid.SampledFrom([][]string{nil, {"owner"}, {"level"}, {"level", "owner"}, {"name"}}).Draw(r, "hidden")
}

// atDrawnEnds puts conditions and sort keys of edges at the edge or at one of its ends.
func atDrawnEnds(r *rapid.T, f graph.Filter, s graph.Sort) (graph.Filter, graph.Sort) {
	side := func(name string) graph.Side {
		return rapid.SampledFrom([]graph.Side{"", graph.SourceSide, graph.TargetSide}).Draw(r, name)
	}
	f, s = slices.Clone(f), slices.Clone(s)
	for i := range f {
		f[i].Side = side("side of the condition")
	}
	for i := range s {
		s[i].Side = side("side of the sort key")
	}
	return f, s
}

// at is the properties of an edge or of one of its ends, as the user sees them.
func (vg *viewedGraph) at(side graph.Side, e graph.Edge) graph.Properties {
	end := graph.Node{Properties: e.Properties}
	switch side {
	case graph.SourceSide:
		end, _ = vg.node(e.SourceID)
	case graph.TargetSide:
		end, _ = vg.node(e.TargetID)
	}
	return end.Properties
}

// meetsAtEnds evaluates a filter, each condition on what the user sees of the edge or of the end.
func (vg *viewedGraph) meetsAtEnds(f graph.Filter, e graph.Edge) bool {
	return !slices.ContainsFunc(f, func(c graph.Condition) bool {
		own := c
		own.Side = ""
		return !meets(graph.Filter{own}, vg.at(c.Side, e))
	})
}

// requireOrder compares the order of a whole list with the values that the user sees. A value that is hidden sorts as an absent one, and
// what is equal by id.
func requireOrder[T any](r require.TestingT, s graph.Sort, listed []T, at func(graph.Side, T) graph.Properties, id func(T) string) {
	if len(s) == 0 {
		return
	}
	require.True(r, slices.IsSortedFunc(listed, func(x, y T) int {
		for _, key := range s {
			a, hasA := at(key.Side, x)[key.Property]
			b, hasB := at(key.Side, y)[key.Property]
			order := boolOrder(hasB, hasA)
			if hasA && hasB {
				if order = compareDrawn(a, b); key.Descending {
					order = -order
				}
			}
			if order != 0 {
				return order
			}
		}
		return compareOwnIDs(id(x), id(y))
	}), "%v", s)
}

// compareDrawn compares the values of the graph of newViewedGraph: texts sort before numbers.
func compareDrawn(a, b graph.Value) int {
	x, isText := a.(string)
	y, isTextToo := b.(string)
	if isText || isTextToo {
		return cmp.Or(boolOrder(isTextToo, isText), cmp.Compare(x, y))
	}
	return cmp.Compare(numberDrawn(a), numberDrawn(b))
}

func numberDrawn(v graph.Value) float64 {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case float64:
		return v
	default:
		panic(fmt.Sprintf("%T is not in the graph of newViewedGraph", v))
	}
}

// boolOrder is negative if only the second holds.
func boolOrder(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	default:
		return 1
	}
}

// compareOwnIDs orders entities with their own id first, by it. The others are in the database's order, which is not compared.
func compareOwnIDs(x, y string) int {
	own := func(id string) bool { return !strings.Contains(id, ":") } // an element id has colons
	if !own(x) || !own(y) {
		return boolOrder(own(y), own(x))
	}
	return cmp.Compare(x, y)
}
