package neo4jbulk

import (
	"fmt"
	"testing"

	"graphrest/internal/neo4jentity"

	"github.com/stretchr/testify/require"
)

const somePrefix = "4:01234567-89ab-cdef-0123-456789abcdef:"

func TestBulkRefsStoreEveryFormOfID(t *testing.T) {
	refs := newBulkRefs()
	owns := []string{
		"", "0193aaaa-0000-7000-8000-000000000001", "0193AAAA-0000-7000-8000-000000000001", "bob", "0193aaaa-0000-7000-8000-00000000000g",
	}
	for n, own := range owns {
		refs.put(refs.refKey(fmt.Sprint(n)), neo4jentity.Reference{ElementID: somePrefix + fmt.Sprint(n), Own: own}, int64(n+1))
	}
	for n, own := range owns {
		at, line, known := refs.get(refs.refKey(fmt.Sprint(n)))
		require.True(t, known)
		require.Equal(t, neo4jentity.Reference{ElementID: somePrefix + fmt.Sprint(n), Own: own}, at)
		require.EqualValues(t, n+1, line)
	}
	_, _, known := refs.get(refs.idKey("1"))
	require.False(t, known, "a ref is no id")
}

func TestElementSet(t *testing.T) {
	set := elementSet{}
	for _, n := range []int{0, 1, 63, 64, elementPage - 1, elementPage, 1 << 40} {
		element := somePrefix + fmt.Sprint(n)
		require.False(t, set.has(element))
		set.add(element)
		require.True(t, set.has(element))
	}
	require.False(t, set.has(somePrefix+"2"))
	require.False(t, set.has("no element"))
}
