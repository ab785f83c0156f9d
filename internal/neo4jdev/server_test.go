package neo4jdev

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/testmark"
)

// oddPassword contains characters that a shell, a JSON file and the command's argument files each treat specially.
const oddPassword = `-@ "quo'te\ #$ü 1`

func TestServerKeepsItsDataAndPassword(t *testing.T) {
	testmark.Long(t)
	for _, version := range []string{Version526, VersionCalendar} {
		t.Run(version, func(t *testing.T) {
			requireRunnable(t, version)
			ctx := t.Context()
			cache := linkedCache(t, version)
			first := start(t, Options{
				Dir: t.TempDir(), CacheDir: cache, Version: version, Password: oddPassword, HTTP: true, Development: true, ClassArchive: true,
			})
			archive := requireOneArchive(t, cache)
			requireMapped(t, first.Pid(), archive)
			require.Equal(t, version, first.Version)
			require.NoError(t, speaksBolt(ctx, strings.TrimPrefix(first.URI, "bolt://")))
			require.Equal(t, http.StatusUnauthorized, query(t, first, "wrong-password", "RETURN 1", nil))
			require.Equal(t, http.StatusAccepted, query(t, first, oddPassword, "CREATE (:Kept {n: 1})", nil))

			info, err := os.Stat(CredentialsFile(first.Dir()))
			require.NoError(t, err)
			require.Equal(t, os.FileMode(0o600), info.Mode().Perm())

			short, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
			defer cancel()
			_, err = lockHome(short, first.Dir())
			require.ErrorIs(t, err, ErrInUse)

			require.NoError(t, first.Kill())
			require.Error(t, first.Wait(), "a killed process ends with an error")
			require.Error(t, speaksBolt(ctx, strings.TrimPrefix(first.URI, "bolt://")))

			again := first.Options()
			again.Password = "not the right one"
			_, err = Start(ctx, again)
			require.ErrorContains(t, err, "another password")
			require.NotContains(t, err.Error(), oddPassword)

			again.Password = "" // the one kept in the directory
			require.NoError(t, os.Remove(archive))
			require.NoError(t, os.WriteFile(archive, []byte("not a class archive"), 0o600), "a damaged archive costs time only")
			second := start(t, again)
			require.Equal(t, first.URI, second.URI)
			require.Equal(t, oddPassword, second.Password)
			var kept [][]any
			require.Equal(t, http.StatusAccepted, query(t, second, second.Password, "MATCH (n:Kept) RETURN count(n)", &kept))
			require.Equal(t, [][]any{{1.0}}, kept)

			began := time.Now()
			require.NoError(t, second.Stop(ctx))
			t.Logf("stopped in %s", time.Since(began))
			require.NoError(t, second.Stop(ctx), "stopping twice")
		})
	}
}

func TestStartTellsWhyNeo4jDidNot(t *testing.T) {
	options := Options{Dir: t.TempDir(), Development: true, ExtraConf: map[string]string{"server.no_such_setting": "1"}}
	_, err := Start(t.Context(), options)
	require.ErrorContains(t, err, "server.no_such_setting", "the error contains Neo4j's own message")
	lock, err := TryLockFile(filepath.Join(options.Dir, ".lock"))
	require.NoError(t, err)
	require.NotNil(t, lock, "a failed start leaves no lock")
	lock.Release()
}

func TestStartGivesUpWithItsContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	dir := t.TempDir()
	_, err := Start(ctx, Options{Dir: dir, Development: true})
	require.ErrorIs(t, err, context.DeadlineExceeded)
	lock, err := TryLockFile(filepath.Join(dir, ".lock"))
	require.NoError(t, err)
	require.NotNil(t, lock, "neither this process nor a remaining server holds the lock of the directory")
	lock.Release()
}

func TestStartRefusesUnusableOptions(t *testing.T) {
	tests := []struct {
		name        string
		options     Options
		wantMessage string
	}{
		{"no directory", Options{}, "Dir"},
		{"a version range", Options{Dir: "x", Version: "5.26"}, "exact"},
		{"a version that is a path", Options{Dir: "x", Version: "../5.26.30"}, "exact"},
		{"a short password", Options{Dir: "x", Password: "1234567"}, "8 characters"},
		{"a password of two lines", Options{Dir: "x", Password: "12345678\n9"}, "line breaks"},
		{"a setting of two lines", Options{Dir: "x", ExtraConf: map[string]string{"a": "b\nc=d"}}, "neo4j.conf"},
		{"a setting without a name", Options{Dir: "x", ExtraConf: map[string]string{"": "b"}}, "neo4j.conf"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := Start(t.Context(), test.options)
			require.ErrorContains(t, err, test.wantMessage)
		})
	}
}

// linkedCache returns a separate cache that shares the jars of the user's cache and holds no class archive.
func linkedCache(t *testing.T, version string) string {
	t.Helper()
	own := Options{Version: version}
	java, err := findJava(t.Context(), "", version)
	require.NoError(t, err)
	cache, err := cacheDir(own, version)
	require.NoError(t, err)
	jars, err := assemble(t.Context(), own, cache, version, java)
	require.NoError(t, err)
	linked := t.TempDir()
	require.NoError(t, os.Symlink(jars.lib, filepath.Join(linked, "lib")))
	return linked
}

// requireOneArchive returns the class archive of a cache, in which nothing is left of its making.
func requireOneArchive(t *testing.T, cache string) string {
	t.Helper()
	archives, err := filepath.Glob(filepath.Join(cache, "classes-*.jsa"))
	require.NoError(t, err)
	require.Len(t, archives, 1)
	leftovers, err := filepath.Glob(filepath.Join(cache, "*.tmp"))
	require.NoError(t, err)
	require.Empty(t, leftovers)
	return archives[0]
}

// requireMapped checks that a process uses the class archive, where the operating system shows what a process maps.
func requireMapped(t *testing.T, pid int, archive string) {
	t.Helper()
	maps, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/maps")
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	require.NoError(t, err)
	require.Contains(t, string(maps), archive)
}

// TestClassArchiveIsMadeOnce: while another process makes the archive, and once there is one, a start makes none.
func TestClassArchiveIsMadeOnce(t *testing.T) {
	testmark.Long(t)
	runtime := &javaRuntime{archive: filepath.Join(t.TempDir(), "classes.jsa")} // it has no Java, so making one would fail
	making, err := TryLockFile(runtime.archive + ".lock")
	require.NoError(t, err)
	require.NoError(t, runtime.ensureClassArchive(t.Context(), Options{}))
	making.Release()
	require.NoError(t, os.Mkdir(runtime.archive+".tmp", 0o700), "of a process that was killed")
	require.Error(t, runtime.ensureClassArchive(t.Context(), Options{}))
	require.Empty(t, runtime.archiveArguments(), "a failure leaves no archive")
	require.NoDirExists(t, runtime.archive+".tmp")
	require.NoError(t, os.WriteFile(runtime.archive, []byte("classes"), 0o600))
	require.NoError(t, runtime.ensureClassArchive(t.Context(), Options{}))
	require.Equal(t, []string{"-XX:SharedArchiveFile=" + runtime.archive}, runtime.archiveArguments())
}

func start(t *testing.T, options Options) *Server {
	t.Helper()
	began := time.Now()
	server, err := Start(t.Context(), options)
	require.NoError(t, err)
	t.Logf("Neo4j %s started in %s", server.Version, time.Since(began))
	t.Cleanup(func() { _ = server.Kill() })
	return server
}

// requireRunnable fails the test, or skips it outside CI, when this machine has no Java for a version that is not the
// default one.
func requireRunnable(t *testing.T, version string) {
	t.Helper()
	if err := Check(t.Context(), version); err != nil {
		if version == DefaultVersion || os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
}

// query runs a statement over Neo4j's Query API, returns the HTTP status and reads the rows into rows if not nil.
func query(t *testing.T, server *Server, password, cypher string, rows *[][]any) int {
	t.Helper()
	body, err := json.Marshal(map[string]any{"statement": cypher})
	require.NoError(t, err)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.HTTPURL+"/db/neo4j/query/v2", bytes.NewReader(body))
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/json")
	request.SetBasicAuth(server.Username, password)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	if rows != nil {
		var answer struct{ Data struct{ Values [][]any } }
		require.NoError(t, json.Unmarshal(text, &answer), "%s", text)
		*rows = answer.Data.Values
	}
	return response.StatusCode
}
