package transfer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// maxMessage is the largest answer to a message of an agent, in bytes.
const maxMessage = 16 << 20

// SendMessage sends one message of an agent to the endpoint /mcp with additional headers, and returns the answer; nil if there is none.
func (c *Client) SendMessage(ctx context.Context, message []byte, headers map[string]string) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+"/mcp", bytes.NewReader(message))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Authorization", "Bearer "+c.token)
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	res, err := c.http.Do(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(res.Body, maxMessage))
	if err != nil || len(body) == 0 {
		return nil, err
	}
	var answer struct {
		Error   *Problem        `json:"error"`
		Version json.RawMessage `json:"jsonrpc"`
	}
	switch err := json.Unmarshal(body, &answer); {
	case err == nil && answer.Version != nil:
		return bytes.TrimSpace(body), nil
	case err == nil && answer.Error != nil:
		return nil, answer.Error
	case res.StatusCode == http.StatusNotFound:
		return nil, errors.New("the gateway serves no agents there: set GRAPHREST_MCP=on")
	}
	return nil, fmt.Errorf("the gateway answers %s", res.Status)
}
