package transfer

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCSVAsProgramsWriteIt reads one table in the forms in which spreadsheets and scripts write it.
func TestCSVAsProgramsWriteIt(t *testing.T) {
	const table = "name,n:int\nAnn,1\n\"B\nob\",2\n"
	plain, rejected, err := convert(CSV{}, table)
	require.NoError(t, err)
	require.Empty(t, rejected)
	for name, csv := range map[string]string{
		"separator line":                "sep=,\n" + table,
		"separator line of Windows":     "\ufeffsep=;\r\n" + strings.NewReplacer(",", ";").Replace(table),
		"quoted separator line":         "\"sep=\t\"\n" + strings.ReplaceAll(table, ",", "\t"),
		"separator that divides rarely": "sep=~\n" + strings.ReplaceAll(table, ",", "~"),
		"carriage returns twice":        "name,n:int\r\r\nAnn,1\r\r\n\"B\nob\",2\r\r\n",
		"carriage returns only":         "name,n:int\rAnn,1\r\"B\nob\",2\r",
	} {
		lines, rejected, err := convert(CSV{}, csv)
		require.NoError(t, err, name)
		require.Empty(t, rejected, name)
		require.Equal(t, plain, lines, name)
	}
}

// TestCompressedFilesAreRefused: every byte is a character in some encodings, so that such a file would be one of nonsense.
func TestCompressedFilesAreRefused(t *testing.T) {
	for content, reason := range map[string]string{
		"\x1f\x8b\x08\x00text": "compressed", "PK\x03\x04text": "compressed", "\xff\xfe\x00\x00n\x00\x00\x00": "UTF-32",
	} {
		for _, encoding := range []string{"", "windows-1252"} {
			_, _, err := convert(CSV{Encoding: encoding}, content)
			require.ErrorContains(t, err, reason)
			require.ErrorContains(t, CheckText(strings.NewReader(content), encoding), reason)
		}
	}
}

// TestNodesWithoutLabelsGetNoID: they have none, and an import that gave them one would be refused. With a key it is.
func TestNodesWithoutLabelsGetNoID(t *testing.T) {
	id := func(int64) string { return "id" }
	lines, rejected, err := convert(CSV{NewID: id}, ":ID,:LABEL\n1,\n2,A\n")
	require.NoError(t, err)
	require.Empty(t, rejected)
	require.Equal(t, `{"kind":"node","ref":"0:1","labels":[],"properties":{}}
{"kind":"node","ref":"0:2","labels":["A"],"id":"id","properties":{}}
`, lines)
	const unlabelled = `{"kind":"node","type":null,"properties":{}}` + "\n" + `{"kind":"node","labels":[],"properties":{}}` + "\n"
	var out strings.Builder
	require.NoError(t, WriteLines(strings.NewReader(unlabelled), "", id, false, &out))
	require.Equal(t, unlabelled, out.String())
	out.Reset()
	require.NoError(t, WriteLines(strings.NewReader(unlabelled+`{"kind":"node","labels":["A"]}`), "", id, true, &out))
	require.Equal(t, 3, strings.Count(out.String(), `"id":"id"`))
}
