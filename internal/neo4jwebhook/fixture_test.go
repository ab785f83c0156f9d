package neo4jwebhook_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"

	"graphrest/internal/audit"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jaudit"
	"graphrest/internal/neo4jauth"
	"graphrest/internal/neo4jjournal"
	"graphrest/internal/neo4jstore"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/neo4jwebhook"
	"graphrest/internal/webhook"
)

const eventTimeout = time.Minute // for an event on a busy machine

// parts are the stores of one replica.
type parts struct {
	client  *bolt.Client
	graph   *neo4jstore.Store
	journal *neo4jjournal.Journal
	audit   *neo4jaudit.Store
	hooks   *neo4jwebhook.Store
}

func openParts(db *neo4jtest.DB, change func(*neo4jstore.Config), log *slog.Logger) (parts, error) {
	client, err := bolt.Open(bolt.Config{URI: db.URI, Username: db.Username, Password: db.Password, Database: db.Database, Log: log})
	if err != nil {
		return parts{}, err
	}
	trail := neo4jaudit.New(client, neo4jaudit.Config{Mode: audit.All, Log: log})
	config := neo4jstore.Config{Journal: true, Log: log}
	if change != nil {
		change(&config)
	}
	s := neo4jstore.New(client, trail, config)
	return parts{client: client, graph: s, journal: s.Journal, audit: trail, hooks: neo4jwebhook.New(client, trail)}, nil
}

func (p parts) close() error {
	ctx := context.Background()
	p.graph.Close(ctx)
	return p.client.Close(ctx)
}

func thisMachine() webhook.Addresses {
	allowed, err := webhook.ParseAddresses([]string{"127.0.0.1"})
	if err != nil {
		panic(err)
	}
	return allowed
}

// fixture is a replica on a clean database, and its administration.
type fixture struct {
	parts
	db    *neo4jtest.DB
	admin *webhook.Service
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	db := neo4jtest.OpenPrepared(t)
	accounts, err := neo4jauth.Open(neo4jauth.Config{URI: db.URI, Username: db.Username, Password: db.Password, Database: db.Database})
	require.NoError(t, err)
	require.NoError(t, accounts.Prepare(t.Context()))
	require.NoError(t, accounts.Close(t.Context()))
	p, err := openParts(db, nil, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, p.close()) })
	return &fixture{parts: p, db: db, admin: webhook.NewService(p.hooks, p.journal, thisMachine())}
}

// deliver runs a deliverer, with short times unless the options say otherwise, until the test ends or stop is called.
func (f *fixture) deliver(t *testing.T, o webhook.Options) (stop func()) {
	t.Helper()
	o.Allowed = thisMachine()
	if o.FirstDelay == 0 {
		o.FirstDelay, o.MaxDelay = 20*time.Millisecond, 100*time.Millisecond
	}
	if o.Poll == 0 {
		o.Poll = 50 * time.Millisecond
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		webhook.NewDeliverer(f.hooks, f.journal, o).Run(ctx)
	}()
	stop = func() { cancel(); <-ended }
	t.Cleanup(stop)
	return stop
}

// register creates a webhook for an endpoint.
func (f *fixture) register(t *testing.T, e *endpoint, change func(*webhook.Webhook)) webhook.Webhook {
	t.Helper()
	w := webhook.Webhook{Name: "hook", URL: e.URL, Enabled: true}
	if change != nil {
		change(&w)
	}
	created, err := f.admin.CreateWebhook(t.Context(), w)
	require.NoError(t, err)
	e.use(created.Secret)
	return created
}

func (f *fixture) create(t *testing.T, name string) graph.Node {
	t.Helper()
	created, err := f.graph.CreateNode(t.Context(), graph.NewNode{Type: "Person", Properties: graph.Properties{"name": name}})
	require.NoError(t, err)
	return created.Entity
}

func (f *fixture) update(t *testing.T, id string, n int64) {
	t.Helper()
	_, err := f.graph.UpdateNode(t.Context(), id, graph.Change{Properties: graph.Properties{"n": n}})
	require.NoError(t, err)
}

func (f *fixture) deliveries(t *testing.T, q webhook.DeliveryQuery) []webhook.Delivery {
	t.Helper()
	if q.Limit == 0 {
		q.Limit = 100
	}
	page, err := f.admin.Deliveries(t.Context(), "hook", q)
	require.NoError(t, err)
	return page.Deliveries
}

// received is a delivery as an endpoint got it.
type received struct {
	ID   string // webhook-id
	Type string
	Data struct {
		ID, Action, Kind, Entity string
		After                    struct{ Properties map[string]any }
	}
	accepted bool
}

// endpoint is a receiver of deliveries, which checks their signatures with the published library.
type endpoint struct {
	*httptest.Server
	mu      sync.Mutex
	secret  webhook.Secret
	refuses func(received) bool
	refusal int // the status of what is refused
	all     chan received
}

func newEndpoint(t *testing.T) *endpoint {
	t.Helper()
	e := &endpoint{refusal: http.StatusInternalServerError, all: make(chan received, 10_000)}
	e.Server = httptest.NewServer(e)
	t.Cleanup(e.Close)
	return e
}

func (e *endpoint) use(s webhook.Secret) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.secret = s
}

// refuse makes the endpoint answer some deliveries with the status refusal, 500 by default; nil accepts all.
func (e *endpoint) refuse(which func(received) bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.refuses = which
}

func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	got, err := e.read(r)
	if err != nil {
		got.Type = err.Error()
	}
	got.accepted = e.refuses == nil || !e.refuses(got)
	if !got.accepted {
		w.WriteHeader(e.refusal)
	}
	e.all <- got
}

func (e *endpoint) read(r *http.Request) (got received, err error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return got, err
	}
	library, err := standardwebhooks.NewWebhook(e.secret.Reveal())
	if err = errors.Join(err, library.Verify(body, r.Header)); err != nil {
		return got, err
	}
	if r.Header.Get("Content-Type") != "application/json" {
		return got, errors.New("not JSON")
	}
	err = json.Unmarshal(body, &got)
	got.ID = r.Header.Get("Webhook-Id")
	return got, err
}

// next waits for the next delivery.
func (e *endpoint) next(t *testing.T) received {
	t.Helper()
	select {
	case got := <-e.all:
		return got
	case <-time.After(eventTimeout):
		require.FailNow(t, "nothing was delivered")
		return received{}
	}
}

// nextAccepted waits for the next delivery that the endpoint accepts.
func (e *endpoint) nextAccepted(t *testing.T) received {
	t.Helper()
	for {
		if got := e.next(t); got.accepted {
			return got
		}
	}
}
