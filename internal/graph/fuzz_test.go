package graph

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// An accepted name meets the contract and is unchanged.
func FuzzParseTypeName(f *testing.F) {
	for _, seed := range []string{"Person", "", "`", "_GraphrestUser", "a\x00", "\xff", strings.Repeat("x", 256)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		name, wrong := ParseTypeName("type", text)
		if wrong != nil {
			require.NotEmpty(t, wrong.Details)
			return
		}
		require.Equal(t, text, string(name))
		require.NotEmpty(t, text)
		require.LessOrEqual(t, len(text), 255)
		require.True(t, utf8.ValidString(text))
		require.False(t, strings.ContainsFunc(text, unicode.IsControl))
		require.False(t, strings.HasPrefix(strings.ToLower(text), strings.ToLower(ReservedPrefix)))
	})
}

// Accepted fields are names of properties without duplicates.
func FuzzParseFields(f *testing.F) {
	for _, seed := range []string{"name,born", `["x,y","z"]`, "", ",", "a,a", `["a"`, "[", "\x00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		fields, wrong := ParseFields("fields", text)
		if wrong != nil {
			require.NotEmpty(t, wrong.Details)
			return
		}
		kept := fields.Select(Properties{"name": "x", "other": int64(1)})
		require.LessOrEqual(t, len(kept), 2)
	})
}
