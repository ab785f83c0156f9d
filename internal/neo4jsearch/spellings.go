package neo4jsearch

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"graphrest/internal/graph"
)

// spellings are the forms of a text that are searched, the text itself first. Analyzers compare characters as they are stored, so that an
// accent may be a part of its letter or follow it, a final sigma is another letter than sigma, and there are two apostrophes.
func spellings(text string) []string {
	list := []string{text, norm.NFC.String(text), norm.NFD.String(text)}
	if strings.ContainsAny(text, "ςσΣ") {
		medial := strings.ReplaceAll(strings.ToLower(text), "ς", "σ")
		list = append(list, medial, finalSigmas(medial))
	}
	if strings.ContainsFunc(text, graph.IsApostrophe) {
		list = append(list, strings.ReplaceAll(text, "’", "'"), strings.ReplaceAll(text, "'", "’"))
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

// decomposed is a word in lower case, each accent after its letter.
func decomposed(word string) string {
	return norm.NFD.String(foldedLetters.Replace(strings.ToLower(norm.NFC.String(word))))
}

// withFolded puts before some spellings of a word the one without accents, which an analyzer that folds has stored: it does not analyze a
// prefix or a similar word. Accents are left out of Latin letters only; in other scripts marks can be vowels.
func withFolded(list []string, word string) []string {
	var b strings.Builder
	for _, r := range decomposed(word) {
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

// maxPattern is the number of letters up to which a word is searched by a pattern.
const maxPattern = 40

// accentPattern is a regular expression of Lucene for a word of Latin and Greek letters, digits and apostrophes, whatever its accents: an
// analyzer that folds stores accents that follow their letter (NFD), and Greek letters, as they are. It is empty for other words.
func accentPattern(word string) string {
	folded := decomposed(word)
	if utf8.RuneCountInString(folded) > maxPattern {
		return ""
	}
	var b strings.Builder
	for _, r := range folded {
		greek := greekLetters[r]
		switch {
		case unicode.Is(unicode.Mn, r):
			continue
		case greek != "":
			b.WriteString("[" + greek + "]")
		case graph.IsApostrophe(r):
			b.WriteString("['’]")
		case r <= unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			b.WriteRune(r)
		default:
			return ""
		}
		b.WriteString("[\u0300-\u036f]*")
	}
	return b.String()
}

// greekLetters are the composed letters of each Greek letter, itself among them; those of a sigma are its two forms.
var greekLetters = composedGreek()

func composedGreek() map[rune]string {
	letters := map[rune]string{}
	for _, block := range [][2]rune{{0x370, 0x3ff}, {0x1f00, 0x1fff}} {
		for r := block[0]; r <= block[1]; r++ {
			base := []rune(norm.NFD.String(string(r)))[0]
			if unicode.Is(unicode.Greek, base) && unicode.IsLower(base) && unicode.IsLower(r) {
				letters[base] += string(r)
			}
		}
	}
	letters['σ'], letters['ς'] = "σς", "σς"
	return letters
}
