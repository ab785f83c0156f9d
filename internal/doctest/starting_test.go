package doctest

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/gatewaytest"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

// marked is the one block of a document that carries a mark.
func marked(t *testing.T, file, info string) string {
	t.Helper()
	for _, b := range blocks(t, file) {
		if b.info == info {
			return b.text
		}
	}
	t.Fatalf("%s has no block marked %q", file, info)
	return ""
}

// background runs a script that goes on, until it has printed a pattern, and gives the pattern's first group. The script is
// ended by SIGINT, as by Ctrl-C, and must end well.
func background(t *testing.T, script string, environ []string, pattern *regexp.Regexp, use func(found string)) {
	t.Helper()
	out := &gatewaytest.LogBuffer{}
	cmd := exec.Command("bash", "-euo", "pipefail", "-c", script)
	cmd.Dir, cmd.Env = root, environ
	cmd.Stdout, cmd.Stderr = out, out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	require.NoError(t, cmd.Start())
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	stop := func(s syscall.Signal) { _ = syscall.Kill(-cmd.Process.Pid, s) }
	defer stop(syscall.SIGKILL)
	found := out.Await(pattern, ended, 5*time.Minute)
	if len(found) < 2 {
		t.Fatalf("never printed %s:\n%s", pattern, out.String())
	}
	use(found[1])
	stop(syscall.SIGINT)
	select {
	case <-ended:
		require.Contains(t, out.String(), "every request in flight has been answered")
	case <-time.After(time.Minute):
		t.Fatalf("does not end:\n%s", out.String())
	}
}

// TestStartCommands runs the two ways of starting that the README shows.
func TestStartCommands(t *testing.T) {
	testmark.Long(t)
	t.Run("make run", func(t *testing.T) { // that a second start finds what the first left is a test of cmd/graphrest
		environ := append(gatewaytest.EnvironWithout("NEO4J_", "GRAPHREST_", "MAKE"),
			"ARGS=--listen 127.0.0.1:0 --dir "+filepath.Join(t.TempDir(), "data"))
		printedWhole := regexp.MustCompile(`(API\s+http://127\.0\.0\.1:\d+/api[\s\S]*?Password\s+\S+)`)
		background(t, marked(t, "README.md", "run=background"), environ, printedWhole, func(found string) {
			m := printed.FindStringSubmatch(found)
			c := signIn(t, gateway{address: m[1], password: m[2]})
			var nodes page
			c.call(t, http.MethodGet, "/api/nodes", nil, http.StatusOK, &nodes)
			require.Empty(t, nodes.Data)
			c.call(t, http.MethodPost, "/api/nodes", []byte(`{"type":"Kept","properties":{}}`), http.StatusCreated, nil)
		})
	})
	t.Run("make build and serve", func(t *testing.T) {
		db := neo4jtest.OpenPrepared(t)
		script := strings.NewReplacer(
			"bolt://db.example.com:7687", db.URI, "NEO4J_USERNAME=neo4j", "NEO4J_USERNAME="+db.Username,
			"NEO4J_PASSWORD=...", "NEO4J_PASSWORD="+db.Password, "bin/graphrest serve", "bin/graphrest serve --listen 127.0.0.1:0",
		).Replace(marked(t, "README.md", "run=serve"))
		background(t, script, gatewaytest.EnvironWithout("NEO4J_", "GRAPHREST_", "MAKE"), regexp.MustCompile(`"address":"(127\.0\.0\.1:\d+)"`),
			func(address string) {
				gatewaytest.Client{URL: "http://" + address}.AwaitReady(t, time.Minute)
				signIn(t, gateway{address: "http://" + address, password: "at least 12 characters"})
			})
	})
}

// TestDockerEnvironment runs what prepares the optional settings of Compose, and Compose's own check where its plugin is installed.
func TestDockerEnvironment(t *testing.T) {
	script := marked(t, "docs/docker.md", "run=docker")
	if exec.Command("docker", "compose", "version").Run() != nil {
		script = strings.ReplaceAll(script, "docker compose config --quiet", "")
	}
	dir := t.TempDir()
	for _, name := range []string{".env.example", "docker-compose.yml"} {
		raw, err := os.ReadFile(filepath.Join(root, name))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), raw, 0o600))
	}
	cmd := exec.Command("bash", "-euo", "pipefail", "-c", script)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
}
