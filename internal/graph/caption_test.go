package graph_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
)

// The statements that read captions and the web interface are tested with the same file.
func TestCaptions(t *testing.T) {
	text, err := os.ReadFile("testdata/captions.json")
	require.NoError(t, err)
	var cases []struct {
		Properties map[string]any `json:"properties"`
		Caption    string         `json:"caption"`
	}
	require.NoError(t, json.Unmarshal(text, &cases))
	require.NotEmpty(t, cases)
	for _, c := range cases {
		p := graph.Properties{}
		for name, value := range c.Properties {
			p[name] = value
			if number, is := value.(float64); is && number == float64(int64(number)) {
				p[name] = int64(number)
			}
		}
		require.Equal(t, c.Caption, p.Caption(), "%v", c.Properties)
	}
	require.Equal(t, strings.Repeat("é", 117)+"...", graph.Properties{"title": strings.Repeat("é", 200)}.Caption())
}
