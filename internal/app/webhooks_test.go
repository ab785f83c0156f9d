package app

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"

	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

// A gateway delivers what is changed through it, to an address inside that the operator allows, and counts it.
func TestAGatewayDeliversToWebhooks(t *testing.T) {
	testmark.Concurrent(t)
	type delivery struct {
		headers http.Header
		body    []byte
	}
	received := make(chan delivery, 10)
	endpoint := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		received <- delivery{r.Header, body}
	}))
	defer endpoint.Close()
	db := neo4jtest.OpenPrepared(t)
	g := start(t, db.URI, db.Username, db.Password, "GRAPHREST_WEBHOOK_ALLOW=127.0.0.1", "GRAPHREST_METRICS_LISTEN=127.0.0.1:0")
	g.waitReady(t)
	token := g.login(t)
	status, body := g.ask(http.MethodPost, "/api/admin/webhooks", token,
		fmt.Sprintf(`{"name":"hook","url":%q}`, endpoint.URL+"/?token=hidden"))
	require.Equal(t, http.StatusCreated, status, body)
	var created struct{ Data struct{ Secret string } }
	require.NoError(t, json.Unmarshal([]byte(body), &created))
	status, body = g.ask(http.MethodPost, "/api/nodes", token, `{"type":"Person","properties":{"name":"Ann"}}`)
	require.Equal(t, http.StatusCreated, status, body)
	select {
	case got := <-received:
		library, err := standardwebhooks.NewWebhook(created.Data.Secret)
		require.NoError(t, err)
		require.NoError(t, library.Verify(got.body, got.headers))
		require.Contains(t, string(got.body), `{"type":"node.create","timestamp":"`)
		require.Contains(t, string(got.body), `"properties":{"name":"Ann"}`)
	case <-time.After(eventTimeout):
		require.FailNow(t, "nothing was delivered")
	}
	require.Eventually(t, func() bool {
		metrics := g.metrics(t)
		return strings.Contains(metrics, `graphrest_webhook_attempts_total{outcome="delivered"} 1`) &&
			strings.Contains(metrics, "graphrest_webhook_oldest_undelivered_seconds 0\n")
	}, eventTimeout, 10*time.Millisecond)
	g.stop()
	require.NoError(t, <-g.ended)
	require.NotContains(t, g.log.String(), created.Data.Secret)
	require.NotContains(t, g.log.String(), "hidden")
	require.Zero(t, db.Count(t, "MATCH (s:_GraphrestState {name: 'webhooks'}) RETURN s.until", nil), "the lease is released")
}
