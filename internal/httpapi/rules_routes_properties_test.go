package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// setRole sets the grants of the role of a user, beside those on V and K.
func (srv *testServer) setRole(t *testing.T, user, grants string) {
	t.Helper()
	role := srv.send(t, "root", "PUT", "/api/admin/roles/"+url.PathEscape("role of "+user), `{"grants":[
		{"kind":"node","type":"V","actions":["read"]},{"kind":"edge","type":"K","actions":["read"]},`+grants+`]}`)
	require.Equal(t, http.StatusOK, role.status, role.body)
}

// requirePropertyHidden gives eve two grants, of which one hides what the other shows where a condition holds, and compares what routes
// show of it with single reads: the salary of a node is its mark.
func (srv *testServer) requirePropertyHidden(t *testing.T, where string, all []groupedNode) {
	t.Helper()
	srv.setRole(t, "eve", `{"kind":"node","type":"T","actions":["read","edit"],"hidden":["salary"]},
		{"kind":"node","type":"T","actions":["read"],"where":`+where+`}`)
	salary := func(one groupedNode) string { return fmt.Sprintf(`"salary":%q`, one.mark) }
	seen := map[string]bool{}
	sample := map[bool]groupedNode{}
	for _, one := range all {
		got := srv.send(t, "eve", "GET", "/api/nodes/"+one.id, "")
		require.Equal(t, http.StatusOK, got.status, "%s: %s", where, got.body)
		seen[one.id] = strings.Contains(got.body, salary(one))
		sample[seen[one.id]] = one
	}
	for _, path := range []string{
		"/api/nodes?type=T&limit=500", "/api/nodes?type=T&sort=-salary&limit=500",
		"/api/nodes?type=T&filter[salary][exists]=true&limit=500",
		"/api/nodes?limit=500", "/api/export", "/api/changes?since=0&limit=1000",
	} {
		got := srv.send(t, "eve", "GET", path, "")
		require.Equal(t, http.StatusOK, got.status, "%s: %s: %s", where, path, got.body)
		for _, one := range all {
			require.Equal(t, seen[one.id], strings.Contains(got.body, salary(one)), "%s: %s of %s: %s", where, path, one.mark, got.body)
		}
	}
	session := srv.agent(t, srv.token(t, "eve"))
	for _, arguments := range []string{
		`{"type":"T","limit":500,"max_bytes":200000}`, `{"type":"T","sort":"-salary","limit":500,"max_bytes":200000}`,
		`{"type":"T","filter":{"salary":{"exists":true}},"limit":500,"max_bytes":200000}`,
	} {
		found, isError := toolText(t, session, "list_nodes", arguments)
		require.False(t, isError, found)
		for _, one := range all {
			require.Equal(t, seen[one.id], strings.Contains(found, salary(one)), "%s: %s of %s: %s", where, arguments, one.mark, found)
		}
	}
	aggregate := srv.send(t, "eve", "GET", "/api/aggregate/nodes?type=T&group_by=salary&limit=500", "")
	for _, one := range all {
		history := srv.send(t, "eve", "GET", "/api/nodes/"+one.id+"/history", "")
		require.Equal(t, seen[one.id], strings.Contains(history.body, salary(one)), "%s: history: %s", where, history.body)
		past := srv.send(t, "eve", "GET", "/api/nodes/"+one.id+"?at="+lastChange(t, history.body), "")
		require.Equal(t, seen[one.id], strings.Contains(past.body, salary(one)), "%s: the past: %s", where, past.body)
		require.Equal(t, seen[one.id], strings.Contains(aggregate.body, one.mark), "%s: aggregate: %s", where, aggregate.body)
	}
	for shown, one := range sample {
		srv.requireTagOfTheView(t, where, one, shown)
	}
}

// lastChange is the id of the newest change of a history.
func lastChange(t *testing.T, history string) string {
	t.Helper()
	var answer struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	require.NoError(t, json.Unmarshal([]byte(history), &answer))
	require.NotEmpty(t, answer.Data, history)
	return answer.Data[0].ID
}

// requireTagOfTheView: the tag of a node for eve, and what her writes answer, depend on its salary if and only if she sees it.
func (srv *testServer) requireTagOfTheView(t *testing.T, where string, one groupedNode, shown bool) {
	t.Helper()
	path := "/api/nodes/" + one.id
	tag := func(user string) string { return srv.send(t, user, "GET", path, "").header.Get("ETag") }
	set := func(salary string) {
		require.Equal(t, http.StatusOK, srv.send(t, "ann", "PUT", path, fmt.Sprintf(`{"properties":{"salary":%q}}`, salary)).status)
	}
	before := tag("eve")
	require.Equal(t, shown, before == tag("ann"), "%s: a tag is that of the view", where)
	set("another")
	require.Equal(t, shown, before != tag("eve"), "%s: a tag tells of a hidden value, or not of one that is shown", where)
	stale := srv.send(t, "eve", "PUT", path, `{"properties":{"touched":1}}`, "If-Match", before)
	require.Equal(t, shown, stale.status == http.StatusPreconditionFailed, "%s: %s", where, stale.body)
	require.NotContains(t, stale.body, `"another"`)
	set(one.mark)
	written := srv.send(t, "eve", "PUT", path, `{"properties":{"touched":null}}`, "If-Match", tag("eve"))
	require.Equal(t, http.StatusOK, written.status, "%s: %s", where, written.body)
	require.Equal(t, shown, strings.Contains(written.body, one.mark+`"`) && strings.Contains(written.body, `"salary"`),
		"%s: the answer of a write: %s", where, written.body)
	require.Equal(t, tag("eve"), written.header.Get("ETag"))
}

// requireUndoHidden: bob may undo the deletion of a node of the type exactly if he would see the node again.
func (srv *testServer) requireUndoHidden(t *testing.T, where string, all []groupedNode) {
	t.Helper()
	srv.setRole(t, "bob", `{"kind":"node","type":"T","actions":["read","create","edit","delete"],"where":`+where+`}`)
	for _, one := range all {
		seen := srv.send(t, "bob", "GET", "/api/nodes/"+one.id, "").status // its twin is not deleted
		undo := srv.send(t, "bob", "POST", "/api/undo", fmt.Sprintf(`{"request_id":%q,"dry_run":true}`, "delete-"+one.mark))
		require.Equal(t, seen, undo.status, "%s: %s", where, undo.body)
		if seen != http.StatusOK {
			require.Equal(t, http.StatusNotFound, undo.status)
			require.NotContains(t, undo.body, one.deleted)
		}
	}
}
