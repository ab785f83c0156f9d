package httpapi_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// step is one exchange of a conversation. Texts may hold {name}, which an earlier step has kept.
type step struct {
	says   string
	as     string // user name; empty for no token
	do     string // method and target
	body   string
	header []string
	status int
	code   string   // error.code
	has    []string // in the body
	lacks  []string // not in the body
	heads  []string // pairs of header and what it contains; "" means that it must be absent
	keep   string   // "name=path" keeps a value of the answer, "name=header:Name" a header
}

// talk goes through the steps one after another.
func talk(t *testing.T, w *world, steps []step) {
	kept := []string{}
	for _, s := range steps {
		fill := strings.NewReplacer(kept...).Replace
		ok := t.Run(s.says, func(t *testing.T) {
			method, target, _ := strings.Cut(fill(s.do), " ")
			headers := make([]string, len(s.header))
			for i := range s.header {
				headers[i] = fill(s.header[i])
			}
			r := w.send(t, s.as, method, target, fill(s.body), headers...)
			require.Equal(t, s.status, r.status, r.body)
			if s.code != "" {
				require.Equal(t, s.code, at(t, r.body, "error.code"), r.body)
			}
			for _, text := range s.has {
				require.Contains(t, r.body, fill(text))
			}
			for _, text := range s.lacks {
				require.NotContains(t, r.body, fill(text))
			}
			for i := 0; i+1 < len(s.heads); i += 2 {
				if s.heads[i+1] == "" {
					require.Empty(t, r.header.Values(s.heads[i]))
				} else {
					require.Contains(t, r.header.Get(s.heads[i]), fill(s.heads[i+1]))
				}
			}
			requireLimits(t, s, r)
			if name, path, is := strings.Cut(s.keep, "="); is {
				kept = append(kept, "{"+name+"}", keptValue(t, r, path))
			}
		})
		if !ok {
			return
		}
	}
}

func keptValue(t *testing.T, r reply, path string) string {
	if header, is := strings.CutPrefix(path, "header:"); is {
		require.NotEmpty(t, r.header.Get(header))
		return r.header.Get(header)
	}
	text, is := at(t, r.body, path).(string)
	require.True(t, is, "%s in %s", path, r.body)
	return text
}

// requireLimits: every authenticated answer tells the state of the rate limit, and no other does.
func requireLimits(t *testing.T, s step, r reply) {
	code := ""
	if r.status >= 400 && r.body != "" {
		code, _ = at(t, r.body, "error.code").(string)
	}
	beforehand := []string{"UNAUTHENTICATED", "INVALID_TOKEN", "TOKEN_EXPIRED", "TOKEN_REVOKED", "METHOD_NOT_ALLOWED"}
	authenticated := s.as != "" && !slices.Contains(beforehand, code)
	for _, name := range []string{"RateLimit", "RateLimit-Policy", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"} {
		require.Equal(t, authenticated, r.header.Get(name) != "", "%s of %s", name, s.do)
	}
}

// refused are the four answers that every route with a permission gives before it looks at anything.
func refused(do, body, permission string, forbidden ...string) []step {
	var steps []step
	for _, who := range forbidden {
		steps = append(steps, step{
			says: "403 " + do + " as " + who, as: who, do: do, body: body, status: 403, code: "PERMISSION_DENIED", has: []string{permission},
			heads: []string{"ETag", ""},
		})
	}
	return append(steps,
		step{says: "401 " + do, do: do, body: body, status: 401, code: "UNAUTHENTICATED", heads: []string{"WWW-Authenticate", "Bearer realm="}},
		step{
			says: "401 forged " + do, do: do, body: body, header: []string{"Authorization", "Bearer a.b.c"}, status: 401, code: "INVALID_TOKEN",
			heads: []string{"WWW-Authenticate", `error="invalid_token"`},
		},
		step{
			says: "401 basic " + do, do: do, body: body, header: []string{"Authorization", "Basic YTpi"}, status: 401, code: "UNAUTHENTICATED",
		})
}
