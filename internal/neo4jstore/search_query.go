package neo4jstore

import (
	"strings"
	"unicode"

	"graphrest/internal/graph"
)

// searchText writes a query in the syntax of Lucene's classic query parser, which is what Neo4j hands it to: every word must be in one of
// some properties, and one word at least in a property of its own, which counts nothing (^0), so that an entity has the same score
// whichever property is asked about. What a person typed stands between quotes, where nothing but quotes and backslashes means anything,
// or is letters and digits before a "*".
func searchText(words []graph.Word, properties []string, matched string) string {
	var b strings.Builder
	for _, w := range words {
		b.WriteString("+(")
		for _, p := range properties {
			appendTerm(&b, p, w)
			if w.Prefix { // a word that is just what was typed goes before those that go on
				appendTerm(&b, p, graph.Word{Text: w.Text})
			}
		}
		b.WriteString(") ")
	}
	b.WriteString("+(")
	for _, w := range words {
		appendTerm(&b, matched, w)
	}
	b.WriteString(")^0")
	return b.String()
}

func appendTerm(b *strings.Builder, property string, w graph.Word) {
	b.WriteString(luceneField(property))
	b.WriteByte(':')
	if w.Prefix {
		for _, r := range w.Text { // letters, digits and the like: see graph.ParseWords. AND* is no operator either
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

// luceneField writes a property's name as a field. The parser knows the words AND, OR, NOT and TO; an escaped letter makes them names.
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

// escapeLucene puts a backslash before whatever may be a sign of the syntax. A letter gets none: "\u" begins a code point.
func escapeLucene(b *strings.Builder, r rune) {
	plain := r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || (r > unicode.MaxASCII && !unicode.IsSpace(r))
	if !plain {
		b.WriteByte('\\')
	}
	b.WriteRune(r)
}
