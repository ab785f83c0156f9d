package benchlarge

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"strings"

	"graphrest/internal/bench"
)

// rateLimit is never reached, but counted on every request.
const rateLimit = 1_000_000_000

// access contains the secrets of a run, and the tokens that the gateway issued.
type access struct {
	bench.Secrets
	readerName              string
	adminToken, readerToken string
	ruledTokens             map[string]string // by user: see createRuledUsers
}

func newAccess() *access {
	return &access{Secrets: bench.NewSecrets(), readerName: "reader-" + strings.ToLower(rand.Text()[:8])}
}

// gateway is a running gateway and the users that ask it.
type gateway struct {
	*bench.GatewayProcess
	*access
}

// startGateway starts the program and creates its users.
func (r *run) startGateway(ctx context.Context) (*gateway, error) {
	a := newAccess()
	process, err := bench.StartGateway(ctx, r.Gateway, r.at, a.Secrets)
	if err != nil {
		return nil, err
	}
	g := &gateway{process, a}
	return g, g.prepare(ctx)
}

// prepare creates a user who may read without a limit, and gets tokens.
func (g *gateway) prepare(ctx context.Context) (err error) {
	if g.adminToken, err = g.Login(ctx, "admin", g.Admin); err != nil {
		return err
	}
	user := map[string]any{"username": g.readerName, "password": g.User, "permissions": []string{"read"}, "rate_limit": rateLimit}
	if err := g.create(ctx, "/api/admin/users", user); err != nil {
		return err
	}
	if g.readerToken, err = g.Login(ctx, g.readerName, g.User); err != nil {
		return err
	}
	return g.createRuledUsers(ctx)
}

// read requests a path as the reader.
func (g *gateway) read(ctx context.Context, path string) (status int, answer []byte, err error) {
	return g.readAs(ctx, "", path, "")
}

// readAs requests a path as a user with roles, or, without one, as the reader. With a body it is a POST.
func (g *gateway) readAs(ctx context.Context, user, path, body string) (status int, answer []byte, err error) {
	token := g.readerToken
	if user != "" {
		token = g.ruledTokens[user]
	}
	if body != "" {
		return g.Call(ctx, http.MethodPost, path, token, json.RawMessage(body))
	}
	return g.Call(ctx, http.MethodGet, path, token, nil)
}

// page contains the parts of a list's answer that the benchmark reads.
type page struct {
	Data json.RawMessage `json:"data"`
	Meta struct {
		Page struct {
			NextCursor string `json:"next_cursor"`
		} `json:"page"`
	} `json:"meta"`
}

// length returns the number of entities in the page, -1 if the answer is not a list.
func (p *page) length() int {
	var entities []json.RawMessage
	var table struct {
		Rows *[]json.RawMessage `json:"rows"`
	}
	if json.Unmarshal(p.Data, &table) == nil && table.Rows != nil {
		return len(*table.Rows)
	}
	if json.Unmarshal(p.Data, &entities) != nil {
		return -1
	}
	return len(entities)
}
