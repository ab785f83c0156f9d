package keyset

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
	p := SortedPosition{Query: 7, Key: "k\x00é", ElementID: "4:x:1", Ties: 7, Columns: []any{
		int64(12),
		[]any{math.Inf(-1), int64(math.MinInt64)},
		int64(2),
		[]any{[]any{int64(0), 1.5}, []any{int64(1), 0.0}},
		int64(10),
		"\U0010ffff", int64(11), true,
	}}
	got, err := DecodeSortedPosition(p.Encode(), 7, 4)
	require.NoError(t, err)
	require.Equal(t, p, *got)
	none, err := DecodeSortedPosition(nil, 7, 4)
	require.NoError(t, err)
	require.Nil(t, none)
}

func TestForeignSortedPositionsAreRejected(t *testing.T) {
	valid := SortedPosition{Query: 7, Key: "k", ElementID: "5:x:2", Columns: []any{int64(1), "x"}}.Encode()
	cases := map[string]graph.Position{
		"empty": {}, "a place of another kind": Position{Query: 7, Type: "Person", Key: "4:x:1"}.Encode(),
		"longer":     append(append(graph.Position{}, valid...), 'n'),
		"other keys": SortedPosition{Query: 7, Key: "k", ElementID: "5:x:2", Columns: []any{int64(1)}}.Encode(),
		"no list":    {3, 0, 0, 0, 7, 't', 1, 'x', 't', 0, 't', 0},
		"too deep":   append(graph.Position{3, 0, 0, 0, 7}, strings.Repeat("l\x01", 50)...),
		"too long":   {3, 0, 0, 0, 7, 'l', 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01},
	}
	for cut := range valid {
		cases[fmt.Sprint("cut at ", cut)] = valid[:cut:cut]
	}
	for name, position := range cases {
		_, err := DecodeSortedPosition(position, 7, 1)
		require.Equal(t, fault.Validation, fault.CodeOf(err), name)
	}
	_, err := DecodeSortedPosition(valid, 8, 1)
	require.Equal(t, fault.Validation, fault.CodeOf(err))
	_, err = DecodePosition(valid, 7)
	require.Equal(t, fault.Validation, fault.CodeOf(err))
}

func FuzzDecodeSortedPosition(f *testing.F) {
	f.Add([]byte(SortedPosition{Query: 7, Key: "k", ElementID: "5:x:2", Columns: []any{int64(1), []any{1.5, true}}}.Encode()))
	f.Fuzz(func(t *testing.T, raw []byte) {
		p, err := DecodeSortedPosition(raw, 7, 1)
		if err != nil || p == nil {
			return
		}
		decoded, err := DecodeSortedPosition(p.Encode(), 7, 1)
		if err != nil || !reflect.DeepEqual(p.Encode(), decoded.Encode()) {
			t.Fatalf("%#v", p)
		}
	})
}
