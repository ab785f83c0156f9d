package httpapi

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
)

func revisions(values ...graph.Revision) []graph.Revision { return values }

func TestParseTags(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		star  bool
		tags  []graph.Revision
		ok    bool
	}{
		{"star", []string{"*"}, true, nil, true},
		{"star with space", []string{" *\t"}, true, nil, true},
		{"one", []string{`"a"`}, false, revisions("a"), true},
		{"empty tag", []string{`""`}, false, revisions(""), true},
		{"list", []string{`"a", "b"`}, false, revisions("a", "b"), true},
		{"two lines", []string{`"a"`, `"b"`}, false, revisions("a", "b"), true},
		{"empty members", []string{`, "a",, "b",`}, false, revisions("a", "b"), true},
		{"weak", []string{`W/"a"`}, false, revisions("a"), true},
		{"weak and strong", []string{`"a", W/"b", "c"`}, false, revisions("a", "b", "c"), true},
		{"with the coding of the answer", []string{`"a-gzip", W/"b-br", "c-zstd"`}, false, revisions("a", "b", "c"), true},
		{"with the coding of other proxies", []string{`"a--gzip", "b;gzip", "c-df"`}, false, revisions("a", "b", "c"), true},
		{"another suffix", []string{`"a-b"`}, false, revisions("a-b"), true},
		{"weak without quotes", []string{`W/a`}, false, nil, false},
		{"comma inside a tag", []string{`"a,b"`}, false, revisions("a,b"), true},
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
		// A proxy that compresses changes no tag to another revision.
		var again []string
		for _, tag := range tags {
			again = append(again, `W/"`+string(tag)+`-gzip"`)
		}
		_, second, ok := parseTags([]string{strings.Join(again, ", ")})
		require.True(t, ok)
		require.Equal(t, tags, second)
	})
}
