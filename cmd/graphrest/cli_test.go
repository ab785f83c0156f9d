package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// result is the result of one command line.
type result struct {
	code           int
	stdout, stderr string
}

// command runs a command line in this process, with a separate environment and input.
func command(t *testing.T, environ []string, stdin string, args ...string) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code := run(t.Context(), process{
		args: args, environ: environ, stdin: strings.NewReader(stdin), stdout: &stdout, stderr: &stderr,
		askPassword: func(string) (string, error) { return "", usageError{errNoTerminal} },
	})
	return result{code, stdout.String(), stderr.String()}
}

const (
	testSecret   = "qX7vN2rLw9TzB4kHs8PdY6mGcE3fJa5u"
	testPassword = "Vq9-mountain-Ty4-river"
)

var complete = []string{"NEO4J_URI=bolt://127.0.0.1:7687", "NEO4J_PASSWORD=" + testPassword, "GRAPHREST_JWT_SECRET=" + testSecret}

func TestUsage(t *testing.T) {
	for _, test := range []struct {
		name   string
		args   []string
		code   int
		stdout string
		stderr string
	}{
		{"no command", nil, exitOK, "Available Commands", ""},
		{"help", []string{"--help"}, exitOK, "healthcheck", ""},
		{"help of a command", []string{"serve", "--help"}, exitOK, "--rate-limit", ""},
		{"unknown command", []string{"server"}, exitUsage, "", `unknown command "server"`},
		{"unknown flag", []string{"serve", "--port", "1"}, exitUsage, "", "unknown flag: --port"},
		{"secret as a flag", []string{"serve", "--jwt-secret", testSecret}, exitUsage, "", "unknown flag: --jwt-secret"},
		{"too many arguments", []string{"version", "x"}, exitUsage, "", "graphrest version --help"},
		{"group without a command", []string{"user"}, exitUsage, "", "graphrest user --help"},
		{"user add without a name", []string{"user", "add"}, exitUsage, "", "accepts 1 arg"},
		{"password as an argument", []string{"user", "add", "ann", testPassword}, exitUsage, "", "accepts 1 arg"},
		{"no terminal to enter the password", []string{"user", "add", "ann"}, exitUsage, "", "--password-stdin"},
		{"unknown permission", []string{"user", "add", "ann", "--permissions", "write"}, exitUsage, "", `"write" is none of read`},
		{"rate limit", []string{"user", "set", "ann", "--rate-limit", "lots"}, exitUsage, "", "--rate-limit"},
		{"nothing to change", []string{"user", "set", "ann"}, exitUsage, "", "nothing to change"},
		{"output format", []string{"user", "list", "-o", "xml"}, exitUsage, "", "table or json"},
		{"user without a database", []string{"user", "list"}, exitUsage, "", "NEO4J_URI: is not set"},
		{"serve with nothing configured", []string{"serve"}, exitUsage, "", "GRAPHREST_JWT_SECRET: is not set"},
		{"version", []string{"version"}, exitOK, "graphrest ", ""},
		{"version as JSON", []string{"version", "-o", "json"}, exitOK, `"platform"`, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := command(t, nil, "", test.args...)
			require.Equal(t, test.code, r.code, r.stderr)
			require.Contains(t, r.stdout, test.stdout)
			require.Contains(t, r.stderr, test.stderr)
			if test.code != exitOK {
				require.Empty(t, r.stdout, "messages for people belong on stderr")
			}
		})
	}
}

func TestConfigCheckSaysEverythingAtOnce(t *testing.T) {
	r := command(t, []string{
		"NEO4J_URI=http://neo4j:" + testPassword + "@h", "GRAPHREST_JWT_SECRET=changeme", "GRAPHREST_RATE_LIMIT=-1", "GRAPHREST_REDIS_URL=x",
		"GRAPHREST_CORS_ORIGINS=*", "GRAPHREST_ADMIN_PASSWORD=short",
	}, "", "config", "check", "--listen", "nowhere")
	require.Equal(t, exitUsage, r.code)
	for _, name := range []string{
		"NEO4J_URI", "NEO4J_PASSWORD", "GRAPHREST_JWT_SECRET", "GRAPHREST_RATE_LIMIT", "GRAPHREST_REDIS_URL", "GRAPHREST_CORS_ORIGINS",
		"GRAPHREST_ADMIN_PASSWORD", "--listen",
	} {
		require.Contains(t, r.stderr, "\n  "+name+": ")
	}
	require.Contains(t, r.stderr, "8 problem(s)")
	for _, secret := range []string{testPassword, "changeme", "short"} {
		require.NotContains(t, strings.ReplaceAll(r.stderr, "too short", ""), secret)
	}
	require.Equal(t, exitOK, command(t, complete, "", "config", "check").code)
}

// What the gateway refuses when it is assembled is refused by the check too.
func TestConfigCheckAssemblesTheGateway(t *testing.T) {
	for _, test := range []struct{ setting, names string }{
		{"GRAPHREST_BASE_PATH=/api", "GRAPHREST_BASE_PATH: /api is a path of the gateway itself"},
		{"GRAPHREST_BASE_PATH=/docs/graph", "GRAPHREST_BASE_PATH: /docs is a path of the gateway itself"},
		{"GRAPHREST_PUBLIC_URL=https://example.org/healthz", "GRAPHREST_BASE_PATH: /healthz is a path of the gateway itself"},
	} {
		environ := append(slices.Clone(complete), test.setting)
		for _, args := range [][]string{{"config", "check"}, {"serve", "--listen", "127.0.0.1:0"}} {
			r := command(t, environ, "", args...)
			require.Equal(t, exitUsage, r.code, "%s %s: %s", test.setting, args, r.stderr)
			require.Contains(t, r.stderr, test.names)
		}
	}
	accepted := command(t, append(slices.Clone(complete), "GRAPHREST_BASE_PATH=/graph"), "", "config", "check")
	require.Equal(t, exitOK, accepted.code, accepted.stderr)
}

func TestConfigPrintHidesSecrets(t *testing.T) {
	r := command(t, complete, "", "config", "print", "--rate-limit", "7")
	require.Equal(t, exitOK, r.code, r.stderr)
	require.Regexp(t, `(?m)^GRAPHREST_RATE_LIMIT +7 +flag$`, r.stdout)
	require.Regexp(t, `(?m)^NEO4J_PASSWORD +\[redacted\] +environment$`, r.stdout)
	require.Regexp(t, `(?m)^GRAPHREST_CORS_ORIGINS +not set$`, r.stdout)
	require.NotContains(t, r.stdout, testPassword)
	require.NotContains(t, r.stdout, testSecret)

	r = command(t, complete, "", "config", "print", "-o", "json")
	var lines []map[string]string
	require.NoError(t, json.Unmarshal([]byte(r.stdout), &lines))
	require.NotContains(t, r.stdout, testSecret)
	require.Contains(t, lines, map[string]string{"name": "GRAPHREST_JWT_SECRET", "value": "[redacted]", "source": "environment"})
}

func TestConfigPrintReadsTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.yaml")
	require.NoError(t, os.WriteFile(path, []byte("GRAPHREST_RATE_LIMIT: 9\n"), 0o600))
	r := command(t, nil, "", "config", "print", "--config", path)
	require.Regexp(t, `(?m)^GRAPHREST_RATE_LIMIT +9 +file$`, r.stdout)
}

func TestHealthcheck(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/healthz" {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	defer server.Close()
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	require.NoError(t, err)

	environ := []string{"GRAPHREST_LISTEN=0.0.0.0:" + port, "HTTP_PROXY=http://127.0.0.1:1"}
	require.Equal(t, exitOK, command(t, environ, "", "healthcheck").code)
	r := command(t, environ, "", "healthcheck", "--ready")
	require.Equal(t, exitFailed, r.code)
	require.Contains(t, r.stderr, "503")

	server.Close()
	r = command(t, environ, "", "healthcheck")
	require.Equal(t, exitFailed, r.code)
	require.Contains(t, r.stderr, "does not answer")
}

func TestATakenPortIsSaidWithWhatToDo(t *testing.T) {
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { _ = listener.Close() }()
	for _, name := range []string{"serve", "dev"} {
		dir := t.TempDir()
		args := []string{name, "--listen", listener.Addr().String()}
		if name == "dev" {
			args = append(args, "--dir", filepath.Join(dir, "data"))
		}
		r := command(t, complete, "", args...)
		require.Equal(t, exitFailed, r.code)
		require.Contains(t, r.stderr, "in use by another program")
		require.Contains(t, r.stderr, "--listen 127.0.0.1:")
		require.NoDirExists(t, filepath.Join(dir, "data"), "no data is created before the address is known to be free")
	}
}

func TestReadPassword(t *testing.T) {
	p := process{stdin: strings.NewReader("  secret with spaces \r\nsecond line")}
	password, err := p.readPassword(true)
	require.NoError(t, err)
	require.Equal(t, "  secret with spaces ", password)

	answers := []string{"one", "two"}
	p.askPassword = func(string) (string, error) {
		answer := answers[0]
		answers = answers[1:]
		return answer, nil
	}
	_, err = p.readPassword(false)
	require.ErrorContains(t, err, "differ")

	p.askPassword = func(string) (string, error) { return "same", nil }
	password, err = p.readPassword(false)
	require.NoError(t, err)
	require.Equal(t, "same", password)

	p.askPassword = func(string) (string, error) { return "", errors.New("interrupted") }
	_, err = p.readPassword(false)
	require.ErrorContains(t, err, "interrupted")
}

func TestShellQuote(t *testing.T) {
	require.Equal(t, `'a'\''b $(x) "c"'`, shellQuote(`a'b $(x) "c"`))
}
