package graph

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGivenIDProblem(t *testing.T) {
	for _, c := range []struct {
		kind      Kind
		id        string
		anyForm   bool
		isAllowed bool
	}{
		{NodeKind, "018f0000-0000-7000-8000-000000000000", false, true},
		{NodeKind, "4:018f0000-0000-7000-8000-000000000000:7", false, true},
		{EdgeKind, "018f0000-0000-7000-8000-000000000000", false, true},
		{EdgeKind, "5:018f0000-0000-7000-8000-000000000000:7", false, true},
		{NodeKind, "5:018f0000-0000-7000-8000-000000000000:7", false, false},
		{EdgeKind, "4:018f0000-0000-7000-8000-000000000000:7", false, false},
		{NodeKind, "5:018f0000-0000-7000-8000-000000000000:7", true, true},
		{NodeKind, "6:018f0000-0000-7000-8000-000000000000:7", false, false},
		{NodeKind, "018F0000-0000-7000-8000-00000000000A", false, false},
		{NodeKind, "018f0000000070008000000000000000", false, false},
		{NodeKind, "{018f0000-0000-7000-8000-000000000000}", false, false},
		{NodeKind, "urn:uuid:018f0000-0000-7000-8000-000000000000", false, false},
		{NodeKind, "n1", false, false},
		{NodeKind, "n1", true, true},
		{NodeKind, "a/b?c#d%2F é", true, true},
		{NodeKind, "...", true, true},
		{NodeKind, ".", true, false},
		{NodeKind, "..", true, false},
		{NodeKind, "a\nb", true, false},
		{NodeKind, "\u0085", true, false},
	} {
		require.Equal(t, c.isAllowed, GivenIDProblem(c.kind, c.id, c.anyForm) == "", "%s %q", c.kind, c.id)
	}
}
