package bench

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"
)

const (
	benchUser = "bench"
	// benchLimit is the rate limit of that user: never reached, but counted on every request.
	benchLimit = 1_000_000_000
	// tokenCount is the number of tokens that the clients share.
	tokenCount = 8
	// readyTimeout is enough for the first statements of a cold Neo4j on a loaded machine.
	readyTimeout = 5 * time.Minute
)

// GatewayProcess is a running gateway.
type GatewayProcess struct {
	*child
	address string
	client  *httpClient
	tokens  []string
}

// Secrets are generated for each run and shared by its gateways, which are replicas of each other.
type Secrets struct{ signing, Admin, User string }

// NewSecrets generates Secrets.
func NewSecrets() Secrets {
	return Secrets{signing: rand.Text() + rand.Text(), Admin: rand.Text(), User: rand.Text()}
}

// StartGateway starts the program as a separate process, with only the required variables and those in more in its environment, and
// returns once it is ready.
func StartGateway(ctx context.Context, program string, at Neo4j, s Secrets, more ...string) (*GatewayProcess, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	process, err := startChild(ctx, program, append([]string{
		"NEO4J_URI=" + at.URI, "NEO4J_USERNAME=" + at.Username, "NEO4J_PASSWORD=" + at.Password, "NEO4J_DATABASE=" + at.Database,
		"GRAPHREST_LISTEN=" + address, "GRAPHREST_JWT_SECRET=" + s.signing, "GRAPHREST_ADMIN_PASSWORD=" + s.Admin,
		"GRAPHREST_LOG_LEVEL=error", "GRAPHREST_TOKEN_TTL=24h",
	}, more...), "serve")
	if err != nil {
		return nil, err
	}
	g := &GatewayProcess{child: process, address: address, client: newHTTPClient(address)}
	if err := g.awaitReady(ctx); err != nil {
		g.Stop()
		return nil, fmt.Errorf("the gateway: %w\n%s", err, g.output)
	}
	return g, nil
}

func freeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	address := listener.Addr().String()
	return address, listener.Close()
}

// prepare creates the user with all permissions and a separate rate limit, logs in, and
// verifies that tokens and the rate limit are on.
func (g *GatewayProcess) prepare(ctx context.Context, s Secrets) error {
	admin, err := g.Login(ctx, "admin", s.Admin)
	if err != nil {
		return err
	}
	user := map[string]any{
		"username": benchUser, "password": s.User, "permissions": []string{"read", "create", "edit", "delete"}, "rate_limit": benchLimit,
	}
	status, answer, err := g.callWithRetry(ctx, http.MethodPost, "/api/admin/users", admin, user)
	if err != nil {
		return err
	}
	if !slices.Contains([]int{http.StatusCreated, http.StatusConflict}, status) { // another gateway of this run may have created it
		return fmt.Errorf("make the user: %w", failure(status, answer, nil))
	}
	for range tokenCount {
		token, err := g.Login(ctx, benchUser, s.User)
		if err != nil {
			return err
		}
		g.tokens = append(g.tokens, token)
	}
	status, answer, err = g.Call(ctx, http.MethodGet, "/api/nodes?limit=1", "", nil)
	if err != nil || status != http.StatusUnauthorized {
		return fmt.Errorf("a request without a token: %w", failure(status, answer, err))
	}
	status, header, answer, err := g.client.do(ctx, http.MethodGet, "/api/nodes?limit=1", g.tokens[0], nil)
	if err != nil || status != http.StatusOK {
		return fmt.Errorf("a request with a token: %w", failure(status, answer, err))
	}
	if limit := header.Get("X-Ratelimit-Limit"); limit != strconv.Itoa(benchLimit) {
		return fmt.Errorf("the rate limit is %q, not the user's own", limit)
	}
	return nil
}

func (g *GatewayProcess) awaitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	for {
		status, _, err := g.Call(ctx, http.MethodGet, "/readyz", "", nil)
		if err == nil && status == http.StatusOK {
			return nil
		}
		select {
		case <-g.done:
			return errors.New("it ended during its start")
		case <-ctx.Done():
			return fmt.Errorf("it was not ready in time: %w", failure(status, nil, err))
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// failure returns the error of a call, or an error that describes its unexpected answer.
func failure(status int, answer []byte, err error) error {
	if err != nil {
		return err
	}
	return fmt.Errorf("status %d %.300s", status, answer)
}

// Login returns a token of a user.
func (g *GatewayProcess) Login(ctx context.Context, username, password string) (string, error) {
	status, answer, err := g.callWithRetry(ctx, http.MethodPost, "/api/auth/login", "",
		map[string]string{"username": username, "password": password})
	if err != nil {
		return "", err
	}
	var token struct {
		AccessToken string `json:"access_token"`
	}
	if err := json.Unmarshal(answer, &token); err != nil || status != http.StatusOK || token.AccessToken == "" {
		return "", fmt.Errorf("log in as %s: %w", username, failure(status, nil, err)) // the answer may contain a token
	}
	return token.AccessToken, nil
}

// Call sends one request of the benchmark itself, and returns the status and the body of the answer.
func (g *GatewayProcess) Call(ctx context.Context, method, path, token string, body any) (status int, answer []byte, err error) {
	var text []byte
	if body != nil {
		if text, err = json.Marshal(body); err != nil {
			return 0, nil, err
		}
	}
	status, _, answer, err = g.client.do(ctx, method, path, token, text)
	return status, answer, err
}

// callWithRetry is Call with retries while the answer is 503, after the time in its Retry-After: directly after its start on a
// busy machine the gateway may find the database too slow to verify the user of a request.
func (g *GatewayProcess) callWithRetry(ctx context.Context, method, path, token string, body any) (status int, answer []byte, err error) {
	for range 20 {
		status, answer, err = g.Call(ctx, method, path, token, body)
		if err != nil || status != http.StatusServiceUnavailable {
			break
		}
		select {
		case <-ctx.Done():
			return 0, nil, context.Cause(ctx)
		case <-time.After(time.Second):
		}
	}
	return status, answer, err
}

// deepCursor pages through the list to the depth and returns the cursor of the page there, escaped for a URL.
func (g *GatewayProcess) deepCursor(ctx context.Context, d *Dataset) (cursor string, err error) {
	for depth := 0; depth < d.ListDepth; depth += pageSize {
		path := listPath
		if cursor != "" {
			path += "&cursor=" + cursor
		}
		status, answer, err := g.callWithRetry(ctx, http.MethodGet, path, g.tokens[0], nil)
		if err != nil || status != http.StatusOK {
			return "", fmt.Errorf("page to depth %d: %w", d.ListDepth, failure(status, answer, err))
		}
		var list struct {
			Meta struct {
				Page struct {
					NextCursor string `json:"next_cursor"`
				} `json:"page"`
			} `json:"meta"`
		}
		if err := json.Unmarshal(answer, &list); err != nil || list.Meta.Page.NextCursor == "" {
			return "", fmt.Errorf("no next cursor: %w", failure(status, answer, err))
		}
		cursor = url.QueryEscape(list.Meta.Page.NextCursor)
	}
	return cursor, nil
}
