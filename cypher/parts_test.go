package cypher

import (
	"io/fs"
	"regexp"
	"slices"
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
	require.Equal(t, "NOT toLower(type(r)) STARTS WITH '_graphrest'"+
		" AND CASE WHEN $ends_visible THEN true"+
		" ELSE none(l IN labels(startNode(r)) + labels(endNode(r)) WHERE toLower(l) STARTS WITH '_graphrest') END", VisibleEdge.String())
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

// The condition of a part, or of a slot, has no parentheses around it. So it must be an operand of AND, or the whole condition: it follows
// WHERE, AND, THEN or ELSE, and neither OR nor a comparison follows it. The parts join their tests by AND only.
func TestConditionsOfPartsNeedNoParentheses(t *testing.T) {
	conditions := regexp.MustCompile(`(?s)(?:(\S+)\s+)?\{\{(?:>visible_\w+(?: [^{}]+)?|where|view|listed)\}\}(?:\s*(\S+))?`)
	misplaced := func(text string) (found []string) {
		for _, one := range conditions.FindAllStringSubmatch(text, -1) {
			if !slices.Contains([]string{"WHERE", "AND", "THEN", "ELSE", ""}, one[1]) ||
				slices.Contains([]string{"OR", "XOR", "=", "<>", "IS"}, one[2]) {
				found = append(found, one[0])
			}
		}
		return found
	}
	bracketed := regexp.MustCompile(`\([^()]*\)`)
	weaker := func(text string) bool {
		for bracketed.MatchString(text) {
			text = bracketed.ReplaceAllString(text, "")
		}
		return regexp.MustCompile(`\bX?OR\b`).MatchString(text)
	}
	paths, err := fs.Glob(files, "*/*.*")
	require.NoError(t, err)
	for _, path := range paths {
		raw, err := files.ReadFile(path)
		require.NoError(t, err)
		text := withoutComments(string(raw))
		require.Empty(t, misplaced(text), path)
		if strings.Contains(path, "/visible_") {
			require.False(t, weaker(text), path)
		}
	}
	require.Len(t, misplaced("WHERE a OR {{>visible_node n}}"), 1)
	require.Len(t, misplaced("WHERE NOT {{>visible_edge}} AND a"), 1)
	require.Len(t, misplaced("WHERE {{>visible_node n}} OR a"), 1)
	require.Empty(t, misplaced("WHERE {{>visible_node n}}\n  AND {{view}}"))
	require.True(t, weaker("none(l IN labels(n) WHERE l = 'A') OR n:B"))
	require.False(t, weaker("none(l IN labels(n) WHERE (l = 'A' OR l = 'B')) AND n:B"))
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
