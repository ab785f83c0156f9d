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
	"graphrest/internal/config"
	"graphrest/internal/neo4jstore"
	"graphrest/internal/sharedlimit"
	"graphrest/internal/telemetry"
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
func (t *observability) statementObservers() []neo4jstore.StatementObserver {
	var all []neo4jstore.StatementObserver
	if t.metrics != nil {
		all = append(all, t.metrics)
	}
	if t.traces != nil {
		all = append(all, t.traces)
	}
	return all
}

// watchState adds the state of the parts to the metrics.
func (t *observability) watchState(graph *neo4jstore.Store, users *auth.Service, rates limiter.Store) {
	if t.metrics == nil {
		return
	}
	state := telemetry.State{Connections: graph.Connections, Reachable: graph.Reachable, AccountsAge: users.Age, Names: nameUseOf(graph)}
	if shared, is := rates.(*sharedlimit.Store); is {
		state.SharedLimit, state.LimitFallbacks = shared.Shared, shared.Fallbacks
	}
	t.metrics.Watch(state)
}

// nameUseOf converts the store's name counts to those of the metrics.
func nameUseOf(graph *neo4jstore.Store) func() []telemetry.NameUse {
	return func() (all []telemetry.NameUse) {
		for _, use := range graph.Names() {
			all = append(all, telemetry.NameUse(use))
		}
		return all
	}
}

const metricsTimeout = 10 * time.Second

// serve listens on the address of the metrics and returns the function that serves there until the context ends.
func (t *observability) serve(ctx context.Context, address string, log *slog.Logger) (func() error, error) {
	if t.metrics == nil {
		return func() error { return nil }, nil
	}
	listener, err := listen(ctx, address, "--metrics-listen", "GRAPHREST_METRICS_LISTEN")
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
