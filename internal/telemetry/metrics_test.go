package telemetry

import (
	"context"
	"errors"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/journal"
	"graphrest/internal/testmark"
)

// everything returns metrics that have observed every event once, so that each of them exists.
func everything(t *testing.T) *Metrics {
	t.Helper()
	m := NewMetrics("1.2.3")
	m.Watch(State{
		Connections: func() (int, int) { return 3, 50 }, Reachable: func() bool { return true },
		AccountsAge: func() time.Duration { return 1500 * time.Millisecond },
		Names:       func() []graph.NameUse { return []graph.NameUse{{Kind: "edge_type", Used: 7, Limit: 1000}} },
		Journal: func() (journal.Use, bool) {
			return journal.Use{Records: 12, Bytes: 3400, MaxBytes: 1 << 30, Oldest: time.UnixMilli(1_700_000_000_500)}, true
		},
		ServiceTokens:     func() (expiring, expired int) { return 4, 9 },
		PersonalTokens:    func() (expiring, expired int) { return 2, 3 },
		OldestUndelivered: func() time.Duration { return 2 * time.Second },
		SharedLimit:       func() bool { return false }, LimitFallbacks: func() int64 { return 2 },
	})
	m.Arrived()
	m.Arrived()
	m.Answered("GET", "/api/nodes/:node_id", 200, "", 3*time.Millisecond)
	m.Answered("BREW", "", 404, fault.NotFound, time.Millisecond)
	m.Counted(true, nil)
	m.Counted(false, nil)
	m.Counted(false, errors.New("away"))
	m.Login("")
	m.Login(fault.InvalidCredentials)
	m.Revoked()
	m.WebhookAttempt("dead")
	m.ChangeSet("apply")
	m.Batch("node reads", 7, 2*time.Millisecond, 1)
	m.Batch("node reads", 1, 0, 2)
	m.Done("node reads", 7, time.Millisecond)
	m.Refused("node reads")
	m.Dropped("node reads")
	m.Statement(context.Background(), "nodes_by_id", "MATCH ...", time.Now(), "")
	m.Statement(context.Background(), "nodes_by_id", "MATCH ...", time.Now(), "Neo.TransientError.Transaction.DeadlockDetected")
	m.Statement(context.Background(), "nodes_by_id", "MATCH ...", time.Now(), "connection")
	return m
}

func scraped(t *testing.T, m *Metrics) string {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	require.Equal(t, 200, w.Code)
	return w.Body.String()
}

func TestMetricsSayWhatTheyWereTold(t *testing.T) {
	testmark.Concurrent(t)
	text := scraped(t, everything(t))
	for _, line := range []string{
		`graphrest_build_info{go_version="go`,
		`graphrest_http_requests_total{method="GET",route="/api/nodes/:node_id",status="200"} 1`,
		`graphrest_http_requests_total{method="other",route="none",status="404"} 1`,
		`graphrest_http_request_duration_seconds_bucket{method="GET",route="/api/nodes/:node_id",le="0.005"} 1`,
		`graphrest_http_errors_total{code="NOT_FOUND"} 1`,
		`graphrest_http_requests_in_flight 0`,
		`graphrest_rate_limit_requests_total{result="allowed"} 1`,
		`graphrest_rate_limit_requests_total{result="failed"} 1`,
		`graphrest_rate_limit_requests_total{result="refused"} 1`,
		`graphrest_journal_records 12`,
		`graphrest_journal_bytes 3400`,
		`graphrest_journal_bytes_max 1.073741824e+09`,
		`graphrest_journal_oldest_timestamp_seconds 1.7000000005e+09`,
		`graphrest_rate_limit_shared 0`,
		`graphrest_rate_limit_fallbacks_total 2`,
		`graphrest_logins_total{outcome="success"} 1`,
		`graphrest_logins_total{outcome="INVALID_CREDENTIALS"} 1`,
		`graphrest_tokens_revoked_total 1`,
		`graphrest_webhook_attempts_total{outcome="dead"} 1`,
		`graphrest_change_sets_total{action="apply"} 1`,
		`graphrest_change_sets_total{action="reject"} 0`,
		`graphrest_webhook_attempts_total{outcome="delivered"} 0`,
		`graphrest_webhook_oldest_undelivered_seconds 2`,
		`graphrest_batch_size_sum{group="node reads"} 8`,
		`graphrest_batch_lanes_busy{group="node reads"} 1`,
		`graphrest_batch_refused_total{group="node reads"} 1`,
		`graphrest_batch_dropped_total{group="node reads"} 1`,
		`graphrest_neo4j_statement_duration_seconds_count{statement="nodes_by_id"} 3`,
		`graphrest_neo4j_statement_failures_total{reason="TransientError",statement="nodes_by_id"} 1`,
		`graphrest_neo4j_statement_failures_total{reason="connection",statement="nodes_by_id"} 1`,
		`graphrest_neo4j_connections_in_use 3`,
		`graphrest_neo4j_connections_max 50`,
		`graphrest_neo4j_reachable 1`,
		`graphrest_accounts_age_seconds 1.5`,
		`graphrest_service_tokens_expiring 4`,
		`graphrest_service_tokens_expired 9`,
		`graphrest_personal_tokens_expiring 2`,
		`graphrest_personal_tokens_expired 3`,
		`go_goroutines `, `process_resident_memory_bytes `,
	} {
		require.Contains(t, text, line)
	}
}

var (
	typed    = regexp.MustCompile(`(?m)^# TYPE (graphrest_\w+) (\w+)$`)
	mention  = regexp.MustCompile(`graphrest_[a-z]\w*`)
	suffixes = regexp.MustCompile(`_(bucket|sum|count)$`)
)

// names returns the gateway's own metrics; histograms also under the names of their parts.
func names(t *testing.T) (all, withParts []string) {
	t.Helper()
	for _, m := range typed.FindAllStringSubmatch(scraped(t, everything(t)), -1) {
		all = append(all, m[1])
		withParts = append(withParts, m[1])
		if m[2] == "histogram" {
			withParts = append(withParts, m[1]+"_bucket", m[1]+"_sum", m[1]+"_count")
		}
	}
	require.Greater(t, len(all), 20)
	return all, withParts
}

func shipped(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("..", "..", name))
	require.NoError(t, err)
	return string(content)
}

// Every metric that the dashboard and the alerts use exists, and operations.md explains every existing metric.
func TestShippedFilesNameMetricsThatExist(t *testing.T) {
	testmark.Concurrent(t)
	all, withParts := names(t)
	for _, file := range []string{"deployments/grafana/graphrest.json", "deployments/prometheus/alerts.yml"} {
		mentioned := mention.FindAllString(shipped(t, file), -1)
		require.NotEmpty(t, mentioned, file)
		for _, name := range mentioned {
			require.Contains(t, withParts, name, file)
		}
	}
	document := mention.FindAllString(shipped(t, "docs/operations.md"), -1)
	for _, name := range all {
		require.Contains(t, document, name, "docs/operations.md does not explain the metric")
	}
	for _, name := range document {
		require.True(t, slices.Contains(withParts, name) || slices.Contains(all, suffixes.ReplaceAllString(name, "")),
			"docs/operations.md: there is no %s", name)
	}
}

// A label that a client could choose freely would let it fill the memory of the gateway and of Prometheus.
func TestHostileRequestsMakeNoSeries(t *testing.T) {
	testmark.Concurrent(t)
	m := NewMetrics("")
	for i := range 1000 {
		m.Arrived()
		m.Answered("M"+strings.Repeat("x", i), "", 405, fault.MethodNotAllowed, time.Millisecond)
	}
	require.Equal(t, 1, strings.Count(scraped(t, m), "graphrest_http_requests_total{"))
}
