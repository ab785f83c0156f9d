package bolt

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"graphrest/internal/graph"
)

func TestZonedTexts(t *testing.T) {
	for text, want := range map[string]graph.Value{
		"1970-01-01T00:00Z":                               graph.DateTime{},
		"1970-01-01T00:00:01.5+01:00[X/Y]":                graph.DateTime{Seconds: -3599, Nanos: 500000000, Zone: "X/Y"},
		"1969-12-31T23:59:59.000000001-00:00:01":          graph.DateTime{Nanos: 1, Offset: -1},
		"-999999999-01-01T00:00Z[X]":                      graph.DateTime{Seconds: graph.MinSecond, Zone: "X"},
		"+999999999-12-31T23:59:59.999999999Z[X]":         graph.DateTime{Seconds: graph.MaxSecond, Nanos: 999999999, Zone: "X"},
		"0000-02-29T12:00+18:00[Etc/Somewhere+3]":         graph.DateTime{Seconds: -62162143200, Zone: "Etc/Somewhere+3"},
		"2024-05-01T12:00:00.1234567890+02:00[Too/Exact]": nil,
		"P1Y":                    nil,
		"":                       nil,
		"2024-05-01T12:00":       nil,
		"x1970-01-01T00:00Z[Z]":  nil,
		"1970-01-01T00:00Z[Z]\n": nil,
	} {
		got, ok := ParseZoned(text)
		require.Equal(t, want != nil, ok, text)
		require.Equal(t, want, got, text)
	}
	got, ok := ParseZoned([]any{"1970-01-01T00:00Z[X]", "1970-01-01T00:00Z"})
	require.True(t, ok)
	require.Equal(t, []any{graph.DateTime{Zone: "X"}, graph.DateTime{}}, got)
	_, ok = ParseZoned([]any{"1970-01-01T00:00Z[X]", int64(1)})
	require.False(t, ok)
}

func TestZonedTextsOfEveryDay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		day := rapid.Int64Range(graph.MinDay, graph.MaxDay).Draw(t, "day")
		y, m, d := time.Unix(day*secondsOfDay, 0).UTC().Date()
		got, ok := ParseZoned(fmt.Sprintf("%+05d-%02d-%02dT00:00Z", y, m, d))
		require.True(t, ok)
		require.Equal(t, graph.DateTime{Seconds: day * secondsOfDay}, got)
	})
}
