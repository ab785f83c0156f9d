// Package telemetry turns the events of the gateway's parts into Prometheus metrics and OpenTelemetry traces. It is the
// only package that imports either of them: the parts define small interfaces, which the types here implement. No label
// contains a value that a client can choose freely, so the number of series is bounded.
package telemetry

import (
	"net/http"
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"graphrest/internal/graph"
	"graphrest/internal/journal"
)

// Metrics are all the metrics of one gateway. Create them with NewMetrics. They are safe for concurrent use.
type Metrics struct {
	registry *prometheus.Registry

	inFlight  prometheus.Gauge
	requests  *prometheus.CounterVec
	durations *prometheus.HistogramVec
	errors    *prometheus.CounterVec
	limits    *prometheus.CounterVec

	statements *prometheus.HistogramVec
	failures   *prometheus.CounterVec

	batchSizes *prometheus.HistogramVec
	batchWaits *prometheus.HistogramVec
	batchTimes *prometheus.HistogramVec
	lanes      *prometheus.GaugeVec
	refused    *prometheus.CounterVec
	dropped    *prometheus.CounterVec

	logins  *prometheus.CounterVec
	logouts prometheus.Counter

	webhookAttempts *prometheus.CounterVec
	changeSets      *prometheus.CounterVec
	queries         *prometheus.CounterVec
	queryTimes      *prometheus.HistogramVec
	toolCalls       *prometheus.CounterVec
}

// Bounds of histograms, in seconds and in calls.
var (
	requestBounds = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 15}
	waitBounds    = []float64{.0001, .0005, .001, .0025, .005, .01, .025, .05, .1, .5, 1, 5}
	sizeBounds    = []float64{1, 2, 4, 8, 16, 32, 64, 128}
)

// NewMetrics creates the metrics, with those of the Go runtime and of the process.
func NewMetrics(version string) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		inFlight: newGauge("http_requests_in_flight", "Requests that are being answered."),
		requests: newCounterVec("http_requests_total", "Requests answered, by route pattern and status.", "method", "route", "status"),
		durations: newHistogramVec("http_request_duration_seconds", "Time from a request's header to the end of its answer.",
			requestBounds, "method", "route"),
		errors: newCounterVec("http_errors_total", "Requests answered with an error, by its public code.", "code"),
		limits: newCounterVec("rate_limit_requests_total", "Requests counted against a user's limit: allowed, refused or failed.", "result"),

		statements: newHistogramVec("neo4j_statement_duration_seconds", "Time of one statement in Neo4j, the network included, by its name.",
			requestBounds, "statement"),
		failures: newCounterVec("neo4j_statement_failures_total", "Statements that failed, by name and reason.", "statement", "reason"),

		batchSizes: newHistogramVec("batch_size", "Requests that share one statement.", sizeBounds, "group"),
		batchWaits: newHistogramVec("batch_queue_wait_seconds", "Time that the oldest request of a batch waited for a free lane.", waitBounds,
			"group"),
		batchTimes: newHistogramVec("batch_duration_seconds", "Time of one batch, with its repetitions.", requestBounds, "group"),
		lanes:      newGaugeVec("batch_lanes_busy", "Batches under way.", "group"),
		refused:    newCounterVec("batch_refused_total", "Requests refused because a queue was full.", "group"),
		dropped:    newCounterVec("batch_dropped_total", "Requests whose client left while they waited in a queue.", "group"),

		logins:  newCounterVec("logins_total", "Logins, by outcome: success, or the code of the refusal.", "outcome"),
		logouts: prometheus.NewCounter(options("tokens_revoked_total", "Tokens revoked by their users.")),

		webhookAttempts: newCounterVec("webhook_attempts_total", "Attempts to deliver a change to a webhook: delivered, failed or dead.",
			"outcome"),
		queries: newCounterVec("query_runs_total", "Runs of saved queries and of the console: success, truncated, or the code of the error.",
			"query", "outcome"),
		queryTimes: newHistogramVec("query_duration_seconds", "Time of the run of a query, waiting for a place included.",
			requestBounds, "query"),
		toolCalls:  newCounterVec("mcp_tool_calls_total", "Calls of agents' tools.", "tool", "code"),
		changeSets: newCounterVec("change_sets_total", "Change sets that were proposed, edited, decided or applied.", "action"),
	}
	build := newGaugeVec("build_info", "What is running; always 1.", "version", "go_version")
	build.WithLabelValues(version, runtime.Version()).Set(1)
	m.registry.MustRegister(
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), build,
		m.inFlight, m.requests, m.durations, m.errors, m.limits, m.statements, m.failures,
		m.batchSizes, m.batchWaits, m.batchTimes, m.lanes, m.refused, m.dropped, m.logins, m.logouts,
		m.webhookAttempts, m.changeSets, m.toolCalls, m.queries, m.queryTimes,
	)
	// Create the series that alerts use now: a counter that appears with its first event hides that event.
	for _, result := range []string{limitAllowed, limitRefused, limitFailed} {
		m.limits.WithLabelValues(result)
	}
	m.queries.WithLabelValues("(console)", "success")
	m.queryTimes.WithLabelValues("(console)")
	m.logins.WithLabelValues(successLabel)
	m.toolCalls.WithLabelValues("list_types", successLabel)
	for _, outcome := range []string{"delivered", "failed", "dead"} {
		m.webhookAttempts.WithLabelValues(outcome)
	}
	for _, action := range []string{"propose", "edit", "approve", "reject", "withdraw", "apply"} {
		m.changeSets.WithLabelValues(action)
	}
	return m
}

const namespace = "graphrest"

func options(name, help string) prometheus.CounterOpts {
	return prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help}
}

func newCounterVec(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(options(name, help), labels)
}

func newGauge(name, help string) prometheus.Gauge {
	return prometheus.NewGauge(prometheus.GaugeOpts(options(name, help)))
}

func newGaugeVec(name, help string, labels ...string) *prometheus.GaugeVec {
	return prometheus.NewGaugeVec(prometheus.GaugeOpts(options(name, help)), labels)
}

func newHistogramVec(name, help string, bounds []float64, labels ...string) *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: namespace, Name: name, Help: help, Buckets: bounds}, labels)
}

// State contains callbacks that read the state of the gateway's parts at each scrape. They run no statements: each returns what its part
// last knew.
type State struct {
	Connections func() (inUse, limit int) // of the graph to the database
	Reachable   func() bool               // whether the database answered when it was last tried
	AccountsAge func() time.Duration      // age of the cached users and revoked tokens
	// ServiceTokens returns how many service tokens expire within a week, and how many have expired and not been deleted.
	ServiceTokens func() (expiring, expired int)
	// PersonalTokens counts personal tokens likewise.
	PersonalTokens func() (expiring, expired int)
	Names          func() []graph.NameUse     // names in the database
	Journal        func() (journal.Use, bool) // records of changes in the database
	SharedLimit    func() bool                // whether replicas currently share their counts; nil without Redis
	LimitFallbacks func() int64               // how often Redis became unavailable; nil without Redis
	// OldestUndelivered is the age of the oldest change that this replica delivers to a webhook; nil without webhooks.
	OldestUndelivered func() time.Duration
}

// Watch adds gauges of the state of the gateway's parts. Call it once.
func (m *Metrics) Watch(s State) {
	addGauge := func(name, help string, value func() float64) {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts(options(name, help)), value))
	}
	addGauge("neo4j_connections_in_use", "Connections to Neo4j that carry a request.", func() float64 {
		inUse, _ := s.Connections()
		return float64(inUse)
	})
	addGauge("neo4j_connections_max", "Connections to Neo4j that requests may use.", func() float64 {
		_, limit := s.Connections()
		return float64(limit)
	})
	addGauge("neo4j_reachable", "1 if Neo4j answered when it was last tried, else 0.", func() float64 { return boolValue(s.Reachable()) })
	addGauge("accounts_age_seconds", "Age of what is known about users and revoked tokens; requests are refused when it is too old.",
		func() float64 { return s.AccountsAge().Seconds() })
	addGauge("service_tokens_expiring", "Service tokens that expire within seven days.", func() float64 {
		expiring, _ := s.ServiceTokens()
		return float64(expiring)
	})
	addGauge("service_tokens_expired", "Service tokens that have expired and have not been deleted.", func() float64 {
		_, expired := s.ServiceTokens()
		return float64(expired)
	})
	addGauge("personal_tokens_expiring", "Personal tokens that expire within seven days.", func() float64 {
		expiring, _ := s.PersonalTokens()
		return float64(expiring)
	})
	addGauge("personal_tokens_expired", "Personal tokens that have expired and have not been deleted.", func() float64 {
		_, expired := s.PersonalTokens()
		return float64(expired)
	})
	m.registry.MustRegister(newNameCollector(s.Names), newJournalCollector(s.Journal))
	if s.OldestUndelivered != nil {
		addGauge("webhook_oldest_undelivered_seconds", "Age of the oldest change that this replica has yet to deliver to a webhook.",
			func() float64 { return s.OldestUndelivered().Seconds() })
	}
	if s.SharedLimit != nil {
		addGauge("rate_limit_shared", "1 while replicas share their counts in Redis, 0 while each counts for itself.",
			func() float64 { return boolValue(s.SharedLimit()) })
		m.registry.MustRegister(prometheus.NewCounterFunc(
			options("rate_limit_fallbacks_total", "How often Redis was lost, so that this replica began to count for itself."),
			func() float64 { return float64(s.LimitFallbacks()) }))
	}
}

func boolValue(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// Handler serves all metrics in the Prometheus or OpenMetrics format, as the client requests.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{Registry: m.registry, EnableOpenMetrics: true})
}
