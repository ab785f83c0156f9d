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
	"os/exec"
	"slices"
	"strconv"
	"strings"
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

// gateway is a running gateway process and what its clients need.
type gateway struct {
	*child
	address string
	tokens  []string
}

// secrets are generated for each run and shared by its gateways, which are replicas of each other.
type secrets struct{ signing, admin, user string }

func newSecrets() secrets {
	return secrets{signing: rand.Text() + rand.Text(), admin: rand.Text(), user: rand.Text()}
}

// startGateway starts the program as a separate process, with only the required variables and those in more in its environment, and
// returns once it is ready and its tokens are issued.
func startGateway(ctx context.Context, program string, at Neo4j, s secrets, coalesce string, more ...string) (*gateway, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	command := exec.Command(program, "serve")
	command.Env = []string{
		"NEO4J_URI=" + at.URI, "NEO4J_USERNAME=" + at.Username, "NEO4J_PASSWORD=" + at.Password, "NEO4J_DATABASE=" + at.Database,
		"GRAPHREST_LISTEN=" + address, "GRAPHREST_JWT_SECRET=" + s.signing, "GRAPHREST_ADMIN_PASSWORD=" + s.admin,
		"GRAPHREST_COALESCE=" + coalesce, "GRAPHREST_LOG_LEVEL=error", "GRAPHREST_TOKEN_TTL=24h",
	}
	command.Env = append(command.Env, more...)
	process, err := startChild("the gateway", command)
	if err != nil {
		return nil, err
	}
	g := &gateway{child: process, address: address}
	if err := g.prepare(ctx, s); err != nil {
		g.stop()
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

// prepare waits until the gateway is ready, creates the user with all permissions and a separate rate limit, logs in, and
// verifies that tokens and the rate limit are on.
func (g *gateway) prepare(ctx context.Context, s secrets) error {
	if err := g.awaitReady(ctx); err != nil {
		return err
	}
	admin, err := g.login(ctx, "admin", s.admin)
	if err != nil {
		return err
	}
	user := map[string]any{
		"username": benchUser, "password": s.user, "permissions": []string{"read", "create", "edit", "delete"}, "rate_limit": benchLimit,
	}
	status, answer, err := g.callWithRetry(ctx, http.MethodPost, "/api/admin/users", admin, user)
	if err != nil {
		return err
	}
	if !slices.Contains([]int{http.StatusCreated, http.StatusConflict}, status) { // another gateway of this run may have created it
		return fmt.Errorf("make the user: %w", failure(status, answer, nil))
	}
	for range tokenCount {
		token, err := g.login(ctx, benchUser, s.user)
		if err != nil {
			return err
		}
		g.tokens = append(g.tokens, token)
	}
	status, answer, err = g.call(ctx, http.MethodGet, "/api/nodes?limit=1", "", nil, nil)
	if err != nil || status != http.StatusUnauthorized {
		return fmt.Errorf("a request without a token: %w", failure(status, answer, err))
	}
	headers := make(http.Header)
	status, answer, err = g.call(ctx, http.MethodGet, "/api/nodes?limit=1", g.tokens[0], nil, headers)
	if err != nil || status != http.StatusOK {
		return fmt.Errorf("a request with a token: %w", failure(status, answer, err))
	}
	if limit := headers.Get("X-Ratelimit-Limit"); limit != strconv.Itoa(benchLimit) {
		return fmt.Errorf("the rate limit is %q, not the user's own", limit)
	}
	return nil
}

func (g *gateway) awaitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	for {
		status, _, err := g.call(ctx, http.MethodGet, "/readyz", "", nil, nil)
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

func (g *gateway) login(ctx context.Context, username, password string) (string, error) {
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

// call sends one request of the benchmark itself. Headers, if not nil, receives the headers of the answer that start with X-.
func (g *gateway) call(
	ctx context.Context, method, path, token string, body any, headers http.Header,
) (status int, answer []byte, err error) {
	var text []byte
	if body != nil {
		if text, err = json.Marshal(body); err != nil {
			return 0, nil, err
		}
	}
	conn := newHTTPConn(g.address)
	conn.headers = headers
	deadline := time.Now().Add(30 * time.Second)
	if limit, limited := ctx.Deadline(); limited && limit.Before(deadline) {
		deadline = limit
	}
	if err := errors.Join(context.Cause(ctx), conn.allow(deadline)); err != nil {
		return 0, nil, err
	}
	own := "Accept: application/json\r\n"
	if token != "" {
		own += "Authorization: Bearer " + token + "\r\n"
	}
	status, answer, err = conn.do(method, path, own, text)
	return status, answer, errors.Join(err, conn.close())
}

// callWithRetry is call with retries while the answer is 503, after the time in its Retry-After: directly after its start on a
// busy machine the gateway may find the database too slow to verify the user of a request.
func (g *gateway) callWithRetry(ctx context.Context, method, path, token string, body any) (status int, answer []byte, err error) {
	for range 20 {
		status, answer, err = g.call(ctx, method, path, token, body, nil)
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
func (g *gateway) deepCursor(ctx context.Context, d *Dataset) (string, error) {
	all, err := g.cursors(ctx, d.ListDepth/pageSize+1)
	if err != nil {
		return "", fmt.Errorf("page to depth %d: %w", d.ListDepth, err)
	}
	return strings.TrimPrefix(all[len(all)-1], cursorParameter), nil
}

const cursorParameter = "&cursor="

// cursors pages through the list and returns what the paths of its first pages end with: nothing for the first one, then cursors.
func (g *gateway) cursors(ctx context.Context, pages int) ([]string, error) {
	all := []string{""}
	for len(all) < pages {
		path := listPath + all[len(all)-1]
		status, answer, err := g.callWithRetry(ctx, http.MethodGet, path, g.tokens[0], nil)
		if err != nil || status != http.StatusOK {
			return nil, failure(status, answer, err)
		}
		var list struct {
			Meta struct {
				Page struct {
					NextCursor string `json:"next_cursor"`
				} `json:"page"`
			} `json:"meta"`
		}
		if err := json.Unmarshal(answer, &list); err != nil || list.Meta.Page.NextCursor == "" {
			return nil, fmt.Errorf("no next cursor: %w", failure(status, answer, err))
		}
		all = append(all, cursorParameter+url.QueryEscape(list.Meta.Page.NextCursor))
	}
	return all, nil
}
