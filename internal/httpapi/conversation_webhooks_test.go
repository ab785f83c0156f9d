package httpapi_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/httpapi"
)

const (
	webhooksPath  = "/api/admin/webhooks"
	webhookSecret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX"
)

func TestWebhookConversation(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "all", auth.AllPermissions()...)
	hook := `{"name":"hook","url":"https://93.184.216.34/x","kinds":["node"],"types":["Person"],"actions":["create","delete"],"secret":"` +
		webhookSecret + `"}`
	one := webhooksPath + "/hook"
	runSteps(t, srv, slices.Concat(
		deniedCases("GET "+webhooksPath, "", "administrators", "all"),
		deniedCases("POST "+webhooksPath, hook, "administrators", "all"),
		deniedCases("GET "+one, "", "administrators", "all"),
		deniedCases("PUT "+one, `{"enabled":false}`, "administrators", "all"),
		deniedCases("DELETE "+one, "", "administrators", "all"),
		deniedCases("GET "+one+"/deliveries", "", "administrators", "all"),
		deniedCases("POST "+one+"/deliveries/msg_1/retry", "", "administrators", "all"),
		[]step{
			{name: "none yet", user: "root", request: "GET " + webhooksPath, wantStatus: 200, wantBody: []string{`"data":[]`}},
			{name: "no such one", user: "root", request: "GET " + one, wantStatus: 404, wantCode: "NOT_FOUND"},
			{name: "nor its deliveries", user: "root", request: "GET " + one + "/deliveries", wantStatus: 404, wantCode: "NOT_FOUND"},
			{
				name: "all problems together", user: "root", request: "POST " + webhooksPath,
				body: `{"name":"a b","url":"ftp://x","kinds":["path"],"types":[""],"actions":["create","create"],` +
					`"enabled":1,"secret":"short","x":1}`,
				wantStatus: 400, wantCode: "VALIDATION_ERROR", notInBody: []string{"short"},
				wantBody: []string{`"name"`, `"url"`, `"kinds"`, `"types"`, `"actions"`, `"enabled"`, `"secret"`, `"x"`},
			},
			{
				name: "nothing given", user: "root", request: "POST " + webhooksPath, body: `{}`, wantStatus: 400,
				wantBody: []string{`"name"`, `"url"`},
			},
			{
				name: "create", user: "root", request: "POST " + webhooksPath, body: hook, wantStatus: 201,
				wantHeaders: []string{"Location", one}, notInBody: []string{"secret", "whsec_"},
				wantBody: []string{`"data":{"name":"hook","url":"https://93.184.216.34/x","kinds":["node"],"types":["Person"],` +
					`"actions":["create","delete"],"enabled":true,"created_at":"`},
			},
			{name: "create again", user: "root", request: "POST " + webhooksPath, body: hook, wantStatus: 409, wantCode: "CONFLICT"},
			{
				name: "a generated secret is shown once", user: "root", request: "POST " + webhooksPath,
				body: `{"name":"other","url":"https://93.184.216.34/"}`, wantStatus: 201, save: "generated=data.secret",
				wantBody: []string{`"kinds":[],"types":[],"actions":[],"enabled":true`, `"secret":"whsec_`},
			},
			{
				name: "list", user: "root", request: "GET " + webhooksPath, wantStatus: 200, notInBody: []string{"secret", "whsec_"},
				wantBody: []string{`[{"name":"hook"`, `{"name":"other"`},
			},
			{name: "read", user: "root", request: "GET " + one, wantStatus: 200, notInBody: []string{"whsec_"}, wantBody: []string{`"name":"hook"`}},
			{
				name: "only what is given changes", user: "root", request: "PUT " + one, body: `{"enabled":false,"types":[]}`, wantStatus: 200,
				notInBody: []string{"whsec_"}, wantBody: []string{`"kinds":["node"],"types":[],"actions":["create","delete"],"enabled":false`},
			},
			{
				name: "PATCH is the same", user: "root", request: "PATCH " + one, body: `{"name":"hook","secret":null}`, wantStatus: 200,
				wantBody: []string{`"secret":"whsec_`}, notInBody: []string{webhookSecret},
			},
			{name: "its name stays", user: "root", request: "PUT " + one, body: `{"name":"new"}`, wantStatus: 400, wantBody: []string{`"name"`}},
			{name: "none to change", user: "root", request: "PUT " + webhooksPath + "/no", body: `{}`, wantStatus: 404},
			{
				name: "no deliveries", user: "root", request: "GET " + one + "/deliveries?state=dead&limit=5", wantStatus: 200,
				wantBody: []string{`"data":[]`, `"has_more":false`},
			},
			{
				name: "unknown parameters", user: "root", request: "GET " + one + "/deliveries?state=lost&offset=1&cursor=x", wantStatus: 400,
				wantBody: []string{`"state"`, `"offset"`, `"cursor"`},
			},
			{name: "nothing to retry", user: "root", request: "POST " + one + "/deliveries/msg_1/retry", wantStatus: 404, wantCode: "NOT_FOUND"},
			{name: "delete", user: "root", request: "DELETE " + one, wantStatus: 200, wantBody: []string{`"data":{"name":"hook","deleted":true}`}},
			{name: "gone", user: "root", request: "DELETE " + one, wantStatus: 404, wantCode: "NOT_FOUND"},
			{
				name: "the audit has no secret", user: "root", request: "GET /api/admin/audit?kind=webhook", wantStatus: 200,
				notInBody: []string{"whsec_", "93.184.216.34"},
				wantBody: []string{
					`"action":"delete","kind":"webhook","entity":"hook"`, `"action":"update","kind":"webhook","entity":"hook"`,
					`"fields":["secret"]`, `"action":"create","kind":"webhook","entity":"other"`,
				},
			},
		},
	))
	require.NotContains(t, srv.log.String(), "whsec_")
}

// Deliveries come in pages, newest first, and a dead one can be retried.
func TestDeliveriesOfAWebhook(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.sendOK(t, "POST", webhooksPath, `{"name":"hook","url":"https://93.184.216.34/"}`)
	srv.db.Exec(t, "MATCH (w:_GraphrestWebhook) UNWIND range(1, 5) AS i CREATE (:_GraphrestDelivery {id: 'msg_' + i, webhook: w.uid, "+
		"position: i, change: 'c' + i, kind: 'node', action: 'update', entity: 'e', attempts: i, problem: 'p', at: 1, "+
		"state: ['pending', 'failed', 'dead'][i % 3], created_at: timestamp(), attempted_at: timestamp(), next_at: timestamp()})", nil)
	list := "GET " + webhooksPath + "/hook/deliveries"
	runSteps(t, srv, []step{
		{
			name: "first page", user: "root", request: list + "?limit=2", wantStatus: 200, save: "cursor=meta.page.next_cursor",
			wantBody: []string{
				`"data":[{"id":"msg_5","change":"c5","type":"node.update","entity":"e","state":"dead","attempts":5,"problem":"p","created_at":"`,
				`"next_attempt_at":null},{"id":"msg_4"`, `"has_more":true`,
			},
		},
		{
			name: "second page", user: "root", request: list + "?limit=9&cursor={cursor}", wantStatus: 200,
			wantBody: []string{`"data":[{"id":"msg_3"`, `"id":"msg_1"`, `"has_more":false`}, notInBody: []string{"msg_4"},
		},
		{
			name: "dead ones", user: "root", request: list + "?state=dead", wantStatus: 200, wantBody: []string{`"id":"msg_5"`, `"id":"msg_2"`},
			notInBody: []string{"msg_4"},
		},
		{name: "retry", user: "root", request: "POST " + webhooksPath + "/hook/deliveries/msg_5/retry", wantStatus: 202, wantBody: []string{
			`"data":{"id":"msg_5","state":"pending"}`,
		}},
		{
			name: "it is pending", user: "root", request: list + "?state=pending", wantStatus: 200,
			wantBody: []string{`"id":"msg_5"`, `"attempts":0`},
		},
		{
			name: "it is in the audit", user: "root", request: "GET /api/admin/audit?kind=webhook&action=update", wantStatus: 200,
			wantBody: []string{`"entity":"hook","name":"msg_5","fields":["delivery"]`},
		},
	})
}

// An address inside is refused when a webhook is saved.
func TestWebhooksInsideAreRefused(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.sendOK(t, "POST", webhooksPath, `{"name":"hook","url":"https://93.184.216.34/"}`)
	for _, host := range []string{
		"127.0.0.1", "localhost", "0.0.0.0", "10.1.2.3", "169.254.169.254", "[::1]", "[::]", "[::ffff:127.0.0.1]", "[fd00::1]", "[fe80::1]",
		"[64:ff9b::7f00:1]", "[2002:7f00:1::]", "2130706433", "0x7f.1", "127.1", "user:pass@93.184.216.34",
	} {
		for request, body := range map[string]string{
			"POST " + webhooksPath:          fmt.Sprintf(`{"name":"inside","url":"http://%s:8080/"}`, host),
			"PUT " + webhooksPath + "/hook": fmt.Sprintf(`{"url":"http://%s:8080/"}`, host),
		} {
			method, path, _ := strings.Cut(request, " ")
			r := srv.send(t, "root", method, path, body)
			require.Equal(t, 400, r.status, "%s %s", request, host)
			require.Contains(t, r.body, `"field":"url"`, host)
		}
	}
}

func TestWebhooksNeedRecordedChanges(t *testing.T) {
	srv := newTestServer(t, func(o *httpapi.Options) { o.Journal, o.Undoer, o.Webhooks = nil, nil, nil })
	runSteps(t, srv, []step{
		{
			name: "list", user: "root", request: "GET " + webhooksPath, wantStatus: 409, wantCode: "CONFLICT",
			wantBody: []string{"GRAPHREST_HISTORY"},
		},
		{
			name: "create", user: "root", request: "POST " + webhooksPath, body: `{"name":"hook","url":"https://93.184.216.34/"}`,
			wantStatus: 409, wantCode: "CONFLICT",
		},
		{name: "deliveries", user: "root", request: "GET " + webhooksPath + "/hook/deliveries", wantStatus: 409, wantCode: "CONFLICT"},
	})
}

// There is a bound on webhooks.
func TestWebhooksAreBounded(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.db.Exec(t, "UNWIND range(1, 50) AS i CREATE (:_GraphrestWebhook {name: 'w' + i, uid: 'w' + i})", nil)
	r := srv.send(t, "root", "POST", webhooksPath, `{"name":"hook","url":"https://93.184.216.34/"}`)
	require.Equal(t, 409, r.status, r.body)
	require.Contains(t, r.body, "maximum number of webhooks")
}

func (srv *testServer) sendOK(t *testing.T, method, path, body string) {
	t.Helper()
	r := srv.send(t, "root", method, path, body)
	require.Less(t, r.status, 300, r.body)
}
