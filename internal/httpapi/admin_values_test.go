package httpapi_test

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/httpapi"
	"graphrest/internal/testmark"
)

// graphValues are the values of a graph. Two graphs with the same nodes and edges differ in them only.
type graphValues struct {
	word   string
	number int
}

func (v graphValues) text(format string) string {
	return strings.NewReplacer("{word}", v.word, "{number}", fmt.Sprint(v.number)).Replace(format)
}

// TestAdministratorsWithoutReadLearnNoValues calls every route of administrators as one who may do everything but read, on two graphs that
// differ in their values. No answer has a value, and both graphs give the same answers.
func TestAdministratorsWithoutReadLearnNoValues(t *testing.T) {
	testmark.RequireChosen(t)
	var answers [][]string
	for _, values := range []graphValues{{"Wombat", 48151623}, {"Quokka", 90210}} {
		t.Run(values.word, func(t *testing.T) { answers = append(answers, values.answersToAdministrator(t)) })
	}
	require.Len(t, answers, 2)
	require.Len(t, answers[1], len(answers[0]))
	for i, answer := range answers[0] {
		assert.Equal(t, answer, answers[1][i])
	}
}

// The entities of the graph: nodes and an edge with values, which were made, changed and deleted through the API.
const (
	valuedNode  = "aaaaaaaa-0000-4000-8000-000000000001"
	valuedOther = "aaaaaaaa-0000-4000-8000-000000000002"
	valuedEdge  = "aaaaaaaa-0000-4000-8000-000000000003"
)

func (v graphValues) fill(t *testing.T, srv *testServer) (set string) {
	t.Helper()
	lines := `{"kind":"node","id":"` + valuedNode + `","type":"Person","properties":{"grade":"{word}","salary":{number},"secret":"{word}"}}
{"kind":"node","id":"` + valuedOther + `","type":"Person","properties":{"grade":"{word}","salary":{number}}}
{"kind":"edge","id":"` + valuedEdge + `","type":"KNOWS","source_id":"` + valuedNode + `","target_id":"` + valuedOther +
		`","properties":{"grade":"{word}","salary":{number}}}`
	send := func(want int, method, path, body string, headers ...string) reply {
		r := srv.send(t, "keeper", method, path, v.text(body), headers...)
		require.Equal(t, want, r.status, "%s %s: %s", method, path, r.body)
		return r
	}
	send(200, "POST", "/api/import", lines, "Content-Type", "application/x-ndjson")
	send(200, "PUT", "/api/nodes/"+valuedNode, `{"properties":{"name":"{word}"}}`, "X-Request-ID", "changes-a-value")
	made := send(201, "POST", "/api/nodes", `{"type":"Person","properties":{"grade":"{word}","salary":{number}}}`)
	send(200, "DELETE", "/api/nodes/"+jsonAt(t, made.body, "data.id").(string), "")
	made = send(201, "POST", "/api/changesets", `{"title":"T","operations":[
		{"op":"update_node","id":"`+valuedNode+`","properties":{"grade":"{word}","salary":{number}}}]}`)
	srv.db.Exec(t, "CREATE FULLTEXT INDEX words FOR (n:Person) ON EACH [n.secret]", nil)
	srv.db.Exec(t, "CALL db.awaitIndexes(60)", nil)
	refreshTypeCatalog(t, srv)
	return jsonAt(t, made.body, "data.id").(string)
}

// variable matches what differs between two runs: times, generated ids and secrets; and the folder of the server that a run happens to use.
var variable = regexp.MustCompile(`\d{4}-\d\d-\d\dT[0-9:.]+Z|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}|"request_id":"[^"]*"|` +
	`"gateway_request_id":"[^"]*"|"address":"[^"]*"|"(secret|next_cursor|state)":"[^"]*"|` +
	`every file below \S+|` +
	`"(at|progress|elapsed_ms|saved_ms|clock_ahead_seconds|entries|oldest_at|reads|reads_since|last_read_at)":[^,}]*`)

func (v graphValues) answersToAdministrator(t *testing.T) (answers []string) {
	srv := newTestServer(t, nil)
	srv.admin(t, "boss", auth.Create, auth.Edit, auth.Delete)
	srv.userByPermissions(t, "keeper", auth.AllPermissions()...)
	set := v.fill(t, srv)
	withRole(t, srv, "bob", `[
		{"kind":"node","type":"Person","actions":["read","create","edit","delete"],"where":{"salary":{"gt":1000000}}},
		{"kind":"edge","type":"KNOWS","actions":["read","create","edit","delete"],"where":{"grade":{"gt":"T"}}}]`)
	srv.send(t, "keeper", "POST", "/api/changesets/"+set+"/approve", "")
	var asked []string
	for _, r := range httpapi.Routes() {
		if r.Access.String() != "admin" {
			continue
		}
		where := strings.Replace(r.Method, "HEAD", "GET", 1) + " " + r.Path
		requests, known := adminRequests[where]
		require.True(t, known, "%s %s has no request here", r.Method, r.Path)
		if r.Path == "/api/admin/explain" {
			requests = explainedRequests(target{node: valuedNode, other: valuedOther, edge: valuedEdge, set: set, view: "none"})
		}
		for _, request := range requests {
			path, body, _ := strings.Cut(request, " ")
			asked = append(asked, r.Method+" "+path+" "+body)
		}
	}
	slices.SortStableFunc(asked, func(a, b string) int { // what is deleted is asked for before
		return strings.Compare(boolText(strings.HasPrefix(a, "DELETE")), boolText(strings.HasPrefix(b, "DELETE")))
	})
	for _, request := range asked {
		parts := strings.SplitN(request, " ", 3)
		got := srv.send(t, "boss", parts[0], parts[1], parts[2])
		for _, value := range []string{v.word, fmt.Sprint(v.number)} {
			if strings.Contains(request, value) {
				continue
			}
			require.NotContains(t, got.body, value, request)
			require.NotContains(t, fmt.Sprint(got.header), value, request)
		}
		answers = append(answers, variable.ReplaceAllString(fmt.Sprintf("%s\n%d %s", request, got.status, got.body), "…"))
		require.Less(t, got.status, http.StatusInternalServerError, request)
	}
	return answers
}

// explainedRequests are the requests of bob's that are explained: one of each route, and those whose answer depends on values.
func explainedRequests(one target) (requests []string) {
	explain := func(method, path, body string) {
		if body == "" {
			body = "{}"
		}
		requests = append(requests, fmt.Sprintf(`/api/admin/explain {"user":"bob","method":%q,"path":%q,"body":%s}`, method, path, body))
	}
	for _, r := range protectedRoutes() {
		path, body, headers := one.request(r)
		if len(headers) > 0 { // an import
			body = `{"lines":[{"kind":"node","type":"Person","properties":{"salary":1}}]}`
		}
		explain(r.Method, path, body)
	}
	explain("GET", "/api/nodes/"+one.node+"?at=2030-01-01T00:00:00Z", "")
	explain("POST", "/api/undo", `{"request_id":"changes-a-value"}`)
	explain("POST", "/api/batch", fmt.Sprintf(`{"operations":[{"op":"delete_node","id":%q}]}`, one.node))
	explain("POST", "/api/import?on_conflict=merge",
		fmt.Sprintf(`{"lines":[{"kind":"node","id":%q,"type":"Person","properties":{"x":1}}]}`, one.node))
	return requests
}

// adminRequests are requests of the routes of administrators, with their bodies. A declaration accepts the values of one graph only.
var adminRequests = map[string][]string{
	"DELETE /api/admin/history/:kind/:id": {"/api/admin/history/nodes/" + valuedOther},
	"GET /api/admin/users":                {"/api/admin/users?limit=2"},
	"POST /api/admin/users":               {`/api/admin/users {"username":"eve","password":"` + password + `"}`},
	"GET /api/admin/users/:username":      {"/api/admin/users/keeper"},
	"PUT /api/admin/users/:username":      {`/api/admin/users/eve {"attributes":{"team":"a"}}`},
	"PATCH /api/admin/users/:username":    {`/api/admin/users/eve {"disabled":true}`},
	"DELETE /api/admin/users/:username":   {"/api/admin/users/eve"},
	"GET /api/admin/roles":                {"/api/admin/roles"},
	"POST /api/admin/roles": {
		`/api/admin/roles ` +
			`{"name":"new","grants":[{"kind":"node","type":"Person","actions":["read"],"where":{"salary":{"gt":1}}}]}`,
	},
	"POST /api/admin/roles/preview": {
		`/api/admin/roles/preview ` +
			`{"grants":[{"kind":"node","type":"Person","actions":["read"],"where":{"salary":{"gt":1000000}}}]}`,
	},
	"GET /api/admin/roles/:name":    {"/api/admin/roles/new"},
	"PUT /api/admin/roles/:name":    {`/api/admin/roles/new {"description":"x"}`},
	"PATCH /api/admin/roles/:name":  {`/api/admin/roles/new {"description":"y"}`},
	"DELETE /api/admin/roles/:name": {"/api/admin/roles/new"},
	"POST /api/admin/explain":       nil,
	"GET /api/admin/queries":        {"/api/admin/queries"},
	"POST /api/admin/queries": {
		`/api/admin/queries ` +
			`{"name":"pay","cypher":"MATCH (p:Person) WHERE p.salary > 1000000 RETURN p.name AS name"}`,
	},
	"GET /api/admin/queries/:name":                 {"/api/admin/queries/pay"},
	"PUT /api/admin/queries/:name":                 {`/api/admin/queries/pay {"description":"x"}`},
	"PATCH /api/admin/queries/:name":               {`/api/admin/queries/pay {"description":"y"}`},
	"DELETE /api/admin/queries/:name":              {"/api/admin/queries/pay"},
	"GET /api/admin/queries/:name/versions":        {"/api/admin/queries/pay/versions"},
	"GET /api/admin/users/:username/tokens":        {"/api/admin/users/keeper/tokens"},
	"DELETE /api/admin/users/:username/tokens/:id": {"/api/admin/users/keeper/tokens/" + valuedNode},
	"GET /api/admin/tokens":                        {"/api/admin/tokens"},
	"POST /api/admin/tokens":                       {`/api/admin/tokens {"name":"job","permissions":["create"]}`},
	"DELETE /api/admin/tokens/:id":                 {"/api/admin/tokens/" + valuedNode},
	"GET /api/admin/search-indexes":                {"/api/admin/search-indexes"},
	"POST /api/admin/search-indexes": {
		`/api/admin/search-indexes ` +
			`{"name":"more","kind":"node","types":["Person"],"properties":["grade"]}`,
	},
	"GET /api/admin/search-indexes/:name":    {"/api/admin/search-indexes/words"},
	"DELETE /api/admin/search-indexes/:name": {"/api/admin/search-indexes/more"},
	"GET /api/admin/indexes":                 {"/api/admin/indexes"},
	"POST /api/admin/indexes": {
		`/api/admin/indexes ` +
			`{"name":"pay","entity":"node","kind":"range","type":"Person","properties":["salary"]}`,
	},
	"GET /api/admin/indexes/:name":    {"/api/admin/indexes/words"},
	"DELETE /api/admin/indexes/:name": {"/api/admin/indexes/pay"},
	"GET /api/admin/index-advice":     {"/api/admin/index-advice"},
	"GET /api/admin/system":           {"/api/admin/system"},
	"GET /api/admin/system/findings":  {"/api/admin/system/findings"},
	"GET /api/admin/system/sizes":     {"/api/admin/system/sizes"},
	"GET /api/admin/audit":            {"/api/admin/audit?limit=100&user=keeper", "/api/admin/audit?entity=" + valuedNode},
	"GET /api/admin/webhooks":         {"/api/admin/webhooks"},
	"POST /api/admin/webhooks": {
		`/api/admin/webhooks ` +
			`{"name":"hook","url":"https://93.184.216.34/x"}`,
	},
	"GET /api/admin/webhooks/:name":                       {"/api/admin/webhooks/hook"},
	"PUT /api/admin/webhooks/:name":                       {`/api/admin/webhooks/hook {"enabled":false}`},
	"PATCH /api/admin/webhooks/:name":                     {`/api/admin/webhooks/hook {"enabled":true}`},
	"DELETE /api/admin/webhooks/:name":                    {"/api/admin/webhooks/hook"},
	"GET /api/admin/webhooks/:name/deliveries":            {"/api/admin/webhooks/hook/deliveries"},
	"POST /api/admin/webhooks/:name/deliveries/:id/retry": {"/api/admin/webhooks/hook/deliveries/msg_1/retry"},
	"GET /api/admin/types":                                {"/api/admin/types"},
	"GET /api/admin/types/:kind/:type":                    {"/api/admin/types/nodes/Person"},
	"PUT /api/admin/types/:kind/:type": {
		`/api/admin/types/nodes/Person {"level":"strict","schema":{},"unique":[["grade"]]}`,
		`/api/admin/types/nodes/Person ` +
			`{"level":"strict","schema":{"properties":{"salary":{"type":"integer","maximum":1000000},"grade":{"enum":["Quokka"]}}}}`,
		`/api/admin/types/edges/KNOWS {"level":"strict","schema":{"properties":{"salary":{"type":"integer","maximum":1000000}}}}`,
	},
	"DELETE /api/admin/types/:kind/:type":         {"/api/admin/types/edges/KNOWS"},
	"POST /api/admin/types/:kind/:type/propose":   {"/api/admin/types/nodes/Person/propose", "/api/admin/types/edges/KNOWS/propose"},
	"GET /api/admin/types/:kind/:type/violations": {"/api/admin/types/nodes/Person/violations", "/api/admin/types/edges/KNOWS/violations"},
	"GET /api/admin/type-styles":                  {"/api/admin/type-styles"},
	"GET /api/admin/type-styles/:kind/:type":      {"/api/admin/type-styles/nodes/Person"},
	"PUT /api/admin/type-styles/:kind/:type":      {`/api/admin/type-styles/nodes/Person {"caption":"grade"}`},
	"PATCH /api/admin/type-styles/:kind/:type":    {`/api/admin/type-styles/nodes/Person {"caption":"salary"}`},
	"DELETE /api/admin/type-styles/:kind/:type":   {"/api/admin/type-styles/nodes/Person"},
}
