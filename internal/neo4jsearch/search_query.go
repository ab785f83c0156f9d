package neo4jsearch

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"graphrest/internal/graph"
)

// propertyQuery finds the entities that have each of some words in one of some properties, and at least one of them in the property
// matched. The latter has no weight (^0), so that an entity has the same score for each property.
func propertyQuery(terms []wordTerms, properties []string, matched string) string {
	var b strings.Builder
	for _, ofWord := range terms {
		appendWord(&b, ofWord, properties)
		b.WriteByte(' ')
	}
	b.WriteString("+(")
	for _, ofWord := range terms {
		appendTerms(&b, matched, ofWord.any)
	}
	b.WriteString(")^0")
	return b.String()
}

// wordQuery finds the same entities as far as they have the word with some number in one of the properties matched. Only that has weight.
func wordQuery(terms []wordTerms, properties []string, number int, matched []string) string {
	var b strings.Builder
	for n, ofWord := range terms {
		if n != number {
			appendWord(&b, ofWord, properties)
			b.WriteString("^0 ")
		}
	}
	appendWord(&b, terms[number], matched)
	return b.String()
}

// appendWord adds the condition that one of the terms of a word is in one of some properties, in the syntax of Lucene's classic query
// parser, which Neo4j uses. A user's text is between quotes, where only quotes and backslashes have a meaning; or it is escaped but for its
// letters and digits; or it is a pattern, which has letters and digits only.
func appendWord(b *strings.Builder, terms wordTerms, properties []string) {
	if !terms.optional {
		b.WriteByte('+')
	}
	b.WriteByte('(')
	for _, p := range properties {
		appendTerms(b, p, terms.any)
	}
	b.WriteByte(')')
}

func appendTerms(b *strings.Builder, property string, terms []string) {
	field := luceneField(property)
	for _, term := range terms {
		b.WriteString(field)
		b.WriteByte(':')
		b.WriteString(term)
		b.WriteByte(' ')
	}
}

// wordTerms are the terms of Lucene for a word, each of which suffices: the word in each of its spellings, then longer and similar words,
// so that an exact match ranks before them.
type wordTerms struct {
	any []string
	// optional is true of a word that the analyzer leaves out of texts. A text may have longer or similar words, but need not: "let it be"
	// is found by "let it be*".
	optional bool
}

// termsOf are the terms for a word in an index. If its analyzer folds accents, a pattern takes the place of the other spellings.
func termsOf(w graph.Word, i searchIndex) wordTerms {
	terms, optional := []string{phrase(w.Text)}, slices.Contains(i.stopWords, strings.ToLower(w.Text))
	pattern := ""
	if i.Analyzer == foldingAnalyzer && !optional {
		pattern = accentPattern(w.Text)
	}
	switch {
	case pattern != "" && w.Prefix:
		terms = append(terms, "/"+pattern+".*/")
	case pattern != "":
		terms = append(terms, "/"+pattern+"/^0.1") // ranks after the word as it is typed
	default:
		same := spellings(w.Text)
		for _, text := range same[1:] {
			terms = append(terms, phrase(text))
		}
		if w.Prefix {
			for _, text := range withFolded(same, w.Text) {
				terms = append(terms, bare(text)+"*")
			}
		}
	}
	if w.Prefix {
		terms = append(terms, splitPrefix(w.Text)...)
	}
	switch {
	case w.Fuzzy && i.Analyzer == foldingAnalyzer:
		terms = append(terms, bare(withFolded(nil, w.Text)[0])+"~1")
	case w.Fuzzy:
		terms = append(terms, bare(norm.NFC.String(w.Text))+"~1")
	}
	return wordTerms{terms, optional}
}

// maxSplits is at how many of its last signs a prefix is split.
const maxSplits = 4

// splitPrefix are the terms for a prefix with signs: it depends on the analyzer, and on what is beside a sign, whether words are split
// there.
func splitPrefix(text string) (terms []string) {
	isSign := func(r rune) bool { return !graph.IsInWord(r) }
	for last := strings.LastIndexFunc(text, isSign); last > 0 && len(terms) < maxSplits; last = strings.LastIndexFunc(text[:last], isSign) {
		_, size := utf8.DecodeRuneInString(text[last:])
		before, end := strings.TrimRightFunc(text[:last], isSign), strings.TrimLeftFunc(text[last+size:], isSign)
		terms = append(terms, "(+"+phrase(before)+" +"+bare(withFolded(nil, end)[0])+"*)")
	}
	return terms
}

// phrase is a text between quotes, where only quotes and backslashes have a meaning.
func phrase(text string) string { return `"` + quotedText.Replace(text) + `"` }

var quotedText = strings.NewReplacer(`"`, `\"`, `\`, `\\`)

// bare is a word without quotes. AND* is not an operator either.
func bare(word string) string {
	var b strings.Builder
	for _, r := range word {
		escapeLucene(&b, r)
	}
	return b.String()
}

// luceneField writes a property's name as a field. The parser has the keywords AND, OR, NOT and TO; an escaped letter makes them names.
func luceneField(name string) string {
	var b strings.Builder
	for i, r := range name {
		if i == 0 && r <= unicode.MaxASCII && unicode.IsUpper(r) {
			b.WriteByte('\\')
		}
		escapeLucene(&b, r)
	}
	return b.String()
}

// escapeLucene puts a backslash before characters that may belong to the syntax. A letter gets none: "\u" begins a code point.
func escapeLucene(b *strings.Builder, r rune) {
	plain := r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || (r > unicode.MaxASCII && !unicode.IsSpace(r))
	if !plain {
		b.WriteByte('\\')
	}
	b.WriteRune(r)
}
