package savedview

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCheckName(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"plain":               {"Delayed flights", true},
		"another script":      {"צפיות שלי", true},
		"64 characters":       {strings.Repeat("é", 64), true},
		"markup is only text": {"<b>x</b>", true},
		"empty":               {"", false},
		"65 characters":       {strings.Repeat("é", 65), false},
		"a space around":      {" x", false},
		"a line end":          {"a\nb", false},
		"NUL":                 {"a\x00b", false},
		"a change of writing": {"a\u202eb", false},
	} {
		require.Equal(t, c.want, CheckName("name", c.text) == nil, name)
	}
}

func TestCheckDescription(t *testing.T) {
	require.Nil(t, CheckDescription("description", strings.Repeat("é", MaxDescription)+""))
	require.NotNil(t, CheckDescription("description", strings.Repeat("é", MaxDescription+1)))
	require.NotNil(t, CheckDescription("description", "\x00"))
}

func TestEncodeState(t *testing.T) {
	text, f := EncodeState("state", map[string]any{"b": int64(1), "a": []any{1.5, "<"}})
	require.Nil(t, f)
	require.JSONEq(t, `{"a":[1.5,"<"],"b":1}`, text)
	_, f = EncodeState("state", []any{})
	require.NotNil(t, f)
	_, f = EncodeState("state", map[string]any{"x": strings.Repeat("x", MaxState-8)})
	require.Nil(t, f, "exactly as large as allowed")
	_, f = EncodeState("state", map[string]any{"x": strings.Repeat("x", MaxState-7)})
	require.NotNil(t, f)
}
