// Package clientgen writes typed clients of a gateway from the OpenAPI description for a token: one file for each language, without
// dependencies. The same description gives the same bytes.
package clientgen

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// File is a generated file.
type File struct {
	Name    string
	Content []byte
}

// language is how a client is written in a language. Its template is a file that works as it is, with lines that begin with a comment
// and "graphrest:" where the part for a description stands.
type language struct {
	file     string
	template string
	marker   string
	parts    func(d description) map[string]string // by the words after graphrest:
}

//go:embed templates/graphrest_client.py
var pythonTemplate string

//go:embed templates/graphrest-client.ts
var typeScriptTemplate string

var languages = map[string]language{
	"python":     {file: "graphrest_client.py", template: pythonTemplate, marker: "# graphrest:", parts: pythonParts},
	"typescript": {file: "graphrest-client.ts", template: typeScriptTemplate, marker: "// graphrest:", parts: typeScriptParts},
}

// Languages are the names of the languages, in order.
func Languages() []string {
	names := make([]string, 0, len(languages))
	for name := range languages {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Generate returns the client in a language for an OpenAPI description of a gateway.
func Generate(name string, described []byte) (File, error) {
	l, known := languages[name]
	if !known {
		return File{}, errors.New("the language must be " + strings.Join(Languages(), " or "))
	}
	d, err := readDescription(described)
	if err != nil {
		return File{}, err
	}
	parts := l.parts(d)
	var b strings.Builder
	for line := range strings.Lines(l.template) {
		part, is := strings.CutPrefix(strings.TrimSpace(line), l.marker)
		if !is {
			b.WriteString(line)
			continue
		}
		text, written := parts[part]
		if !written {
			return File{}, fmt.Errorf("clientgen: the template of %s has a part %q that is not written", name, part)
		}
		b.WriteString(text)
	}
	return File{l.file, []byte(b.String())}, nil
}

// typesOf are the types of a language for values with one of the types; nil if it has none for one of them. known has those of single
// values, and list makes that of a list from that of its elements.
func typesOf(types []string, known map[string]string, list func(element string) string) (all []string) {
	for _, name := range types {
		inner, isList := strings.CutPrefix(name, "List<")
		text, isKnown := known[strings.TrimSuffix(inner, ">")]
		switch {
		case !isKnown:
			return nil
		case isList:
			text = list(text)
		}
		all = append(all, text)
	}
	return all
}

// quote is a literal of a text between quotation marks. Characters that cannot be seen are escaped.
func quote(text string, mark rune, escape func(rune) string) string {
	var b strings.Builder
	b.WriteRune(mark)
	for _, r := range text {
		switch {
		case r == mark || r == '\\':
			b.WriteRune('\\')
			b.WriteRune(r)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		default:
			b.WriteString(escape(r))
		}
	}
	b.WriteRune(mark)
	return b.String()
}
