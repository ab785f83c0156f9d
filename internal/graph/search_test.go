package graph

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseWords(t *testing.T) {
	word := func(text string) Word { return Word{Text: text} }
	prefix := func(text string) Word { return Word{Text: text, Prefix: true} }
	for name, c := range map[string]struct {
		text string
		want []Word
	}{
		"words":                         {" tel \t aviv\n", []Word{word("tel"), word("aviv")}},
		"a phrase":                      {`"tel aviv" beach`, []Word{word("tel aviv"), word("beach")}},
		"a phrase at a word":            {`a"b c"d`, []Word{word("a"), word("b c"), word("d")}},
		"an unclosed quote":             {`tel "aviv beach`, []Word{word("tel"), word("aviv beach")}},
		"a prefix":                      {"por* x", []Word{prefix("por"), word("x")}},
		"a prefix after punctuation":    {"rock-n'ro*", []Word{word("rock"), prefix("n'ro")}},
		"a prefix with a full stop":     {"report-v1.2*", []Word{word("report"), prefix("v1.2")}},
		"a prefix that is not a letter": {"rock-*", []Word{word("rock")}},
		"a star within":                 {"p*rt", []Word{word("p*rt")}},
		"a star in a phrase":            {`"por*"`, []Word{word("por*")}},
		"other scripts":                 {"תל אביב 東* ß", []Word{word("תל"), word("אביב"), prefix("東"), word("ß")}},
		"a symbol":                      {"☃ &", []Word{word("☃")}},
		"syntax of the query parser": {`name:x AND (y^2 -z) [a TO b] \ /r/`, []Word{
			word("name:x"), word("AND"), word("(y^2"), word("-z)"), word("[a"), word("TO"), word("b]"), word("/r/"),
		}},
	} {
		t.Run(name, func(t *testing.T) {
			words, f := ParseWords("q", c.text)
			require.Nil(t, f)
			require.Equal(t, c.want, words)
		})
	}
	for name, text := range map[string]string{
		"nothing": "", "spaces": " \t", "signs": `*** "" "*" && \`, "NUL": "a\x00b", "too long": strings.Repeat("a", MaxSearchText+1),
		"too many": strings.Repeat("a ", MaxSearchWords+1),
	} {
		t.Run(name, func(t *testing.T) {
			_, f := ParseWords("q", text)
			require.NotNil(t, f)
			require.Equal(t, "q", f.Details[0].Field)
		})
	}
}

func TestCheckSearchIndexName(t *testing.T) {
	for _, good := range []string{"a", "Places_2-b", "_x", strings.Repeat("n", MaxSearchIndexName)} {
		require.Nil(t, CheckSearchIndexName("name", good), good)
	}
	for _, bad := range []string{"", "a b", "a/b", "é", "a.b", "_GRAPHRESTx", "`", "x\x00", strings.Repeat("n", MaxSearchIndexName+1)} {
		require.NotNil(t, CheckSearchIndexName("name", bad), bad)
	}
}
