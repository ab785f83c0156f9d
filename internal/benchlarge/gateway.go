package benchlarge

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"time"

	"graphrest/internal/bench"
)

// rateLimit is never reached, but counted on every request.
const rateLimit = 1_000_000_000

// access contains the secrets that all gateways of a run share, as replicas do, and the tokens that they issued.
type access struct {
	signing, admin, reader  string
	readerName              string
	adminToken, readerToken string
	ruledTokens             map[string]string // by user: see createRuledUsers
	ruledRoles              []string
}

// newAccess generates secrets, except for the administrator's password if one is given.
func newAccess(admin string) *access {
	if admin == "" {
		admin = rand.Text()
	}
	return &access{
		signing: rand.Text() + rand.Text(), admin: admin, reader: rand.Text(),
		readerName: "reader-" + strings.ToLower(rand.Text()[:8]),
	}
}

// gateway is a running gateway and a client that keeps its connections open.
type gateway struct {
	*bench.Process
	*access
	base   string
	client *http.Client
}

// startGateway starts the program on the database at uri and returns as soon as it is ready, before any question has been asked.
func (r *run) startGateway(ctx context.Context, uri string) (*gateway, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		return nil, err
	}
	command := exec.Command(r.Gateway, "serve") //nolint:gosec // the program that is measured
	command.Env = append(r.gatewayEnv(uri), "GRAPHREST_LISTEN="+address)
	process, err := bench.StartProcess("the gateway", command)
	if err != nil {
		return nil, err
	}
	g := &gateway{
		Process: process, access: r.access, base: "http://" + address,
		client: &http.Client{Transport: &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: readClients}},
	}
	if err := g.awaitReady(ctx); err != nil {
		g.Stop()
		return nil, fmt.Errorf("the gateway: %w\n%s", err, g.Output())
	}
	return g, nil
}

// gatewayEnv returns the whole environment of a gateway or of another command of the program.
func (r *run) gatewayEnv(uri string) []string {
	return []string{
		"NEO4J_URI=" + uri, "NEO4J_USERNAME=" + r.at.Username, "NEO4J_PASSWORD=" + r.at.Password, "NEO4J_DATABASE=neo4j",
		"GRAPHREST_JWT_SECRET=" + r.access.signing, "GRAPHREST_ADMIN_PASSWORD=" + r.access.admin,
		"GRAPHREST_LOG_LEVEL=error", "GRAPHREST_TOKEN_TTL=24h",
	}
}

func (g *gateway) awaitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		status, _, err := g.call(ctx, http.MethodGet, "/readyz", "", nil)
		if err == nil && status == http.StatusOK {
			return nil
		}
		select {
		case <-g.Done():
			return errors.New("it ended during its start")
		case <-ctx.Done():
			return fmt.Errorf("it was not ready in time: status %d, %w", status, errors.Join(err, ctx.Err()))
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// prepare creates a user who may read without a limit, and gets tokens, which are valid at all gateways of the run.
func (g *gateway) prepare(ctx context.Context) (err error) {
	if g.adminToken, err = g.login(ctx, "admin", g.admin); err != nil {
		return err
	}
	user := map[string]any{"username": g.readerName, "password": g.reader, "permissions": []string{"read"}, "rate_limit": rateLimit}
	if err := g.create(ctx, "/api/admin/users", user); err != nil {
		return err
	}
	if g.readerToken, err = g.login(ctx, g.readerName, g.reader); err != nil {
		return err
	}
	return g.createRuledUsers(ctx)
}

func (g *gateway) login(ctx context.Context, username, password string) (string, error) {
	body := map[string]string{"username": username, "password": password}
	status, answer, err := g.call(ctx, http.MethodPost, "/api/auth/login", "", body)
	if err != nil {
		return "", err
	}
	var token struct {
		AccessToken string `json:"access_token"`
	}
	if err := json.Unmarshal(answer, &token); err != nil || status != http.StatusOK {
		return "", fmt.Errorf("log in as %s: status %d", username, status) // the answer may contain a token
	}
	return token.AccessToken, nil
}

// read requests a path as the reader.
func (g *gateway) read(ctx context.Context, path string) (status int, answer []byte, err error) {
	return g.readAs(ctx, "", path)
}

// readAs requests a path as a user with roles, or, without one, as the reader.
func (g *gateway) readAs(ctx context.Context, user, path string) (status int, answer []byte, err error) {
	token := g.readerToken
	if user != "" {
		token = g.ruledTokens[user]
	}
	return g.call(ctx, http.MethodGet, path, token, nil)
}

func (g *gateway) call(ctx context.Context, method, path, token string, body any) (status int, answer []byte, err error) {
	var content io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return 0, nil, err
		}
		content = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(ctx, method, g.base+path, content)
	if err != nil {
		return 0, nil, err
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := g.client.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	answer, err = io.ReadAll(response.Body)
	return response.StatusCode, answer, err
}

// page contains the parts of a list's answer that the benchmark reads.
type page struct {
	Data json.RawMessage `json:"data"`
	Meta struct {
		Page struct {
			NextCursor string `json:"next_cursor"`
			Total      *int   `json:"total"`
		} `json:"page"`
	} `json:"meta"`
}

// length returns the number of entities in the page, -1 if the answer is not a list.
func (p *page) length() int {
	var entities []json.RawMessage
	if json.Unmarshal(p.Data, &entities) != nil {
		return -1
	}
	return len(entities)
}
