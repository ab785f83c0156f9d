//go:build clients

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/gatewaytest"
)

// These tests keep the description of the API readable for generators that others wrote. They take what a token sees: types and queries
// too.

const pythonGeneratorVariable = "TESTMARK_OPENAPI_PYTHON_CLIENT"

// writeDescription writes the description that a token gets to openapi.json in a directory, with a saved query.
func writeDescription(t *testing.T, url, token, dir string) {
	t.Helper()
	grantQuery(t, url, token)
	c := gatewaytest.Client{URL: url, Token: token}
	made, err := c.Send(t.Context(), "POST", "/api/admin/queries", `{"name":"born_after",`+
		`"cypher":"MATCH (p:Person) WHERE p.born > $year RETURN p.name AS name","parameters":{"year":{"type":"integer"}}}`)
	require.NoError(t, err)
	require.Equal(t, 201, made.Status, made.Body)
	described, err := c.Send(t.Context(), "GET", "/docs/openapi.json", "")
	require.NoError(t, err)
	require.Regexp(t, `"Node[.]Person"`, described.Body, "the types that the caller sees")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "openapi.json"), []byte(described.Body), 0o600))
}

func TestTypedClientOfOpenAPIPythonClient(t *testing.T) {
	generator := tool(t, pythonGeneratorVariable)
	runDevAsAdministrator(t, func(url, token string) {
		dir := t.TempDir()
		writeDescription(t, url, token, dir)
		out := runInDirectory(t, dir, generator, "generate", "--path", "openapi.json", "--output-path", "generated", "--meta", "none")
		require.NotContains(t, out, "ERROR")
		copyToDirectory(t, "openapi_python.py", dir)
		python := filepath.Join(filepath.Dir(generator), "python") // it has what the generated client imports
		require.Contains(t, runInDirectory(t, dir, python, "openapi_python.py", url, token), "openapi-python-client works")
	})
}

func TestTypedClientOfOpenAPITypeScript(t *testing.T) {
	tsc := tool(t, typeScriptVariable)
	packages := filepath.Join(filepath.Dir(tsc), "..", "..")
	runDevAsAdministrator(t, func(url, token string) {
		dir := t.TempDir()
		writeDescription(t, url, token, dir)
		runInDirectory(t, dir, "node", filepath.Join(packages, "openapi-typescript", "bin", "cli.js"), "openapi.json", "-o", "api.ts")
		require.NoError(t, os.Symlink(packages, filepath.Join(dir, "node_modules")))
		copyToDirectory(t, "openapi_typescript.ts", dir)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"type": "module"}`), 0o600))
		runInDirectory(t, dir, "node", tsc, "--strict", "--skipLibCheck", "--noUncheckedIndexedAccess", "--target", "es2022",
			"--lib", "es2022,dom,dom.iterable",
			"--types", "node", "--module", "esnext", "--moduleResolution", "bundler", "openapi_typescript.ts")
		require.Contains(t, runInDirectory(t, dir, "node", "openapi_typescript.js", url, token), "openapi-typescript works")
	})
}
