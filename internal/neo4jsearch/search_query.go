package neo4jsearch

import (
	"strings"
	"unicode"

	"graphrest/internal/graph"
)

// propertyQuery finds the entities that have each of some words in one of some properties, and at least one of them in the property
// matched. The latter has no weight (^0), so that an entity has the same score for each property.
func propertyQuery(words []graph.Word, properties []string, matched string) string {
	var b strings.Builder
	for _, w := range words {
		appendWord(&b, w, properties)
		b.WriteByte(' ')
	}
	b.WriteString("+(")
	for _, w := range words {
		appendTerms(&b, matched, termsOf(w))
	}
	b.WriteString(")^0")
	return b.String()
}

// wordQuery finds the same entities as far as they have the word with some number in one of the properties matched. Only that has weight.
func wordQuery(words []graph.Word, properties []string, number int, matched []string) string {
	var b strings.Builder
	for n, w := range words {
		if n != number {
			appendWord(&b, w, properties)
			b.WriteString("^0 ")
		}
	}
	appendWord(&b, words[number], matched)
	return b.String()
}

// appendWord adds the condition that a word is in one of some properties, in the syntax of Lucene's classic query parser, which Neo4j uses.
// A user's text is between quotes, where only quotes and backslashes have a meaning, or consists of letters and digits before "*" or "~1".
func appendWord(b *strings.Builder, w graph.Word, properties []string) {
	terms := termsOf(w)
	b.WriteString("+(")
	for _, p := range properties {
		appendTerms(b, p, terms)
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

// termsOf are the terms of Lucene for a word, each of which suffices: the word in each of its spellings, then longer and similar words, so
// that an exact match ranks before them.
func termsOf(w graph.Word) []string {
	var terms []string
	same := spellings(w.Text)
	for _, text := range same {
		terms = append(terms, phrase(text))
	}
	if w.Prefix {
		for _, text := range withFolded(same, w.Text) {
			terms = append(terms, bare(text)+"*")
		}
	}
	if w.Fuzzy {
		terms = append(terms, bare(withFolded(nil, w.Text)[0])+"~1")
	}
	return terms
}

// phrase is a text between quotes, where only quotes and backslashes have a meaning.
func phrase(text string) string { return `"` + quotedText.Replace(text) + `"` }

var quotedText = strings.NewReplacer(`"`, `\"`, `\`, `\\`)

// bare is a word of letters, digits and the like, without quotes: see graph.ParseWords. AND* is not an operator either.
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
