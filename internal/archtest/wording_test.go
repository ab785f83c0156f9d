package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// writing is a comment, a text of the program, or a document.
type writing struct {
	file string
	text string
}

// goWritings returns the comments of all Go files, and the texts of those that are no tests.
func goWritings(t *testing.T) []writing {
	t.Helper()
	var all []writing
	for file, content := range filesOf(t, ".go") {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, content, parser.ParseComments|parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, group := range parsed.Comments {
			all = append(all, writing{file, group.Text()})
		}
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if text, isText := n.(*ast.BasicLit); isText && text.Kind == token.STRING {
				all = append(all, writing{file, text.Value})
			}
			return true
		})
	}
	return all
}

// unclearPhrases are phrases that comments, documents and errors do not use, and what to write instead.
var unclearPhrases = []struct {
	phrase *regexp.Regexp
	use    string
}{
	{regexp.MustCompile(`(?i)\b(anew|told|patience|hears of|save that|nothing but|in vain|for nothing)\b`), "plain technical English"},
	{regexp.MustCompile(`(?i)\b(comes?|came) to\b`), "becomes, is, reaches"},
	{regexp.MustCompile(`(?i)\bpast the (gateway|API)\b`), "outside the gateway"},
	{regexp.MustCompile(`(?i)\bapart by (commas|spaces|tabs)\b`), "comma-separated"},
	{regexp.MustCompile(`(?i)\bthis very (query|request|type|id|entity)\b`), "the same"},
	{regexp.MustCompile(`\b(says|tells) whether\b`), "reports whether"},
	{regexp.MustCompile(`\bof (its|their) own([.,;:)"]|$)`), "own, separate, dedicated"},
	{regexp.MustCompile(`(?i)\bgoes on there\b|\blooked at\b`), "resumes from it, is evaluated"},
}

// unclear returns the phrases of a writing that are to be replaced.
func unclear(w writing) []string {
	var found []string
	text := strings.Join(strings.Fields(w.text), " ")
	for _, p := range unclearPhrases {
		if phrase := p.phrase.FindString(text); phrase != "" {
			found = append(found, w.file+": "+phrase+" ("+p.use+")")
		}
	}
	return found
}

// lineMarkers are the characters that begin a line of a comment.
var lineMarkers = regexp.MustCompile(`(?m)^\s*(//|#+|\*)`)

// TestWording: comments, documents and errors use the terms of the field, as the texts of the web interface do (src/wording.test.ts).
func TestWording(t *testing.T) {
	all := goWritings(t)
	for file, text := range filesOf(t, ".md", ".cypher", ".part", ".js", ".py", ".toml", ".yaml", "") {
		isRead := !strings.HasPrefix(file, "internal/webui/") || strings.HasSuffix(file, ".md")
		if isRead && file != "CHANGELOG.md" {
			all = append(all, writing{file, lineMarkers.ReplaceAllString(text, "")})
		}
	}
	require.Greater(t, len(all), 5000)
	var found []string
	for _, w := range all {
		if w.file != "internal/archtest/wording_test.go" {
			found = append(found, unclear(w)...)
		}
	}
	require.Empty(t, found)
}

func TestWordingFindsPhrases(t *testing.T) {
	for _, text := range []string{"Built anew", "past the\n gateway", "x says whether y", "names apart by commas", "in vain"} {
		require.NotEmpty(t, unclear(writing{"x.go", text}), text)
	}
	require.Empty(t, unclear(writing{"x.go", "reports whether a page of its owner is comma-separated"}))
}
