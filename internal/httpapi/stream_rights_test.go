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
)

// endsOfRights are what ends the rights of a user with a token, and the code that the user's streams end with.
func (w *world) endsOfRights() map[string]struct {
	do   func(username string, p auth.Principal) error
	code string
} {
	type row = struct {
		do   func(username string, p auth.Principal) error
		code string
	}
	update := func(c auth.UserChange) func(string, auth.Principal) error {
		return func(username string, _ auth.Principal) error {
			_, err := w.users.UpdateUser(context.Background(), username, c)
			return err
		}
	}
	yes, next := true, "a third long password"
	return map[string]row{
		"disabled":    {update(auth.UserChange{Disabled: &yes}), "TOKEN_REVOKED"},
		"password":    {update(auth.UserChange{Password: &next}), "TOKEN_REVOKED"},
		"permissions": {update(auth.UserChange{Permissions: &[]auth.Permission{auth.Delete}}), "PERMISSION_DENIED"},
		"deleted": {func(username string, _ auth.Principal) error {
			return w.users.DeleteUser(context.Background(), username)
		}, "TOKEN_REVOKED"},
		"logged out": {func(_ string, p auth.Principal) error { return w.users.Logout(context.Background(), p) }, "TOKEN_REVOKED"},
	}
}

func (w *world) principal(t *testing.T, username string) auth.Principal {
	t.Helper()
	p, err := w.users.Authenticate(context.Background(), []string{"Bearer " + w.token(t, username)})
	require.NoError(t, err)
	return p
}

// replica is a second gateway on the world's database, with knowledge of users of its own.
func (w *world) replica(t *testing.T, options httpapi.Options, life time.Duration) (string, *auth.Service) {
	t.Helper()
	users := w.newUsers(t, life, slog.New(slog.DiscardHandler))
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); _ = users.Run(ctx) }()
	options.Accounts, options.Fresh = users, users.EnsureFresh
	api, err := httpapi.New(options)
	require.NoError(t, err)
	httpapi.SetStreamPatience(api, time.Hour) // what ends a stream is not its client's slowness
	server := httptest.NewServer(api)
	t.Cleanup(func() { server.Close(); stop(); <-ended })
	return server.URL, users
}

// TestStreamsEndWithTheRights: imports that wait for their client, on the gateway of the change and on another one, and exports in full
// flow end with the reason as their last line, and nothing is written or sent after it.
func TestStreamsEndWithTheRights(t *testing.T) {
	var options httpapi.Options
	w := openWorld(t, func(o *httpapi.Options) { options = *o })
	there, _ := w.replica(t, options, time.Hour)
	httpapi.SetStreamPatience(w.api, time.Hour)
	w.db.Exec(t, "UNWIND range(1, 30000) AS i CREATE (:Film {n: i, text: $text})", map[string]any{"text": strings.Repeat("some text ", 80)})
	for name, end := range w.endsOfRights() {
		for place, base := range map[string]string{"here": w.url, "elsewhere": there} {
			t.Run("import "+place+" "+name, func(t *testing.T) {
				user := "import " + place + " " + name
				w.user(t, user, auth.Create)
				s := w.sends(t, base, user)
				s.until(t, `"lines":1,"created":1`)
				before := w.db.Count(t, "MATCH (n:Person) RETURN count(n)", nil)
				require.NoError(t, end.do(user, w.principal(t, user)))
				changed := time.Now()
				s.until(t, `{"error":{"code":"`+end.code+`","message":"`)
				t.Logf("ended %v after the change", time.Since(changed).Round(time.Millisecond))
				_, _ = fmt.Fprintln(s.lines, `{"kind":"node","type":"Person"}`)
				_, err := s.answers.ReadString('\n')
				require.ErrorIs(t, err, io.EOF, "nothing follows")
				require.Equal(t, before, w.db.Count(t, "MATCH (n:Person) RETURN count(n)", nil))
			})
		}
		t.Run("export "+name, func(t *testing.T) {
			user := "export " + name
			w.user(t, user, auth.Read)
			lines := w.exports(t, w.url, user)
			for range 10 {
				_, err := lines.ReadString('\n')
				require.NoError(t, err)
			}
			require.NoError(t, end.do(user, w.principal(t, user)))
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

// exports begins an export with small buffers, so that the gateway waits for the reader.
func (w *world) exports(t *testing.T, base, user string) *bufio.Reader {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+"/api/export", http.NoBody)
	require.NoError(t, err)
	r.Header.Set("Authorization", "Bearer "+w.token(t, user))
	res, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(t, err)
	t.Cleanup(func() { _ = res.Body.Close() })
	require.Equal(t, http.StatusOK, res.StatusCode)
	return bufio.NewReaderSize(res.Body, 4096)
}

// TestStreamsEndWithTheirToken: also one that only reads the clock.
func TestStreamsEndWithTheirToken(t *testing.T) {
	var options httpapi.Options
	w := openWorld(t, func(o *httpapi.Options) { options = *o })
	url, users := w.replica(t, options, 3*time.Second)
	w.user(t, "ann", auth.Create)
	token, err := users.Login(t.Context(), "ann", password, "127.0.0.1", nil)
	require.NoError(t, err)
	w.tokens["ann"] = token.AccessToken
	s := w.sends(t, url, "ann")
	s.until(t, `{"error":{"code":"TOKEN_EXPIRED","message":"`)
}

// TestAnImportThatWaitsForTheDatabaseEndsWithTheRights: the statement that waits for a lock is ended with it, and writes nothing once
// the lock is free. The other streams and the next import go on.
func TestAnImportThatWaitsForTheDatabaseEndsWithTheRights(t *testing.T) {
	w := openWorld(t, nil)
	w.user(t, "ann", auth.Create, auth.Edit)
	ctx := context.Background()
	made := w.send(t, "root", "POST", "/api/nodes", `{"type":"Person","properties":{"by":"root"}}`)
	id := at(t, made.body, "data.id").(string)
	driver, err := neo4j.NewDriverWithContext(w.db.URI, neo4j.BasicAuth(w.db.Username, w.db.Password, ""))
	require.NoError(t, err)
	t.Cleanup(func() { _ = driver.Close(ctx) })
	session := driver.NewSession(ctx, neo4j.SessionConfig{DatabaseName: w.db.Database})
	t.Cleanup(func() { _ = session.Close(ctx) })
	tx, err := session.BeginTransaction(ctx)
	require.NoError(t, err)
	_, err = tx.Run(ctx, "MATCH (n:Person {uuid: $id}) SET n.by = 'lock'", map[string]any{"id": id})
	require.NoError(t, err)

	s := w.sends(t, w.url, "ann", "?on_conflict=merge")
	s.until(t, `"lines":1,"created":1`)
	_, err = fmt.Fprintf(s.lines, `{"kind":"node","type":"Person","id":%q,"properties":{"by":"ann"}}`+"\n", id)
	require.NoError(t, err)
	waits := func() int64 {
		return w.db.Count(t, "SHOW TRANSACTIONS YIELD status WHERE status STARTS WITH 'Blocked' RETURN count(*)", nil)
	}
	require.Eventually(t, func() bool { return waits() > 0 }, 20*time.Second, 20*time.Millisecond, "the import waits for the lock")
	_, err = w.users.UpdateUser(ctx, "ann", auth.UserChange{Permissions: &[]auth.Permission{auth.Create}})
	require.NoError(t, err)
	s.until(t, `{"error":{"code":"PERMISSION_DENIED","message":"Permission denied: this needs the permission edit as well"`)
	require.Eventually(t, func() bool { return waits() == 0 }, 20*time.Second, 20*time.Millisecond, "the statement has ended")
	require.NoError(t, tx.Rollback(ctx))
	require.Contains(t, w.send(t, "root", "GET", "/api/nodes/"+id, "").body, `"by":"root"`)
	r := w.send(t, "ann", "POST", "/api/import", `{"kind":"node","type":"Person"}`, "Content-Type", "application/x-ndjson")
	require.Equal(t, http.StatusOK, r.status, r.body)
	require.Contains(t, r.body, `"created":1`)
}

// TestAnExportThatNobodyReadsEndsWithTheRights frees what it holds, though its last line cannot be sent.
func TestAnExportThatNobodyReadsEndsWithTheRights(t *testing.T) {
	w := openWorld(t, func(o *httpapi.Options) { o.Streams = 1 })
	w.user(t, "ann", auth.Read)
	w.user(t, "bob", auth.Read)
	w.db.Exec(t, "UNWIND range(1, 30000) AS i CREATE (:Film {n: i, text: $text})", map[string]any{"text": strings.Repeat("some text ", 80)})
	lines := w.exports(t, w.url, "ann")
	_, err := lines.ReadString('\n')
	require.NoError(t, err)
	head := func() int { return w.send(t, "bob", "HEAD", "/api/export", "").status }
	require.Equal(t, http.StatusServiceUnavailable, head())
	require.NoError(t, w.users.Logout(t.Context(), w.principal(t, "ann")))
	require.Eventually(t, func() bool { return head() == http.StatusOK }, 30*time.Second, 50*time.Millisecond)
}

// unknowing are accounts that cannot say, while the database is away, what a user may do now.
type unknowing struct {
	httpapi.Accounts
	away  atomic.Bool
	asked atomic.Int64 // while it is away
}

func (u *unknowing) Recheck(ctx context.Context, p auth.Principal) (auth.Principal, error) {
	if u.away.Load() {
		u.asked.Add(1)
		return auth.Principal{}, fault.New(fault.DatabaseUnavailable, "not known")
	}
	return u.Accounts.Recheck(ctx, p)
}

// TestAStopEndsAnImportThatWaitsForItsRights: one that waits because the rights cannot be known is ended as any other, and writes nothing.
func TestAStopEndsAnImportThatWaitsForItsRights(t *testing.T) {
	var accounts *unknowing
	w := openWorld(t, func(o *httpapi.Options) {
		accounts = &unknowing{Accounts: o.Accounts}
		o.Accounts = accounts
	})
	w.user(t, "ann", auth.Create)
	s := w.sends(t, w.url, "ann")
	s.until(t, `"lines":1,"created":1`)
	accounts.away.Store(true)
	_, err := fmt.Fprintln(s.lines, `{"kind":"node","type":"Person"}`)
	require.NoError(t, err)
	require.Eventually(t, func() bool { return accounts.asked.Load() > 20 }, 20*time.Second, 10*time.Millisecond)
	w.api.StartDraining()
	s.until(t, `{"error":{"code":"DATABASE_UNAVAILABLE","message":"The service is stopping; try again","details":[]},"data":{"lines":1,"created":1,`)
	require.EqualValues(t, 1, w.db.Count(t, "MATCH (n:Person) RETURN count(n)", nil))
}
