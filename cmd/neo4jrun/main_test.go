package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/testmark"
)

// asCommand is the variable that makes the test binary run as neo4jrun.
const asCommand = "NEO4JRUN_TEST_MAIN"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
	}
	os.Exit(m.Run())
}

func TestRunHandsTheServerToTheCommand(t *testing.T) {
	testmark.Long(t)
	if runtime.GOOS == "windows" {
		t.Skip("the commands of this test are a shell's")
	}
	temporary := t.TempDir()
	report := filepath.Join(t.TempDir(), "report")
	command := neo4jrun(temporary, "-dev", "-http", "-conf", "db.transaction.timeout=5s", "--", "sh", "-c",
		`echo "$NEO4J_URI $NEO4J_USERNAME ${#NEO4J_PASSWORD} $NEO4J_HTTP_URL $NEO4J_TEST_WIPE" > "$0";`+
			` cat $TMPDIR/*/conf/neo4j.conf >> "$0"; exit 7`, report)
	err := command.Run()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	require.Equal(t, 7, exit.ExitCode(), "the command's own code")
	text, err := os.ReadFile(report)
	require.NoError(t, err)
	require.Regexp(t, `^(bolt://127\.0\.0\.1:\d+) neo4j 26 http://127\.0\.0\.1:\d+ (bolt://127\.0\.0\.1:\d+)\n`, string(text))
	require.Contains(t, string(text), "db.transaction.timeout=5s\n")
	require.Empty(t, entries(t, temporary), "the temporary directory is gone")
}

func TestRunPassesSignalsOn(t *testing.T) {
	testmark.Long(t)
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no signals to forward")
	}
	temporary, data := t.TempDir(), t.TempDir()
	ready := filepath.Join(t.TempDir(), "ready")
	command := neo4jrun(temporary, "-dev", "-dir", data, "sh", "-c", `trap 'exit 9' TERM; echo $PPID > "$0"; while :; do sleep 0.05; done`,
		ready)
	require.NoError(t, command.Start())
	require.Eventually(t, func() bool {
		text, err := os.ReadFile(ready)
		return err == nil && strings.TrimSpace(string(text)) == strconv.Itoa(command.Process.Pid)
	}, time.Minute, 20*time.Millisecond)
	require.NoError(t, command.Process.Signal(syscall.SIGTERM))
	var exit *exec.ExitError
	require.ErrorAs(t, command.Wait(), &exit)
	require.Equal(t, 9, exit.ExitCode())
	require.Contains(t, entries(t, data), "credentials.json", "-dir keeps the data")
}

func TestRunStartsSeveralServers(t *testing.T) {
	testmark.Long(t)
	if runtime.GOOS == "windows" {
		t.Skip("the commands of this test are a shell's")
	}
	temporary, data := t.TempDir(), t.TempDir()
	command := neo4jrun(temporary, "-dev", "-http", "-servers", "2", "-dir", data, "sh", "-c",
		`echo "$NEO4J_URI $NEO4J_TEST_WIPE"; echo "$NEO4J_HTTP_URL $NEO4J_TEST_HTTP"`)
	report, err := command.Output()
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(report)), "\n")
	require.Len(t, lines, 2)
	for i, scheme := range []string{"bolt", "http"} {
		one, all, _ := strings.Cut(lines[i], " ")
		first, second, _ := strings.Cut(all, ",")
		require.Equal(t, one, first)
		require.NotEqual(t, first, second)
		require.Regexp(t, `^`+scheme+`://127\.0\.0\.1:\d+$`, second)
	}
	require.ElementsMatch(t, []string{"1", "2"}, entries(t, data))
}

func TestRunRefusesWrongUsage(t *testing.T) {
	for name, arguments := range map[string][]string{
		"no command":      {"-dev"},
		"no server":       {"-servers", "0", "true"},
		"unknown flag":    {"-nosuch", "true"},
		"conf not a pair": {"-conf", "x", "true"},
	} {
		code, err := run(arguments)
		require.Equal(t, 2, code, name)
		require.NoError(t, err, name)
	}
	code, err := run([]string{"-version", "5", "true"})
	require.Equal(t, 1, code)
	require.ErrorContains(t, err, "exact")
}

func neo4jrun(temporary string, arguments ...string) *exec.Cmd {
	command := exec.Command(os.Args[0], arguments...)
	command.Env = append(os.Environ(), asCommand+"=1", "TMPDIR="+temporary)
	command.Stderr = os.Stderr
	return command
}

func entries(t *testing.T, dir string) []string {
	t.Helper()
	found, err := os.ReadDir(dir)
	require.NoError(t, err)
	var names []string
	for _, entry := range found {
		names = append(names, entry.Name())
	}
	return names
}
