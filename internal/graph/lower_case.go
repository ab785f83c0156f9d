package graph

import (
	"slices"
	"strings"
	"unicode"
)

// FoldCase is the form in which the operator icontains compares texts: the letters in lower case, as Cypher's toLower writes them (Java's
// String.toLowerCase), but without what differs between releases of Java: see UnevenLetters.
func FoldCase(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch lower, isNew := newLetters[r]; {
		case r == 'İ':
			b.WriteString("i\u0307")
		case isNew:
			b.WriteRune(lower)
		case r == 'ς':
			b.WriteRune('σ')
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// UnevenLetters are the letters of a folded text that toLower may write otherwise, each pair what it may write and what FoldCase writes:
// Java decides by the words of the text whether Σ becomes σ or, at the end of a word, ς; and letters that Unicode got after version 13,
// that of Java 17, are converted by later releases only.
func UnevenLetters(folded string) (pairs [][2]string) {
	if strings.ContainsRune(folded, 'σ') {
		pairs = append(pairs, [2]string{"ς", "σ"})
	}
	for upper, lower := range newLetters {
		if strings.ContainsRune(folded, lower) {
			pairs = append(pairs, [2]string{string(upper), string(lower)})
		}
	}
	slices.SortFunc(pairs, func(a, b [2]string) int { return strings.Compare(a[0], b[0]) })
	return pairs
}

// newLetters are the upper case letters of Unicode 14 to 17 with their lower case letters (UnicodeData.txt).
var newLetters = newLetterTable()

func newLetterTable() map[rune]rune {
	letters := map[rune]rune{
		0x1C89: 0x1C8A, 0x2C2F: 0x2C5F, 0xA7C0: 0xA7C1, 0xA7CB: 0x0264, 0xA7CC: 0xA7CD, 0xA7CE: 0xA7CF, 0xA7D0: 0xA7D1, 0xA7D2: 0xA7D3,
		0xA7D4: 0xA7D5, 0xA7D6: 0xA7D7, 0xA7D8: 0xA7D9, 0xA7DA: 0xA7DB, 0xA7DC: 0x019B,
	}
	for _, block := range []struct{ first, last, distance rune }{
		{0x10570, 0x1057A, 0x27}, {0x1057C, 0x1058A, 0x27}, {0x1058C, 0x10592, 0x27}, {0x10594, 0x10595, 0x27}, // Vithkuqi
		{0x10D50, 0x10D65, 0x20}, // Garay
		{0x16EA0, 0x16EB8, 0x1B}, // Beria Erfe
	} {
		for r := block.first; r <= block.last; r++ {
			letters[r] = r + block.distance
		}
	}
	return letters
}
