package httpapi

import (
	"bytes"
	"encoding/base64"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
)

func testSigner() cursorSigner { return newCursorSigner(bytes.Repeat([]byte("k"), 32)) }

func TestCursorRoundTrip(t *testing.T) {
	s := testSigner()
	for _, offset := range []int64{0, 1, 127, 128, maxOffset} {
		text := s.encode(graph.Position("Person\x00id"), offset, []byte("q"))
		p, got, ok := s.decode(text, []byte("q"))
		require.True(t, ok)
		require.Equal(t, graph.Position("Person\x00id"), p)
		require.Equal(t, offset, got)
	}
}

func TestCursorIsBoundToQueryAndKey(t *testing.T) {
	s := testSigner()
	text := s.encode(graph.Position("p"), 7, []byte("q"))
	_, _, ok := s.decode(text, []byte("another"))
	require.False(t, ok, "another query")
	_, _, ok = newCursorSigner(bytes.Repeat([]byte("x"), 32)).decode(text, []byte("q"))
	require.False(t, ok, "another key")
	// The boundary between fingerprint and payload is signed too.
	_, _, ok = s.decode(s.encode(graph.Position("bc"), 0x61, []byte("q")), []byte("qa"))
	require.False(t, ok, "moved border")
}

func TestCursorRejectsEveryChangedBit(t *testing.T) {
	s := testSigner()
	raw, err := base64.RawURLEncoding.DecodeString(s.encode(graph.Position("Person"), 300, []byte("q")))
	require.NoError(t, err)
	for i := range raw {
		for bit := range 8 {
			changed := bytes.Clone(raw)
			changed[i] ^= 1 << bit
			_, _, ok := s.decode(base64.RawURLEncoding.EncodeToString(changed), []byte("q"))
			require.False(t, ok, "byte %d bit %d", i, bit)
		}
	}
}

func FuzzCursor(f *testing.F) {
	s := testSigner()
	f.Add(s.encode(graph.Position("p"), 1, []byte("q")), []byte("q"))
	f.Add("", []byte(""))
	f.Add("AQ", []byte("q"))
	f.Fuzz(func(t *testing.T, text string, fingerprint []byte) {
		p, offset, ok := s.decode(text, fingerprint)
		if !ok {
			return
		}
		// Only encoded cursors decode, so encoding the result again gives the same text.
		require.Equal(t, text, s.encode(p, offset, fingerprint))
	})
}
