package neo4jsearch

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// spellings are the forms of a text that are searched, the text itself first. Analyzers compare characters as they are stored, so that an
// accent may be a part of its letter or follow it, and a final sigma is another letter than sigma.
func spellings(text string) []string {
	list := []string{text, norm.NFC.String(text), norm.NFD.String(text)}
	if strings.ContainsAny(text, "ςσΣ") {
		medial := strings.ReplaceAll(strings.ToLower(text), "ς", "σ")
		list = append(list, medial, finalSigmas(medial))
	}
	var different []string
	for _, one := range list {
		if !slices.Contains(different, one) {
			different = append(different, one)
		}
	}
	return different
}

// finalSigmas writes the sigma at the end of each word as a final one.
func finalSigmas(text string) string {
	runes := []rune(text)
	for i, r := range runes {
		if r == 'σ' && (i+1 == len(runes) || !unicode.IsLetter(runes[i+1]) && !unicode.IsMark(runes[i+1])) {
			runes[i] = 'ς'
		}
	}
	return string(runes)
}

// foldedLetters are the letters of Lucene's ASCIIFoldingFilter, in lower case, that are no letter with an accent.
var foldedLetters = strings.NewReplacer(
	"ø", "o", "đ", "d", "ð", "d", "ł", "l", "ħ", "h", "ŧ", "t", "ı", "i", "ß", "ss", "æ", "ae", "œ", "oe", "þ", "th",
)

// withFolded puts before some spellings of a word the one without accents, which an analyzer that folds has stored: it does not analyze a
// prefix or a similar word. Accents are left out of Latin letters only; in other scripts marks can be vowels.
func withFolded(list []string, word string) []string {
	var b strings.Builder
	for _, r := range norm.NFD.String(foldedLetters.Replace(strings.ToLower(norm.NFC.String(word)))) {
		if unicode.Is(unicode.Mn, r) {
			continue
		}
		if r > unicode.MaxASCII {
			return append([]string{word}, slices.DeleteFunc(list, func(one string) bool { return one == word })...)
		}
		b.WriteRune(r)
	}
	folded := b.String()
	return append([]string{folded}, slices.DeleteFunc(list, func(one string) bool { return one == folded })...)
}
