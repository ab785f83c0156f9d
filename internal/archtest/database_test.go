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

var calledProcedure = regexp.MustCompile(`\bCALL ([a-z]\w*(?:\.\w+)+)\(`)

// calledProcedures are those that the gateway's statements call, in byte order.
func calledProcedures(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../../cypher/*/*.cypher")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	var names []string
	for _, file := range files {
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, found := range calledProcedure.FindAllStringSubmatch(string(content), -1) {
			names = append(names, found[1])
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// The settings that close the database's server are shown in three places; each is what the guide says, and the allow-list names just
// the procedures that statements call.
func TestServerSettingsAreTheSameEverywhere(t *testing.T) {
	guide := shipped(t, "docs/database-account.md")
	_, block, found := strings.Cut(guide, "```properties\n")
	require.True(t, found)
	block, _, _ = strings.Cut(block, "```")
	environment := compose(t)["neo4j"].Environment
	values := shipped(t, "deployments/kubernetes/neo4j.yaml")
	lines := strings.Split(strings.TrimSpace(block), "\n")
	require.Len(t, lines, 3)
	for _, line := range lines {
		name, value, _ := strings.Cut(line, "=")
		variable := "NEO4J_" + strings.ReplaceAll(strings.ReplaceAll(name, "_", "__"), ".", "_")
		require.Equal(t, value, environment[variable], variable)
		require.Contains(t, values, "\n  "+name+`: "`+value+`"`)
		if strings.HasSuffix(name, ".allowlist") {
			require.Equal(t, calledProcedures(t), strings.Split(value, ","))
		}
	}
}

func TestComposeDatabaseIsConfined(t *testing.T) {
	for name, s := range compose(t) {
		require.Equal(t, []string{"ALL"}, s.CapDrop, name)
		require.Equal(t, []string{"no-new-privileges:true"}, s.SecurityOpt, name)
		require.NotEmpty(t, s.MemLimit, name)
		require.Positive(t, s.PidsLimit, name)
	}
	neo4j := compose(t)["neo4j"]
	require.Equal(t, "7474:7474", neo4j.User, "as root the image would need capabilities")
	require.Regexp(t, `^\$\{NEO4J_IMAGE:-neo4j:5\.26\.\d+-community\}$`, neo4j.Image)
	require.Regexp(t, `^\$\{GRAPHREST_IMAGE:-graphrest:local\}$`, compose(t)["gateway"].Image)
}
