package neo4jstore

import (
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

func TestPositionsRoundTrip(t *testing.T) {
	query := fingerprint("nodes", "")
	for name, p := range map[string]cursorPosition{
		"with an id of its own":  {query: query, typ: "Person", managed: true, own: true, key: "a"},
		"by element id":          {query: query, typ: "Person", key: "4:x:1"},
		"a node without labels":  {query: query, noType: true, key: "4:x:1"},
		"a type of hostile text": {query: query, typ: "\x00`é\n", own: true, key: "\x00"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := decodePosition(p.encode(), query)
			require.NoError(t, err)
			require.Equal(t, p, *got)
		})
	}
	none, err := decodePosition(nil, query)
	require.NoError(t, err)
	require.Nil(t, none)
}

func TestForeignPositionsAreRejected(t *testing.T) {
	query := fingerprint("nodes", "")
	valid := cursorPosition{query: query, typ: "Person", key: "4:x:1"}.encode()
	cases := map[string]graph.Position{
		"empty":             {},
		"cut":               valid[:6],
		"cut in the type":   valid[:9],
		"no key":            valid[:len(valid)-len("4:x:1")],
		"no element id":     cursorPosition{query: query, typ: "Person", key: "4:x:y"}.encode(),
		"another version":   append(graph.Position{9}, valid[1:]...),
		"unknown flags":     append(graph.Position{positionVersion, 0xff}, valid[2:]...),
		"untyped with type": append(graph.Position{positionVersion, flagNoType}, valid[2:]...),
		"type too long":     append(append(graph.Position{}, valid[:6]...), 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01),
		"another query":     cursorPosition{query: fingerprint("nodes", "City"), typ: "Person", key: "4:x:1"}.encode(),
	}
	for name, position := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := decodePosition(position, query)
			require.Equal(t, fault.Validation, fault.CodeOf(err))
			require.Equal(t, "cursor", fault.As(err).Details[0].Field)
		})
	}
}

func TestPositionsOfEarlierVersionsAreReported(t *testing.T) {
	query := fingerprint("nodes", "")
	old := append(graph.Position{oldPositionVersion}, cursorPosition{query: query, typ: "Person", key: "4:x:1"}.encode()[1:]...)
	_, err := decodePosition(old, query)
	require.Equal(t, fault.Validation, fault.CodeOf(err))
	require.Equal(t, "cursor", fault.As(err).Details[0].Field)
	require.Contains(t, fault.As(err).Details[0].Message, "earlier version")
}

func TestFingerprintsDependOnPartBoundaries(t *testing.T) {
	require.NotEqual(t, fingerprint("ab", "c"), fingerprint("a", "bc"))
	require.NotEqual(t, fingerprint("a", ""), fingerprint("", "a"))
}

func FuzzDecodePosition(f *testing.F) {
	f.Add([]byte(cursorPosition{typ: "Person", key: "4:x:1"}.encode()))
	f.Fuzz(func(t *testing.T, raw []byte) {
		p, err := decodePosition(graph.Position(raw), 0)
		if err != nil || p == nil {
			return
		}
		decoded, err := decodePosition(p.encode(), 0)
		require.NoError(t, err)
		require.Equal(t, p, decoded)
	})
}
