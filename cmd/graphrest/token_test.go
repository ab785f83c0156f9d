package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/neo4jtest"
)

// The secret is the only text on standard output, so that a script can keep it without parsing, and it is printed once.
func TestTokenCommands(t *testing.T) {
	environ := databaseEnvironment(neo4jtest.OpenPrepared(t))
	token := func(args ...string) result { return command(t, environ, "", append([]string{"token"}, args...)...) }
	table := func() string {
		r := token("list")
		require.Equal(t, exitOK, r.code, r.stderr)
		return r.stdout
	}
	require.Regexp(t, `^ID +NAME +PERMISSIONS +RATE LIMIT +EXPIRES +LAST USED\n$`, table())

	r := token("create", "nightly import", "--permissions", "read,create", "--days", "30", "--rate-limit", "7")
	require.Equal(t, exitOK, r.code, r.stderr)
	require.Regexp(t, `^grt_[A-Za-z0-9_-]{43}\n$`, r.stdout)
	secret := strings.TrimSpace(r.stdout)
	require.NotContains(t, r.stderr, secret)
	require.Regexp(t, `(?m)^[0-9a-f-]{36} +nightly import +read,create +7 +20\S+Z +never$`, table())
	require.NotContains(t, table(), secret)

	r = token("list", "-o", "json")
	require.Equal(t, exitOK, r.code, r.stderr)
	require.NotContains(t, r.stdout, secret)
	var all []serviceTokenDocument
	require.NoError(t, json.Unmarshal([]byte(r.stdout), &all))
	require.Len(t, all, 1)
	require.Nil(t, all[0].CreatedBy)
	require.Nil(t, all[0].LastUsedAt)

	for _, test := range []struct {
		name, wantMessage string
		args              []string
		code              int
	}{
		{"taken name in another case", "already exists", []string{"create", "Nightly Import"}, exitFailed},
		{"no name", "1 to 64 characters", []string{"create", ""}, exitFailed},
		{"more than a year", "--days", []string{"create", "x", "--days", "366"}, exitUsage},
		{"unknown permission", "--permissions", []string{"create", "x", "--permissions", "fly"}, exitUsage},
		{"unknown token", "no such service token", []string{"revoke", "nobody"}, exitFailed},
	} {
		before := table()
		r := token(test.args...)
		require.Equal(t, test.code, r.code, test.name)
		require.Contains(t, r.stderr, test.wantMessage, test.name)
		require.Empty(t, r.stdout, test.name)
		require.Equal(t, before, table(), test.name)
	}

	require.Equal(t, exitOK, token("create", all[0].ID).code, "a name that is another token's id")
	require.Equal(t, exitOK, token("revoke", all[0].ID).code)
	require.NotContains(t, table(), "nightly import")
	require.Contains(t, table(), all[0].ID)
	require.Equal(t, exitOK, token("revoke", all[0].ID).code, "now the name")
	require.NotContains(t, table(), all[0].ID)
}
