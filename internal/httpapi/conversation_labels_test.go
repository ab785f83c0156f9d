package httpapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"graphrest/internal/auth"
	"graphrest/internal/testmark"
)

// TestSeveralLabelsWithinTransactions: within a transaction that has written, Neo4j reports the labels of a node in another order. ETag,
// type and labels are those of a read nevertheless, in batches, change sets, merged requests and the past.
func TestSeveralLabelsWithinTransactions(t *testing.T) {
	testmark.Concurrent(t)
	srv := newTestServer(t, nil)
	srv.user(t, "ann", auth.AllPermissions()...)
	const another = `{"op":"create_node","type":"Other","properties":{}}`
	const id, nodes = "0190a000-0000-7000-8000-00000000000#", 6
	const labels = `"type":"Za#","labels":["Za#","Hb#","Hc#"]`
	var steps, past []step
	for i := range nodes { // some of them are in another order
		names := strings.NewReplacer("#", fmt.Sprint(i)).Replace
		send := func(user, request, body string, want ...string) step {
			for i := range want {
				want[i] = names(want[i])
			}
			return step{name: names(request), user: user, request: names(request), body: names(body), wantStatus: 200, wantBody: want}
		}
		const line = `{"kind":"node","id":"` + id + `","labels":["Za#","Hb#","Hc#"],"properties":{"a":1}}`
		create := send("root", "POST /api/import", line, `"failed":0`)
		create.header = []string{"Content-Type", "application/x-ndjson"}
		read := send("root", "GET /api/nodes/"+id, "", labels)
		read.save = names("tag#=header:ETag")
		propose := send("ann", "POST /api/changesets", setBody(`{"op":"update_node","id":"`+id+`","properties":{"a":3}}`))
		propose.wantStatus, propose.save = 201, names("set#=data.id")
		steps = append(steps, create, read,
			send("root", "POST /api/batch", batchBody(another, `{"op":"update_node","id":"`+id+`","properties":{"a":2},"if_match":{tag#}}`), labels),
			propose, send("root", "POST /api/changesets/{set#}/approve", ""), send("ann", "POST /api/changesets/{set#}/apply", ""), read)
		history := send("root", "GET /api/nodes/"+id+"/history", "", `"type":"Za#"`)
		history.notInBody = []string{names(`"type":"Hb#"`), names(`"type":"Hc#"`)}
		past = append(past, history, send("root", "DELETE /api/nodes/"+id, ""), history,
			send("root", "GET /api/trash?type=Za#", "", `"type":"Za#"`))
	}
	runSteps(t, srv, steps)
	var merged errgroup.Group
	for i := range 4 * nodes {
		names := strings.NewReplacer("#", fmt.Sprint(i%nodes)).Replace
		merged.Go(func() error {
			r := srv.send(t, "root", http.MethodPut, "/api/nodes/"+names(id), fmt.Sprintf(`{"properties":{"a":%d}}`, i))
			if !strings.Contains(r.body, names(labels)) {
				return fmt.Errorf("%d: %s", r.status, r.body)
			}
			return nil
		})
	}
	require.NoError(t, merged.Wait())
	runSteps(t, srv, past)
}

// TestWhatCannotBeAppliedIsShownBefore: the diff, and explain, say of a change set what applying it would.
func TestWhatCannotBeAppliedIsShownBefore(t *testing.T) {
	srv := newTestServer(t, nil)
	withRole(t, srv, "bob", `[
		{"kind":"node","type":"*","actions":["read"]},{"kind":"edge","type":"*","actions":["read","edit"]},
		{"kind":"node","type":"Part","actions":["read","create","edit","delete"],"where":{"n":{"lt":8}}}]`)
	as := func(name, user, request, body string, status int, want ...string) step {
		return step{name: name, user: user, request: request, body: body, wantStatus: status, wantBody: want}
	}
	propose := func(set, user, operation string) step {
		s := as("propose "+set, user, "POST /api/changesets", setBody(operation), 201)
		s.save = set + "=data.id"
		return s
	}
	const required = `"violations":[{"field":"operations[0].properties.code","message":"is required"}]`
	const fixed = `"violations":[{"field":"operations[0].properties.uuid","message":"is the id and cannot be set or removed"}]`
	explained := `{"user":"bob","method":"POST","path":"/api/changesets/{delete}/apply"}`
	runSteps(t, srv, []step{
		as("declare", "root", "PUT /api/admin/types/nodes/Part",
			`{"level":"strict","schema":{"properties":{"code":{"type":"string"}},"required":["code"]}}`, 201),
		created("part", "POST /api/nodes", `{"type":"Part","properties":{"code":"A","n":1}}`),
		created("ann", "POST /api/nodes", `{"type":"Person","properties":{}}`),
		created("edge", "POST /api/edges", `{"type":"KNOWS","source_id":"{ann}","target_id":"{part}"}`),
		propose("removal", "bob", `{"op":"update_node","id":"{part}","properties":{"code":null}}`),
		as("a removed property", "bob", "GET /api/changesets/{removal}/diff", "", 200, required),
		propose("id", "bob", `{"op":"update_node","id":"{part}","properties":{"uuid":"z"}}`),
		as("the id", "bob", "GET /api/changesets/{id}/diff", "", 200, fixed),
		as("to administrators", "root", "GET /api/changesets/{id}/diff", "", 200, fixed),
		propose("delete", "bob", `{"op":"delete_node","id":"{ann}","detach":false}`),
		as("approve", "root", "POST /api/changesets/{delete}/approve", "", 200),
		as("apply", "bob", "POST /api/changesets/{delete}/apply", "", 403, "operations[0].op"),
		as("explain", "root", "POST /api/admin/explain", explained, 200, `"code":"PERMISSION_DENIED"`),
	})
}
