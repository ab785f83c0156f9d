package gatewaytest

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Client sends requests to a gateway.
type Client struct {
	URL   string       // without a path
	Token string       // empty: requests without a token
	HTTP  *http.Client // nil: http.DefaultClient
}

// Answer is a complete response.
type Answer struct {
	Status int
	Header http.Header
	Body   string
}

// Send sends a request and reads the answer. A body is JSON unless the headers, which are names and values in turn, name another type.
func (c Client) Send(ctx context.Context, method, path, body string, headers ...string) (Answer, error) {
	request, err := http.NewRequestWithContext(ctx, method, c.URL+path, strings.NewReader(body))
	if err != nil {
		return Answer{}, err
	}
	if c.Token != "" {
		request.Header.Set("Authorization", "Bearer "+c.Token)
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := c.http().Do(request)
	if err != nil {
		return Answer{}, err
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	return Answer{response.StatusCode, response.Header, string(text)}, err
}

func (c Client) http() *http.Client {
	if c.HTTP == nil {
		return http.DefaultClient
	}
	return c.HTTP
}

// Login returns a token of a user.
func (c Client) Login(t testing.TB, username, password string) string {
	t.Helper()
	body, err := json.Marshal(map[string]string{"username": username, "password": password})
	require.NoError(t, err)
	answer, err := c.Send(t.Context(), http.MethodPost, "/api/auth/login", string(body))
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, answer.Status, answer.Body)
	var token struct {
		AccessToken string `json:"access_token"`
	}
	require.NoError(t, json.Unmarshal([]byte(answer.Body), &token))
	require.NotEmpty(t, token.AccessToken)
	return token.AccessToken
}

// AwaitReady waits until the gateway reports that it is ready.
func (c Client) AwaitReady(t testing.TB, timeout time.Duration) {
	t.Helper()
	require.Eventually(t, func() bool {
		answer, err := c.Send(t.Context(), http.MethodGet, "/readyz", "")
		return err == nil && answer.Status == http.StatusOK
	}, timeout, 50*time.Millisecond, "the gateway does not become ready")
}
