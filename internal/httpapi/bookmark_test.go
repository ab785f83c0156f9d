package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/httpapi"
	"graphrest/internal/testmark"
)

// Two gateways on one database: each accepts the bookmarks of the other.
func TestBookmarksTravelBetweenGateways(t *testing.T) {
	testmark.Concurrent(t)
	var options httpapi.Options
	srv := newTestServer(t, func(o *httpapi.Options) { o.Database = "neo4j"; options = *o })
	other := options
	opened := openStores(t, bolt.Config{URI: srv.db.URI, Username: srv.db.Username, Password: srv.db.Password, Database: srv.db.Database})
	store := opened.graph
	other.Nodes, other.Edges, other.Schema, other.Explorer, other.Health = store, store, store, store.Walks, opened.client
	api, err := httpapi.New(other)
	require.NoError(t, err)
	second := httptest.NewServer(api)
	t.Cleanup(second.Close)
	there := &testServer{url: second.URL, users: srv.users, tokens: srv.tokens}

	const header = graph.BookmarkHeader
	var node string
	for i := range 20 {
		created := srv.send(t, "root", "POST", "/api/nodes", `{"type":"Person","properties":{}}`)
		mark := created.header.Get(header)
		require.NotEmpty(t, mark)
		node = jsonAt(t, created.body, "data.id").(string)
		read := there.send(t, "root", "GET", "/api/nodes/"+node, "", header, mark)
		require.Equal(t, http.StatusOK, read.status, read.body)
		require.Empty(t, read.header.Get(header), "a read returns no bookmark")
		changed := there.send(t, "root", "PUT", "/api/nodes/"+node, `{"properties":{"n":1}}`, header, mark)
		require.Equal(t, http.StatusOK, changed.status, changed.body)
		require.NotEqual(t, mark, changed.header.Get(header), i)
		require.Contains(t, srv.send(t, "root", "GET", "/api/nodes?type=Person&filter[n]=1", "", header, changed.header.Get(header)).body, node)
	}
	edge := there.send(t, "root", "POST", "/api/edges", `{"type":"KNOWS","source_id":"`+node+`","target_id":"`+node+`"}`)
	require.Contains(t, srv.send(t, "root", "GET", "/api/nodes/"+node+"/edges", "", header, edge.header.Get(header)).body, "KNOWS")
	gone := srv.send(t, "root", "DELETE", "/api/nodes/"+node, "")
	require.Equal(t, http.StatusNotFound, there.send(t, "root", "GET", "/api/nodes/"+node, "", header, gone.header.Get(header)).status)
	require.Empty(t, srv.send(t, "root", "DELETE", "/api/nodes/"+node, "").header.Get(header), "nothing was written")
}

func TestForgedBookmarksAreRejected(t *testing.T) {
	testmark.Concurrent(t)
	var options httpapi.Options
	srv := newTestServer(t, func(o *httpapi.Options) { o.Database = "neo4j"; options = *o })
	options.Database = "elsewhere"
	api, err := httpapi.New(options)
	require.NoError(t, err)
	server := httptest.NewServer(api)
	t.Cleanup(server.Close)
	elsewhere := &testServer{url: server.URL, users: srv.users, tokens: srv.tokens}

	const header = graph.BookmarkHeader
	right := srv.send(t, "root", "POST", "/api/nodes", `{"type":"Person","properties":{}}`).header.Get(header)
	srv.send(t, "root", "POST", "/api/nodes", `{"type":"Person","properties":{}}`)
	list := srv.send(t, "root", "GET", "/api/nodes?limit=1", "")
	cursor, is := jsonAt(t, list.body, "meta.page.next_cursor").(string)
	require.True(t, is, list.body)
	for name, value := range map[string]string{
		"garbage": "garbage", "nothing": "", "a bookmark of the database": "FB:kcwQCcDUuNjPRqGTdX4zYOlqay+Q",
		"too long": strings.Repeat("A", 12000),
		"cut":      right[:len(right)-2], "changed": "B" + right[1:], "a cursor": cursor,
		"another database's": elsewhere.send(t, "root", "POST", "/api/nodes", `{"type":"Person","properties":{}}`).header.Get(header),
	} {
		t.Run(name, func(t *testing.T) {
			for _, target := range []string{"/api/nodes", "/api/nodes/x", "/api/schema", "/api/export", "/api/paths?source_id=a&target_id=b"} {
				got := srv.send(t, "root", "GET", target, "", header, value)
				require.Equal(t, http.StatusBadRequest, got.status, "%s: %s", target, got.body)
				require.Contains(t, got.body, `"field":"`+header+`"`)
			}
			got := srv.send(t, "root", "POST", "/api/nodes", `{"type":"Person","properties":{}}`, header, value)
			require.Equal(t, http.StatusBadRequest, got.status, got.body)
		})
	}
	require.Equal(t, http.StatusOK, srv.send(t, "root", "GET", "/api/auth/me", "", header, "garbage").status,
		"routes outside the graph ignore it")
}
