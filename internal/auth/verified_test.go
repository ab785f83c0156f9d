package auth

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestVerifiedTokensAreBounded(t *testing.T) {
	var v verifiedTokens
	c := &claims{ID: "kept"}
	v.put("kept", c)
	for i := range 3 * verifiedGeneration {
		require.Same(t, c, v.get("kept"), "used entries are kept")
		v.put(fmt.Sprint(i), &claims{})
	}
	require.LessOrEqual(t, len(v.young)+len(v.old), 2*verifiedGeneration+1)
	require.Nil(t, v.get("0"), "unused entries are evicted")
}
