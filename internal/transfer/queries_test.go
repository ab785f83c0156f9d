package transfer

import (
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
	require.JSONEq(t, string(q.JSON()), string(again.JSON()))

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
	require.ErrorContains(t, err, "Cypher")

	q, err = ParseQueryFile("chain", "// pattern: {\"chain\": []}\n")
	require.NoError(t, err)
	require.JSONEq(t, `{"name":"chain","pattern":{"chain":[]}}`, string(q.JSON()))
	again, err = ParseQueryFile("file", FormatQueryFile(q))
	require.NoError(t, err)
	require.JSONEq(t, string(q.JSON()), string(again.JSON()))
	_, err = ParseQueryFile("both", "// pattern: {}\nRETURN 1")
	require.ErrorContains(t, err, "or a pattern")

	q = SavedQuery{Name: "commented", Cypher: "// note: not of the header\nRETURN 1"}
	again, err = ParseQueryFile("file", FormatQueryFile(q))
	require.NoError(t, err)
	require.JSONEq(t, string(q.JSON()), string(again.JSON()))
}
