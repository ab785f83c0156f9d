package archtest

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Tests say by markers which runs they belong to. The targets that run tests of one subject choose them by name; each of their names must
// be that of a test.
func TestNamesInTheMakefileMatchTests(t *testing.T) {
	tests := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	var names []string
	for file, content := range filesOf(t, ".go") {
		if strings.HasSuffix(file, "_test.go") {
			for _, found := range tests.FindAllStringSubmatch(content, -1) {
				names = append(names, found[1])
			}
		}
	}
	chosen := regexp.MustCompile(`-run '?([A-Za-z|$()^,]+)'?`).FindAllStringSubmatch(shipped(t, "Makefile"), -1)
	require.NotEmpty(t, chosen)
	for _, pattern := range chosen {
		text := pattern[1]
		if inner, given := strings.CutPrefix(text, "$(if $(RUN),$(RUN),"); given { // RUN=... chooses others
			text = strings.TrimSuffix(inner, ")")
		}
		if strings.ContainsAny(text, "$(^") { // another variable, or no test at all
			continue
		}
		for alternative := range strings.SplitSeq(text, "|") {
			matches := regexp.MustCompile(alternative).MatchString
			require.True(t, slices.ContainsFunc(names, matches), "no test matches %q", alternative)
		}
	}
	require.NotRegexp(t, `\bTest[A-Z]`, shipped(t, ".ci/run"), "tests are chosen by their markers")
}
