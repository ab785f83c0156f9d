package httpapi_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/fault"
	"graphrest/internal/httpapi"
	"graphrest/internal/rules"
	"graphrest/internal/testmark"
)

// rightsLossCases are the events that end a user's rights, and the code that the user's streams end with.
func (srv *testServer) rightsLossCases() map[string]struct {
	removeRight func(username string, p auth.Principal) error
	code        string
} {
	type row = struct {
		removeRight func(username string, p auth.Principal) error
		code        string
	}
	update := func(c auth.UserChange) func(string, auth.Principal) error {
		return func(username string, _ auth.Principal) error {
			_, err := srv.users.UpdateUser(context.Background(), username, c)
			return err
		}
	}
	yes, next := true, "a third long password"
	return map[string]row{
		"disabled":    {update(auth.UserChange{Disabled: &yes}), "TOKEN_REVOKED"},
		"password":    {update(auth.UserChange{Password: &next}), "TOKEN_REVOKED"},
		"permissions": {update(auth.UserChange{Permissions: &[]auth.Permission{auth.Delete}}), "PERMISSION_DENIED"},
		"deleted": {func(username string, _ auth.Principal) error {
			return srv.users.DeleteUser(context.Background(), username)
		}, "TOKEN_REVOKED"},
		"logged out": {func(_ string, p auth.Principal) error { return srv.users.Logout(context.Background(), p) }, "TOKEN_REVOKED"},
	}
}

func (srv *testServer) principal(t *testing.T, username string) auth.Principal {
	t.Helper()
	p, err := srv.users.Authenticate(context.Background(), []string{"Bearer " + srv.token(t, username)})
	require.NoError(t, err)
	return p
}

// replica is a second gateway on the server's database, with a separate cache of users.
func (srv *testServer) replica(t *testing.T, options httpapi.Options, life time.Duration) (string, *auth.Service) {
	t.Helper()
	users := srv.newUsers(t, life, slog.New(slog.DiscardHandler))
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); _ = users.Run(ctx) }()
	options.Accounts, options.Fresh = users, users.EnsureFresh
	api, err := httpapi.New(options)
	require.NoError(t, err)
	httpapi.SetStreamIdleTimeout(api, time.Hour) // what ends a stream is not its client's slowness
	server := httptest.NewServer(api)
	t.Cleanup(func() { server.Close(); stop(); <-ended })
	return server.URL, users
}

// TestStreamsEndWhenRightsAreLost: imports that wait for their client, on the gateway of the change and on another one, and running
// exports end with the reason as their last line, and nothing is written or sent after it.
func TestStreamsEndWhenRightsAreLost(t *testing.T) {
	testmark.Concurrent(t)
	var options httpapi.Options
	srv := newTestServer(t, func(o *httpapi.Options) { options = *o })
	there, _ := srv.replica(t, options, time.Hour)
	httpapi.SetStreamIdleTimeout(srv.api, time.Hour)
	srv.db.Exec(t, "UNWIND range(1, 30000) AS i CREATE (:Film {n: i, text: $text})", map[string]any{"text": strings.Repeat("some text ", 80)})
	for name, end := range srv.rightsLossCases() {
		for place, base := range map[string]string{"here": srv.url, "elsewhere": there} {
			t.Run("import "+place+" "+name, func(t *testing.T) {
				user := "import " + place + " " + name
				srv.user(t, user, auth.Create)
				s := srv.startImport(t, base, user)
				s.readUntil(t, `"lines":1,"created":1`)
				before := srv.db.Count(t, "MATCH (n:Person) RETURN count(n)", nil)
				require.NoError(t, end.removeRight(user, srv.principal(t, user)))
				changed := time.Now()
				s.readUntil(t, `{"error":{"code":"`+end.code+`","message":"`)
				t.Logf("ended %v after the change", time.Since(changed).Round(time.Millisecond))
				_, _ = fmt.Fprintln(s.lines, `{"kind":"node","type":"Person"}`)
				_, err := s.answers.ReadString('\n')
				require.ErrorIs(t, err, io.EOF, "nothing follows")
				require.Equal(t, before, srv.db.Count(t, "MATCH (n:Person) RETURN count(n)", nil))
			})
		}
		t.Run("export "+name, func(t *testing.T) {
			user := "export " + name
			srv.user(t, user, auth.Read)
			lines := srv.exports(t, srv.url, user)
			for range 10 {
				_, err := lines.ReadString('\n')
				require.NoError(t, err)
			}
			require.NoError(t, end.removeRight(user, srv.principal(t, user)))
			last, count := "", 0
			for line, err := lines.ReadString('\n'); err == nil; line, err = lines.ReadString('\n') {
				last = line
				count++
			}
			require.Less(t, count, 30000, "not all was sent")
			require.Contains(t, last, `{"kind":"error","error":{"code":"`+end.code+`"`)
		})
	}
}

// TestStreamsOutliveChangesOfOtherRoles: an import and an export of a user with grants go on while roles change that the user does not
// have.
func TestStreamsOutliveChangesOfOtherRoles(t *testing.T) {
	testmark.Concurrent(t)
	var options httpapi.Options
	srv := newTestServer(t, func(o *httpapi.Options) { options = *o })
	there, thereUsers := srv.replica(t, options, time.Hour)
	withRole(t, srv, "ann", `[{"kind":"node","type":"*","actions":["read","create"]}]`)
	withRole(t, srv, "bob", `[{"kind":"node","type":"Film","actions":["read"]}]`)
	srv.db.Exec(t, "UNWIND range(1, 30000) AS i CREATE (:Film {n: i, text: $text})", map[string]any{"text": strings.Repeat("some text ", 80)})
	for base, users := range map[string]*auth.Service{srv.url: srv.users, there: thereUsers} {
		s, lines := srv.startImport(t, base, "ann"), srv.exports(t, base, "ann")
		s.readUntil(t, `"lines":1,"created":1`)
		was, err := users.Role(t.Context(), "role of bob")
		require.NoError(t, err)
		other, f := rules.ParseGrants("grants", fmt.Sprintf(`[{"kind":"node","type":"Film %d","actions":["read"]}]`, time.Now().UnixNano()))
		require.Nil(t, f)
		_, err = srv.users.UpdateRole(t.Context(), "role of bob", auth.RoleChange{Grants: &other})
		require.NoError(t, err)
		require.Eventually(t, func() bool {
			now, err := users.Role(t.Context(), "role of bob")
			return err == nil && now.Grants[0].Type != was.Grants[0].Type
		}, 20*time.Second, 10*time.Millisecond)
		_, err = fmt.Fprintln(s.lines, `{"kind":"node","type":"Person"}`)
		require.NoError(t, err)
		s.readUntil(t, `"lines":2,"created":2`)
		all, err := io.ReadAll(lines)
		require.NoError(t, err)
		require.NotContains(t, string(all), `{"kind":"error"`)
	}
}

// exports starts an export with small buffers, so that the gateway waits for the reader.
func (srv *testServer) exports(t *testing.T, base, user string, headers ...string) *bufio.Reader {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+"/api/export", http.NoBody)
	require.NoError(t, err)
	r.Header.Set("Authorization", "Bearer "+srv.token(t, user))
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(t, err)
	t.Cleanup(func() { _ = res.Body.Close() })
	require.Equal(t, http.StatusOK, res.StatusCode)
	return bufio.NewReaderSize(res.Body, 4096)
}

// TestStreamsEndWithTheirToken: streams also end when the token expires.
func TestStreamsEndWithTheirToken(t *testing.T) {
	testmark.Concurrent(t)
	var options httpapi.Options
	srv := newTestServer(t, func(o *httpapi.Options) { options = *o })
	url, users := srv.replica(t, options, 3*time.Second)
	srv.user(t, "ann", auth.Create)
	token, err := users.Login(t.Context(), "ann", password, "127.0.0.1", nil)
	require.NoError(t, err)
	srv.tokens["ann"] = token.AccessToken
	s := srv.startImport(t, url, "ann")
	s.readUntil(t, `{"error":{"code":"TOKEN_EXPIRED","message":"`)
}

// TestImportWaitingForTheDatabaseEndsWhenRightsAreLost: the statement that waits for a lock is canceled, and writes nothing when
// the lock is released. The other streams and the next import continue.
func TestImportWaitingForTheDatabaseEndsWhenRightsAreLost(t *testing.T) {
	testmark.Concurrent(t)
	srv := newTestServer(t, nil)
	srv.user(t, "ann", auth.Create, auth.Edit)
	ctx := context.Background()
	made := srv.send(t, "root", "POST", "/api/nodes", `{"type":"Person","properties":{"by":"root"}}`)
	id := jsonAt(t, made.body, "data.id").(string)
	driver, err := neo4j.NewDriverWithContext(srv.db.URI, neo4j.BasicAuth(srv.db.Username, srv.db.Password, ""))
	require.NoError(t, err)
	t.Cleanup(func() { _ = driver.Close(ctx) })
	session := driver.NewSession(ctx, neo4j.SessionConfig{DatabaseName: srv.db.Database})
	t.Cleanup(func() { _ = session.Close(ctx) })
	tx, err := session.BeginTransaction(ctx)
	require.NoError(t, err)
	_, err = tx.Run(ctx, "MATCH (n:Person {uuid: $id}) SET n.by = 'lock'", map[string]any{"id": id})
	require.NoError(t, err)

	s := srv.startImport(t, srv.url, "ann", "?on_conflict=merge")
	s.readUntil(t, `"lines":1,"created":1`)
	_, err = fmt.Fprintf(s.lines, `{"kind":"node","type":"Person","id":%q,"properties":{"by":"ann"}}`+"\n", id)
	require.NoError(t, err)
	waits := func() int64 {
		return srv.db.Count(t, "SHOW TRANSACTIONS YIELD status WHERE status STARTS WITH 'Blocked' RETURN count(*)", nil)
	}
	require.Eventually(t, func() bool { return waits() > 0 }, 20*time.Second, 20*time.Millisecond, "the import waits for the lock")
	_, err = srv.users.UpdateUser(ctx, "ann", auth.UserChange{Permissions: &[]auth.Permission{auth.Create}})
	require.NoError(t, err)
	s.readUntil(t, `{"error":{"code":"PERMISSION_DENIED","message":"Permission denied: this needs the permission edit as well"`)
	require.Eventually(t, func() bool { return waits() == 0 }, 20*time.Second, 20*time.Millisecond, "the statement has ended")
	require.NoError(t, tx.Rollback(ctx))
	require.Contains(t, srv.send(t, "root", "GET", "/api/nodes/"+id, "").body, `"by":"root"`)
	r := srv.send(t, "ann", "POST", "/api/import", `{"kind":"node","type":"Person"}`, "Content-Type", "application/x-ndjson")
	require.Equal(t, http.StatusOK, r.status, r.body)
	require.Contains(t, r.body, `"created":1`)
}

// TestUnreadExportEndsWhenRightsAreLost: the export releases its stream, although its last line cannot be sent.
func TestUnreadExportEndsWhenRightsAreLost(t *testing.T) {
	testmark.Concurrent(t)
	srv := newTestServer(t, func(o *httpapi.Options) { o.Streams = 1 })
	srv.user(t, "ann", auth.Read)
	srv.user(t, "bob", auth.Read)
	srv.db.Exec(t, "UNWIND range(1, 30000) AS i CREATE (:Film {n: i, text: $text})", map[string]any{"text": strings.Repeat("some text ", 80)})
	lines := srv.exports(t, srv.url, "ann")
	_, err := lines.ReadString('\n')
	require.NoError(t, err)
	head := func() int { return srv.send(t, "bob", "HEAD", "/api/export", "").status }
	require.Equal(t, http.StatusServiceUnavailable, head())
	require.NoError(t, srv.users.Logout(t.Context(), srv.principal(t, "ann")))
	require.Eventually(t, func() bool { return head() == http.StatusOK }, 30*time.Second, 50*time.Millisecond)
}

// unavailableAccounts cannot recheck a user while the database is unavailable.
type unavailableAccounts struct {
	httpapi.Accounts
	away  atomic.Bool
	asked atomic.Int64 // while it is away
}

func (u *unavailableAccounts) Recheck(ctx context.Context, p auth.Principal) (auth.Principal, error) {
	if u.away.Load() {
		u.asked.Add(1)
		return auth.Principal{}, fault.New(fault.DatabaseUnavailable, "not known")
	}
	return u.Accounts.Recheck(ctx, p)
}

// TestShutdownEndsAnImportWithUnknownRights: an import that waits because the rights are unknown ends like any other, and writes nothing.
func TestShutdownEndsAnImportWithUnknownRights(t *testing.T) {
	var accounts *unavailableAccounts
	srv := newTestServer(t, func(o *httpapi.Options) {
		accounts = &unavailableAccounts{Accounts: o.Accounts}
		o.Accounts = accounts
	})
	srv.user(t, "ann", auth.Create)
	s := srv.startImport(t, srv.url, "ann")
	s.readUntil(t, `"lines":1,"created":1`)
	accounts.away.Store(true)
	_, err := fmt.Fprintln(s.lines, `{"kind":"node","type":"Person"}`)
	require.NoError(t, err)
	require.Eventually(t, func() bool { return accounts.asked.Load() > 20 }, 20*time.Second, 10*time.Millisecond)
	srv.api.StartDraining()
	s.readUntil(t,
		`{"error":{"code":"DATABASE_UNAVAILABLE","message":"The service is stopping; try again","details":[]},"data":{"lines":1,"created":1,`)
	require.EqualValues(t, 1, srv.db.Count(t, "MATCH (n:Person) RETURN count(n)", nil))
}
