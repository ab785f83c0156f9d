package cypher

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestABoundOnDBHitsIsForThePageOrForEachRow(t *testing.T) {
	total, err := parseBound("400")
	require.NoError(t, err)
	require.Equal(t, int64(400), total.Of(100))
	each, err := parseBound("12 per row")
	require.NoError(t, err)
	require.Equal(t, int64(1200), each.Of(100))
	for _, invalid := range []string{"", "-", "0", "-1", "12 per page", "per row", "many"} {
		_, err := parseBound(invalid)
		require.Error(t, err, invalid)
	}
}
