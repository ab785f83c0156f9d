package neo4jstore

import (
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

func TestPositionsComeBackAsTheyWere(t *testing.T) {
	query := fingerprint("nodes", "")
	for name, p := range map[string]place{
		"with an id of its own":  {query: query, typ: "Person", managed: true, own: true, key: "a"},
		"by element id":          {query: query, typ: "Person", key: "4:x:1"},
		"a node without labels":  {query: query, noType: true, key: "4:x:1"},
		"a type of hostile text": {query: query, typ: "\x00`é\n", own: true, key: "\x00"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := openPosition(p.position(), query)
			require.NoError(t, err)
			require.Equal(t, p, *got)
		})
	}
	none, err := openPosition(nil, query)
	require.NoError(t, err)
	require.Nil(t, none)
}

func TestForeignPositionsAreRefused(t *testing.T) {
	query := fingerprint("nodes", "")
	good := place{query: query, typ: "Person", key: "4:x:1"}.position()
	cases := map[string]graph.Position{
		"empty":             {},
		"cut":               good[:6],
		"cut in the type":   good[:9],
		"no key":            good[:len(good)-len("4:x:1")],
		"no element id":     place{query: query, typ: "Person", key: "4:x:y"}.position(),
		"another version":   append(graph.Position{9}, good[1:]...),
		"unknown flags":     append(graph.Position{positionVersion, 0xff}, good[2:]...),
		"untyped with type": append(graph.Position{positionVersion, flagNoType}, good[2:]...),
		"type too long":     append(append(graph.Position{}, good[:6]...), 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01),
		"another query":     place{query: fingerprint("nodes", "City"), typ: "Person", key: "4:x:1"}.position(),
	}
	for name, position := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := openPosition(position, query)
			require.Equal(t, fault.Validation, fault.CodeOf(err))
			require.Equal(t, "cursor", fault.As(err).Details[0].Field)
		})
	}
}

func TestPositionsOfEarlierVersionsAreExplained(t *testing.T) {
	query := fingerprint("nodes", "")
	old := append(graph.Position{oldPositions}, place{query: query, typ: "Person", key: "4:x:1"}.position()[1:]...)
	_, err := openPosition(old, query)
	require.Equal(t, fault.Validation, fault.CodeOf(err))
	require.Equal(t, "cursor", fault.As(err).Details[0].Field)
	require.Contains(t, fault.As(err).Details[0].Message, "earlier version")
}

func TestFingerprintsTellPartsApart(t *testing.T) {
	require.NotEqual(t, fingerprint("ab", "c"), fingerprint("a", "bc"))
	require.NotEqual(t, fingerprint("a", ""), fingerprint("", "a"))
}

func FuzzOpenPosition(f *testing.F) {
	f.Add([]byte(place{typ: "Person", key: "4:x:1"}.position()))
	f.Fuzz(func(t *testing.T, raw []byte) {
		p, err := openPosition(graph.Position(raw), 0)
		if err != nil || p == nil {
			return
		}
		again, err := openPosition(p.position(), 0)
		require.NoError(t, err)
		require.Equal(t, p, again)
	})
}
