package graph

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReserved(t *testing.T) {
	for name, want := range map[string]bool{
		"_Graphrest": true, "_GraphrestUser": true, "_gRAPHREST": true, "_graphrest_x": true,
		"": false, "_": false, "_Graphres": false, "Graphrest": false,
		"_Graphre\u017ftUser": false, "_Graphres\u017f": false, "x_Graphrest": false,
	} {
		require.Equal(t, want, Reserved(name), "%q", name)
	}
}
