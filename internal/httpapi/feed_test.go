package httpapi_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/httpapi"
	"graphrest/internal/testmark"
)

type change struct{ ID, At, Action, Kind, Entity string }

// changes reads a page of the feed as root.
func (srv *testServer) changes(t *testing.T, query string) []change {
	t.Helper()
	r := srv.send(t, "root", http.MethodGet, "/api/changes?"+query, "")
	require.Equal(t, http.StatusOK, r.status, r.body)
	var answer struct{ Data []change }
	require.NoError(t, json.Unmarshal([]byte(r.body), &answer))
	return answer.Data
}

// awaitChanges waits until the feed has reached n changes: it shares the state that it reads first for a moment.
func (srv *testServer) awaitChanges(t *testing.T, n int) {
	t.Helper()
	require.Eventually(t, func() bool { return len(srv.changes(t, "since=0")) >= n }, 10*time.Second, 10*time.Millisecond)
}

// A reader whose last change was erased is answered as one whose last change was removed: it must begin again.
func TestAFeedThatStoodAtAnErasedChange(t *testing.T) {
	testmark.Concurrent(t)
	srv := newTestServer(t, nil)
	for range 2 {
		srv.send(t, "root", http.MethodPost, "/api/nodes", `{"type":"Person","properties":{}}`)
	}
	first := srv.changes(t, "since=0")[0]
	cursor, is := jsonAt(t, srv.send(t, "root", http.MethodGet, "/api/changes?since=0&limit=1", "").body, "meta.page.next_cursor").(string)
	require.True(t, is)
	require.Len(t, srv.changes(t, "since="+first.ID), 1)
	require.Equal(t, http.StatusOK, srv.send(t, "root", http.MethodDelete, "/api/admin/history/nodes/"+first.Entity, "").status)
	gone := srv.send(t, "root", http.MethodGet, "/api/changes?since="+first.ID, "")
	require.Equal(t, http.StatusGone, gone.status, gone.body)
	require.Contains(t, gone.body, `"code":"HISTORY_GONE"`)
	require.Len(t, srv.changes(t, "since="+cursor), 1, "a cursor has a position")
	future := srv.send(t, "root", http.MethodGet, "/api/changes?since=9999999999999999-1", "")
	require.Equal(t, http.StatusBadRequest, future.status, future.body)
}

// Without since a reader can begin before the last changes that its filter selects.
func TestTheLastChangesOfTheFeed(t *testing.T) {
	testmark.Concurrent(t)
	srv := newTestServer(t, nil)
	for _, typ := range []string{"Person", "City", "Person", "City"} {
		srv.send(t, "root", http.MethodPost, "/api/nodes", `{"type":"`+typ+`","properties":{}}`)
	}
	all := srv.changes(t, "since=0")
	require.Len(t, all, 4)
	require.Equal(t, all[2:], srv.changes(t, "last=2"))
	require.Equal(t, all, srv.changes(t, "last=1000"))
	require.Equal(t, []change{all[2]}, srv.changes(t, "last=1&type=Person"))
	require.Empty(t, srv.changes(t, "last=0"))
	r := srv.send(t, "root", http.MethodGet, "/api/changes?last=1&limit=1", "")
	cursor, is := jsonAt(t, r.body, "meta.page.next_cursor").(string)
	require.True(t, is)
	require.Empty(t, srv.changes(t, "since="+cursor))
	for _, query := range []string{"last=2&since=0", "last=1001", "last=-1"} {
		r := srv.send(t, "root", http.MethodGet, "/api/changes?"+query, "")
		require.Equal(t, http.StatusBadRequest, r.status, query)
		require.Contains(t, r.body, `"field":"last"`)
	}
}

func TestFeedConversation(t *testing.T) {
	testmark.Concurrent(t)
	srv := newTestServer(t, nil)
	srv.user(t, "wil", auth.Create, auth.Edit, auth.Delete)
	runSteps(t, srv, deniedCases("GET /api/changes", "", "read", "wil"))
	runSteps(t, srv, []step{
		{
			name:       "nothing yet",
			user:       "root",
			request:    "GET /api/changes?since=0",
			wantStatus: 200,
			wantBody:   []string{`"data":[]`, `"page":{"limit":100,"has_more":false,"next_cursor":"`},
		},
		{
			name:       "create",
			user:       "root",
			request:    "POST /api/nodes",
			body:       `{"type":"Person","properties":{"n":1}}`,
			wantStatus: 201,
			save:       "node=data.id",
		},
		{name: "update", user: "root", request: "PUT /api/nodes/{node}", body: `{"properties":{"n":2}}`, wantStatus: 200},
		{
			name:       "an update that changes nothing",
			user:       "root",
			request:    "PUT /api/nodes/{node}",
			body:       `{"properties":{"n":2}}`,
			wantStatus: 200,
		},
		{name: "delete", user: "root", request: "DELETE /api/nodes/{node}", wantStatus: 200},
	})
	srv.awaitChanges(t, 3) // an update that changes nothing is no change
	runSteps(t, srv, []step{
		{
			name:       "the first",
			user:       "root",
			request:    "GET /api/changes?since=0&limit=1",
			wantStatus: 200,
			wantBody:   []string{`"action":"create"`, `"has_more":true`},
			notInBody:  []string{`"update"`},
			save:       "cursor=meta.page.next_cursor",
		},
		{
			name:       "the rest",
			user:       "root",
			request:    "GET /api/changes?since={cursor}",
			wantStatus: 200,
			wantBody:   []string{`"action":"update"`, `"action":"delete"`, `"has_more":false`},
			save:       "end=meta.page.next_cursor",
		},
		{
			name:       "no more",
			user:       "root",
			request:    "GET /api/changes?since={end}",
			wantStatus: 200,
			wantBody:   []string{`"data":[]`, `"next_cursor":"`},
		},
		{name: "from now", user: "root", request: "GET /api/changes", wantStatus: 200, wantBody: []string{`"data":[]`}},
		{
			name:       "a filter",
			user:       "root",
			request:    "GET /api/changes?since=0&action=delete&kind=node&type=Person",
			wantStatus: 200,
			wantBody:   []string{`"action":"delete"`},
			notInBody:  []string{`"create"`},
		},
		{
			name:       "another type",
			user:       "root",
			request:    "GET /api/changes?since=0&type=Film",
			wantStatus: 200,
			wantBody:   []string{`"data":[]`},
		},
		{
			name:       "every problem",
			user:       "root",
			request:    "GET /api/changes?since=&kind=x&type=&action=fly&limit=0&wait=31&cursor=x",
			wantStatus: 400,
			wantBody: []string{
				`"since"`, `"kind"`, `"type"`, `"action"`, `"limit"`, `"wait"`, `"cursor"`,
			},
		},
		{
			name:       "a malformed position",
			user:       "root",
			request:    "GET /api/changes?since=yesterday",
			wantStatus: 400,
			wantBody:   []string{`"field":"since"`},
		},
		{
			name:       "one that is too old",
			user:       "root",
			request:    "GET /api/changes?since=0000000000000001-1",
			wantStatus: 410,
			wantCode:   "HISTORY_GONE",
		},
		{name: "HEAD", user: "root", request: "HEAD /api/changes?since=0", wantStatus: 200},
	})
	all := srv.changes(t, "since=0")
	require.Len(t, all, 3)
	require.Len(t, srv.changes(t, "since="+all[0].ID), 2, "the id of a change is a position too")
}

// A request that waits is answered when there is a change, although the server's own deadlines are short. The number of readers that wait
// is limited.
func TestFeedWaitsForAChange(t *testing.T) {
	testmark.Concurrent(t)
	srv := newTestServer(t, func(o *httpapi.Options) { o.FeedReadersPerUser = 1 })
	base := newServerWithShortTimeouts(t, srv)
	events := srv.openEvents(t, srv.url, "root", "")
	events.readUntil(t, ":")
	r := srv.send(t, "root", http.MethodGet, "/api/changes?wait=1", "")
	require.Equal(t, http.StatusTooManyRequests, r.status, r.body)
	require.Contains(t, r.body, "1 readers of the change feed")
	events.leave()

	answered := make(chan string, 1)
	go func() {
		for { // until the stream above has ended
			body, status := srv.poll(t, base, "/api/changes?wait=30")
			if status != http.StatusTooManyRequests {
				answered <- body
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
	}()
	time.Sleep(time.Second) // longer than the server's deadlines
	created := srv.send(t, "root", http.MethodPost, "/api/nodes", `{"type":"Person","properties":{}}`)
	require.Contains(t, <-answered, jsonAt(t, created.body, "data.id"))
}

func (srv *testServer) poll(t *testing.T, base, target string) (body string, status int) {
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+target, http.NoBody)
	if err != nil {
		return err.Error(), 0
	}
	r.Header.Set("Authorization", "Bearer "+srv.token(t, "root"))
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return err.Error(), 0
	}
	defer func() { _ = res.Body.Close() }()
	text, _ := io.ReadAll(res.Body)
	return string(text), res.StatusCode
}

// eventReader is a stream of server-sent events that is being read.
type eventReader struct {
	lines *bufio.Reader
	leave context.CancelFunc
}

func (srv *testServer) openEvents(t *testing.T, base, user, query string, headers ...string) *eventReader {
	t.Helper()
	ctx, leave := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(leave)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/api/changes"+query, http.NoBody)
	require.NoError(t, err)
	r.Header.Set("Authorization", "Bearer "+srv.token(t, user))
	r.Header.Set("Accept", "text/event-stream")
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(t, err)
	t.Cleanup(func() { _ = res.Body.Close() })
	require.Equal(t, http.StatusOK, res.StatusCode)
	require.Equal(t, "text/event-stream; charset=utf-8", res.Header.Get("Content-Type"))
	return &eventReader{bufio.NewReader(res.Body), leave}
}

// readUntil reads lines up to one that begins with a text, and returns it.
func (e *eventReader) readUntil(t *testing.T, prefix string) string {
	t.Helper()
	for {
		line, err := e.lines.ReadString('\n')
		require.NoError(t, err, "no line begins with %s", prefix)
		if strings.HasPrefix(line, prefix) {
			return line
		}
	}
}

// A stream has old and new changes in the form of the standard, and resumes after Last-Event-ID.
func TestFeedAsEvents(t *testing.T) {
	testmark.Concurrent(t)
	srv := newTestServer(t, nil)
	created := srv.send(t, "root", http.MethodPost, "/api/nodes", `{"type":"Person","properties":{"text":"two\nlines"}}`)
	node := jsonAt(t, created.body, "data.id").(string)
	events := srv.openEvents(t, srv.url, "root", "?since=0")
	first := srv.changes(t, "since=0")[0]
	require.Equal(t, "id: "+first.ID+"\n", events.readUntil(t, "id:"))
	require.Equal(t, "event: create\n", events.readUntil(t, ""))
	require.Contains(t, events.readUntil(t, ""), `data: {"id":"`+first.ID+`"`)
	require.Equal(t, "\n", events.readUntil(t, ""))
	require.Equal(t, http.StatusOK, srv.send(t, "root", http.MethodDelete, "/api/nodes/"+node, "").status)
	require.Equal(t, "event: delete\n", events.readUntil(t, "event:"))

	resumed := srv.openEvents(t, srv.url, "root", "?since=0", "Last-Event-ID", first.ID)
	require.Equal(t, "event: delete\n", resumed.readUntil(t, "event:"))
	bad := srv.send(t, "root", http.MethodGet, "/api/changes", "", "Accept", "text/event-stream", "Last-Event-ID", "x")
	require.Equal(t, http.StatusBadRequest, bad.status)
	srv.api.StartDraining()
	require.Equal(t, "event: error\n", events.readUntil(t, "event:"))
	require.Contains(t, events.readUntil(t, "data:"), "The service is stopping")
}

// A stream ends, with the reason as its last event, when its user's rights end.
func TestEventsEndWhenRightsAreLost(t *testing.T) {
	testmark.Concurrent(t)
	srv := newTestServer(t, nil)
	for name, end := range srv.rightsLossCases() {
		t.Run(name, func(t *testing.T) {
			srv.user(t, name, auth.Read)
			events := srv.openEvents(t, srv.url, name, "")
			events.readUntil(t, ":")
			require.NoError(t, end.removeRight(name, srv.principal(t, name)))
			changed := time.Now()
			require.Equal(t, "event: error\n", events.readUntil(t, "event:"))
			t.Logf("ended %v after the change", time.Since(changed).Round(time.Millisecond))
			require.Contains(t, events.readUntil(t, "data:"), `{"error":{"code":"`+end.code+`"`)
			events.readUntil(t, "\n")
			_, err := events.lines.ReadString('\n')
			require.ErrorIs(t, err, io.EOF, "nothing follows")
		})
	}
}
