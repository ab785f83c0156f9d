package graph

import (
	"cmp"
	"strings"
)

// CompareTexts compares valid UTF-8 texts by their UTF-16 code units, as Neo4j compares a property with a parameter. It differs from the
// order of code points, which is that of the bytes, where a character beyond U+FFFF meets one from U+E000 to U+FFFF.
func CompareTexts(a, b string) int {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	if i < len(a) && i < len(b) && a[i] >= firstHigh && b[i] >= firstHigh && (a[i] >= firstSurrogates) != (b[i] >= firstSurrogates) {
		return cmp.Compare(b[i], a[i])
	}
	return strings.Compare(a[i:], b[i:])
}

// The first bytes of characters in UTF-8: from firstHigh those of U+E000 and beyond, from firstSurrogates those that UTF-16 encodes by two
// surrogates, which are less than U+E000.
const (
	firstHigh       = 0xEE
	firstSurrogates = 0xF0
)

// OrderDependsOnUnits reports whether some text is on another side of this one by UTF-16 code units than by code points.
func OrderDependsOnUnits(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r >= 0xE000 })
}
