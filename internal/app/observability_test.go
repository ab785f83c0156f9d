package app

import (
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	span "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

var metricsAddress = regexp.MustCompile(`"msg":"serving metrics","address":"([^"]+)"`)

func (g *gateway) metrics(t testing.TB) string {
	t.Helper()
	found := metricsAddress.FindStringSubmatch(g.log.String())
	require.NotNil(t, found, g.log.String())
	response, err := g.client.Get("http://" + found[1] + "/metrics")
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	content, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, response.StatusCode)
	return string(content)
}

func TestMetricsOfARunningGateway(t *testing.T) {
	testmark.Concurrent(t)
	db := neo4jtest.OpenPrepared(t)
	g := start(t, db.URI, db.Username, db.Password, "GRAPHREST_METRICS_LISTEN=127.0.0.1:0")
	g.waitReady(t)
	token := g.login(t)
	status, body := g.ask(http.MethodPost, "/api/nodes", token, `{"type":"Measured","properties":{"secret":"a value"}}`)
	require.Equal(t, http.StatusCreated, status, body)
	require.Equal(t, http.StatusNotFound, g.status("/api/nodes/nothing", token))
	require.Equal(t, http.StatusUnauthorized, g.status("/api/nodes", ""))
	require.Equal(t, http.StatusNotFound, g.status("/metrics", ""), "metrics are not served beside the API")
	status, body = g.ask(http.MethodPost, "/api/auth/logout", token, "")
	require.Equal(t, http.StatusOK, status, body)
	const accountsRead = `graphrest_accounts_age_seconds 0.` // they are every second, and later on a busy machine
	text := g.metrics(t)
	for began := time.Now(); !strings.Contains(text, accountsRead) && time.Since(began) < eventTimeout; text = g.metrics(t) {
	}
	for _, line := range []string{
		`graphrest_build_info{go_version="go`,
		`graphrest_http_requests_total{method="POST",route="/api/nodes",status="201"} 1`,
		`graphrest_http_requests_total{method="GET",route="/api/nodes/:node_id",status="404"} 1`,
		`graphrest_http_errors_total{code="UNAUTHENTICATED"} 1`,
		`graphrest_logins_total{outcome="success"} 1`,
		`graphrest_tokens_revoked_total 1`,
		`graphrest_rate_limit_requests_total{result="allowed"} 4`,
		`graphrest_batch_size_count{group="node creates"} 1`,
		`graphrest_batch_lanes_busy{group="node creates"} 0`,
		`graphrest_neo4j_statement_duration_seconds_count{statement="create_nodes"} `,
		`graphrest_neo4j_statement_duration_seconds_count{statement="auth_revoke"} 1`,
		`graphrest_neo4j_connections_max 50`,
		`graphrest_neo4j_reachable 1`,
		`graphrest_names_used{kind="node_type"} `,
		`graphrest_names_limit{kind="edge_type"} 1000`,
		`graphrest_names_limit{kind="property_key"} 10000`,
		accountsRead,
	} {
		require.Contains(t, text, line)
	}
	for _, forbiddenContent := range []string{"a value", "Measured", token, db.URI, testPassword, `statement="unnamed"`} {
		require.NotContains(t, text, forbiddenContent)
	}
	g.stop()
	require.NoError(t, <-g.ended)
}

// otlp receives spans like a collector.
type otlp struct {
	mu    sync.Mutex
	spans []*span.Span
	raw   strings.Builder
}

func (o *otlp) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var request collector.ExportTraceServiceRequest
	if err != nil || r.URL.Path != "/v1/traces" || proto.Unmarshal(body, &request) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.raw.Write(body)
	for _, resource := range request.GetResourceSpans() {
		for _, scope := range resource.GetScopeSpans() {
			o.spans = append(o.spans, scope.GetSpans()...)
		}
	}
}

func TestTracesOfARunningGateway(t *testing.T) {
	testmark.Concurrent(t)
	sink := &otlp{}
	server := httptest.NewServer(sink)
	defer server.Close()
	db := neo4jtest.OpenPrepared(t)
	g := start(t, db.URI, db.Username, db.Password, "OTEL_EXPORTER_OTLP_ENDPOINT="+server.URL)
	g.waitReady(t)
	token := g.login(t)
	const trace = "4bf92f3577b34da6a3ce929d0e0e4736"
	answer, err := g.clientOf(token).Send(t.Context(), http.MethodPost, "/api/nodes", `{"type":"Traced","properties":{"secret":"a value"}}`,
		"Traceparent", "00-"+trace+"-00f067aa0ba902b7-01")
	require.NoError(t, err)
	require.Equal(t, http.StatusCreated, answer.Status, answer.Body)
	g.stop()
	require.NoError(t, <-g.ended) // the shutdown sends the remaining spans
	require.Contains(t, g.log.String(), `"trace_id":"`+trace+`"`)

	sink.mu.Lock()
	defer sink.mu.Unlock()
	found := map[string]bool{}
	for _, s := range sink.spans {
		if hex.EncodeToString(s.GetTraceId()) == trace {
			found[s.GetName()] = true
			require.Less(t, s.GetStartTimeUnixNano(), uint64(time.Now().UnixNano()))
		}
	}
	for _, name := range []string{"POST /api/nodes", "queue node creates", "batch node creates", "cypher create_nodes"} {
		require.True(t, found[name], "%s in %v", name, found)
	}
	for _, forbiddenContent := range []string{"a value", token, testPassword, db.Password} {
		require.NotContains(t, sink.raw.String(), forbiddenContent)
	}
}

func TestATraceIsLoggedThoughNoneIsMade(t *testing.T) {
	testmark.Concurrent(t)
	db := neo4jtest.OpenPrepared(t)
	g := start(t, db.URI, db.Username, db.Password)
	_, err := g.clientOf("").Send(t.Context(), http.MethodGet, "/api/nodes", "",
		"Traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "X-Request-ID", "mine")
	require.NoError(t, err)
	line := regexp.MustCompile(
		`"request_id":"mine","gateway_request_id":"[A-Z2-7]{26}","remote":"127.0.0.1","trace_id":"4bf92f3577b34da6a3ce929d0e0e4736"`)
	require.NotNil(t, g.log.Await(line, nil, eventTimeout), g.log)
	g.stop()
	require.NoError(t, <-g.ended)
}
