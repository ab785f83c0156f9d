package clientgen

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// hostileNames are names of types and properties that are no identifiers, are reserved, collide when their case or their other characters
// are changed, or would end a string or a comment.
var hostileNames = []string{
	"Person", "person", "PERSON", "Air port", "Air-port", "Air_port", "TAir_port_66430df6", `quo"te`, "it's", `back\slash`, "`tick`", "*/",
	`"""`, "${x}", "a/b", "class", "None", "self", "type", "constructor", "__proto__", "prototype", "3D", "日本", "Ünïcode", "𝒳",
	"a\u202eb", "line\u2028end", " ", "$ref", "Node", "Edge", "NodeProperties", "Any", "GraphrestError", "Client", "_x", "x_", "a__b",
}

// describedWith is a description with these types of nodes and edges, each with a property of each of the names, and saved queries.
func describedWith(t *testing.T, names []string) []byte {
	t.Helper()
	schemas := map[string]any{"Error": map[string]any{"properties": map[string]any{}}}
	properties := map[string]any{}
	types := [][]string{
		{"String"}, {"Integer"}, {"Float"}, {"Boolean"}, {"Date", "List<Date>"}, {"List"}, {"Vector"}, nil, {"List<ZonedDateTime>"}, {"Base64"},
	}
	for i, name := range names {
		properties[name] = map[string]any{"x-neo4j-types": types[i%len(types)]}
	}
	for _, kind := range []string{"node", "edge"} {
		for i, name := range names {
			entity := map[string]any{"properties": map[string]any{"properties": properties}}
			schemas[kind+"."+name] = map[string]any{"x-kind": kind, "x-type": name, "x-closed": i%2 == 0, "properties": entity}
		}
	}
	query := func(name, description string, parameters map[string]any, required ...string) map[string]any {
		body := map[string]any{"properties": map[string]any{"parameters": map[string]any{"properties": parameters, "required": required}}}
		return map[string]any{"post": map[string]any{
			"x-query": name, "description": description,
			"requestBody": map[string]any{"content": map[string]any{"application/json": map[string]any{"schema": body}}},
		}}
	}
	paths := map[string]any{
		"/a": query("top_movies", `the "best" */ ones`, map[string]any{
			"since": map[string]any{"x-neo4j-types": []string{"Date"}}, "limit": map[string]any{"x-neo4j-types": []string{"Integer"}},
			"score": map[string]any{"x-neo4j-types": []string{"Float"}},
		}, "since"),
		"/b": query("a1", "", nil), "/c": query("a_1", "", properties),
	}
	text, err := json.Marshal(map[string]any{"openapi": "3.0.3", "components": map[string]any{"schemas": schemas}, "paths": paths})
	require.NoError(t, err)
	return text
}

func TestGenerateIsDeterministic(t *testing.T) {
	described := describedWith(t, hostileNames)
	for _, language := range Languages() {
		first, err := Generate(language, described)
		require.NoError(t, err)
		second, err := Generate(language, described)
		require.NoError(t, err)
		require.Equal(t, string(first.Content), string(second.Content))
		require.NotContains(t, string(first.Content), "graphrest:", "every part of the template is written")
	}
}

func TestIdentifiersDifferAndDependOnTheirNameOnly(t *testing.T) {
	valid := regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)
	seen := map[string]string{}
	for _, name := range append([]string{identifierOf("Air port"), identifierOf("日本")}, hostileNames...) {
		identifier := identifierOf(name)
		require.Regexp(t, valid, identifier)
		require.Empty(t, seen[identifier], "%q and %q", seen[identifier], name)
		seen[identifier] = name
	}
	require.Equal(t, "Person", identifierOf("Person"))
	require.Equal(t, "ACTED_IN", identifierOf("ACTED_IN"))
}

func TestGenerateRefusesOtherDescriptions(t *testing.T) {
	for _, described := range []string{"", "<html>", "{}", `{"openapi": "3.1.0", "components": {"schemas": {}}}`} {
		_, err := Generate("python", []byte(described))
		require.Error(t, err, described)
	}
	_, err := Generate("cobol", describedWith(t, nil))
	require.ErrorContains(t, err, "python")
}

// The generated Python is imported, with hostile names and with no types at all.
func TestPythonWithHostileNamesRuns(t *testing.T) {
	for _, names := range [][]string{hostileNames, nil} {
		file, err := Generate("python", describedWith(t, names))
		require.NoError(t, err)
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, file.Name), file.Content, 0o600))
		script := `import json, sys, graphrest_client as g
types = [v for k, v in vars(g).items() if k.endswith("NodeProperties")]
class Spy(g.Client):
    def run(self, query, parameters=None): return parameters
assert repr(Spy("http://x", "t").run_top_movies(since=g.DateValue("2024-05-01"), score=2)["score"]) == "2.0"
print(json.dumps(sorted({k for t in types for k in t.__annotations__})), len(types), g.Client.run_top_movies.__doc__)`
		c := exec.CommandContext(t.Context(), "python3", "-W", "error", "-c", script)
		c.Dir = dir
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.Contains(t, string(out), `the "best" */ ones`)
		if names != nil {
			require.Contains(t, string(out), `"a\u202eb"`)
			require.Contains(t, string(out), fmt.Sprintf("] %d ", len(names)), "a class for each type")
		}
	}
}
