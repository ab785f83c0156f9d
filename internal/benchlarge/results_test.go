package benchlarge

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Each question has a unique name.
func TestQuestions(t *testing.T) {
	asked := map[string]bool{}
	for _, q := range allQuestions() {
		require.False(t, asked[q.Name], q.Name)
		asked[q.Name] = true
	}
}
