package archtest

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// documentedPackages are the packages in the first column of the table in docs/architecture.md.
func documentedPackages(document string) []string {
	_, section, _ := strings.Cut(document, "\n## Packages\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var names []string
	for _, row := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\|").FindAllStringSubmatch(section, -1) {
		names = append(names, row[1])
	}
	return names
}

// docs/architecture.md has the only table of packages, so it is complete and has no stale row.
func TestTheArchitectureListsEveryPackage(t *testing.T) {
	documented := documentedPackages(shipped(t, "docs/architecture.md"))
	require.Equal(t, len(documented), len(slices.Compact(slices.Sorted(slices.Values(documented)))), "a package is listed twice")
	require.ElementsMatch(t, packages(tree(t)), documented)
}

func TestDocumentedPackagesAreReadFromTheirSectionOnly(t *testing.T) {
	document := "| `a` | x |\n\n## Packages\n\n| package | contains |\n|---|---|\n| `b/c` | y, `d` |\n\n## Rules\n\n| `e` | z |\n"
	require.Equal(t, []string{"b/c"}, documentedPackages(document))
}

// repositoryPath matches inline code that names a file or directory of the repository; sourcePath, a file by the end of its path.
var (
	repositoryPath = regexp.MustCompile("`((?:cmd|cypher|deployments|docs|internal|\\.ci)/[\\w./-]+)`")
	sourcePath     = regexp.MustCompile("`([\\w.-]+(?:/[\\w.-]+)+\\.(?:go|cypher|part|md|tsx?))`")
)

// pathRoots are the directories from which documents name files.
var pathRoots = []string{"", "internal", "internal/webui/app", "internal/webui/app/src"}

// generatedFiles are named in documents but are not in git.
var generatedFiles = []string{"src/api/openapi.ts"}

// stalePaths returns the paths that a document names in inline code and that do not exist.
func stalePaths(document, text string) []string {
	var stale []string
	for _, match := range repositoryPath.FindAllStringSubmatch(text, -1) {
		if !exists(match[1]) {
			stale = append(stale, document+": "+match[1])
		}
	}
	for _, match := range sourcePath.FindAllStringSubmatch(text, -1) {
		isThere := func(root string) bool { return exists(root + "/" + match[1]) }
		if !slices.Contains(generatedFiles, match[1]) && !slices.ContainsFunc(append(pathRoots, filepath.Dir(document)), isThere) {
			stale = append(stale, document+": "+match[1])
		}
	}
	return stale
}

func exists(name string) bool {
	_, err := os.Stat(filepath.Join("..", "..", filepath.FromSlash(name)))
	return err == nil
}

// markdownLink matches the destination of an inline link; heading, the text of a heading.
var (
	markdownLink = regexp.MustCompile(`\]\(([^()\s]+)\)`)
	heading      = regexp.MustCompile(`(?m)^#{1,6} +(.+?) *#*$`)
	codeBlock    = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	inlineCode   = regexp.MustCompile("`[^`\n]*`")
	notInAnchor  = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
)

// anchors returns the anchors of a document's headings, as GitHub derives them: in lower case, without punctuation, with hyphens for
// spaces.
func anchors(text string) []string {
	var all []string
	for _, h := range heading.FindAllStringSubmatch(codeBlock.ReplaceAllString(text, ""), -1) {
		shown := markdownLink.ReplaceAllString(h[1], "")
		all = append(all, strings.ReplaceAll(notInAnchor.ReplaceAllString(strings.ToLower(shown), ""), " ", "-"))
	}
	return all
}

// brokenLinks returns the relative links of a document to files or anchors that do not exist.
func brokenLinks(document, text string, read func(file string) (string, bool)) []string {
	var broken []string
	for _, link := range markdownLink.FindAllStringSubmatch(inlineCode.ReplaceAllString(codeBlock.ReplaceAllString(text, ""), ""), -1) {
		file, anchor, _ := strings.Cut(link[1], "#")
		if strings.Contains(link[1], ":") {
			continue // a URL
		}
		target := document
		if file != "" {
			target = path.Join(path.Dir(document), file)
		}
		content, found := read(target)
		if !found || anchor != "" && !slices.Contains(anchors(content), anchor) {
			broken = append(broken, document+": "+link[1])
		}
	}
	return broken
}

// A document that names a file or section that no longer exists misleads.
func TestDocumentsNameFilesAndSectionsThatExist(t *testing.T) {
	documents := filesOf(t, ".md")
	require.Greater(t, len(documents), 40)
	read := func(name string) (string, bool) {
		if !strings.HasSuffix(name, ".md") {
			return "", exists(name)
		}
		text, found := documents[name]
		return text, found
	}
	var wrong []string
	for name, text := range documents {
		wrong = append(wrong, stalePaths(name, text)...)
		wrong = append(wrong, brokenLinks(name, text, read)...)
	}
	require.Empty(t, wrong)
}

func TestStalePathsAndBrokenLinksAreFound(t *testing.T) {
	require.Len(t, stalePaths("docs/x.md", "`internal/nosuch.go` `httpapi/nosuch.go` `internal/graph` `graph/value.go`"), 3)
	text := "# A title: `of` one\n[a](#a-title-of-one) [b](#none) [c](other.md) [d](none.md#x) [e](https://example.com/#x)\n" +
		"```sh\n[f](g)\n```\n"
	read := func(name string) (string, bool) { return text, name == "docs/x.md" || name == "docs/other.md" }
	require.Equal(t, []string{"docs/x.md: #none", "docs/x.md: none.md#x"}, brokenLinks("docs/x.md", text, read))
}

// namedFile matches a reference of a comment to a Go file.
var namedFile = regexp.MustCompile(`\bsee ((?:[\w-]+/)*\w+\.go)\b`)

// staleReferences returns the files that a comment names with "see" and that exist neither beside it nor by their path.
func staleReferences(file, comment string) []string {
	var stale []string
	for _, named := range namedFile.FindAllStringSubmatch(comment, -1) {
		if !exists(path.Dir(file)+"/"+named[1]) && !exists(named[1]) && !exists("internal/"+named[1]) {
			stale = append(stale, file+": "+named[1])
		}
	}
	return stale
}

func TestCommentsNameFilesThatExist(t *testing.T) {
	var stale []string
	for _, c := range goWritings(t) {
		stale = append(stale, staleReferences(c.file, c.text)...)
	}
	require.Empty(t, stale)
	require.Len(t, staleReferences("internal/httpapi/route.go", "see abandoned.go, and see graph/stop.go or see pipeline.go"), 1)
}

// statementWord matches a word that is written as the names of statements are.
var statementWord = regexp.MustCompile(`(?:^|[^\w$./])([a-z]+(?:_[a-z]+)+)(?:\W|$)`)

// unknownStatements returns the words in the comments of a statement that are written like names of statements, and are neither one nor
// part of this statement.
func unknownStatements(file, text string, names []string) []string {
	comments, code := splitComments(text)
	var unknown []string
	for _, word := range statementWord.FindAllStringSubmatch(comments, -1) {
		begins := func(name string) bool { return name == word[1] || strings.HasPrefix(name, word[1]+"_") } // a name or the beginning of several
		if !slices.ContainsFunc(names, begins) && !strings.Contains(code, word[1]) {
			unknown = append(unknown, file+": "+word[1])
		}
	}
	return unknown
}

// splitComments separates the comment lines of Cypher from its code. The parameters, lists, columns and slots of the header count as code.
func splitComments(text string) (comments, code string) {
	var c, s strings.Builder
	for line := range strings.Lines(text) {
		comment, isComment := strings.CutPrefix(line, "//")
		to := &s
		if isComment && !regexp.MustCompile(`^ (params|lists|returns|slots|plan|hits): `).MatchString(comment) {
			to = &c
		}
		to.WriteString(line)
	}
	return c.String(), s.String()
}

func TestHeadersOfStatementsNameStatementsThatExist(t *testing.T) {
	statements := filesOf(t, ".cypher", ".part")
	require.NotEmpty(t, statements)
	var names, unknown []string
	for file := range statements {
		names = append(names, strings.TrimSuffix(path.Base(file), path.Ext(file)))
	}
	for file, text := range statements {
		unknown = append(unknown, unknownStatements(file, text, names)...)
	}
	require.Empty(t, unknown)
	text := "// As list_nodes, no_such and a_column.\n// params: a_column\nRETURN 1"
	require.Equal(t, []string{"x: no_such"}, unknownStatements("x", text, []string{"list_nodes"}))
}
