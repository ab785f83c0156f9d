package graph

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGivenIDProblem(t *testing.T) {
	for _, c := range []struct {
		id        string
		anyForm   bool
		isAllowed bool
	}{
		{"018f0000-0000-7000-8000-000000000000", false, true},
		{"4:018f0000-0000-7000-8000-000000000000:7", false, true},
		{"018F0000-0000-7000-8000-00000000000A", false, false},
		{"018f0000000070008000000000000000", false, false},
		{"{018f0000-0000-7000-8000-000000000000}", false, false},
		{"urn:uuid:018f0000-0000-7000-8000-000000000000", false, false},
		{"n1", false, false},
		{"n1", true, true},
		{"a/b?c#d%2F é", true, true},
		{"...", true, true},
		{".", true, false},
		{"..", true, false},
		{"a\nb", true, false},
		{"\u0085", true, false},
	} {
		require.Equal(t, c.isAllowed, GivenIDProblem(c.id, c.anyForm) == "", "%q", c.id)
	}
}
