package graph

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCutOperationFieldReversesOperationField(t *testing.T) {
	for _, field := range []string{"", "id", "properties.a.b", "labels[0]"} {
		index, got, ok := CutOperationField(OperationField(3, field), 4)
		require.True(t, ok, field)
		require.Equal(t, 3, index)
		require.Equal(t, field, got)
	}
	for _, other := range []string{
		"", "name", "operations", "operations[", "operations[]", "operations[x].id", "operations[-1].id", "operations[4].id",
	} {
		_, _, ok := CutOperationField(other, 4)
		require.False(t, ok, other)
	}
}
