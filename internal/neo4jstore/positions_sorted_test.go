package neo4jstore

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

func TestSortedPositionsComeBackAsTheyWere(t *testing.T) {
	p := sortedPlace{query: 7, key: "k\x00é", element: "4:x:1", ties: 7, columns: []any{
		int64(12), []any{math.Inf(-1), int64(math.MinInt64)}, int64(2), []any{[]any{int64(0), 1.5}, []any{int64(1), 0.0}}, int64(10), "\U0010ffff", int64(11), true,
	}}
	got, err := openSortedPosition(p.position(), 7, 4)
	require.NoError(t, err)
	require.Equal(t, p, *got)
	none, err := openSortedPosition(nil, 7, 4)
	require.NoError(t, err)
	require.Nil(t, none)
}

func TestForeignSortedPositionsAreRefused(t *testing.T) {
	good := sortedPlace{query: 7, key: "k", element: "5:x:2", columns: []any{int64(1), "x"}}.position()
	cases := map[string]graph.Position{
		"empty": {}, "a place of another kind": place{query: 7, typ: "Person", key: "4:x:1"}.position(), "longer": append(append(graph.Position{}, good...), 'n'),
		"other keys": sortedPlace{query: 7, key: "k", element: "5:x:2", columns: []any{int64(1)}}.position(),
		"no list":    {3, 0, 0, 0, 7, 't', 1, 'x', 't', 0, 't', 0},
		"too deep":   append(graph.Position{3, 0, 0, 0, 7}, strings.Repeat("l\x01", 50)...),
		"too long":   {3, 0, 0, 0, 7, 'l', 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01},
	}
	for cut := range good {
		cases[fmt.Sprint("cut at ", cut)] = good[:cut:cut]
	}
	for name, position := range cases {
		_, err := openSortedPosition(position, 7, 1)
		require.Equal(t, fault.Validation, fault.CodeOf(err), name)
	}
	_, err := openSortedPosition(good, 8, 1)
	require.Equal(t, fault.Validation, fault.CodeOf(err))
	_, err = openPosition(good, 7)
	require.Equal(t, fault.Validation, fault.CodeOf(err))
}

func FuzzOpenSortedPosition(f *testing.F) {
	f.Add([]byte(sortedPlace{query: 7, key: "k", element: "5:x:2", columns: []any{int64(1), []any{1.5, true}}}.position()))
	f.Fuzz(func(t *testing.T, raw []byte) {
		p, err := openSortedPosition(raw, 7, 1)
		if err != nil || p == nil {
			return
		}
		again, err := openSortedPosition(p.position(), 7, 1)
		if err != nil || !reflect.DeepEqual(p.position(), again.position()) {
			t.Fatalf("%#v", p)
		}
	})
}
