package httpapi_test

import (
	"fmt"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/testmark"
)

// TestImportsEndWhenPrivilegesAreLost: ids of the client's choice need the permission edit, and names without a budget need an
// administrator, during the whole import.
func TestImportsEndWhenPrivilegesAreLost(t *testing.T) {
	testmark.Concurrent(t)
	srv := newTestServer(t, nil)
	no, create := false, []auth.Permission{auth.Create}
	both := []auth.Permission{auth.Create, auth.Edit}
	for name, row := range map[string]struct {
		begins auth.NewUser
		change auth.UserChange
		denied string // empty where the import goes on
	}{
		"edit": {
			auth.NewUser{Permissions: both},
			auth.UserChange{Permissions: &create},
			"the import began with the permission edit, which the user no longer has",
		},
		"administrator": {
			auth.NewUser{Permissions: both, Admin: true},
			auth.UserChange{Admin: &no},
			"the import began as an administrator's, which the user no longer is",
		},
		"more": {auth.NewUser{Permissions: create}, auth.UserChange{Permissions: &both}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			row.begins.Username, row.begins.Password = name, password
			_, err := srv.users.CreateUser(t.Context(), row.begins)
			require.NoError(t, err)
			s := srv.startImport(t, srv.url, name)
			s.readUntil(t, `"lines":1,"created":1`)
			_, err = srv.users.UpdateUser(t.Context(), name, row.change)
			require.NoError(t, err)
			if row.denied != "" {
				s.readUntil(t, `{"error":{"code":"PERMISSION_DENIED","message":"Permission denied: `+row.denied+`"`)
				_, err = s.answers.ReadString('\n')
				require.ErrorIs(t, err, io.EOF, "nothing follows")
				r := srv.send(t, name, "POST", "/api/import", `{"kind":"node","type":"Person"}`, "Content-Type", "application/x-ndjson")
				require.Equal(t, http.StatusOK, r.status, r.body)
				require.Contains(t, r.body, `"created":1`, "the next one has no such freedom and needs none")
				return
			}
			_, err = fmt.Fprintln(s.lines, `{"kind":"node","type":"Person","id":"mine `+name+`"}`)
			require.NoError(t, err)
			require.NoError(t, s.lines.Close())
			s.readUntil(t, `{"data":{"lines":2,"created":1,"updated":0,"skipped":0,"failed":1,`)
		})
	}
}
