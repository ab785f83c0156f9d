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
		appendTerm(&b, matched, w)
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
// A user's text is between quotes, where only quotes and backslashes have a meaning, or consists of letters and digits before a "*".
func appendWord(b *strings.Builder, w graph.Word, properties []string) {
	b.WriteString("+(")
	for _, p := range properties {
		appendTerm(b, p, w)
		if w.Prefix { // an exact match ranks before longer words
			appendTerm(b, p, graph.Word{Text: w.Text})
		}
	}
	b.WriteByte(')')
}

func appendTerm(b *strings.Builder, property string, w graph.Word) {
	b.WriteString(luceneField(property))
	b.WriteByte(':')
	if w.Prefix {
		for _, r := range w.Text { // letters, digits and the like: see graph.ParseWords. AND* is not an operator either
			escapeLucene(b, r)
		}
		b.WriteString("* ")
		return
	}
	b.WriteByte('"')
	for _, r := range w.Text {
		if r == '"' || r == '\\' {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	b.WriteString(`" `)
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
