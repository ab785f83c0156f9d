package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

// The test loads the sample graph once, exports it, imports it again, and imports CSV files and lines from standard input.
func TestSampleImportAndExportCommands(t *testing.T) {
	testmark.Long(t)
	db := neo4jtest.Open(t)
	environ := databaseEnvironment(db)
	dir := t.TempDir()
	runDevWith(t, environ, dir, func(stdout, stderr string) {
		require.Regexp(t, `the sample graph is loaded: \d{4} nodes and edges`, stderr)
		caller := []string{
			"GRAPHREST_URL=" + regexp.MustCompile(`http://[0-9.:]+`).FindString(stdout),
			"GRAPHREST_USERNAME=admin", "GRAPHREST_PASSWORD=" + passwords.FindStringSubmatch(stdout)[1],
		}
		transferAll(t, db, caller, dir)
	}, "--sample")
	runDevWith(t, environ, dir, func(_, stderr string) {
		require.Contains(t, stderr, "the sample graph exists already")
	}, "--sample")
}

func transferAll(t *testing.T, db *neo4jtest.DB, caller []string, dir string) {
	t.Helper()
	file := filepath.Join(dir, "graph.ndjson")
	r := command(t, caller, "", "export", file)
	require.Equal(t, exitOK, r.code, r.stderr)
	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	lines := strings.Count(string(raw), "\n")
	require.Contains(t, r.stderr, fmt.Sprintf("%d lines\n", lines))
	require.Contains(t, string(raw), `"code":"ARN"`)
	r = command(t, caller, "", "import", file, "--on-conflict", "skip")
	require.Equal(t, exitOK, r.code, r.stderr)
	require.Equal(t, fmt.Sprintf("created 0, updated 0, skipped %d, failed 0\n", lines-2), r.stdout)

	r = command(t, caller, "", "export", "--node-type", "Country")
	require.Equal(t, exitOK, r.code, r.stderr)
	require.Regexp(t, `"kind":"end","nodes":\d+,"edges":0}\n$`, r.stdout)

	nodes, edges := filepath.Join(dir, "people.csv"), filepath.Join(dir, "flights.csv")
	require.NoError(t, os.WriteFile(nodes, []byte("name:ID,born:date\nAda,1815-12-10\nGrace,1906-12-09\nNobody,soon\n"), 0o600))
	require.NoError(t, os.WriteFile(edges, []byte(":START_ID,:END_ID,since:int\nAda,Grace,1840\nAda,Nobody,1841\n"), 0o600))
	r = command(t, caller, "", "import", "Person;Author="+nodes, "KNOWS="+edges)
	require.Equal(t, exitFailed, r.code)
	require.Equal(t, "created 3, updated 0, skipped 0, failed 2\n", r.stdout)
	require.Contains(t, r.stderr, nodes+", record 3: Invalid input (VALIDATION_ERROR); properties.born: ")
	require.Contains(t, r.stderr, edges+", record 2: Invalid input (VALIDATION_ERROR); target_ref: ")
	require.EqualValues(t, 1, db.Count(t, "MATCH (:Person:Author {name: 'Ada', born: date('1815-12-10')})"+
		"-[r:KNOWS {since: 1840}]->({name: 'Grace'}) RETURN count(r)", nil))

	r = command(t, caller, `{"kind":"node","type":"Person"}`, "import", "-")
	require.Equal(t, exitOK, r.code, r.stderr)
	require.Equal(t, "created 1, updated 0, skipped 0, failed 0\n", r.stdout)

	for _, test := range []struct {
		environ     []string
		args        []string
		code        int
		wantMessage string
	}{
		{caller, []string{"import", nodes, file}, exitUsage, "one file of lines, or CSV files"},
		{caller, []string{"import", filepath.Join(dir, "nothing.csv")}, exitFailed, "no such file"},
		{caller, []string{"import", edges}, exitFailed, ":TYPE"},
		{caller, []string{"import", file, "--on-conflict", "replace"}, exitUsage, "error, skip or merge"},
		{caller, []string{"export", filepath.Join(dir, "no", "such", "place")}, exitFailed, "no such file"},
		{caller[:1], []string{"export"}, exitUsage, "GRAPHREST_TOKEN"},
		{caller[:2], []string{"export"}, exitUsage, "GRAPHREST_PASSWORD"},
		{append(caller[:2:2], "GRAPHREST_PASSWORD=wrong"), []string{"export"}, exitFailed, "INVALID_CREDENTIALS"},
		{append(caller[:1:1], "GRAPHREST_TOKEN=a.b.c"), []string{"export"}, exitFailed, "INVALID_TOKEN"},
		{[]string{"GRAPHREST_URL=http://127.0.0.1:1", "GRAPHREST_TOKEN=x"}, []string{"export"}, exitFailed, "is the gateway running there?"},
		{caller, []string{"export", "--node-type", "_GraphrestUser"}, exitFailed, "reserved prefix"},
	} {
		r := command(t, test.environ, "", test.args...)
		require.Equal(t, test.code, r.code, "%v: %s", test.args, r.stderr)
		require.Contains(t, r.stderr, test.wantMessage, "%v", test.args)
	}
	left, err := filepath.Glob(filepath.Join(dir, ".graph*"))
	require.NoError(t, err)
	require.Empty(t, left, "no partial file is left")
}
