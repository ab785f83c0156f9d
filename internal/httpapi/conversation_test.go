package httpapi_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// step is one request and its expected response. Texts may contain {name}, a value that an earlier step has saved.
type step struct {
	name        string
	user        string // user name; empty for no token
	request     string // method and target
	body        string
	header      []string
	wantStatus  int
	wantCode    string   // error.code
	wantBody    []string // in the body
	notInBody   []string // not in the body
	wantHeaders []string // pairs of header and what it contains; "" means that it must be absent
	save        string   // "name=path" keeps a value of the answer, "name=header:Name" a header
}

// runSteps runs the steps in order.
func runSteps(t *testing.T, srv *testServer, steps []step) {
	kept := []string{}
	for _, s := range steps {
		fill := strings.NewReplacer(kept...).Replace
		ok := t.Run(s.name, func(t *testing.T) {
			method, target, _ := strings.Cut(fill(s.request), " ")
			headers := make([]string, len(s.header))
			for i := range s.header {
				headers[i] = fill(s.header[i])
			}
			r := srv.send(t, s.user, method, target, fill(s.body), headers...)
			require.Equal(t, s.wantStatus, r.status, r.body)
			if s.wantCode != "" {
				require.Equal(t, s.wantCode, jsonAt(t, r.body, "error.code"), r.body)
			}
			for _, text := range s.wantBody {
				require.Contains(t, r.body, fill(text))
			}
			for _, text := range s.notInBody {
				require.NotContains(t, r.body, fill(text))
			}
			for i := 0; i+1 < len(s.wantHeaders); i += 2 {
				if s.wantHeaders[i+1] == "" {
					require.Empty(t, r.header.Values(s.wantHeaders[i]))
				} else {
					require.Contains(t, r.header.Get(s.wantHeaders[i]), fill(s.wantHeaders[i+1]))
				}
			}
			requireRateLimitHeaders(t, s, r)
			if name, path, is := strings.Cut(s.save, "="); is {
				kept = append(kept, "{"+name+"}", savedValue(t, r, path))
			}
		})
		if !ok {
			return
		}
	}
}

func savedValue(t *testing.T, r reply, path string) string {
	if header, is := strings.CutPrefix(path, "header:"); is {
		require.NotEmpty(t, r.header.Get(header))
		return r.header.Get(header)
	}
	text, is := jsonAt(t, r.body, path).(string)
	require.True(t, is, "%s in %s", path, r.body)
	return text
}

// requireRateLimitHeaders requires the rate-limit headers in every authenticated response and in no other.
func requireRateLimitHeaders(t *testing.T, s step, r reply) {
	code := ""
	if r.status >= 400 && r.body != "" {
		code, _ = jsonAt(t, r.body, "error.code").(string)
	}
	beforehand := []string{"UNAUTHENTICATED", "INVALID_TOKEN", "TOKEN_EXPIRED", "TOKEN_REVOKED", "METHOD_NOT_ALLOWED"}
	authenticated := s.user != "" && !slices.Contains(beforehand, code)
	for _, name := range []string{"RateLimit", "RateLimit-Policy", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"} {
		require.Equal(t, authenticated, r.header.Get(name) != "", "%s of %s", name, s.request)
	}
}

// deniedCases are the 401 and 403 steps of a route with a permission.
func deniedCases(do, body, permission string, forbidden ...string) []step {
	var steps []step
	for _, who := range forbidden {
		steps = append(steps, step{
			name: "403 " + do + " as " + who, user: who, request: do, body: body, wantStatus: 403, wantCode: "PERMISSION_DENIED",
			wantBody:    []string{permission},
			wantHeaders: []string{"ETag", ""},
		})
	}
	return append(steps,
		step{
			name: "401 " + do, request: do, body: body, wantStatus: 401, wantCode: "UNAUTHENTICATED",
			wantHeaders: []string{"WWW-Authenticate", "Bearer realm="},
		},
		step{
			name: "401 forged " + do, request: do, body: body, header: []string{"Authorization", "Bearer a.b.c"}, wantStatus: 401,
			wantCode:    "INVALID_TOKEN",
			wantHeaders: []string{"WWW-Authenticate", `error="invalid_token"`},
		},
		step{
			name: "401 basic " + do, request: do, body: body, header: []string{"Authorization", "Basic YTpi"}, wantStatus: 401,
			wantCode: "UNAUTHENTICATED",
		})
}
