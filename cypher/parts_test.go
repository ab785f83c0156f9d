package cypher

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPartsAreIncluded(t *testing.T) {
	text, included := includeParts("WHERE {{>visible_edge}} AND {{>visible_labels names}}")
	require.Equal(t, "WHERE NOT toLower(type(r)) STARTS WITH '_graphrest'"+
		"\n  AND none(l IN labels(a) WHERE toLower(l) STARTS WITH '_graphrest')"+
		"\n  AND none(l IN labels(b) WHERE toLower(l) STARTS WITH '_graphrest')"+
		" AND none(l IN names WHERE toLower(l) STARTS WITH '_graphrest')", text)
	require.Equal(t, []string{"visible_edge", "visible_type r", "visible_node a", "visible_node b", "visible_labels names"}, included)
	require.Panics(t, func() { includeParts("{{>unknown}}") })
	_, err := parse("x", "// name: x\n// access: read\n// params: -\n// returns: -\n// plan: -\nMATCH (n) WHERE {{>visible_node}} RETURN n")
	require.Error(t, err, "the variable is missing")
}

// Every part is listed and used.
func TestPartsAreUsed(t *testing.T) {
	used := map[string]bool{}
	for _, s := range loaded {
		for _, part := range s.Parts {
			name, _, _ := strings.Cut(part, " ")
			used[name] = true
		}
	}
	found, err := fs.Glob(files, "*/*.part")
	require.NoError(t, err)
	require.Len(t, parts, len(found))
	for name, path := range parts {
		require.Contains(t, found, path)
		require.True(t, used[name], name)
	}
}

// The tests that hide internal data are those of the parts: the check of each statement's exclusion relies on it.
func TestStatementsHideInternalDataByParts(t *testing.T) {
	byHand := regexp.MustCompile(`(?i)(none\(\w+ IN .*|NOT toLower\(type\(\w+\)\)) STARTS WITH '_graphrest'`)
	paths, err := fs.Glob(files, "*/*.cypher")
	require.NoError(t, err)
	for _, path := range paths {
		raw, err := files.ReadFile(path)
		require.NoError(t, err)
		require.NotRegexp(t, byHand, string(raw), path)
	}
	require.Regexp(t, byHand, "WHERE none(l IN labels(n) WHERE toLower(l) STARTS WITH '_graphrest')")
}
