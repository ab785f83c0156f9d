package benchlarge

import (
	"bufio"
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The bytes are those of the Bolt protocol documentation, "PackStream".
func TestPackStream(t *testing.T) {
	long := strings.Repeat("x", 300)
	for _, test := range []struct {
		bytes string
		value any
	}{
		{"\xC0", nil},
		{"\xC3", true},
		{"\xC2", false},
		{"\x2A", int64(42)},
		{"\xF0", int64(-16)},
		{"\xC8\x80", int64(-128)},
		{"\xC9\x04\xD2", int64(1234)},
		{"\xCA\xFF\xFF\x00\x00", int64(-65536)},
		{"\xCB\x80\x00\x00\x00\x00\x00\x00\x00", int64(-9223372036854775808)},
		{"\xC1\x3F\xF1\x99\x99\x99\x99\x99\x9A", 1.1},
		{"\x81A", "A"},
		{"\xD0\x12Größenmaßstäbe", "Größenmaßstäbe"},
		{"\xD1\x01\x2C" + long, long},
		{"\xCC\x03\x01\x02\x03", []byte{1, 2, 3}},
		{"\x93\x01\x81a\xC0", []any{int64(1), "a", nil}},
		{"\xD4\x01\x90", []any{[]any{}}},
		{"\xA1\x83one\x92\x01\x02", map[string]any{"one": []any{int64(1), int64(2)}}},
		{"\xB1\x44\x7F", structure{tag: 'D', fields: []any{int64(127)}}},
	} {
		if test.value == "Größenmaßstäbe" {
			require.EqualValues(t, 0x12, len("Größenmaßstäbe"))
		}
		p := packed{rest: []byte(test.bytes)}
		value, err := p.value()
		require.NoError(t, err, "%x", test.bytes)
		require.Equal(t, test.value, value)
		require.Empty(t, p.rest)
		for short := range len(test.bytes) {
			_, err := (&packed{rest: []byte(test.bytes[:short])}).value()
			require.ErrorIs(t, err, errShort, "%x", test.bytes[:short])
		}
	}
	for _, unknown := range []string{"\xC4", "\xCF", "\xDC", "\xEF"} {
		_, err := (&packed{rest: []byte(unknown)}).value()
		require.ErrorContains(t, err, "unknown marker")
	}
}

func TestRecorderForwardsAndNotes(t *testing.T) {
	const run = "\xB3\x10\x88RETURN 1\xA1\x81a\x01\xA0"
	offers := "\x60\x60\xB0\x17" + strings.Repeat("\x00", 16)
	for name, stream := range map[string]string{
		"one version":      offers + "\x00\x03\xB0\x02\x02\x00\x00" + "\x00\x00",
		"list of versions": offers + "\x00\x00\x08\x05\x81\x01",
	} {
		// In two chunks, like a long message.
		stream += "\x00\x05" + run[:5] + "\x00" + string(rune(len(run)-5)) + run[5:] + "\x00\x00"
		var passed bytes.Buffer
		r := &recorder{}
		require.NoError(t, r.forward(bufio.NewReader(strings.NewReader(stream)), &passed), name)
		require.Equal(t, stream, passed.String(), name)
		seen, err := r.take()
		require.NoError(t, err)
		require.Equal(t, []sentStatement{{Text: "RETURN 1", Params: map[string]any{"a": int64(1)}}}, seen, name)
	}
}
