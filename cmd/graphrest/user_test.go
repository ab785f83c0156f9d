package main

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/neo4jtest"
)

func TestMain(m *testing.M) { neo4jtest.Main(m) }

func databaseEnvironment(db *neo4jtest.DB) []string {
	return append(db.Environ(), "GRAPHREST_LOG_LEVEL=error")
}

// The test administers users in a database that no gateway has used, including the rule about the last administrator.
func TestUserCommands(t *testing.T) {
	environ := databaseEnvironment(neo4jtest.Open(t))
	user := func(stdin string, args ...string) result {
		return command(t, environ, stdin, append([]string{"user"}, args...)...)
	}
	table := func() string {
		r := user("", "list")
		require.Equal(t, exitOK, r.code, r.stderr)
		return r.stdout
	}

	require.Regexp(t, `^USERNAME +PERMISSIONS +ADMIN +DISABLED +RATE LIMIT\n$`, table(), "a new database has no users")

	r := user(testPassword+"\n", "add", "root", "--admin", "--permissions", "all", "--password-stdin")
	require.Equal(t, exitOK, r.code, r.stderr)
	require.NotContains(t, r.stdout+r.stderr, testPassword)
	r = user(testPassword, "add", "ann", "--permissions", "read,create", "--rate-limit", "5", "--password-stdin", "-o", "json")
	require.Equal(t, exitOK, r.code, r.stderr)
	var ann userDocument
	require.NoError(t, json.Unmarshal([]byte(r.stdout), &ann))
	require.Equal(t, "ann", ann.Username)
	require.Len(t, ann.Permissions, 2)
	require.EqualValues(t, 5, *ann.RateLimit)
	require.NotEmpty(t, ann.ID)

	require.Regexp(t, `(?m)^ann +read,create +no +no +5$`, table())
	require.Regexp(t, `(?m)^root +read,create,edit,delete +yes +no +default$`, table())

	r = user("", "set", "ann", "--permissions", "none", "--disabled", "--rate-limit", "default")
	require.Equal(t, exitOK, r.code, r.stderr)
	require.Regexp(t, `(?m)^ann +no +yes +default$`, table())
	require.Equal(t, exitOK, user("", "set", "ann", "--disabled=false").code)
	require.Regexp(t, `(?m)^ann +no +no +default$`, table())

	t.Run("rejected", func(t *testing.T) {
		for _, test := range []struct {
			name, stdin string
			args        []string
			wantMessage string
		}{
			{"short password", "short", []string{"add", "bob", "--password-stdin"}, "12 characters"},
			{"no password", "", []string{"add", "bob", "--password-stdin"}, "12 characters"},
			{"taken name in another case", testPassword, []string{"add", "ANN", "--password-stdin"}, "A user with this name already exists"},
			{"change of an unknown user", "", []string{"set", "nobody", "--admin"}, ""},
			{"password of an unknown user", testPassword, []string{"passwd", "nobody", "--password-stdin"}, ""},
			{"removal of an unknown user", "", []string{"rm", "nobody"}, ""},
			{"last administrator demoted", "", []string{"set", "root", "--admin=false"}, "administrator"},
			{"last administrator removed", "", []string{"rm", "root"}, "administrator"},
		} {
			before := table()
			r := user(test.stdin, test.args...)
			require.Equal(t, exitFailed, r.code, test.name)
			require.Contains(t, r.stderr, test.wantMessage, test.name)
			require.Empty(t, r.stdout, test.name)
			require.Equal(t, before, table(), test.name)
		}
	})

	r = user("another-Pass-word-9\n", "passwd", "ann", "--password-stdin")
	require.Equal(t, exitOK, r.code, r.stderr)
	require.NotContains(t, r.stdout+r.stderr, "another-Pass-word-9")
	r = user("", "rm", "ann")
	require.Equal(t, exitOK, r.code, r.stderr)
	require.NotContains(t, table(), "ann")
}

func TestUserCommandsWithoutADatabase(t *testing.T) {
	r := command(t, []string{"NEO4J_URI=bolt://127.0.0.1:1", "NEO4J_PASSWORD=" + testPassword}, "", "user", "list")
	require.Equal(t, exitFailed, r.code)
	require.Contains(t, r.stderr, "127.0.0.1:1", "the error names the address that does not answer")
	require.NotContains(t, r.stderr, testPassword)
}
