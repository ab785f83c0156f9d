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
)

// hasty is the service behind a server whose own deadlines are far too short for a stream.
func hasty(t *testing.T, w *world) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	server := &http.Server{Handler: w.api, ReadTimeout: 500 * time.Millisecond, WriteTimeout: 500 * time.Millisecond, ReadHeaderTimeout: time.Second}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	return "http://" + listener.Addr().String()
}

// sending is an import whose lines are sent one by one.
type sending struct {
	lines   *io.PipeWriter
	answers *bufio.Reader
	leave   context.CancelFunc
}

func (w *world) sends(t *testing.T, base, user string) *sending {
	t.Helper()
	ctx, leave := context.WithCancel(t.Context())
	t.Cleanup(leave)
	body, lines := io.Pipe()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, base+"/api/import", body)
	require.NoError(t, err)
	r.Header.Set("Authorization", "Bearer "+w.token(t, user))
	r.Header.Set("Content-Type", "application/x-ndjson")
	s := &sending{lines: lines, leave: leave}
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

// until reads answers up to one that holds a text.
func (s *sending) until(t *testing.T, text string) {
	t.Helper()
	for {
		line, err := s.answers.ReadString('\n')
		require.NoError(t, err, "no line holds %s", text)
		if strings.Contains(line, text) {
			return
		}
	}
}

// An import outlasts the server's deadlines and tells its progress while lines are still to come.
func TestImportTellsProgressAndOutlastsDeadlines(t *testing.T) {
	w := openWorld(t, nil)
	s := w.sends(t, hasty(t, w), "root")
	s.until(t, `{"progress":{"lines":1,"created":1,`)
	_, err := fmt.Fprintln(s.lines, `{"kind":"node","type":"Person"}`)
	require.NoError(t, err)
	s.until(t, `{"progress":{"lines":2,"created":2,`)
	require.NoError(t, s.lines.Close())
	s.until(t, `{"data":{"lines":2,"created":2,`)
}

// As many imports as may be under way make others wait; one whose client leaves frees its place, and what it wrote stays. A stop
// of the service ends the rest, each with a last line that says how far it came.
func TestImportsEndWithTheirClientsAndWithTheService(t *testing.T) {
	w := openWorld(t, nil)
	w.user(t, "reader", auth.Read)
	var all []*sending
	for range 4 {
		s := w.sends(t, w.url, "root")
		s.until(t, `"lines":1,"created":1`)
		all = append(all, s)
	}
	r := w.send(t, "reader", "GET", "/api/export", "")
	require.Equal(t, http.StatusServiceUnavailable, r.status)
	require.Equal(t, "5", r.header.Get("Retry-After"))
	all[0].leave()
	require.Eventually(t, func() bool { return w.send(t, "reader", "GET", "/api/export", "").status == 200 }, 20*time.Second, 20*time.Millisecond)
	require.EqualValues(t, 4, w.db.Count(t, "MATCH (n:Person) RETURN count(n)", nil))

	w.api.StartDraining()
	for _, s := range all[1:] {
		s.until(t, `{"error":{"code":"DATABASE_UNAVAILABLE","message":"The service is stopping; try again","details":[]},"data":{"lines":1,"created":1,`)
	}
}

// A client that stops reading an export and leaves frees its place too.
func TestExportEndsWithItsClient(t *testing.T) {
	w := openWorld(t, nil)
	w.db.Exec(t, "UNWIND range(1, 60000) AS i CREATE (:Person {n: i, text: 'some hundred bytes of text so that buffers fill up, some hundred bytes of text'})", nil)
	for range 5 {
		ctx, leave := context.WithCancel(t.Context())
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, w.url+"/api/export", http.NoBody)
		require.NoError(t, err)
		r.Header.Set("Authorization", "Bearer "+w.token(t, "root"))
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
