//go:build clients

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/gatewaytest"
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

// The pages of React in the guides compile with the client that is generated for their graph, and a user reads and changes with them.
func TestTypeScriptOfTheGuides(t *testing.T) {
	tsc := tool(t, typeScriptVariable)
	runDevAsAdministrator(t, func(url, token string) {
		dir := t.TempDir()
		generateClient(t, url, token, "typescript", dir)
		writePage(t, "clients.md", url, filepath.Join(dir, "People.tsx"))
		writePage(t, "tutorial.md", url, filepath.Join(dir, "App.tsx"))
		require.NoError(t, os.Symlink(filepath.Join(filepath.Dir(tsc), "..", ".."), filepath.Join(dir, "node_modules")))
		runInDirectory(t, dir, "node", tsc, "--strict", "--jsx", "react-jsx", "--target", "es2022", "--module", "node16", "--skipLibCheck",
			"People.tsx", "App.tsx")
		made, err := gatewaytest.Client{URL: url, Token: token}.Send(t.Context(), "POST", "/api/admin/users",
			`{"username":"vera","password":"correct horse battery","permissions":["read"]}`)
		require.NoError(t, err)
		require.Equal(t, 201, made.Status, made.Body)
		copyToDirectory(t, "pages.cjs", dir)
		require.Contains(t, runInDirectory(t, dir, "node", "pages.cjs", url, token), "the pages work")
	})
}

// writePage writes the page of React that a guide has, for a gateway at another address.
func writePage(t *testing.T, guide, url, path string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", guide))
	require.NoError(t, err)
	page := regexp.MustCompile("(?s)```tsx\n(.*?)```").FindSubmatch(text)
	require.NotNil(t, page)
	require.NoError(t, os.WriteFile(path, bytes.ReplaceAll(page[1], []byte("http://127.0.0.1:8080"), []byte(url)), 0o600))
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
