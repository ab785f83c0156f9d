package httpapi_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/httpapi"
)

// Proxies forward addresses in several forms; the log, as the throttle and the audit, has the client's address alone.
func TestForwardedAddressesInTheirForms(t *testing.T) {
	srv := newTestServer(t, func(o *httpapi.Options) { o.TrustedProxies = []string{"127.0.0.1"} })
	remote := regexp.MustCompile(`"remote":"([^"]*)"`)
	for _, c := range []struct{ header, forwarded, want string }{
		{"X-Forwarded-For", "203.0.113.7", "203.0.113.7"},
		{"X-Forwarded-For", "203.0.113.7:5555", "203.0.113.7"},
		{"X-Forwarded-For", "[2001:db8::1]:443", "2001:db8::1"},
		{"X-Forwarded-For", "[2001:db8::1]", "2001:db8::1"},
		{"X-Forwarded-For", "2001:DB8:0::1", "2001:db8::1"},
		{"X-Forwarded-For", `"203.0.113.7"`, "203.0.113.7"},
		{"X-Forwarded-For", `"[2001:db8::1]:443"`, "2001:db8::1"},
		{"X-Forwarded-For", `"`, "127.0.0.1"},
		{"X-Forwarded-For", "fe80::1%eth0", "fe80::1"},
		{"X-Forwarded-For", "::ffff:203.0.113.7", "203.0.113.7"},
		{"X-Forwarded-For", "198.51.100.1:1, 203.0.113.8:5555", "203.0.113.8"}, // the last is what the trusted proxy saw
		{"X-Real-IP", "203.0.113.9:80", "203.0.113.9"},
		{"X-Forwarded-For", "unknown", "127.0.0.1"},
		{"X-Forwarded-For", "203.0.113.7:port", "127.0.0.1"},
	} {
		srv.send(t, "root", "GET", "/api/auth/me", "", c.header, c.forwarded)
		found := remote.FindAllStringSubmatch(srv.log.String(), -1)
		require.NotEmpty(t, found)
		require.Equal(t, c.want, found[len(found)-1][1], "%s: %s", c.header, c.forwarded)
	}
}
