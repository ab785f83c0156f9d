package neo4jdev

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// oddPassword contains characters that a shell, a JSON file and the command's argument files each treat specially.
const oddPassword = `-@ "quo'te\ #$ü 1`

func TestServerKeepsItsDataAndPassword(t *testing.T) {
	for _, version := range []string{Version526, VersionCalendar} {
		t.Run(version, func(t *testing.T) {
			requireRunnable(t, version)
			ctx := t.Context()
			first := start(t, Options{Dir: t.TempDir(), Version: version, Password: oddPassword, HTTP: true, Development: true})
			require.Equal(t, version, first.Version)
			require.NoError(t, speaksBolt(ctx, strings.TrimPrefix(first.URI, "bolt://")))
			require.Equal(t, http.StatusUnauthorized, query(t, first, "wrong-password", "RETURN 1", nil))
			require.Equal(t, http.StatusAccepted, query(t, first, oddPassword, "CREATE (:Kept {n: 1})", nil))

			info, err := os.Stat(CredentialsFile(first.Dir()))
			require.NoError(t, err)
			require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
			leftovers, err := filepath.Glob(filepath.Join(first.Dir(), "initial-password-*"))
			require.NoError(t, err)
			require.Empty(t, leftovers, "the password file of the first start")

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
		name    string
		options Options
		says    string
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
			require.ErrorContains(t, err, test.says)
		})
	}
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
