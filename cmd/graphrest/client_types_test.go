//go:build clients

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// These tests need mypy and the TypeScript compiler, which `make test-clients` installs.

const (
	mypyVariable       = "TESTMARK_MYPY"
	typeScriptVariable = "TESTMARK_TSC"
)

// tool is the path that a variable has.
func tool(t *testing.T, variable string) string {
	t.Helper()
	path := os.Getenv(variable)
	require.NotEmpty(t, path, "%s is not set: run make test-clients", variable)
	return path
}

func TestPythonClientIsTyped(t *testing.T) {
	runDevAsAdministrator(t, func(url, token string) {
		dir := t.TempDir()
		generateClient(t, url, token, "python", dir)
		copyToDirectory(t, "typed.py", dir)
		runInDirectory(t, dir, tool(t, mypyVariable), "--strict", "--python-version", "3.10", "graphrest_client.py", "typed.py")
	})
}

// The page of React in the guide compiles with the client that is generated for its graph.
func TestTypeScriptOfTheGuide(t *testing.T) {
	guide, err := os.ReadFile(filepath.Join("..", "..", "docs", "clients.md"))
	require.NoError(t, err)
	page := regexp.MustCompile("(?s)```tsx\n(.*?)```").FindSubmatch(guide)
	require.NotNil(t, page)
	tsc := tool(t, typeScriptVariable)
	runDevAsAdministrator(t, func(url, token string) {
		dir := t.TempDir()
		generateClient(t, url, token, "typescript", dir)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "People.tsx"), page[1], 0o600))
		require.NoError(t, os.Symlink(filepath.Join(filepath.Dir(tsc), "..", ".."), filepath.Join(dir, "node_modules")))
		runInDirectory(t, dir, "node", tsc, "--noEmit", "--strict", "--jsx", "react-jsx", "--target", "es2022", "--module", "esnext",
			"--moduleResolution", "bundler", "--skipLibCheck", "People.tsx")
	})
}

func TestTypeScriptClient(t *testing.T) {
	runDevAsAdministrator(t, func(url, token string) {
		dir := t.TempDir()
		path := generateClient(t, url, token, "typescript", dir)
		for _, file := range []string{"scenario.ts", "values.json", "tsconfig.json"} {
			copyToDirectory(t, file, dir)
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"type": "module"}`), 0o600))
		runInDirectory(t, dir, "node", tool(t, typeScriptVariable), "-p", ".")
		values, err := os.ReadFile(filepath.Join(dir, "values.json"))
		require.NoError(t, err)
		out := runInDirectory(t, dir, "node", filepath.Join("js", "scenario.js"), url, token, string(values))
		require.Contains(t, out, "the TypeScript client works")

		generateClient(t, url, token, "typescript", dir)
		first, err := os.ReadFile(path)
		require.NoError(t, err)
		generateClient(t, url, token, "typescript", dir)
		second, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, string(first), string(second), "an unchanged schema gives the same bytes")
	})
}
