// Package doctest runs every command that the README and the guides show, in order, against a real gateway on a real Neo4j.
// A fenced block marked "sh" is run by bash, one marked "cypher" by the driver. "sh run=..." names who
// else runs a block: "background", "serve" and "docker" the tests of starting_test.go, "ci" the continuous integration,
// "engine" and "cluster" nobody here, for want of a Docker engine and a Kubernetes cluster.
package doctest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/gatewaytest"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "doctest-*")
	if err != nil {
		panic(err)
	}
	binaryDirectory = dir
	code := neo4jtest.Run(m)
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

const root = "../.."

type block struct {
	language string
	info     string
	text     string
	line     int
}

var fence = regexp.MustCompile("(?m)^```(.*)$")

// blocks reads the fenced blocks of a Markdown file.
func blocks(t *testing.T, file string) []block {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(root, file))
	require.NoError(t, err)
	var found []block
	var open *block
	for i, line := range strings.Split(string(raw), "\n") {
		m := fence.FindStringSubmatch(line)
		switch {
		case m != nil && open == nil:
			language, info, _ := strings.Cut(strings.TrimSpace(m[1]), " ")
			open = &block{language: language, info: info, line: i + 1}
		case m != nil:
			found = append(found, *open)
			open = nil
		case open != nil:
			open.text += line + "\n"
		}
	}
	require.Nil(t, open, "%s: a fenced block is not closed", file)
	return found
}

// gateway is a running `graphrest dev` on the test's database.
type gateway struct{ address, password, binary string }

var (
	binaryDirectory string // where build puts the gateway
	buildOnce       = sync.OnceValues(func() (string, error) { return gatewaytest.Build(binaryDirectory) })
)

// build builds the gateway at its first call, for all tests.
func build(t *testing.T) string {
	t.Helper()
	binary, err := buildOnce()
	require.NoError(t, err)
	return binary
}

var printed = regexp.MustCompile(`API\s+(http://127\.0\.0\.1:\d+)/api[\s\S]*?Password\s+(\S+)`)

func start(t *testing.T, db *neo4jtest.DB, file string) gateway {
	t.Helper()
	binary := build(t)
	out := &gatewaytest.LogBuffer{}
	cmd := exec.Command(binary, append([]string{"dev", "--listen", "127.0.0.1:0"}, options[file]...)...)
	cmd.Dir = t.TempDir()
	cmd.Env = slices.Concat(os.Environ(), db.Environ(), settings[file])
	cmd.Stdout, cmd.Stderr = out, out
	require.NoError(t, cmd.Start())
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		<-ended
	})
	m := out.Await(printed, ended, time.Minute)
	require.NotNil(t, m, "dev printed no address and password:\n%s", out)
	return gateway{m[1], m[2], binary}
}

// options are what a document asks its reader to start the gateway with.
var options = map[string][]string{"docs/search.md": {"--sample"}}

// settings are those that it asks to set.
var settings = map[string][]string{"docs/agents.md": {"GRAPHREST_MCP=on"}}

// aboutIDs are the documents that show how a graph gets ids: no type may have the constraint of ids before.
var aboutIDs = []string{"docs/adopt.md", "docs/existing-graph.md"}

// TestCommands runs each document from an empty database.
func TestCommands(t *testing.T) {
	for _, file := range []string{
		"README.md",
		"docs/adopt.md",
		"docs/agents.md",
		"docs/api-by-example.md",
		"docs/around-a-node.md",
		"docs/audit.md",
		"docs/batches.md",
		"docs/change-feed.md",
		"docs/change-sets.md",
		"docs/compatibility.md",
		"docs/configuration-as-code.md",
		"docs/declared-types.md",
		"docs/existing-graph.md",
		"docs/history.md",
		"docs/import-export.md",
		"docs/large-graphs.md",
		"docs/lists.md",
		"docs/operations.md",
		"docs/patterns.md",
		"docs/permissions.md",
		"docs/saved-views.md",
		"docs/search.md",
		"docs/scaling.md",
		"docs/tutorial.md",
		"docs/webhooks.md",
		"docs/service-tokens.md",
		"docs/clients.md",
		"docs/personal-tokens.md",
		"docs/queries.md",
	} {
		t.Run(file, func(t *testing.T) {
			if file != "README.md" {
				testmark.Long(t)
			}
			open := neo4jtest.OpenPrepared
			if slices.Contains(aboutIDs, file) {
				open = neo4jtest.Open
			}
			db := open(t)
			g := start(t, db, file)
			var script strings.Builder
			fmt.Fprintf(&script, "set -euo pipefail\nexport PASSWORD='%s' PATH=\"%s:$PATH\"\n", g.password, filepath.Dir(g.binary))
			script.WriteString("jq() { command jq -e \"$@\"; }\n") // null, which is what a wrong path prints, fails
			fmt.Fprintf(&script, "export NEO4J_URI='%s' NEO4J_USERNAME='%s' NEO4J_PASSWORD='%s' NEO4J_DATABASE='%s'\n", db.URI, db.Username,
				db.Password, db.Database)
			ran := 0
			for _, b := range blocks(t, file) {
				switch {
				case b.info != "":
				case b.language == "cypher":
					db.Exec(t, b.text, nil)
				case b.language == "sh":
					ran++
					text := strings.ReplaceAll(b.text, "http://127.0.0.1:8080", g.address)
					fmt.Fprintf(&script, "echo >&2; echo '# %s line %d' >&2\n%s", file, b.line, text)
				}
			}
			require.NotZero(t, ran, "no commands found")
			run(t, script.String())
		})
	}
}

func run(t *testing.T, script string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "-c", script)
	cmd.Dir = t.TempDir()
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	t.Logf("%s", out)
}

// TestLinks: every relative link and picture in the documents leads to a file of the repository.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#\s]+)[^)]*\)`)
	files, err := filepath.Glob(root + "/docs/*.md")
	require.NoError(t, err)
	adr, err := filepath.Glob(root + "/docs/*/*.md")
	require.NoError(t, err)
	files = append(append(files, adr...), root+"/README.md", root+"/CONTRIBUTING.md", root+"/CHANGELOG.md", root+"/SECURITY.md")
	for _, file := range files {
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, m := range link.FindAllStringSubmatch(string(raw), -1) {
			if strings.Contains(m[1], "://") || strings.HasPrefix(m[1], "mailto:") {
				continue
			}
			target := filepath.Join(filepath.Dir(file), m[1])
			_, err := os.Stat(target)
			require.NoError(t, err, "%s links to %s", file, m[1])
		}
	}
}
