package graph

import (
	"slices"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestTextsAreComparedByUnits(t *testing.T) {
	character := rapid.SampledFrom([]rune("ab\u007f\u0080\u07ff\u0800\ud7ff\ue000\ufffd\uffff\U00010000\U0001f600\U0010ffff"))
	text := rapid.Custom(func(r *rapid.T) string { return string(rapid.SliceOfN(character, 0, 3).Draw(r, "characters")) })
	units := func(s string) []uint16 { return utf16.Encode([]rune(s)) }
	rapid.Check(t, func(r *rapid.T) {
		a, b := text.Draw(r, "a"), text.Draw(r, "b")
		require.Equal(r, slices.Compare(units(a), units(b)), CompareTexts(a, b), "%q %q", a, b)
		if !OrderDependsOnUnits(a) {
			require.Equal(r, slices.Compare([]rune(a), []rune(b)), CompareTexts(a, b), "%q %q", a, b)
		}
	})
}
