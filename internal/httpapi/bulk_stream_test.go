package httpapi_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/httpapi"
	"graphrest/internal/testmark"
)

// newServerWithShortTimeouts is the service behind a server whose own deadlines are far too short for a stream.
func newServerWithShortTimeouts(t *testing.T, srv *testServer) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	server := &http.Server{
		Handler: srv.api, ReadTimeout: 500 * time.Millisecond, WriteTimeout: 500 * time.Millisecond, ReadHeaderTimeout: time.Second,
	}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	return "http://" + listener.Addr().String()
}

// importStream is an import whose lines are sent one by one.
type importStream struct {
	lines   *io.PipeWriter
	answers *bufio.Reader
	leave   context.CancelFunc
}

func (srv *testServer) startImport(t *testing.T, base, user string, query ...string) *importStream {
	t.Helper()
	ctx, leave := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(leave)
	body, lines := io.Pipe()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, base+"/api/import"+strings.Join(query, ""), body)
	require.NoError(t, err)
	r.Header.Set("Authorization", "Bearer "+srv.token(t, user))
	r.Header.Set("Content-Type", "application/x-ndjson")
	s := &importStream{lines: lines, leave: leave}
	answered := make(chan *http.Response, 1)
	go func() {
		res, err := http.DefaultTransport.RoundTrip(r) //nolint:bodyclose // closed by the test that gets it
		if err != nil {
			close(answered)
			return
		}
		answered <- res
	}()
	_, err = fmt.Fprintln(lines, `{"kind":"node","type":"Person"}`)
	require.NoError(t, err)
	res := <-answered
	require.NotNil(t, res, "no answer while lines are still to come")
	t.Cleanup(func() { _ = res.Body.Close() })
	require.Equal(t, http.StatusOK, res.StatusCode)
	s.answers = bufio.NewReader(res.Body)
	return s
}

// readUntil reads lines up to one that contains a text.
func (s *importStream) readUntil(t *testing.T, text string) {
	t.Helper()
	for {
		line, err := s.answers.ReadString('\n')
		require.NoError(t, err, "no line contains %s", text)
		if strings.Contains(line, text) {
			return
		}
	}
}

// An import may take longer than the server's timeouts, and reports its progress before its lines end.
func TestImportReportsProgressBeyondTheServerTimeouts(t *testing.T) {
	srv := newTestServer(t, nil)
	s := srv.startImport(t, newServerWithShortTimeouts(t, srv), "root")
	s.readUntil(t, `{"progress":{"lines":1,"created":1,`)
	_, err := fmt.Fprintln(s.lines, `{"kind":"node","type":"Person"}`)
	require.NoError(t, err)
	s.readUntil(t, `{"progress":{"lines":2,"created":2,`)
	require.NoError(t, s.lines.Close())
	s.readUntil(t, `{"data":{"lines":2,"created":2,`)
}

// A user may have one import and one export in progress, and the total is limited; one whose client disconnects is released, and what
// it wrote stays. A shutdown ends the others, each with a last line that contains the counts.
func TestImportsAreLimitedAndEndOnDisconnectAndShutdown(t *testing.T) {
	srv := newTestServer(t, func(o *httpapi.Options) { o.Streams = 3 })
	names := []string{"ann", "bob", "cid", "dora"}
	for _, name := range names {
		srv.user(t, name, auth.AllPermissions()...)
	}
	var all []*importStream
	for _, name := range names[:2] {
		s := srv.startImport(t, srv.url, name)
		s.readUntil(t, `"lines":1,"created":1`)
		all = append(all, s)
	}
	again := srv.send(t, "ann", "POST", "/api/import", `{"kind":"node","type":"Person"}`, "Content-Type", "application/x-ndjson")
	require.Equal(t, http.StatusTooManyRequests, again.status)
	require.Equal(t, "5", again.header.Get("Retry-After"))
	require.Contains(t, again.body, `"RATE_LIMITED","message":"A user may have 1 import in progress at a time`)
	require.Equal(t, http.StatusOK, srv.send(t, "ann", "GET", "/api/export", "").status, "an export beside it")

	all = append(all, srv.startImport(t, srv.url, "cid"))
	r := srv.send(t, "dora", "GET", "/api/export", "")
	require.Equal(t, http.StatusServiceUnavailable, r.status, "as many as there may be in all")
	require.Equal(t, "5", r.header.Get("Retry-After"))
	all[0].leave()
	require.Eventually(t, func() bool { return srv.send(t, "dora", "GET", "/api/export", "").status == 200 }, 20*time.Second,
		20*time.Millisecond)
	all = append(all, srv.startImport(t, srv.url, "ann"))
	require.EqualValues(t, 4, srv.db.Count(t, "MATCH (n:Person) RETURN count(n)", nil))

	srv.api.StartDraining()
	for _, s := range all[1:] {
		s.readUntil(t,
			`{"error":{"code":"DATABASE_UNAVAILABLE","message":"The service is stopping; try again","details":[]},"data":{"lines":1,"created":1,`)
	}
}

// A browser reads nothing of the answer until it has sent everything: the errors of all lines must not stop it, which the buffers of a
// connection do not hold.
func TestAllErrorsOfAnImportWaitForItsLines(t *testing.T) {
	srv := newTestServer(t, nil)
	s := srv.startImport(t, srv.url, "root", "?errors=all")
	thousand := strings.Repeat(`{"kind":"none","padding":"`+strings.Repeat("x", 150)+`"}`+"\n", 1000)
	const thousands = 80
	for range thousands {
		_, err := io.WriteString(s.lines, thousand)
		require.NoError(t, err)
	}
	require.NoError(t, s.lines.Close())
	s.readUntil(t, fmt.Sprintf(`{"line":%d,`, thousands*1000+1))
	s.readUntil(t, fmt.Sprintf(`"failed":%d,`, thousands*1000))
}

// A user's next export may begin as soon as the response to HEAD has arrived.
func TestHeadOfAnExportDoesNotDelayTheNext(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "ann", auth.Read)
	for _, target := range []string{"/api/export", "/api/changes"} {
		for range 100 {
			require.Equal(t, http.StatusOK, srv.send(t, "ann", "HEAD", target, "", "Accept", "text/event-stream").status, target)
		}
	}
}

// Single bytes or empty lines do not extend the deadline of a line; complete lines do.
func TestImportWithAnIncompleteLineTimesOut(t *testing.T) {
	srv := newTestServer(t, nil)
	httpapi.SetStreamIdleTimeout(srv.api, 2*time.Second)
	for name, row := range map[string]struct {
		sends string
		ends  bool
	}{
		"bytes":       {" ", true},
		"empty lines": {"\n", true},
		"lines":       {`{"kind":"node","type":"Person"}` + "\n", false},
	} {
		srv.user(t, name, auth.Create)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := srv.startImport(t, srv.url, name)
			stop, began := make(chan struct{}), time.Now()
			go func() {
				defer func() { _ = s.lines.Close() }()
				for {
					select {
					case <-stop:
						return
					case <-time.After(50 * time.Millisecond):
					}
					if _, err := io.WriteString(s.lines, row.sends); err != nil {
						return
					}
				}
			}()
			if row.ends {
				s.readUntil(t,
					`{"error":{"code":"VALIDATION_ERROR","message":"Invalid input","details":[{"field":"body","message":"had no complete line within `+
						`2s"}]},"data":{"lines":`)
				close(stop)
				return
			}
			for time.Since(began) < 3*time.Second {
				s.readUntil(t, `{"progress":`)
			}
			close(stop)
			s.readUntil(t, `{"data":{`)
		})
	}
}

// A client that stops reading an export and disconnects releases its stream too.
func TestExportEndsOnDisconnect(t *testing.T) {
	testmark.Concurrent(t)
	srv := newTestServer(t, nil)
	srv.db.Exec(t,
		"UNWIND range(1, 60000) AS i CREATE (:Person {n: i, text: 'some hundred bytes of text so that buffers fill up, some hundred bytes of "+
			"text'})",
		nil)
	for range 5 {
		ctx, leave := context.WithCancel(t.Context())
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, srv.url+"/api/export", http.NoBody)
		require.NoError(t, err)
		r.Header.Set("Authorization", "Bearer "+srv.token(t, "root"))
		require.Eventually(t, func() bool {
			res, err := http.DefaultTransport.RoundTrip(r)
			if err != nil || res.StatusCode != http.StatusOK {
				return false
			}
			line, err := bufio.NewReader(res.Body).ReadString('\n')
			leave()
			_ = res.Body.Close()
			return err == nil && strings.Contains(line, "types")
		}, 20*time.Second, 20*time.Millisecond)
		leave()
	}
}
