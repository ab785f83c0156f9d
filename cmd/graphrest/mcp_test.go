package main

import (
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
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

// agentProgram is how the guide configures a program: with the address and headers, or with a command.
type agentProgram struct {
	URL, HTTPURL, Command string // HTTPURL is httpUrl
	Headers, Env          map[string]string
	Args                  []string
	OAuth                 json.RawMessage
}

// RoundTrip sends a request with the headers of the configuration.
func (p agentProgram) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for name, value := range p.Headers {
		r.Header.Set(name, value)
	}
	return http.DefaultTransport.RoundTrip(r)
}

// transport connects as a program with the configuration does. The command runs in this process.
func (p agentProgram) transport(t *testing.T) sdk.Transport {
	t.Helper()
	if address := cmp.Or(p.URL, p.HTTPURL); address != "" {
		return &sdk.StreamableClientTransport{
			Endpoint: address, HTTPClient: &http.Client{Transport: p}, DisableStandaloneSSE: true, MaxRetries: -1,
		}
	}
	require.Equal(t, "graphrest", p.Command)
	environ := make([]string, 0, len(p.Env))
	for name, value := range p.Env {
		environ = append(environ, name+"="+value)
	}
	stdin, toCommand := io.Pipe()
	fromCommand, stdout := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		ended <- run(t.Context(), process{args: p.Args, environ: environ, stdin: stdin, stdout: stdout, stderr: t.Output()})
		_ = stdout.Close()
	}()
	t.Cleanup(func() { require.Equal(t, exitOK, <-ended) })
	return &sdk.IOTransport{Reader: fromCommand, Writer: toCommand}
}

// programsOfTheGuide are the programs that the guide for agents configures, with the address and the token of a gateway.
func programsOfTheGuide(t *testing.T, url, token string) []agentProgram {
	t.Helper()
	guide, err := os.ReadFile(filepath.Join("..", "..", "docs", "agents.md"))
	require.NoError(t, err)
	replace := strings.NewReplacer("https://graph.example", url, "grp_...", token, "${GRAPHREST_TOKEN}", token, "$GRAPHREST_TOKEN", token,
		"${env:GRAPHREST_TOKEN}", token, "${input:token}", token)
	var programs []agentProgram
	for _, block := range regexp.MustCompile("(?s)```(json|toml)\n(.*?)```").FindAllStringSubmatch(string(guide), -1) {
		text := replace.Replace(block[2])
		if block[1] == "toml" {
			require.Regexp(t, `(?m)^\[mcp_servers\.graph\]$`, text)
			values := map[string]string{}
			for _, line := range regexp.MustCompile(`(?m)^(\w+) = "([^"]*)"$`).FindAllStringSubmatch(text, -1) {
				values[line[1]] = line[2]
			}
			require.Equal(t, "GRAPHREST_TOKEN", values["bearer_token_env_var"])
			programs = append(programs, agentProgram{URL: values["url"], Headers: map[string]string{"Authorization": "Bearer " + token}})
			continue
		}
		var file struct {
			Servers    map[string]agentProgram `json:"servers"`
			MCPServers map[string]agentProgram `json:"mcpServers"`
		}
		require.NoError(t, json.Unmarshal([]byte(text), &file), text)
		for _, servers := range []map[string]agentProgram{file.Servers, file.MCPServers} {
			if p, configured := servers["graph"]; configured && p.OAuth == nil { // internal/app signs in at a provider
				programs = append(programs, p)
			}
		}
	}
	return programs
}

// Each configuration of the guide connects an official client, once its address and token are those of a gateway.
func TestConfigurationsOfTheGuideForAgents(t *testing.T) {
	runDevAsAdministrator(t, func(url, token string) {
		programs := programsOfTheGuide(t, url, personalToken(t, url, token, "agent"))
		require.Len(t, programs, 6)
		for _, program := range programs {
			session, err := sdk.NewClient(&sdk.Implementation{Name: "program", Version: "1"}, nil).Connect(t.Context(), program.transport(t), nil)
			require.NoError(t, err, program)
			found, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "list_types", Arguments: json.RawMessage(`{}`)})
			require.NoError(t, err, program)
			require.Contains(t, found.Content[0].(*sdk.TextContent).Text, `"Person"`, program)
			require.NoError(t, session.Close())
		}
	}, "GRAPHREST_MCP=on")
}
