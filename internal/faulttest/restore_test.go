package faulttest

import (
	"encoding/json"
	"net/http"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/neo4jdev"
	"graphrest/internal/testmark"
)

// TestRestoreOfAnOlderState dumps the database, goes on, and loads the dump, while the gateways run. What docs/operations.md says of ids,
// tokens and followers afterwards is so.
func TestRestoreOfAnOlderState(t *testing.T) {
	testmark.Long(t)
	w := newTestbed(t, "GRAPHREST_QUERY_TIMEOUT=60s")
	admin := w.clientOf(w.gateways[0])
	status := func(method, path, body, token string) int {
		t.Helper()
		client := admin
		client.Token = token
		answer, err := client.Send(t.Context(), method, path, body)
		require.NoError(t, err)
		return answer.Status
	}
	newToken := func(name string) string {
		t.Helper()
		body := `{"name":"` + name + `","permissions":["read"]}`
		answer, err := admin.Send(t.Context(), http.MethodPost, "/api/admin/tokens", body)
		require.NoError(t, err)
		require.Equal(t, http.StatusCreated, answer.Status, answer.Body)
		var made struct{ Data struct{ Secret string } }
		require.NoError(t, json.Unmarshal([]byte(answer.Body), &made))
		require.NotEmpty(t, made.Data.Secret)
		return made.Data.Secret
	}
	kept, deleted := w.createNode(), w.createNode()
	keptToken, session := newToken("kept"), admin.Login(t, "admin", password)

	directory := t.TempDir()
	w.whileStopped(func() { require.NoError(t, neo4jdev.Dump(t.Context(), w.server.Options(), directory)) })
	later, laterToken := w.createNode(), newToken("later")
	require.Less(t, status(http.MethodDelete, "/api/nodes/"+deleted, "", w.token), http.StatusMultipleChoices)
	require.Less(t, status(http.MethodPost, "/api/auth/logout", "", session), http.StatusMultipleChoices)
	require.Equal(t, http.StatusUnauthorized, status(http.MethodGet, "/api/nodes/"+kept, "", session))
	follower := w.followToTheEnd()

	w.whileStopped(func() { require.NoError(t, neo4jdev.Load(t.Context(), w.server.Options(), directory)) })
	// The users are read again within seconds.
	require.Eventually(t, func() bool {
		return status(http.MethodGet, "/api/nodes/"+kept, "", laterToken) == http.StatusUnauthorized
	}, waitTimeout, 50*time.Millisecond, "service tokens are those of the backup")
	require.Equal(t, http.StatusUnauthorized, status(http.MethodGet, "/api/nodes/"+kept, "", session),
		"a gateway keeps the revocations it knows")
	w.gateways[0].end(t, syscall.SIGTERM)
	w.gateways[0].start(t)
	w.awaitReady()
	require.Equal(t, http.StatusOK, status(http.MethodGet, "/api/nodes/"+kept, "", session),
		"one that is started knows those of the backup")
	require.Equal(t, http.StatusOK, status(http.MethodGet, "/api/nodes/"+kept, "", keptToken))
	require.Equal(t, http.StatusOK, status(http.MethodGet, "/api/nodes/"+deleted, "", keptToken))
	require.Equal(t, http.StatusNotFound, status(http.MethodGet, "/api/nodes/"+later, "", keptToken))

	require.Equal(t, http.StatusBadRequest, status(http.MethodGet, "/api/changes?since="+follower, "", w.token),
		"a position that is not taken")
	for range 4 {
		require.NotEqual(t, later, w.createNode(), "an id is not given again")
	}
	w.followToTheEnd() // the positions are taken
	require.Equal(t, http.StatusGone, status(http.MethodGet, "/api/changes?since="+follower, "", w.token),
		"a reader that went on would miss the changes that took the positions of those it has seen")
}

// whileStopped does something while Neo4j is stopped, and waits until the gateways have it again.
func (w *testbed) whileStopped(work func()) {
	w.t.Helper()
	require.NoError(w.t, w.server.Stop(w.t.Context()))
	work()
	w.startAgain()
	w.awaitReady()
}

// followToTheEnd reads the feed to its end, and returns the cursor of the last change.
func (w *testbed) followToTheEnd() (cursor string) {
	w.t.Helper()
	for cursor = "0"; ; {
		status, answer, err := w.request(w.gateways[0], http.MethodGet, "/api/changes?since="+cursor, "")
		require.NoError(w.t, err)
		require.Equal(w.t, http.StatusOK, status, answer)
		var page feedPage
		require.NoError(w.t, json.Unmarshal([]byte(answer), &page))
		if cursor = page.Meta.Page.NextCursor; len(page.Data) == 0 {
			return cursor
		}
	}
}
