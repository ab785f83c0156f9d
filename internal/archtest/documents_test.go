package archtest

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// documentedPackages are the packages in the first column of the table in CONTRIBUTING.md.
func documentedPackages(document string) []string {
	_, section, _ := strings.Cut(document, "\n## Packages\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var names []string
	for _, row := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\|").FindAllStringSubmatch(section, -1) {
		names = append(names, row[1])
	}
	return names
}

// CONTRIBUTING.md has the only table of packages, so it is complete and has no stale row.
func TestContributingListsEveryPackage(t *testing.T) {
	documented := documentedPackages(shipped(t, "CONTRIBUTING.md"))
	require.Equal(t, len(documented), len(slices.Compact(slices.Sorted(slices.Values(documented)))), "a package is listed twice")
	require.ElementsMatch(t, packages(tree(t)), documented)
}

func TestDocumentedPackagesAreReadFromTheirSectionOnly(t *testing.T) {
	document := "| `a` | x |\n\n## Packages\n\n| package | contains |\n|---|---|\n| `b/c` | y, `d` |\n\n## Rules\n\n| `e` | z |\n"
	require.Equal(t, []string{"b/c"}, documentedPackages(document))
}

// repositoryPath matches inline code that names a file or directory of the repository.
var repositoryPath = regexp.MustCompile("`((?:cmd|cypher|deployments|docs|internal|\\.ci)/[\\w./-]+)`")

// A recipe that names a file which no longer exists misleads, so every path in these documents exists.
func TestDocumentsNameFilesThatExist(t *testing.T) {
	for _, document := range []string{"CONTRIBUTING.md", "docs/architecture.md", "docs/glossary.md"} {
		paths := repositoryPath.FindAllStringSubmatch(shipped(t, document), -1)
		require.NotEmpty(t, paths, document)
		for _, path := range paths {
			_, err := os.Stat(filepath.Join("..", "..", filepath.FromSlash(path[1])))
			require.NoError(t, err, document)
		}
	}
}
