package main

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/gatewaytest"
)

// The commands for saved queries, at a gateway over HTTP.
func TestQueryCommands(t *testing.T) {
	runDevAsAdministrator(t, func(url, token string) {
		query := func(args ...string) result {
			return command(t, []string{"GRAPHREST_TOKEN=" + token}, "", append(append([]string{"query"}, args...), "--url", url)...)
		}
		grantQuery(t, url, token)
		dir := t.TempDir()
		file := filepath.Join(dir, "doubled.cypher")
		text := "// description: Twice a number\n// parameters: {\"n\":{\"type\":\"integer\"}}\nRETURN 2 * $n AS twice\n"
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		r := query("save", file)
		require.Equal(t, exitOK, r.code, r.stderr)
		require.Contains(t, r.stderr, "doubled is saved")
		require.Equal(t, "doubled\n", query("list").stdout)
		r = query("run", "doubled", "n=21")
		require.Equal(t, "twice\n42\n", r.stdout, r.stderr)
		require.Equal(t, "{\"twice\":42}\n", query("run", "doubled", "n=21", "--format", "ndjson").stdout)

		shown := query("show", "doubled").stdout
		require.Contains(t, shown, "Twice a number")
		require.Contains(t, shown, "RETURN 2 * $n AS twice")
		require.NoError(t, os.WriteFile(file, []byte(shown), 0o600))
		require.Equal(t, exitOK, query("save", file).code, "what is shown can be saved")

		for _, args := range [][]string{
			{"run", "doubled", "n=x"},
			{"run", "doubled", "m=1"},
			{"run", "missing"},
			{"show", "missing"},
			{"save", filepath.Join(dir, "none.cypher")},
		} {
			r := query(args...)
			require.NotEqual(t, exitOK, r.code, args)
			require.Empty(t, r.stdout, args)
			require.NotEmpty(t, r.stderr, args)
		}
		require.NoError(t, os.WriteFile(file, []byte("CREATE (n) RETURN n\n"), 0o600))
		r = query("save", file)
		require.NotEqual(t, exitOK, r.code)
		require.Contains(t, r.stderr, "changes data")
	})
}

// grantQuery gives the administrator the permission to run queries, which nobody has by default.
func grantQuery(t *testing.T, url, token string) {
	t.Helper()
	answer, err := gatewaytest.Client{URL: url, Token: token}.Send(t.Context(), http.MethodPatch, "/api/admin/users/admin",
		`{"permissions":["create","delete","edit","query","read"]}`)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, answer.Status, answer.Body)
}
