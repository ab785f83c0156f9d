package graph_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
)

func TestNamesAreVisible(t *testing.T) {
	for _, name := range []string{"admin", "Ann Lee", "José", "李雷", "محمد", "😀", "a/b", strings.Repeat("é", 64)} {
		require.Nil(t, graph.CheckName("name", name, 64), name)
	}
	for _, name := range []string{
		"", " admin", "admin ", "admin\u00a0", strings.Repeat("é", 65), "\xff", "ad\nmin", "ad\u0085min", "a\u2028b", "a\u2029b",
		"a  b", "a \u00a0b", "a\u3000\u3000b",
		"ad\u00admin", "admin\u200b", "a\u2060b", "a\ufeffb", "\u3164", "\uffa0", "\u115f", "a\u034fb",
		"a\u061cb", "a\u200eb", "a\u202eb", "a\u2066b",
		"a\u200cb", "a\u200db", "a\u2064b", "a\u206ab", "a\u17b4b", "a\u180bb", "a\u180eb", "a\ufe0f", "a\ufff0b", "a\ufff9b",
		"a\u2065b", "a\u2800b",
		"a\U0001d173b", "a\U000e0001b", "a\U000e0041b", "a\U000e0100", "a\U000e0fffb",
	} {
		fault := graph.CheckName("name", name, 64)
		require.NotNil(t, fault, "%q", name)
		require.Equal(t, "name", fault.Details[0].Field)
	}
}
