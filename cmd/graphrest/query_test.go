package main

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
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
	body := strings.NewReader(`{"permissions":["create","delete","edit","query","read"]}`)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPatch, url+"/api/admin/users/admin", body)
	require.NoError(t, err)
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, response.StatusCode, "%s", answer)
}
