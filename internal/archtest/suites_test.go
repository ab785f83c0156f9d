package archtest

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A pattern that chooses tests in the Makefile and in .ci/run has no alternative that matches none.
func TestPatternsOfSuitesMatchTests(t *testing.T) {
	tests := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	var names, ofTheStore []string
	for file, content := range filesOf(t, ".go") {
		if !strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, found := range tests.FindAllStringSubmatch(content, -1) {
			names = append(names, found[1])
			if strings.Contains(file, "internal/neo4jstore/") {
				ofTheStore = append(ofTheStore, found[1])
			}
		}
	}
	ci, makefile := shipped(t, ".ci/run"), shipped(t, "Makefile")
	for pattern, from := range map[string][]string{
		shellPattern(ci, "long"):               names,
		shellPattern(ci, "concurrent"):         names,
		shellPattern(ci, "of_the_release"):     ofTheStore,
		shellPattern(makefile, "LONG_SUITES "): names,
	} {
		require.NotEmpty(t, pattern)
		for alternative := range strings.SplitSeq(pattern, "|") {
			test, _, _ := strings.Cut(alternative, "/")
			matches := regexp.MustCompile(test).MatchString
			require.True(t, slices.ContainsFunc(from, matches), "no test matches %q", alternative)
		}
	}
}

// shellPattern joins the parts of a pattern that a shell script or a Makefile assigns to a variable.
func shellPattern(script, variable string) (pattern string) {
	before := `(?m)^` + variable + `(?:\+?=|:=) ?'?(?:\$\(` + strings.TrimSpace(variable) + `\))?`
	assigned := regexp.MustCompile(before + `([^'\n]*)'?$`)
	for _, part := range assigned.FindAllStringSubmatch(script, -1) {
		pattern += part[1]
	}
	return pattern
}
