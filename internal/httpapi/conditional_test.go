package httpapi

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseTags(t *testing.T) {
	strong := func(values ...string) (tags []entityTag) {
		for _, v := range values {
			tags = append(tags, entityTag{value: v})
		}
		return tags
	}
	for _, c := range []struct {
		name  string
		lines []string
		star  bool
		tags  []entityTag
		ok    bool
	}{
		{"star", []string{"*"}, true, nil, true},
		{"star with space", []string{" *\t"}, true, nil, true},
		{"one", []string{`"a"`}, false, strong("a"), true},
		{"empty tag", []string{`""`}, false, strong(""), true},
		{"list", []string{`"a", "b"`}, false, strong("a", "b"), true},
		{"two lines", []string{`"a"`, `"b"`}, false, strong("a", "b"), true},
		{"empty members", []string{`, "a",, "b",`}, false, strong("a", "b"), true},
		{"weak", []string{`W/"a"`}, false, []entityTag{{"a", true}}, true},
		{"comma inside a tag", []string{`"a,b"`}, false, strong("a,b"), true},
		{"nothing", []string{""}, false, nil, false},
		{"commas only", []string{",,"}, false, nil, false},
		{"no quotes", []string{`a`}, false, nil, false},
		{"open quote", []string{`"a`}, false, nil, false},
		{"weak in small letters", []string{`w/"a"`}, false, nil, false},
		{"space inside", []string{`"a b"`}, false, nil, false},
		{"no comma", []string{`"a""b"`}, false, nil, false},
		{"star in a list", []string{`*, "a"`}, false, nil, false},
		{"star twice", []string{`*`, `*`}, false, nil, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			star, tags, ok := parseTags(c.lines)
			require.Equal(t, c.ok, ok)
			if ok {
				require.Equal(t, c.star, star)
				require.Equal(t, c.tags, tags)
			}
		})
	}
}

func FuzzParseTags(f *testing.F) {
	for _, seed := range []string{"*", `"a"`, `W/"a", "b"`, `"`, ``, `,"a"`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		star, tags, ok := parseTags([]string{line})
		if !ok || star {
			require.Empty(t, tags)
			return
		}
		// Writing a parsed list and parsing it again gives the same list.
		var again []string
		for _, tag := range tags {
			text := `"` + tag.value + `"`
			if tag.weak {
				text = "W/" + text
			}
			again = append(again, text)
		}
		_, second, ok := parseTags([]string{strings.Join(again, ", ")})
		require.True(t, ok)
		require.Equal(t, tags, second)
	})
}
