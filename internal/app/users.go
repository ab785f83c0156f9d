package app

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"log/slog"
	"time"

	"graphrest/internal/audit"
	"graphrest/internal/auth"
	"graphrest/internal/config"
	"graphrest/internal/neo4jauth"
	"graphrest/internal/oidc"
)

// signingKeys loads the configured keys.
func signingKeys(c *config.Config) (auth.Keys, error) {
	if c.Tokens.KeyFile != "" {
		return auth.ReadKeys(c.Tokens.KeyFile, c.Tokens.PreviousKeyFiles...)
	}
	previous := make([]string, len(c.Tokens.PreviousSecrets))
	for i, secret := range c.Tokens.PreviousSecrets {
		previous[i] = secret.Reveal()
	}
	return auth.NewKeys(c.Tokens.Secret.Reveal(), previous...)
}

// newProvider returns the configured identity provider, or nil.
func newProvider(c *config.Config, keys auth.Keys, log *slog.Logger) (*oidc.Provider, error) {
	if c.OIDC.Issuer == "" {
		return nil, nil //nolint:nilnil // single sign-on is optional
	}
	resource := ""
	if c.MCP.On && c.MCP.OAuth && c.HTTP.PublicURL != "" {
		resource = c.HTTP.PublicURL + "/mcp"
	}
	return oidc.New(oidc.Config{
		Resource: resource,
		Issuer:   c.OIDC.Issuer, ClientID: c.OIDC.ClientID, ClientSecret: c.OIDC.ClientSecret.Reveal(), RedirectURL: c.OIDC.RedirectURL,
		Scopes: c.OIDC.Scopes, GroupsClaim: c.OIDC.GroupsClaim, CookieKey: keys.Derive("oidc cookies"),
		Mapping: oidc.Mapping{RoleMap: c.OIDC.RoleMap, AdminGroup: c.OIDC.AdminGroup},
	}, nil, log)
}

// newUsers creates the service of users. graph has the stores of the graph, if the process has any.
func newUsers(
	c *config.Config, keys auth.Keys, provider *oidc.Provider, accounts *neo4jauth.Store, buffer *audit.Buffer,
	o *observability, log *slog.Logger, graph *stores,
) (*auth.Service, error) {
	settings := auth.Config{
		Keys: keys, TokenTTL: c.Tokens.TTL, Audit: buffer, PasswordsClosed: !c.PasswordLogin, Bootstrap: c.Admin.Username,
	}
	if graph != nil {
		settings.Polled, settings.Answered = graph.receivePoll, graph.client.AnsweredSince
	}
	if provider != nil {
		settings.Provider = provider
	}
	if o.metrics != nil {
		settings.Observer = o.metrics
	}
	return auth.New(settings, accounts, nil, log)
}

// Users is the user store of a database, for administration without a gateway.
type Users struct {
	Service  *auth.Service
	accounts *neo4jauth.Store
	stop     context.CancelFunc
	stopped  chan error
}

// OpenUsers opens the users in the configured database, and prepares the database if it is new. DATABASE_UNAVAILABLE if
// it does not answer.
func OpenUsers(ctx context.Context, c *config.Config, log *slog.Logger) (*Users, error) {
	// No token is issued here, so the key need not be that of the gateways.
	keys, err := auth.NewKeys(randomText(48))
	if err != nil {
		return nil, err
	}
	accounts, err := openAccounts(c, &observability{})
	if err != nil {
		return nil, err
	}
	service, err := newUsers(c, keys, nil, accounts, nil, &observability{}, log, nil)
	if err != nil {
		return nil, err
	}
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	u := &Users{Service: service, accounts: accounts, stop: stop, stopped: make(chan error, 1)}
	go func() { u.stopped <- service.Run(background) }()
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	// An unreachable database fails fast; preparing a new one takes longer.
	_, err = accounts.Changes(ctx, 0)
	if errors.Is(err, auth.ErrNotPrepared) {
		err = accounts.Prepare(ctx)
	}
	if err == nil {
		err = service.EnsureFresh(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, u.Close())
	}
	return u, nil
}

// openTimeout is how long a command waits for the database.
const openTimeout = 30 * time.Second

// Close closes the connections.
func (u *Users) Close() error {
	u.stop()
	err := <-u.stopped
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	return errors.Join(err, u.accounts.Close(ctx))
}

// randomText returns random bytes in an alphabet that needs no escaping in shells, URLs and JSON.
func randomText(bytes int) string {
	text := make([]byte, bytes)
	_, _ = rand.Read(text) // never fails (crypto/rand)
	return base64.RawURLEncoding.EncodeToString(text)
}
