package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/app"
	"graphrest/internal/config"
	"graphrest/internal/gatewaytest"
	"graphrest/internal/neo4jdev"
	"graphrest/internal/testmark"
)

// runDev runs `graphrest dev` until it is ready, passes its output to use, and stops it as Ctrl-C would.
func runDev(t *testing.T, dir string, use func(printed string)) {
	t.Helper()
	runDevWith(t, nil, dir, func(printed, _ string) { use(printed) })
}

// runDevWith is runDev with an environment and more arguments. It passes the output on stdout and stderr to use.
func runDevWith(t *testing.T, environ []string, dir string, use func(stdout, stderr string), more ...string) {
	t.Helper()
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	var stdout, stderr gatewaytest.LogBuffer
	ended, code := make(chan struct{}), exitOK
	go func() {
		defer close(ended)
		code = run(ctx, process{
			args:    append([]string{"dev", "--dir", dir, "--listen", "127.0.0.1:0", "--shutdown-grace", "1s"}, more...),
			environ: environ,
			stdout:  &stdout, stderr: &stderr, stdin: strings.NewReader(""),
		})
	}()
	require.NotNil(t, stdout.Await(regexp.MustCompile("Ctrl-C stops it"), ended, 5*time.Minute), stderr.String())
	require.Contains(t, stdout.String(), "is ready", stderr.String())
	use(stdout.String(), stderr.String())
	interrupt()
	select {
	case <-ended:
		require.Equal(t, exitOK, code, stderr.String())
	case <-time.After(time.Minute):
		t.Fatal("dev did not stop: " + stderr.String())
	}
}

var (
	tryLines  = regexp.MustCompile(`(?m)^ +(TOKEN=.*|curl .*)$`)
	passwords = regexp.MustCompile(`Password +(\S+)`)
)

// paste runs the lines that dev suggests, and more, in a shell, as a user would.
func paste(t *testing.T, printed string, more ...string) string {
	t.Helper()
	lines := []string{"set -eu"}
	for _, match := range tryLines.FindAllStringSubmatch(printed, -1) {
		lines = append(lines, match[1])
	}
	require.Len(t, lines, 3, printed)
	output, err := exec.CommandContext(t.Context(), "bash", "-c", strings.Join(append(lines, more...), "\n")).CombinedOutput()
	require.NoError(t, err, string(output))
	return string(output)
}

// `graphrest dev` without configuration starts a Neo4j, the commands that it prints work when pasted, and the second run finds
// the data, the user and the password of the first.
func TestDevWithNothingConfigured(t *testing.T) {
	testmark.Long(t)
	dir := filepath.Join(t.TempDir(), "data")
	var url, password string
	runDev(t, dir, func(printed string) {
		requireNoDatabasePassword(t, dir, printed)
		url = regexp.MustCompile(`http://[0-9.:]+`).FindString(printed)
		password = passwords.FindStringSubmatch(printed)[1]
		answer := paste(t, printed,
			`curl -s -o /dev/null -w '%{http_code}' `+url+`/api/nodes -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d `+
				`'{"type":"Kept","properties":{"here":true}}'`)
		require.Contains(t, answer, `"status":"success"`)
		require.True(t, strings.HasSuffix(answer, "201"), answer)
	})
	runDev(t, dir, func(printed string) {
		require.Equal(t, password, passwords.FindStringSubmatch(printed)[1])
		require.Contains(t, paste(t, printed), `"type":"Kept"`)
	})
}

// The output of dev may appear in logs and on shared screens, so by default it names only the file with the database's password.
func requireNoDatabasePassword(t *testing.T, dir, printed string) {
	t.Helper()
	file := filepath.Join(dir, "neo4j", "credentials.json")
	require.Contains(t, printed, "password is in "+file)
	info, err := os.Stat(file)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	credentials, err := neo4jdev.ReadCredentials(filepath.Join(dir, "neo4j"))
	require.NoError(t, err)
	require.NotContains(t, printed, credentials.Password)
}

func TestDevShowsTheDatabasePasswordOnlyWhenAsked(t *testing.T) {
	c := &config.Config{}
	d := &app.Development{Database: &neo4jdev.Server{URI: "bolt://127.0.0.1:7687", Username: "neo4j", Password: "of-the-database"}}
	for asked, shown := range map[bool]bool{false: false, true: true} {
		var out bytes.Buffer
		welcome(&out, c, "http://127.0.0.1:8080", developOptions{dir: "data", showPassword: asked}, d)
		require.Equal(t, shown, strings.Contains(out.String(), "password of-the-database"), out.String())
	}
}
