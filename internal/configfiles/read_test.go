package configfiles

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/typedjson"
)

func directory(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o750))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	return dir
}

func TestReadNamesEachFileAtFault(t *testing.T) {
	for _, test := range []struct{ name, file, text, problem string }{
		{"unknown folder", "role/hr.yaml", "name: hr", "is no folder of configuration"},
		{"file outside the folders", "hr.yaml", "name: hr", "belongs into one of the folders"},
		{"unknown member", "roles/hr.yaml", "name: hr\ngrant: []", "grant is no member of a role"},
		{"no name", "roles/hr.yaml", "description: x", "needs the member name"},
		{"number as a name", "roles/hr.yaml", "name: 7", "needs the member name"},
		{"needed member", "types/a.yaml", "kind: nodes\ntype: A\nlevel: new", "needs the member schema"},
		{"invalid grant", "roles/hr.yaml", "name: hr\ngrants: [{kind: node, type: A, actions: [reed]}]", "grants[0].actions[0] must be read"},
		{"invalid query", "queries/q.json", `{"name": "q", "cypher": "RETURN 1", "max_rows": 0}`, "max_rows must be"},
		{"query with both", "queries/q.json", `{"name": "q", "cypher": "RETURN 1", "pattern": {}}`, "cannot be combined"},
		{"member of a header", "queries/q.cypher", "// max_row: 1\nRETURN 1", "max_row is no member"},
		{"Cypher of another kind", "roles/q.cypher", "RETURN 1", "only queries"},
		{"duplicate member", "roles/hr.json", `{"name": "hr", "name": "it"}`, "name"},
		{"duplicate key", "roles/hr.yaml", "name: hr\nname: it", "already defined"},
		{"two documents", "roles/hr.yaml", "name: hr\n---\nname: it", "one YAML document"},
		{"text", "roles/hr.yaml", "hr", "must have an object"},
		{"other file", "roles/hr.txt", "hr", "is neither"},
		{"value without a JSON form", "users/a.yaml", "username: a\nattributes: {since: {$type: Dat, _value: x}}", "attributes.since"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := directory(t, map[string]string{test.file: test.text, "users/good.yaml": "username: good\n"})
			_, err := Read(dir)
			require.ErrorContains(t, err, test.problem)
			require.ErrorContains(t, err, filepath.Join(dir, filepath.Dir(test.file)))
		})
	}
	_, err := Read(t.TempDir())
	require.ErrorContains(t, err, "has none of the folders")
	_, err = Read(directory(t, map[string]string{"roles/a.yaml": "name: hr", "roles/b.json": `[{"name": "it"}, {"name": "hr"}]`}))
	require.ErrorContains(t, err, "a.yaml also has the role hr")
}

func TestNumbersOfYAMLAreExact(t *testing.T) {
	s, err := Read(directory(t, map[string]string{
		"types/a.yaml": "kind: nodes\ntype: A\nlevel: none\n" +
			"schema: {properties: {x: {minimum: 1.0, maximum: 9223372036854775807, multipleOf: 1}}}",
	}))
	require.NoError(t, err)
	require.Equal(t, `{"properties":{"x":{"maximum":9223372036854775807,"minimum":1.0,"multipleOf":1}}}`,
		string(typedjson.AppendTree(nil, s.objects[kinds[0]][0]["schema"])))
}

func TestFileNames(t *testing.T) {
	used := map[string]bool{}
	require.Equal(t, "nodes-A-B", fileName("nodes A/B", used))
	require.Equal(t, "nodes-a-b-2", fileName("nodes a.b", used), "some file systems ignore case")
	require.Equal(t, "---etc-passwd", fileName("../etc/passwd", used))
}
