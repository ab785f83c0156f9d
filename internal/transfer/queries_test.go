package transfer

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestQueryFiles(t *testing.T) {
	const text = "// name: by_country\n// description: By country\n// parameters: {\"country\":{\"type\":\"string\"}}\n// timeout: \"2s\"\n" +
		"// allow: [\"unbounded_path\"]\nRETURN $country AS country\n// a comment of the Cypher\n"
	q, err := ParseQueryFile("file", text)
	require.NoError(t, err)
	require.Equal(t, "by_country", q.Name)
	require.Equal(t, "RETURN $country AS country\n// a comment of the Cypher", q.Cypher)
	require.JSONEq(t, `"By country"`, string(q.Members["description"]))
	again, err := ParseQueryFile("file", FormatQueryFile(q))
	require.NoError(t, err)
	require.Empty(t, q.ChangedMembers(again))

	q, err = ParseQueryFile("file", "// allow: all_nodes_scan, unbounded_path\n// timeout: 2s\n"+
		"// parameters: {\"a\":\n//   {\"type\": \"integer\"}}\n\nRETURN 1\n")
	require.NoError(t, err)
	require.Equal(t, "file", q.Name)
	require.JSONEq(t, `["all_nodes_scan","unbounded_path"]`, string(q.Members["allow"]))
	require.JSONEq(t, `"2s"`, string(q.Members["timeout"]))
	require.JSONEq(t, `{"a":{"type":"integer"}}`, string(q.Members["parameters"]))

	_, err = ParseQueryFile("file", "// max_row: 1\nRETURN 1")
	require.ErrorContains(t, err, "max_row")
	_, err = ParseQueryFile("file", "// max_rows: 1\n")
	require.ErrorContains(t, err, "no Cypher")
}

func TestChangedMembers(t *testing.T) {
	saved := SavedQuery{Cypher: "RETURN 1", Members: map[string]json.RawMessage{
		"parameters": json.RawMessage(`{"b":{},"a":{"default":1}}`), "max_rows": json.RawMessage(`1000`), "allow": json.RawMessage(`[]`),
	}}
	file := SavedQuery{Cypher: "RETURN 1", Members: map[string]json.RawMessage{
		"parameters": json.RawMessage(`{"a": {"default": 1}, "b": {}}`),
	}}
	require.Empty(t, file.ChangedMembers(saved), "defaults and the order of members do not matter")
	file.Members["parameters"] = json.RawMessage(`{"a":{"default":1.0},"b":{}}`)
	file.Cypher = "RETURN 2"
	require.Equal(t, []string{"cypher", "parameters"}, file.ChangedMembers(saved))
}
