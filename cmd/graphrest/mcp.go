package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"github.com/spf13/cobra"

	"graphrest/internal/transfer"
)

func newMCP(p *process) *cobra.Command {
	c := &cobra.Command{
		Use: "mcp", Short: "Serve the agents' endpoint of a gateway over standard input and output",
		Long: "Passes messages of the Model Context Protocol between standard input and output, one a line, and the endpoint /mcp of a\n" +
			"gateway: for desktop programs that start a command instead of calling an address.\n\n" + gatewayHelp,
		Args: arguments(cobra.NoArgs),
	}
	connect := p.gatewayFlags(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		ctx := p.releaseSignalsAfter(c.Context())
		client, err := connect(ctx)
		if err != nil {
			return gatewayError(ctx, err)
		}
		s := stdioAgent{client: client, out: p.stdout, running: map[string]context.CancelFunc{}}
		return s.serve(ctx, p.stdin)
	}
	return c
}

// maxAgentLine is the longest message, in bytes.
const maxAgentLine = 16 << 20

// stdioAgent passes messages on, several at a time.
type stdioAgent struct {
	client *transfer.Client

	mu      sync.Mutex
	out     io.Writer
	version string                        // of the protocol, as the gateway chose it at the start of the session
	running map[string]context.CancelFunc // by the id of the request
	calls   sync.WaitGroup
}

// agentMessage has the members of a message that decide how it is sent.
type agentMessage struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name      string          `json:"name"`
		URI       string          `json:"uri"`
		RequestID json.RawMessage `json:"requestId"`
		Meta      struct {
			Version string `json:"io.modelcontextprotocol/protocolVersion"`
		} `json:"_meta"`
	} `json:"params"`
}

func (s *stdioAgent) serve(ctx context.Context, in io.Reader) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 0, 64<<10), maxAgentLine)
	for lines.Scan() {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		var m agentMessage
		_ = json.Unmarshal(line, &m) // the gateway answers what is no message
		switch {
		case m.Method == "notifications/cancelled":
			s.cancel(string(m.Params.RequestID)) // the end of the connection ends the call
		case m.Method == "initialize": // the others need its answer
			s.send(ctx, m, bytes.Clone(line))
		default:
			call, end := context.WithCancel(ctx)
			s.mu.Lock()
			s.running[string(m.ID)] = end
			s.mu.Unlock()
			message := bytes.Clone(line)
			s.calls.Go(func() {
				defer s.cancel(string(m.ID))
				s.send(call, m, message)
			})
		}
	}
	s.calls.Wait()
	return lines.Err()
}

func (s *stdioAgent) cancel(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if end := s.running[id]; end != nil {
		end()
		delete(s.running, id)
	}
}

// send passes one message on and writes its answer. A canceled request has none.
func (s *stdioAgent) send(ctx context.Context, m agentMessage, message []byte) {
	answer, err := s.client.SendMessage(ctx, message, s.headers(m))
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		if m.ID == nil {
			return
		}
		answer, _ = json.Marshal(map[string]any{
			"jsonrpc": "2.0", "id": m.ID, "error": map[string]any{"code": -32603, "message": err.Error()},
		})
	}
	if answer == nil {
		return
	}
	var compact bytes.Buffer
	if json.Compact(&compact, answer) != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if m.Method == "initialize" {
		var chosen struct {
			Result struct {
				Version string `json:"protocolVersion"`
			} `json:"result"`
		}
		_ = json.Unmarshal(answer, &chosen)
		s.version = chosen.Result.Version
	}
	fmt.Fprintf(s.out, "%s\n", compact.Bytes())
}

// headers are those that the transport over HTTP has beside a message.
func (s *stdioAgent) headers(m agentMessage) map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	headers := map[string]string{}
	if revision := cmp.Or(m.Params.Meta.Version, s.version); revision != "" {
		headers["MCP-Protocol-Version"] = revision
	}
	if m.Method != "" {
		headers["Mcp-Method"] = m.Method
	}
	if name := cmp.Or(m.Params.Name, m.Params.URI); name != "" {
		headers["Mcp-Name"] = name
	}
	return headers
}
