package bench

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"time"
)

// httpClient is a client of a server, with one connection that it keeps open. It reads every answer to its end.
type httpClient struct {
	client *http.Client
	base   string
	scheme string       // of the tokens
	answer bytes.Buffer // valid until the next request
}

// maxAnswer is the maximum size of an answer.
const maxAnswer = 64 << 20

func newHTTPClient(address string) *httpClient {
	// Neo4j closes idle connections after 30 s.
	transport := &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 1, IdleConnTimeout: 5 * time.Second}
	return &httpClient{
		client: &http.Client{Transport: transport, Timeout: answerTime}, base: "http://" + address, scheme: "Bearer ",
	}
}

// do sends a request and returns the answer's status, headers and body. An empty token and a nil body are not sent.
func (c *httpClient) do(ctx context.Context, method, path, token string, body []byte) (int, http.Header, []byte, error) {
	var content io.Reader
	if body != nil {
		content = bytes.NewReader(body)
	}
	request, err := http.NewRequestWithContext(ctx, method, c.base+path, content) //nolint:gosec // from the benchmark to what it measures
	if err != nil {
		return 0, nil, nil, err
	}
	request.Header.Set("Accept", "application/json")
	if token != "" {
		request.Header.Set("Authorization", c.scheme+token)
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := c.client.Do(request) //nolint:gosec // the same
	if err != nil {
		return 0, nil, nil, err
	}
	defer response.Body.Close()
	c.answer.Reset()
	if _, err := c.answer.ReadFrom(io.LimitReader(response.Body, maxAnswer)); err != nil {
		return 0, nil, nil, fmt.Errorf("read an answer: %w", err)
	}
	return response.StatusCode, response.Header, c.answer.Bytes(), nil
}
