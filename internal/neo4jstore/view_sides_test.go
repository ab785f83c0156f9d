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
		vg.view = rules.NewView(rules.User{ID: "1", Name: "ann"}, nil, []rules.Role{role})
		vg.checkEdges(rules.WithView(t.Context(), vg.view), r)
	})
}

// drawHidingGrant draws a grant for nodes that hides what drawQuery asks for.
func drawHidingGrant(r *rapid.T) rules.Grant {
	types := []string{"Person", "Staff", "City", rules.AnyType, rules.AnyType}
	g := rules.Grant{Kind: graph.NodeKind, Type: rapid.SampledFrom(types).Draw(r, "type"), Actions: []rules.Action{rules.Read}}
	g.Hidden = rapid.SampledFrom([][]string{nil, {"owner"}, {"level"}, {"level", "owner"}, {"name"}}).Draw(r, "hidden")
	if rapid.Bool().Draw(r, "conditional") {
		at := graph.Condition{Property: "level", Operator: graph.GreaterEqual, Value: int64(rapid.IntRange(0, 2).Draw(r, "level"))}
		g.Where = []rules.Condition{{Condition: at}}
	}
	return g
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
		s[i].Side, s[i].Descending = side("side of the sort key"), rapid.Bool().Draw(r, "descending")
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

// requireOrderByEnd compares the order of a whole list with the values that the user sees at the end. A value that is hidden sorts as an
// absent one, and what is equal by id.
func (vg *viewedGraph) requireOrderByEnd(r *rapid.T, s graph.Sort, listed []graph.Edge) {
	if len(s) == 0 || s[0].Side == "" {
		return
	}
	key := s[0]
	require.True(r, slices.IsSortedFunc(listed, func(x, y graph.Edge) int {
		a, hasA := vg.at(key.Side, x)[key.Property]
		b, hasB := vg.at(key.Side, y)[key.Property]
		if !hasA || !hasB {
			return cmp.Or(boolOrder(hasB, hasA), compareOwnIDs(x, y))
		}
		order := compareDrawn(a, b)
		if key.Descending {
			order = -order
		}
		return cmp.Or(order, compareOwnIDs(x, y))
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

// compareOwnIDs orders edges with their own id first, by it. The others are in the database's order, which is not compared.
func compareOwnIDs(x, y graph.Edge) int {
	own := func(e graph.Edge) bool { return !strings.Contains(e.ID, ":") } // an element id has colons
	if !own(x) || !own(y) {
		return boolOrder(own(y), own(x))
	}
	return cmp.Compare(x.ID, y.ID)
}
