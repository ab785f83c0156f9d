package httpapi_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
)

// TestUndoSkipsWhoseUniqueValuesAreTaken: of nodes that were deleted together, those are restored whose values of a unique key are free,
// and with them the edges between them. The others are named, without skip as the conflicts.
func TestUndoSkipsWhoseUniqueValuesAreTaken(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "ann", auth.AllPermissions()...)
	declared := srv.send(t, "root", "PUT", "/api/admin/types/nodes/Person", `{"level":"new","schema":{},"unique":[["code"],["a","b"]]}`)
	require.Equal(t, http.StatusCreated, declared.status, declared.body)
	create := func(path, body string) string {
		r := srv.send(t, "ann", "POST", path, body)
		require.Equal(t, http.StatusCreated, r.status, r.body)
		return jsonAt(t, r.body, "data.id").(string)
	}
	person := func(properties string) string {
		return create("/api/nodes", `{"type":"Person","properties":{`+properties+`}}`)
	}
	ids := []string{person(`"code":1`), person(`"code":2`), person(`"code":3,"a":1,"b":1`), person(`"code":4`)}
	knows := func(a, b string) string {
		return create("/api/edges", fmt.Sprintf(`{"type":"KNOWS","source_id":%q,"target_id":%q}`, a, b))
	}
	kept, lost := knows(ids[1], ids[3]), knows(ids[0], ids[1])
	var deletes []string
	for _, id := range ids {
		deletes = append(deletes, fmt.Sprintf(`{"op":"delete_node","id":%q}`, id))
	}
	deleted := srv.send(t, "ann", "POST", "/api/batch", batchBody(deletes...), "X-Request-ID", "the-deletes")
	require.Equal(t, http.StatusOK, deleted.status, deleted.body)
	person(`"code":1`)
	person(`"a":1.0,"b":1`) // as the constraint compares
	refused := srv.send(t, "ann", "POST", "/api/undo", `{"request_id":"the-deletes"}`)
	require.Equal(t, http.StatusConflict, refused.status, refused.body)
	for _, id := range []string{ids[0], ids[2], lost} {
		require.Contains(t, refused.body, id)
	}
	require.Contains(t, refused.body, "another node of type Person has this value already")
	require.NotContains(t, refused.body, ids[1]+`","expected`)
	undone := srv.send(t, "ann", "POST", "/api/undo", `{"request_id":"the-deletes","on_conflict":"skip"}`)
	require.Equal(t, http.StatusOK, undone.status, undone.body)
	require.EqualValues(t, 3, jsonAt(t, undone.body, "data.undone"), undone.body)
	require.Len(t, jsonAt(t, undone.body, "data.skipped"), 3, undone.body)
	for path, want := range map[string]int{
		"/api/nodes/" + ids[0]: 404, "/api/nodes/" + ids[1]: 200, "/api/nodes/" + ids[2]: 404, "/api/nodes/" + ids[3]: 200,
		"/api/edges/" + kept: 200, "/api/edges/" + lost: 404,
	} {
		require.Equal(t, want, srv.send(t, "ann", "GET", path, "").status, path)
	}
}

// TestUndoOfUpdatesWithUniqueValues: an update that gave up a value is not undone if another node has it now, also one that the same undo
// leaves as it is because its own value is taken.
func TestUndoOfUpdatesWithUniqueValues(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "ann", auth.AllPermissions()...)
	srv.send(t, "root", "PUT", "/api/admin/types/nodes/Person", `{"level":"new","schema":{},"unique":[["code"]]}`)
	var ids []string
	for n := range 3 {
		r := srv.send(t, "ann", "POST", "/api/nodes", fmt.Sprintf(`{"type":"Person","properties":{"code":%d}}`, n))
		require.Equal(t, http.StatusCreated, r.status, r.body)
		ids = append(ids, jsonAt(t, r.body, "data.id").(string))
	}
	update := func(id string, code int) string {
		return fmt.Sprintf(`{"op":"update_node","id":%q,"properties":{"code":%d}}`, id, code)
	}
	// 0, 1, 2 become 10, 0, 1, and another node takes 2: undone are none, because each needs what the next one has.
	moves := batchBody(update(ids[0], 10), update(ids[1], 0), update(ids[2], 1))
	moved := srv.send(t, "ann", "POST", "/api/batch", moves, "X-Request-ID", "moves")
	require.Equal(t, http.StatusOK, moved.status, moved.body)
	srv.send(t, "ann", "POST", "/api/nodes", `{"type":"Person","properties":{"code":2}}`)
	undone := srv.send(t, "ann", "POST", "/api/undo", `{"request_id":"moves","on_conflict":"skip"}`)
	require.Equal(t, http.StatusOK, undone.status, undone.body)
	require.EqualValues(t, 0, jsonAt(t, undone.body, "data.undone"), undone.body)
	require.Len(t, jsonAt(t, undone.body, "data.skipped"), 3, undone.body)
}
