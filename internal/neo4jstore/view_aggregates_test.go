package neo4jstore_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"graphrest/internal/graph"
	"graphrest/internal/rules"
	"graphrest/internal/testmark"
)

// TestAggregatesShowWhatAViewAllows compares aggregates with the rules evaluated on the whole graph.
func TestAggregatesShowWhatAViewAllows(t *testing.T) {
	testmark.EveryRelease(t)
	vg := newViewedGraph(t)
	checkRules(t, func(r *rapid.T) {
		vg.view = drawView(r)
		ctx := rules.WithView(t.Context(), vg.view)
		rapid.SampledFrom([]func(context.Context, *rapid.T){vg.checkNodeAggregate, vg.checkEdgeAggregate}).Draw(r, "aggregated")(ctx, r)
	})
}

func drawAggregation(r *rapid.T) graph.Aggregation {
	properties := []string{"owner", "level", "name", "note", "absent"}
	a := graph.Aggregation{Limit: graph.MaxGroups}
	if rapid.Bool().Draw(r, "grouped") {
		a.GroupBy = rapid.SampledFrom(properties).Draw(r, "group")
		if rapid.Bool().Draw(r, "bins") {
			a.Bin = graph.Bin{Width: int64(2)}
		}
	}
	if rapid.Bool().Draw(r, "measured") {
		a.Measures = []string{rapid.SampledFrom(properties).Draw(r, "measure")}
	}
	return a
}

func (vg *viewedGraph) checkNodeAggregate(ctx context.Context, r *rapid.T) {
	typ := rapid.SampledFrom([]string{"", "Person", "Staff", "City"}).Draw(r, "type")
	filter, _ := drawQuery(r)
	a := drawAggregation(r)
	var seen []graph.Properties
	for id, n := range vg.nodes {
		if shown, visible := vg.node(id); visible && (typ == "" || hasLabel(n, typ)) && meets(filter, shown.Properties) {
			seen = append(seen, shown.Properties)
		}
	}
	found, err := vg.store.Aggregates.AggregateNodes(ctx, graph.NodeAggregateQuery{Type: graph.TypeName(typ), Filter: filter, Aggregation: a})
	require.NoError(r, err)
	require.Equal(r, aggregated(seen, a), summaries(found, a), "%s %v %v", typ, filter, a)
}

func hasLabel(n graph.Node, label string) bool {
	for _, l := range n.Labels {
		if l == label {
			return true
		}
	}
	return false
}

func (vg *viewedGraph) checkEdgeAggregate(ctx context.Context, r *rapid.T) {
	typ := rapid.SampledFrom([]string{"", "KNOWS", "ROAD"}).Draw(r, "type")
	q := graph.EdgeAggregateQuery{Type: graph.TypeName(typ), Aggregation: drawAggregation(r)}
	filter, _ := drawQuery(r)
	q.Filter, _ = atDrawnEnds(r, filter, nil)
	if rapid.Bool().Draw(r, "of a node") {
		q.NodeID = rapid.SampledFrom(sortedIDs(vg.nodes)).Draw(r, "node")
	}
	var seen []graph.Properties
	for id := range vg.edges {
		shown, visible := vg.edge(id)
		around := q.NodeID == "" || shown.SourceID == q.NodeID || shown.TargetID == q.NodeID
		if visible && around && (q.Type == "" || shown.Type == string(q.Type)) && vg.meetsAtEnds(q.Filter, shown) {
			seen = append(seen, shown.Properties)
		}
	}
	found, err := vg.store.Aggregates.AggregateEdges(ctx, q)
	require.NoError(r, err)
	require.Equal(r, aggregated(seen, q.Aggregation), summaries(found, q.Aggregation), "%+v", q)
}

// summary is a group: the number of entities, of values and of numbers of the measure, and the sum of these.
type summary struct {
	count, values, numbers int64
	sum                    float64
}

// aggregated computes the groups by their value's text. The levels of newViewedGraph are 0 to 4, as integers or floats, or a text.
func aggregated(seen []graph.Properties, a graph.Aggregation) map[string]summary {
	groups := map[string]summary{}
	if a.GroupBy == "" {
		groups["<nil>"] = summary{}
	}
	for _, p := range seen {
		value := p[a.GroupBy]
		if n, isNumber := numeric(value); isNumber {
			value = n // 1 and 1.0 are one group
			if a.Bin.IsSet() {
				value = float64(int64(n) / 2 * 2)
			}
		} else if a.Bin.IsSet() {
			value = nil
		}
		group := groups[fmt.Sprint(value)]
		group.count++
		if len(a.Measures) > 0 {
			measured, has := p[a.Measures[0]]
			if has {
				group.values++
			}
			if n, isNumber := numeric(measured); isNumber {
				group.numbers, group.sum = group.numbers+1, group.sum+n
			}
		}
		groups[fmt.Sprint(value)] = group
	}
	return groups
}

func summaries(found graph.Aggregate, a graph.Aggregation) map[string]summary {
	groups := map[string]summary{}
	for _, g := range found.Groups {
		s := summary{count: g.Count}
		if len(a.Measures) > 0 {
			m := g.Measures[0]
			s.values, s.numbers = m.Count, m.Numbers
			s.sum, _ = numeric(m.Sum)
		}
		value := g.Value
		if n, isNumber := numeric(value); isNumber {
			value = n
		}
		groups[fmt.Sprint(value)] = s
	}
	return groups
}

func numeric(v graph.Value) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	default:
		return 0, false
	}
}
