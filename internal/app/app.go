// Package app assembles the gateway from its parts, runs it and closes it. It is the only package that imports all of
// them.
package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/sethvargo/go-limiter"
	"golang.org/x/sync/errgroup"

	"graphrest/internal/apidocs"
	"graphrest/internal/audit"
	"graphrest/internal/auth"
	"graphrest/internal/bolt"
	"graphrest/internal/config"
	"graphrest/internal/graph"
	"graphrest/internal/httpapi"
	"graphrest/internal/maintenance"
	"graphrest/internal/mcp"
	"graphrest/internal/neo4jauth"
	"graphrest/internal/oidc"
	"graphrest/internal/webhook"
	"graphrest/internal/webui"
)

// App is a gateway. Create it with New and call Run, which closes it at the end.
type App struct {
	config        *config.Config
	log           *slog.Logger
	version       string
	observability observability
	stores        *stores
	accounts      *neo4jauth.Store
	users         *auth.Service
	provider      *oidc.Provider // nil without single sign-on
	auditBuffer   *audit.Buffer  // nil if the audit is off
	rates         limiter.Store
	deliverer     *webhook.Deliverer // nil if changes are not recorded
	api           *httpapi.API
	startup       *startup
	certificate   *certificate // nil without TLS
}

// New assembles a gateway. It neither listens nor queries the database; an error is one of the configuration.
func New(c *config.Config, log *slog.Logger, version string) (app *App, err error) {
	a := &App{config: c, log: log, version: version}
	defer func() {
		if err != nil {
			err = errors.Join(err, a.Close())
		}
	}()
	if a.certificate, err = loadCertificate(c, log); err != nil {
		return nil, err
	}
	if a.observability, err = newObservability(c, version, log); err != nil {
		return nil, err
	}
	if a.stores, err = openStores(c, &a.observability, log); err != nil {
		return nil, err
	}
	if a.accounts, err = openAccounts(c, &a.observability); err != nil {
		return nil, err
	}
	keys, err := signingKeys(c)
	if err != nil {
		return nil, err
	}
	if c.Audit.Mode != audit.Off {
		a.auditBuffer = audit.NewBuffer(a.accounts, nil, log)
	}
	if a.provider, err = newProvider(c, keys, log); err != nil {
		return nil, err
	}
	if a.users, err = newUsers(c, keys, a.provider, a.accounts, a.auditBuffer, &a.observability, log, a.stores); err != nil {
		return nil, err
	}
	if a.rates, err = openRates(c, log); err != nil {
		return nil, err
	}
	if c.History.On {
		a.deliverer = newDeliverer(c, a.stores, &a.observability, log)
	}
	a.observability.watchState(a.stores, a.users, a.rates, a.deliverer)
	a.startup = &startup{done: make(chan struct{}), log: log, steps: []startupStep{
		{"own constraints", a.accounts.Prepare},
		{"first administrator", func(ctx context.Context) error {
			_, err := a.users.Bootstrap(ctx, c.Admin.Username, c.Admin.Password.Reveal())
			return err
		}},
	}}
	docs, err := apidocs.New(c.HTTP.BasePath, c.HTTP.PublicURL)
	if err != nil {
		return nil, err
	}
	web, err := webui.New(c.HTTP.BasePath)
	if err != nil {
		return nil, err
	}
	options := a.options(keys)
	options.Docs, options.Description, options.Web = docs, docs.Description(), web
	a.api, err = httpapi.New(options)
	return a, err
}

func (a *App) options(keys auth.Keys) httpapi.Options {
	c := a.config
	proxies := make([]string, len(c.HTTP.TrustedProxies))
	for i, proxy := range c.HTTP.TrustedProxies {
		proxies[i] = proxy.String()
	}
	options := httpapi.Options{
		Nodes: a.stores.graph, Edges: a.stores.graph, Schema: a.stores.graph.SchemaReader, Types: a.stores.graph.TypeStore,
		Styles:   a.stores.graph.StyleStore,
		Explorer: a.stores.graph.Walks, Aggregator: a.stores.graph.Aggregates, Matcher: a.stores.queries.matcher, Search: a.stores.graph,
		Indexes: a.stores.graph.IndexStore, Bulk: a.stores.graph.Bulk, Batches: a.stores.graph.Batches,
		ChangeSets: a.stores.graph.ChangeSets, SelfApproval: c.ChangeSets.SelfApproval,
		SavedViews: a.stores.savedViews,
		Queries:    a.stores.queries.service,
		Health:     a.stores.client, Started: a.startup.done,
		Monitor:  maintenance.NewMonitor(a.stores.newMaintenance(c.IDProperty), a.stores.graph.Counts),
		Accounts: a.users, Fresh: a.users.EnsureFresh, StoreContext: bolt.WithWaitBudget, AuditReader: a.stores.audit,
		RefusalAudit: a.auditBuffer,
		Log:          a.log,
		CursorKey:    keys.Derive("cursor"), Database: c.Neo4j.Database, IDProperty: c.IDProperty,
		MaxBody: c.HTTP.MaxBody, MaxBatch: c.Limits.BatchOperations, QueryTimeout: c.QueryTimeout,
		Limits: graph.Limits{
			List: c.Limits.List, String: c.Limits.StringBytes, Keys: c.Limits.PropertyCount, Key: graph.DefaultLimits.Key,
		},
		BytesInFlight: c.Limits.BytesInFlight, BytesInFlightPerUser: c.Limits.BytesInFlightPerUser,
		RateStore: a.rates, RateLimit: c.Rate.Limit, RatePeriod: c.Rate.Period,
		Streams: maxStreams(c.Neo4j.PoolSize), StreamsPerUser: c.Rate.Streams,
		CORSOrigins: c.HTTP.CORSOrigins, TrustedProxies: proxies,
		BasePath: c.HTTP.BasePath, PublicOrigin: c.HTTP.PublicOrigin(),
		SecureCookies: strings.HasPrefix(c.OIDC.RedirectURL, "https:"), PasswordsClosed: !c.PasswordLogin,
	}
	options.System = httpapi.System{Version: a.version, Started: time.Now()}
	for _, line := range c.Lines() {
		options.System.Settings = append(options.System.Settings, httpapi.Setting(line))
	}
	if a.provider != nil {
		options.SingleSignOn = a.provider
	}
	if c.MCP.On {
		options.Agents = mcp.New(mcp.Config{
			Version: a.version, Writes: mcp.Writes(c.MCP.Writes), MaxBody: c.HTTP.MaxBody, QueryTools: c.MCP.QueryTools, Log: a.log,
		})
		if c.MCP.OAuth {
			options.AgentIssuer = c.OIDC.Issuer
		}
	}
	if c.History.On {
		changes := a.stores.graph.Journal
		options.Journal, options.Undoer = changes, changes
		options.Webhooks = webhook.NewService(a.stores.webhooks, changes, c.Webhooks.Allow)
	}
	if a.observability.metrics != nil {
		options.Observer = a.observability.metrics
	}
	if a.observability.traces != nil {
		options.Tracer = a.observability.traces
	}
	return options
}

// maxStreams returns the maximum number of concurrent imports and exports: each occupies a connection, and most
// connections are reserved for other requests.
func maxStreams(poolSize int) int {
	const limit, share = 16, 3
	return max(1, min(limit, poolSize/share))
}

// Ready returns a channel that is closed once the database is prepared and the first administrator exists.
func (a *App) Ready() <-chan struct{} { return a.startup.done }

// Run serves on the listener until the context ends, waits for requests in flight, and closes everything. The error is
// the reason of any other end.
func (a *App) Run(ctx context.Context, listener net.Listener) error {
	listener = a.certificate.addTo(listener)
	// Background work must outlive the requests, which need it until the last one is answered.
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	server := httpapi.NewServer(a.api, a.config.QueryTimeout, a.log)
	group, failing := errgroup.WithContext(background)
	metrics, err := a.observability.serve(background, a.config.Telemetry.MetricsListen, a.log)
	if err != nil {
		return errors.Join(err, a.Close())
	}
	group.Go(func() error { return wrapPartError("metrics", metrics()) })
	group.Go(func() error { return wrapPartError("users", a.users.Run(background)) })
	group.Go(func() error { a.auditBuffer.Run(background); return nil })
	group.Go(func() error { a.deliverWebhooks(background); return nil })
	if a.provider != nil {
		group.Go(func() error { a.provider.Run(background); return nil })
	}
	group.Go(func() error {
		if err := a.startup.run(background); err != nil && background.Err() == nil {
			return wrapPartError("start", err)
		}
		return nil
	})
	group.Go(func() error {
		err := server.Serve(listener)
		if errors.Is(err, http.ErrServerClosed) || errors.Is(err, net.ErrClosed) {
			return nil // the drain closes the listener first, and the server later
		}
		return wrapPartError("serve", err)
	})
	if risk := bolt.TransportRisk(a.config.Neo4j.URI); risk != "" {
		a.log.Warn(risk, "remedy", bolt.TransportRemedy)
	}
	a.log.Info("listening", "address", listener.Addr().String(), "database", a.config.Neo4j.URI,
		"database_name", a.config.Neo4j.Database, "version", a.version)

	select {
	case <-ctx.Done():
	case <-failing.Done():
	}
	a.drain(server, listener)
	stop()
	return errors.Join(group.Wait(), a.Close())
}

func wrapPartError(part string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", part, err)
}

const (
	// maxNoticeDelay bounds the time between failing readiness and refusing connections.
	maxNoticeDelay = time.Second
	// maxArrivalDelay bounds the wait for requests on connections accepted last.
	maxArrivalDelay = 250 * time.Millisecond
)

// drain first fails readiness, waits until load balancers have noticed, and then lets requests in flight finish within
// the grace period. Requests still running then are cut off. The answer to a request that arrives during the drain ends its
// connection, so that few are idle at the end: net/http would close those at once, also when a request has just arrived on
// one, whose client then does not know what was done. Between closing the listener and the server's Shutdown it gives the
// connections accepted last a moment to send their request: from Shutdown on, net/http closes a connection whose request
// it has just read, without a response.
func (a *App) drain(server *http.Server, listener net.Listener) {
	grace := a.config.ShutdownGrace
	a.log.Info("stopping", "grace", grace.String())
	began := time.Now()
	a.api.StartDraining()
	time.Sleep(min(grace/10, maxNoticeDelay))
	_ = listener.Close()
	time.Sleep(min(grace/40, maxArrivalDelay))
	ctx, cancel := context.WithTimeout(context.Background(), grace-time.Since(began))
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		a.log.Warn("requests were still in flight at the end of the grace and are cut off", "error", err.Error())
		_ = server.Close()
		return
	}
	a.log.Info("every request in flight has been answered", "took", time.Since(began).Round(time.Millisecond).String())
}

// closeTimeout bounds the closing of the database connections.
const closeTimeout = 5 * time.Second

// Close closes everything that New opened. Run calls it.
func (a *App) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	var faults []error
	if a.rates != nil {
		faults = append(faults, a.rates.Close(ctx))
	}
	if a.stores != nil {
		faults = append(faults, a.stores.close(ctx))
	}
	if a.accounts != nil {
		faults = append(faults, a.accounts.Close(ctx))
	}
	if a.observability.traces != nil { // last, because closing the others may create spans
		faults = append(faults, a.observability.traces.Close(ctx))
	}
	return errors.Join(faults...)
}
