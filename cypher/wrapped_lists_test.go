package cypher

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	parameterPattern = regexp.MustCompile(`\$(\w+)`)
	unwrapPattern    = regexp.MustCompile(`\$(\w+)\[0\]`)
)

// fragmentLists are the parameters that fragments of this package take out of another list, by the slot that the fragment fills. Those of
// the slot each have one list for each type, so that they are not wrapped: the exception to the rule.
var fragmentLists = map[string]string{"ends": "end_keys", "each": "ids"}

// namesIn are the names that a pattern finds in the literal parts of a statement.
func (s Statement) namesIn(pattern *regexp.Regexp) []string {
	var names []string
	for _, p := range s.template {
		for _, found := range pattern.FindAllStringSubmatch(p.literal, -1) {
			names = append(names, found[1])
		}
	}
	return names
}

// A statement that takes a list out of another must declare it, or the parameter is sent as it is.
func TestStatementsDeclareTheListsThatTheyUnwrap(t *testing.T) {
	declared := 0
	for _, s := range All() {
		unwrapped, used := s.namesIn(unwrapPattern), s.namesIn(parameterPattern)
		for _, name := range unwrapped {
			require.Contains(t, s.Lists, name, "%s takes a list out of $%s", s.Name, name)
		}
		for _, name := range s.Lists {
			declared++
			if name == fragmentLists["ends"] {
				require.Contains(t, s.Slots, "ends", s.Name)
				require.NotContains(t, used, name, s.Name)
				continue
			}
			require.Contains(t, s.Params, name, s.Name)
			require.Contains(t, unwrapped, name, "%s declares the list %s", s.Name, name)
			require.Equal(t, count(used, name), count(unwrapped, name), "%s uses the parameter %s also as it is", s.Name, name)
		}
		require.Len(t, slices.Compact(slices.Sorted(slices.Values(s.Lists))), len(s.Lists), s.Name)
		if slices.Contains(s.Slots, "ends") && strings.Contains(s.Text(filled(s)).String(), "collect([i, ") {
			require.Contains(t, s.Lists, fragmentLists["ends"], "%s has rows to which WithEndValues adds a column", s.Name)
		}
		if slices.Contains(s.Slots, "each") {
			require.NotContains(t, s.Lists, fragmentLists["each"], s.Name)
		}
	}
	require.Greater(t, declared, 50)
}

func count(names []string, name string) (n int) {
	for _, one := range names {
		if one == name {
			n++
		}
	}
	return n
}

func filled(s Statement) Slots {
	slots := Slots{}
	for _, slot := range s.Slots {
		slots[slot] = Quote(slot)
	}
	return slots
}

// The Go files of this package have no other fragment that takes a list out of a parameter.
func TestFragmentsThatUnwrapListsAreKnown(t *testing.T) {
	unwraps := regexp.MustCompile(`\$(\w+)\[(?:0|\{\{)`)
	entries, err := os.ReadDir(".")
	require.NoError(t, err)
	found := map[string]bool{}
	for _, entry := range entries {
		if name := entry.Name(); strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			raw, err := os.ReadFile(name)
			require.NoError(t, err)
			for line := range strings.Lines(string(raw)) {
				code, _, _ := strings.Cut(line, "//")
				for _, one := range unwraps.FindAllStringSubmatch(code, -1) {
					found[one[1]] = true
				}
			}
		}
	}
	delete(found, "sort") // its members are taken one by one: the values after which a sorted page begins
	require.Equal(t, map[string]bool{fragmentLists["ends"]: true, fragmentLists["each"]: true}, found)
}

func TestWrapListsChangesOnlyACopy(t *testing.T) {
	text := UpdateNodes.Text(Slots{"id": Quote("uuid")})
	params := map[string]any{"rows": []string{"a", "b"}, "audit": nil, "managed": []string{"A"}}
	for _, sent := range []map[string]any{text.WrapLists(params), text.Explain().WrapLists(params)} {
		require.Equal(t, map[string]any{"rows": []any{[]string{"a", "b"}}, "audit": nil, "managed": []string{"A"}}, sent)
	}
	require.Equal(t, []string{"a", "b"}, params["rows"])
	require.Nil(t, Ping.Text(nil).WrapLists(nil))
	each := NodesByIDEach.Text(Slots{"each": NodesPerType([]string{"A"}, Quote("uuid")), "content": AllContent(NodeVariable)})
	perType := map[string]any{"ids": [][]any{{"a"}}}
	require.Equal(t, perType, each.WrapLists(perType))
}
