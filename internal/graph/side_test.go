package graph_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"graphrest/internal/graph"
	"graphrest/internal/typedjson"
)

func TestNamesOfPropertiesOfEnds(t *testing.T) {
	for name, want := range map[string]graph.SortKey{
		"km": {Property: "km"}, "source.name": {Property: "source.name"}, "source": {Property: "source"}, "sources:x": {Property: "sources:x"},
		"source:name": {Side: graph.SourceSide, Property: "name"}, "target:name": {Side: graph.TargetSide, Property: "name"},
		"target:a:b.c": {Side: graph.TargetSide, Property: "a:b.c"}, "source:source:x": {Side: graph.SourceSide, Property: "source:x"},
		"edge:source:name": {Property: "source:name"}, "edge:edge:target:x": {Property: "edge:target:x"}, "edge:name": {Property: "edge:name"},
		"Source:name": {Property: "Source:name"}, "edge:edge:x": {Property: "edge:edge:x"},
	} {
		keys, f := graph.ParseEdgeSort("sort", name)
		require.Nil(t, f, name)
		require.Equal(t, graph.Sort{want}, keys, name)
		c, f := graph.ParseEdgeCondition("f", "filter["+name+"][exists]", "true", typedjson.Literals{})
		require.Nil(t, f, name)
		require.Equal(t, graph.Condition{Side: want.Side, Property: want.Property, Operator: graph.Exists, Value: true, Field: "f"}, c)
		require.Equal(t, name, graph.EdgePropertyName(want.Side, want.Property))
		own, f := graph.ParseOwnProperty("group_by", name)
		if want.Side != "" {
			require.Contains(t, f.Details[0].Message, "edge:"+name)
			continue
		}
		require.Nil(t, f)
		require.Equal(t, want.Property, own)
	}
	keys, f := graph.ParseEdgeSort("sort", "-source:born,+target:-x,name")
	require.Nil(t, f)
	require.Equal(t, graph.Sort{
		{Side: graph.SourceSide, Property: "born", Descending: true}, {Side: graph.TargetSide, Property: "-x"}, {Property: "name"},
	}, keys)
	for _, text := range []string{"source:", "-target:", "source:a,source:a", "a,+a", "source:a\x00", "source:" + strings.Repeat("a", 1025)} {
		_, f := graph.ParseEdgeSort("sort", text)
		require.NotNil(t, f, text)
	}
	_, f = graph.ParseEdgeSort("sort", "source:"+strings.Repeat("a", 1024)+",name,source:name,target:name")
	require.Nil(t, f, "the same name of the edge and of both ends")
	keys, f = graph.ParseSort("sort", "source:name")
	require.Nil(t, f)
	require.Equal(t, graph.Sort{{Property: "source:name"}}, keys, "nodes have no ends")
}

func TestEveryPropertyOfEdgesAndEndsHasAName(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		parts := rapid.SliceOfN(rapid.SampledFrom([]string{"edge:", "source:", "target:", "x", ":", "."}), 1, 5)
		want := graph.SortKey{
			Side:     rapid.SampledFrom([]graph.Side{"", graph.SourceSide, graph.TargetSide}).Draw(r, "side"),
			Property: strings.Join(parts.Draw(r, "property"), ""), Descending: true,
		}
		keys, f := graph.ParseEdgeSort("sort", "-"+graph.EdgePropertyName(want.Side, want.Property))
		require.Nil(r, f)
		require.Equal(r, graph.Sort{want}, keys)
	})
}

func TestFingerprintTellsEndsApart(t *testing.T) {
	seen := map[string]bool{}
	for _, side := range []graph.Side{"", graph.SourceSide, graph.TargetSide} {
		seen[graph.Fingerprint(graph.Filter{{Side: side, Property: "a", Operator: graph.Equal, Value: "x"}}, nil)] = true
		seen[graph.Fingerprint(nil, graph.Sort{{Side: side, Property: "a"}})] = true
	}
	require.Len(t, seen, 6)
}
