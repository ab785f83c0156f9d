package keyset

import (
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

func TestPositionsRoundTrip(t *testing.T) {
	query := Fingerprint("nodes", "")
	for name, p := range map[string]Position{
		"with its own id":        {Query: query, Type: "Person", Managed: true, Own: true, Key: "a"},
		"by element id":          {Query: query, Type: "Person", Key: "4:x:1"},
		"a node without labels":  {Query: query, NoType: true, Key: "4:x:1"},
		"a type of hostile text": {Query: query, Type: "\x00`é\n", Own: true, Key: "\x00"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := DecodePosition(p.Encode(), query)
			require.NoError(t, err)
			require.Equal(t, p, *got)
		})
	}
	none, err := DecodePosition(nil, query)
	require.NoError(t, err)
	require.Nil(t, none)
}

func TestForeignPositionsAreRejected(t *testing.T) {
	query := Fingerprint("nodes", "")
	valid := Position{Query: query, Type: "Person", Key: "4:x:1"}.Encode()
	cases := map[string]graph.Position{
		"empty":             {},
		"cut":               valid[:6],
		"cut in the type":   valid[:9],
		"no key":            valid[:len(valid)-len("4:x:1")],
		"no element id":     Position{Query: query, Type: "Person", Key: "4:x:y"}.Encode(),
		"another version":   append(graph.Position{9}, valid[1:]...),
		"unknown flags":     append(graph.Position{positionVersion, 0xff}, valid[2:]...),
		"untyped with type": append(graph.Position{positionVersion, flagNoType}, valid[2:]...),
		"type too long":     append(append(graph.Position{}, valid[:6]...), 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01),
		"another query":     Position{Query: Fingerprint("nodes", "City"), Type: "Person", Key: "4:x:1"}.Encode(),
	}
	for name, position := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := DecodePosition(position, query)
			require.Equal(t, fault.Validation, fault.CodeOf(err))
			require.Equal(t, "cursor", fault.As(err).Details[0].Field)
		})
	}
}

func TestPositionsOfEarlierVersionsAreReported(t *testing.T) {
	query := Fingerprint("nodes", "")
	old := append(graph.Position{oldPositionVersion}, Position{Query: query, Type: "Person", Key: "4:x:1"}.Encode()[1:]...)
	_, err := DecodePosition(old, query)
	require.Equal(t, fault.Validation, fault.CodeOf(err))
	require.Equal(t, "cursor", fault.As(err).Details[0].Field)
	require.Contains(t, fault.As(err).Details[0].Message, "earlier version")
}

func TestFingerprintsDependOnPartBoundaries(t *testing.T) {
	require.NotEqual(t, Fingerprint("ab", "c"), Fingerprint("a", "bc"))
	require.NotEqual(t, Fingerprint("a", ""), Fingerprint("", "a"))
}

func FuzzDecodePosition(f *testing.F) {
	f.Add([]byte(Position{Type: "Person", Key: "4:x:1"}.Encode()))
	f.Fuzz(func(t *testing.T, raw []byte) {
		p, err := DecodePosition(graph.Position(raw), 0)
		if err != nil || p == nil {
			return
		}
		decoded, err := DecodePosition(p.Encode(), 0)
		require.NoError(t, err)
		require.Equal(t, p, decoded)
	})
}
