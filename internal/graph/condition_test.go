package graph_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
)

func berlin(seconds int64) graph.Value {
	return graph.DateTime{Seconds: seconds, Zone: "Europe/Berlin"}
}

func TestConditionsAreMetByValues(t *testing.T) {
	for name, row := range map[string]struct {
		operator graph.Operator
		literal  graph.Value
		value    graph.Value
		want     bool
	}{
		"an integer and a float":      {graph.Equal, int64(1), 1.0, true},
		"a large integer and a float": {graph.Equal, int64(1<<53 + 1), float64(1 << 53), false},
		"no number":                   {graph.Less, int64(1), "0", false},
		"another kind is not equal":   {graph.NotEqual, int64(1), "1", true},
		"the case of letters":         {graph.ContainsFold, "STRASSE", "Hauptstrasse 1", true},
		"a dotted capital":            {graph.ContainsFold, "i̇", "İstanbul", true},
		"a list":                      {graph.Has, "a", []graph.Value{"b", "a"}, true},
		"one of":                      {graph.OneOf, []graph.Value{"a", int64(2)}, 2.0, true},
		"none of":                     {graph.NoneOf, []graph.Value{"a", int64(2)}, "b", true},
		"points in time with offsets": {graph.Less, graph.OffsetTime{Nanos: 9e9}, graph.OffsetTime{Nanos: 8e9, Offset: -1}, true},
		"dates":                       {graph.GreaterEqual, graph.Date{Days: 1}, graph.Date{Days: 1}, true},
		"false comes before true":     {graph.Less, true, false, true},
		"zeros are equal":             {graph.Equal, int64(0), math.Copysign(0, -1), true},
		"minus zero is less":          {graph.Less, int64(0), math.Copysign(0, -1), true},
		"bytes are integers":          {graph.Has, int64(-1), graph.Bytes{1, 255}, true},
		"one instant in two zones":    {graph.Less, graph.DateTime{Zone: "Europe/Berlin"}, graph.DateTime{}, true},
		"the hour that is repeated":   {graph.Equal, berlin(1729989000), berlin(1729992600), true},
		"a final sigma":               {graph.ContainsFold, "σ-ν", "ΓΙΩΡΓΟΣ-ΝΙΚΟΣ", true},
	} {
		t.Run(name, func(t *testing.T) {
			c := graph.Condition{Operator: row.operator, Value: row.literal}
			require.Equal(t, row.want, c.IsMetBy(row.value))
		})
	}
	require.True(t, graph.Condition{Operator: graph.Exists, Value: false}.IsMetBy(nil))
	require.False(t, graph.Condition{Operator: graph.NotEqual, Value: int64(1)}.IsMetBy(nil))
	require.False(t, graph.Condition{Operator: graph.NoneOf, Value: []graph.Value{}}.IsMetBy(nil))
}
