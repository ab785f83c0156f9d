package archtest

import (
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/neo4jdev"
)

// Every place that names a release of Neo4j names a supported one: a release is changed in all of them at once.
func TestPlacesNameTheSupportedReleases(t *testing.T) {
	release := regexp.MustCompile(`\b(5\.26\.\d+|20\d\d\.\d\d\.\d+)\b`)
	files := filesOf(t, ".go", ".md", ".yaml", ".yml", ".properties")
	for _, name := range []string{"Makefile", ".ci/run", "deployments/Dockerfile"} {
		files[name] = shipped(t, name)
	}
	named := map[string]bool{}
	for file, content := range files {
		switch {
		case strings.HasPrefix(file, "docs/benchmarks/"), strings.HasPrefix(file, "docs/adr/"), path.Base(file) == "CHANGELOG.md",
			file == "docs/reliability.md": // what was measured or decided on a release stays
			continue
		}
		content = strings.ReplaceAll(content, "APOC 5.26.19", "APOC") // a plug-in
		for _, found := range release.FindAllString(content, -1) {
			named[file] = true
			require.Contains(t, []string{neo4jdev.Version526, neo4jdev.VersionCalendar}, found, file)
		}
	}
	for _, file := range []string{"Makefile", ".ci/run", "CONTRIBUTING.md", "docs/docker.md", "docs/database-account.md"} {
		require.True(t, named[file], "%s no longer names a release: remove it here", file)
	}
	require.Contains(t, files["Makefile"], "NEO4J_VERSION ?= "+neo4jdev.Version526+"\n")
	require.Contains(t, files[".ci/run"], "\nlts="+neo4jdev.Version526+"\ncalendar="+neo4jdev.VersionCalendar+"\n")
}
