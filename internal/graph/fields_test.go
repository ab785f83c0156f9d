package graph

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseFields(t *testing.T) {
	many := make([]string, MaxFields+1)
	for i := range many {
		many[i] = fmt.Sprint(i)
	}
	for _, c := range []struct {
		name, text string
		want       Fields
		wrong      bool
	}{
		{name: "one", text: "name", want: Fields{"name"}},
		{name: "several", text: "name,born", want: Fields{"name", "born"}},
		{name: "spaces belong to names", text: " a, b", want: Fields{" a", " b"}},
		{name: "an array, for names with commas", text: `["a,b","[c"]`, want: Fields{"a,b", "[c"}},
		{name: "nothing", text: "", wrong: true},
		{name: "an empty array", text: "[]", wrong: true},
		{name: "an empty name", text: "a,,b", wrong: true},
		{name: "an empty name in an array", text: `["a",""]`, wrong: true},
		{name: "no array of strings", text: `[1]`, wrong: true},
		{name: "null in an array", text: `["a",null]`, wrong: true},
		{name: "a broken array", text: `["a"`, wrong: true},
		{name: "twice", text: "a,a", wrong: true},
		{name: "a NUL", text: "a\x00", wrong: true},
		{name: "as many as may be", text: strings.Join(many[1:], ","), want: many[1:]},
		{name: "too many", text: strings.Join(many, ","), wrong: true},
		{name: "too long", text: strings.Repeat("x", maxPropertyName+1), wrong: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, f := ParseFields("fields", c.text)
			require.Equal(t, c.wrong, f != nil)
			require.Equal(t, c.want, got)
			if f != nil {
				require.Equal(t, "fields", f.Details[0].Field)
			}
		})
	}
}

func TestFieldsKeep(t *testing.T) {
	p := Properties{"a": int64(1), "b": "x"}
	require.Equal(t, p, Fields(nil).Select(p))
	require.Equal(t, Properties{"b": "x"}, Fields{"b", "c"}.Select(p))
	require.Equal(t, Properties{}, Fields{"c"}.Select(p))
	require.Len(t, p, 2, "the given map is unchanged")
}
