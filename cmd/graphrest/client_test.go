package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/gatewaytest"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/transfer"
)

// runDevAsAdministrator runs `graphrest dev` and calls use with its address and a token.
func runDevAsAdministrator(t *testing.T, use func(url, token string), environ ...string) {
	t.Helper()
	db := neo4jtest.OpenPrepared(t)
	seedPeople(t, db)
	runDevWith(t, append(databaseEnvironment(db), environ...), t.TempDir(), func(stdout, _ string) {
		url := regexp.MustCompile(`http://[0-9.:]+`).FindString(stdout)
		client, err := transfer.LogIn(t.Context(), url, "admin", passwords.FindStringSubmatch(stdout)[1])
		require.NoError(t, err)
		use(url, client.Token())
	})
}

// personalToken makes a personal token with the command, whose further arguments end with its name.
func personalToken(t *testing.T, url, token string, more ...string) string {
	t.Helper()
	made := command(t, []string{"GRAPHREST_TOKEN=" + token}, "", append([]string{"token", "create", "--mine", "--url", url}, more...)...)
	require.Equal(t, exitOK, made.code, made.stderr)
	return regexp.MustCompile(`grp_[A-Za-z0-9_-]{43}`).FindString(made.stdout)
}

// generateClient runs `graphrest client` and returns the path of the file.
func generateClient(t *testing.T, url, token, language, dir string) string {
	t.Helper()
	r := command(t, []string{"GRAPHREST_TOKEN=" + token}, "", "client", "--url", url, "--lang", language, "--out", dir)
	require.Equal(t, exitOK, r.code, r.stderr)
	return filepath.Join(dir, filepath.Base(r.stdout[:len(r.stdout)-1]))
}

// runInDirectory runs a program of another language, which must succeed, and returns its output.
func runInDirectory(t *testing.T, dir, program string, args ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), program, args...)
	c.Dir = dir
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return string(out)
}

func copyToDirectory(t *testing.T, file, dir string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "clients", file))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, file), text, 0o600))
}

// longestType is as long as the name of a type may be.
var longestType = strings.Repeat("Long", 64)[:255]

// seedPeople makes a person and an edge, so that the generated client has types for them, and for the longest name.
func seedPeople(t *testing.T, db *neo4jtest.DB) {
	t.Helper()
	db.Exec(t, "CREATE (:"+longestType+" {name: 'text'})", nil)
	db.Exec(t, `CREATE (p:Person {name: 'Seed', born: 1, height: 1.5})-[:KNOWS {since: date('2020-01-01'), weight: 1.5}]->(p)`, nil)
}

func TestPythonClient(t *testing.T) {
	runDevAsAdministrator(t, func(url, token string) {
		dir := filepath.Join(t.TempDir(), "new", "directory")
		path := generateClient(t, url, token, "python", dir)
		copyToDirectory(t, "scenario.py", dir)
		copyToDirectory(t, "values.json", dir)
		out := runInDirectory(t, dir, "python3", "-W", "error", "scenario.py", url, token, "values.json")
		require.Contains(t, out, "the Python client works")

		generateClient(t, url, token, "python", dir)
		typed, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Contains(t, string(typed), `"born": int,`, "the types that the scenario made")
		generateClient(t, url, token, "python", dir)
		again, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, string(typed), string(again), "an unchanged schema gives the same bytes")
	})
}

func TestClientCommandProblems(t *testing.T) {
	for _, args := range [][]string{
		{"client"},
		{"client", "--lang", "cobol", "--out", "x"},
		{"client", "--lang", "python"},
		{"client", "--lang", "python", "--out", "x"}, // no caller
	} {
		require.Equal(t, exitUsage, command(t, nil, "", args...).code, "%v", args)
	}
	runDevAsAdministrator(t, func(url, _ string) {
		r := command(t, []string{"GRAPHREST_TOKEN=nonsense"}, "", "client", "--url", url, "--lang", "python", "--out", t.TempDir())
		require.Equal(t, exitFailed, r.code)
		require.Contains(t, r.stderr, "INVALID_TOKEN")
	})
}

// Commands say that a personal token ends soon, and nothing while it lasts.
func TestCommandsWarnOfTheEndOfTheirToken(t *testing.T) {
	runDevAsAdministrator(t, func(url, token string) {
		for days, warns := range map[string]bool{"5": true, "60": false} {
			secret := personalToken(t, url, token, "--days", days, "t"+days)
			r := command(t, []string{"GRAPHREST_TOKEN=" + secret}, "", "client", "--url", url, "--lang", "python", "--out", t.TempDir())
			require.Equal(t, exitOK, r.code, r.stderr)
			require.Equal(t, warns, strings.Contains(r.stderr, "the token in GRAPHREST_TOKEN expires at "), r.stderr)
		}
	})
}

// A token for which no permission is named has every right; one that is cut to none has none.
func TestPersonalTokensCutToNone(t *testing.T) {
	runDevAsAdministrator(t, func(url, token string) {
		for permissions, want := range map[string]string{"none": `"permissions":[]`, "read": `"permissions":["read"]`} {
			c := gatewaytest.Client{URL: url, Token: personalToken(t, url, token, "--permissions", permissions, permissions)}
			me, err := c.Send(t.Context(), "GET", "/api/auth/me", "")
			require.NoError(t, err)
			require.Contains(t, me.Body, want)
		}
	})
}
