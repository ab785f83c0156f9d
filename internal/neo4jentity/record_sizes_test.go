package neo4jentity

import (
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/cypher"
)

// TestALargeSizeDecaysWhileItsStatementDoesNotRun: a statement whose records were large is tried again after some refusals, and not at
// once.
func TestALargeSizeDecaysWhileItsStatementDoesNotRun(t *testing.T) {
	var sizes RecordSizes
	text := cypher.NamesInUse.Text(nil)
	require.True(t, sizes.MayBeSmall(text, 100), "unknown")
	sizes.observe(text, 1, 200)
	refusals := 0
	for ; !sizes.MayBeSmall(text, 100); refusals++ {
		require.Less(t, refusals, 100)
	}
	require.Greater(t, refusals, 5)
	sizes.observe(text, 1, 200)
	require.False(t, sizes.MayBeSmall(text, 100), "large again")
	sizes.observe(text, 1, 50)
	require.True(t, sizes.MayBeSmall(text, 100))
}
