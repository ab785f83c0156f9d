package declared

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/typedjson"
)

// The web interface checks its forms by the same cases, in src/declared/check.test.ts.
func TestFormsAreCheckedInTheSameWay(t *testing.T) {
	text, err := os.ReadFile("testdata/form_checks.json")
	require.NoError(t, err)
	var cases []struct {
		Name               string
		Schema, Properties json.RawMessage
		Violations         map[string]string
	}
	require.NoError(t, json.Unmarshal(text, &cases))
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			properties := graph.Properties{}
			var members map[string]json.RawMessage
			require.NoError(t, json.Unmarshal(c.Properties, &members))
			for name, member := range members {
				value, f := typedjson.ParseValue(name, string(member))
				require.Nil(t, f)
				properties[name] = value
			}
			want := []fault.Detail{}
			for name, message := range c.Violations {
				want = append(want, fault.Detail{Field: "properties." + name, Message: message})
			}
			assert.ElementsMatch(t, want, rules(t, string(c.Schema)).Problems(properties, Ends{}))
		})
	}
}
