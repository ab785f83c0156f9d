package app

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/sethvargo/go-limiter"

	"graphrest/internal/auth"
	"graphrest/internal/bolt"
	"graphrest/internal/config"
	"graphrest/internal/sharedlimit"
	"graphrest/internal/telemetry"
	"graphrest/internal/webhook"
)

// observability contains the metrics and traces of the gateway, each only if it is configured. Its zero value observes
// nothing.
type observability struct {
	metrics *telemetry.Metrics
	traces  *telemetry.Traces
}

func newObservability(c *config.Config, version string, log *slog.Logger) (t observability, err error) {
	if c.Telemetry.MetricsListen != "" {
		t.metrics = telemetry.NewMetrics(version)
	}
	if c.Telemetry.OTLPEndpoint != "" {
		t.traces, err = telemetry.NewTraces(context.Background(), telemetry.TraceOptions{
			Endpoint: c.Telemetry.OTLPEndpoint, Service: c.Telemetry.ServiceName, Ratio: c.Telemetry.TraceRatio,
			Version: version, Database: c.Neo4j.Database, Log: log,
		})
	}
	return t, err
}

// statementObservers returns the observers of statements.
func (t *observability) statementObservers() []bolt.StatementObserver {
	var all []bolt.StatementObserver
	if t.metrics != nil {
		all = append(all, t.metrics)
	}
	if t.traces != nil {
		all = append(all, t.traces)
	}
	return all
}

// watchState adds the state of the parts to the metrics.
func (t *observability) watchState(s *stores, users *auth.Service, rates limiter.Store, webhooks *webhook.Deliverer) {
	if t.metrics == nil {
		return
	}
	state := telemetry.State{
		Connections: s.client.Connections, Reachable: s.client.Reachable, AccountsAge: users.Age, Names: s.graph.Names.LastUse,
		Journal:        s.graph.Journal.Use,
		ServiceTokens:  func() (expiring, expired int) { return users.CountServiceTokens(expiryWarning) },
		PersonalTokens: func() (expiring, expired int) { return users.CountPersonalTokens(expiryWarning) },
	}
	if shared, is := rates.(*sharedlimit.Store); is {
		state.SharedLimit, state.LimitFallbacks = shared.Shared, shared.Fallbacks
	}
	if webhooks != nil {
		state.OldestUndelivered = webhooks.OldestUndelivered
	}
	t.metrics.Watch(state)
}

// expiryWarning is how long before its expiry a service token counts as expiring in the metrics.
const expiryWarning = 7 * 24 * time.Hour

const metricsTimeout = 10 * time.Second

// serve listens on the address of the metrics and returns the function that serves there until the context ends.
func (t *observability) serve(ctx context.Context, address string, log *slog.Logger) (func() error, error) {
	if t.metrics == nil {
		return func() error { return nil }, nil
	}
	listener, err := openListener(ctx, address, "--metrics-listen", "GRAPHREST_METRICS_LISTEN")
	if err != nil {
		return nil, err
	}
	log.Info("serving metrics", "address", listener.Addr().String())
	return func() error { return serveMetrics(ctx, listener, t.metrics.Handler(), log) }, nil
}

func serveMetrics(ctx context.Context, listener net.Listener, metrics http.Handler, log *slog.Logger) error {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", metrics)
	server := &http.Server{
		Handler: mux, ReadTimeout: metricsTimeout, WriteTimeout: metricsTimeout, IdleTimeout: time.Minute,
		MaxHeaderBytes: 16 << 10, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
