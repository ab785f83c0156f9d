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

func TestSortedPositionsRoundTrip(t *testing.T) {
	p := sortedPosition{query: 7, key: "k\x00é", elementID: "4:x:1", ties: 7, columns: []any{
		int64(12), []any{math.Inf(-1), int64(math.MinInt64)}, int64(2), []any{[]any{int64(0), 1.5}, []any{int64(1), 0.0}}, int64(10), "\U0010ffff", int64(11), true,
	}}
	got, err := decodeSortedPosition(p.encode(), 7, 4)
	require.NoError(t, err)
	require.Equal(t, p, *got)
	none, err := decodeSortedPosition(nil, 7, 4)
	require.NoError(t, err)
	require.Nil(t, none)
}

func TestForeignSortedPositionsAreRejected(t *testing.T) {
	valid := sortedPosition{query: 7, key: "k", elementID: "5:x:2", columns: []any{int64(1), "x"}}.encode()
	cases := map[string]graph.Position{
		"empty": {}, "a place of another kind": cursorPosition{query: 7, typ: "Person", key: "4:x:1"}.encode(), "longer": append(append(graph.Position{}, valid...), 'n'),
		"other keys": sortedPosition{query: 7, key: "k", elementID: "5:x:2", columns: []any{int64(1)}}.encode(),
		"no list":    {3, 0, 0, 0, 7, 't', 1, 'x', 't', 0, 't', 0},
		"too deep":   append(graph.Position{3, 0, 0, 0, 7}, strings.Repeat("l\x01", 50)...),
		"too long":   {3, 0, 0, 0, 7, 'l', 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01},
	}
	for cut := range valid {
		cases[fmt.Sprint("cut at ", cut)] = valid[:cut:cut]
	}
	for name, position := range cases {
		_, err := decodeSortedPosition(position, 7, 1)
		require.Equal(t, fault.Validation, fault.CodeOf(err), name)
	}
	_, err := decodeSortedPosition(valid, 8, 1)
	require.Equal(t, fault.Validation, fault.CodeOf(err))
	_, err = decodePosition(valid, 7)
	require.Equal(t, fault.Validation, fault.CodeOf(err))
}

func FuzzDecodeSortedPosition(f *testing.F) {
	f.Add([]byte(sortedPosition{query: 7, key: "k", elementID: "5:x:2", columns: []any{int64(1), []any{1.5, true}}}.encode()))
	f.Fuzz(func(t *testing.T, raw []byte) {
		p, err := decodeSortedPosition(raw, 7, 1)
		if err != nil || p == nil {
			return
		}
		decoded, err := decodeSortedPosition(p.encode(), 7, 1)
		if err != nil || !reflect.DeepEqual(p.encode(), decoded.encode()) {
			t.Fatalf("%#v", p)
		}
	})
}
