package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The command passes lines on with the token and the version that the gateway chose, and answers for a gateway that refuses.
func TestMCPOverStandardInputAndOutput(t *testing.T) {
	gateway := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch {
		case r.URL.Path != "/mcp" || r.Header.Get("Authorization") != "Bearer grp_x":
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = io.WriteString(w, `{"error":{"code":"INVALID_TOKEN","message":"No"}}`)
		case strings.Contains(string(body), `"initialize"`):
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18"}}`+"\n")
		case strings.Contains(string(body), `"notifications/initialized"`):
			w.WriteHeader(http.StatusAccepted)
		default:
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":2,"result":{"version":"`+r.Header.Get("MCP-Protocol-Version")+`"}}`)
		}
	}))
	defer gateway.Close()
	const lines = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}` + "\n\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n" + `{"jsonrpc":"2.0","id":2,"method":"tools/list"}` + "\n"
	r := command(t, []string{"GRAPHREST_TOKEN=grp_x"}, lines, "mcp", "--url", gateway.URL)
	require.Equal(t, exitOK, r.code, r.stderr)
	require.Equal(t, `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18"}}`+"\n"+
		`{"jsonrpc":"2.0","id":2,"result":{"version":"2025-06-18"}}`+"\n", r.stdout)
	r = command(t, []string{"GRAPHREST_TOKEN=grp_y"}, lines, "mcp", "--url", gateway.URL)
	require.Equal(t, 2, strings.Count(r.stdout, "INVALID_TOKEN"))
}
