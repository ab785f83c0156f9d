package httpapi_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/graph"
	"graphrest/internal/httpapi"
	"graphrest/internal/maintenance"
	"graphrest/internal/oidc"
	"graphrest/internal/testmark"
)

// knownProvider is an identity provider whose state is known.
type knownProvider struct {
	httpapi.SingleSignOn
	state oidc.State
}

func (p knownProvider) State() oidc.State { return p.state }

// TestSystem: administrators, and nobody else, see the version, the settings in use and what the gateway waits for.
func TestSystem(t *testing.T) {
	read := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	srv := newTestServer(t, func(o *httpapi.Options) {
		o.System = httpapi.System{
			Version: "1.2.3", Started: time.Date(2026, 11, 21, 7, 0, 0, 0, time.UTC),
			Settings: []httpapi.Setting{{Name: "GRAPHREST_JWT_SECRET", Value: "[redacted]", Source: "environment"}},
		}
		o.SingleSignOn = knownProvider{state: oidc.State{
			Issuer: "https://login.example", Discovery: oidc.Contact{ReadAt: read, FailedAt: read.Add(time.Hour)},
		}}
	})
	srv.userByPermissions(t, "ann", auth.AllPermissions()...)
	r := srv.send(t, "root", "GET", "/api/admin/system", "")
	require.Equal(t, http.StatusOK, r.status, r.body)
	require.Contains(t, r.body, `{"version":"1.2.3","started_at":"2026-11-21T07:00:00Z","not_ready":[],`+
		`"settings":[{"name":"GRAPHREST_JWT_SECRET","value":"[redacted]","source":"environment"}],`+
		`"single_sign_on":{"issuer":"https://login.example",`+
		`"discovery":{"read_at":"2026-11-21T08:00:00Z","failed_at":"2026-11-21T09:00:00Z"},"keys":{"read_at":null,"failed_at":null}}}`)
	for _, path := range []string{"", "/findings", "/sizes"} {
		require.Equal(t, http.StatusForbidden, srv.send(t, "ann", "GET", "/api/admin/system"+path, "").status)
	}
}

// TestSystemFindings: the findings are those of the command doctor without what it reads of the graph, nothing is written, and many
// requests cause one check.
func TestSystemFindings(t *testing.T) {
	testmark.EveryRelease(t)
	srv := newTestServer(t, nil)
	srv.db.Exec(t, "CREATE (:_graphRESTful), (:Twin {uuid: 'a'}), (:Twin {uuid: 'a'}), ()", nil)
	srv.token(t, "root") // the login is recorded
	before := srv.db.Checksum(t)
	var answers sync.Map
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			r := srv.send(t, "root", "GET", "/api/admin/system/findings", "")
			answers.Store(jsonAt(t, r.body, "data.checked_at"), r.body)
		})
	}
	all.Wait()
	var bodies []string
	answers.Range(func(_, body any) bool { bodies = append(bodies, body.(string)); return true })
	require.Len(t, bodies, 1, "one check for all requests")
	require.Equal(t, before, srv.db.Checksum(t), "nothing is written")

	store := srv.stores.graph
	want, err := maintenance.New(srv.stores.client, store.Constraints, store.Names, "uuid").Diagnose(t.Context())
	require.NoError(t, err)
	require.Equal(t, want.Server.Version, jsonAt(t, bodies[0], "data.version"))
	require.Equal(t, want.Server.Edition, jsonAt(t, bodies[0], "data.edition"))
	var subjects, expected []string
	for _, f := range jsonAt(t, bodies[0], "data.findings").([]any) {
		finding := f.(map[string]any)
		subjects = append(subjects, fmt.Sprint(finding["level"], " ", finding["subject"], " ", finding["message"], " ", finding["remedy"]))
	}
	for _, f := range want.Findings {
		if onlyOfCommand(f) {
			continue
		}
		remedy := f.Remedy
		if remedy == "" {
			remedy = "<nil>"
		}
		expected = append(expected, fmt.Sprint(f.Level, " ", f.Subject, " ", f.Message, " ", remedy))
	}
	require.Equal(t, expected, subjects)
	require.Contains(t, subjects[0], "problem type _graphRESTful begins with the reserved prefix")
}

// onlyOfCommand reports whether the gateway leaves a finding out.
func onlyOfCommand(f graph.Finding) bool {
	return f.Subject == "node type Twin" || f.Subject == "nodes without a type" || f.Subject == "addresses"
}

// TestSystemFindingsAfterAFailure: a check that fails is an error, which later requests share for a moment.
func TestSystemFindingsAfterAFailure(t *testing.T) {
	srv := newTestServer(t, nil)
	require.NoError(t, srv.stores.client.Close(t.Context()))
	for range 2 {
		r := srv.send(t, "root", "GET", "/api/admin/system/findings", "")
		require.Equal(t, http.StatusServiceUnavailable, r.status, r.body)
		require.Equal(t, "DATABASE_UNAVAILABLE", jsonAt(t, r.body, "error.code"))
	}
}

// TestSystemSizes: the numbers are those that Cypher counts. Those of the graph need the permission read.
func TestSystemSizes(t *testing.T) {
	testmark.EveryRelease(t)
	srv := newTestServer(t, nil)
	srv.admin(t, "boss", auth.Create)
	made := srv.send(t, "root", "POST", "/api/nodes", `{"type":"Person","properties":{"name":"Ann"}}`)
	require.Equal(t, http.StatusCreated, made.status, made.body)
	first := jsonAt(t, made.body, "data.id").(string)
	for range 3 {
		require.Equal(t, http.StatusCreated, srv.send(t, "root", "POST", "/api/edges",
			`{"type":"KNOWS","source_id":"`+first+`","target_id":"`+first+`"}`).status)
	}
	srv.auditBuffer.Flush(t.Context())
	require.NoError(t, srv.stores.graph.Journal.Purge(t.Context())) // measures the records
	count := func(statement string) float64 { return float64(srv.db.Count(t, statement, nil)) }

	r := srv.send(t, "root", "GET", "/api/admin/system/sizes", "")
	require.Equal(t, http.StatusOK, r.status, r.body)
	require.Equal(t, count("MATCH (n) RETURN count(n)"), jsonAt(t, r.body, "data.nodes"))
	require.Equal(t, count("MATCH ()-[r]->() RETURN count(r)"), jsonAt(t, r.body, "data.edges"))
	require.Equal(t, 4.0, jsonAt(t, r.body, "data.history.records"))
	require.Equal(t, count("MATCH (s:_GraphrestState {name: 'journal'}) RETURN s.bytes"), jsonAt(t, r.body, "data.history.bytes"))
	require.Greater(t, jsonAt(t, r.body, "data.history.bytes"), 4*600.0)
	require.Equal(t, count("MATCH (e:_GraphrestAudit) RETURN count(e)"), jsonAt(t, r.body, "data.audit.entries"))
	require.WithinDuration(t, time.Now(), timeAt(t, r.body, "data.history.oldest_at"), time.Hour)
	oldest := time.UnixMilli(srv.db.Count(t, "MATCH (e:_GraphrestAudit) RETURN min(e.at)", nil)).UTC()
	require.Equal(t, oldest, timeAt(t, r.body, "data.audit.oldest_at"))
	require.Equal(t, 90*24*3600.0, jsonAt(t, r.body, "data.audit.keep_seconds"))

	r = srv.send(t, "boss", "GET", "/api/admin/system/sizes", "")
	require.Equal(t, http.StatusOK, r.status, r.body)
	require.Contains(t, r.body, `{"nodes":null,"edges":null,"history":{"records":4,"bytes":null,"max_bytes":`)
}

func timeAt(t *testing.T, body, path string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339Nano, jsonAt(t, body, path).(string))
	require.NoError(t, err)
	return at
}

// TestIndexUse: an index shows how often it was read, once the database has stored that.
func TestIndexUse(t *testing.T) {
	testmark.Long(t) // the database stores it once a minute
	testmark.EveryRelease(t)
	srv := newTestServer(t, nil)
	require.Equal(t, http.StatusCreated, srv.send(t, "root", "POST", "/api/admin/indexes",
		`{"name":"by-name","entity":"node","kind":"range","type":"Person","properties":["name"]}`).status)
	read := func() int64 { return srv.db.Count(t, "MATCH (n:Person) WHERE n.name = 'Ann' RETURN count(n)", nil) }
	read()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	for {
		r := srv.send(t, "root", "GET", "/api/admin/indexes/by-name", "")
		if jsonAt(t, r.body, "data.reads") != nil {
			require.Equal(t, 1.0, jsonAt(t, r.body, "data.reads"))
			require.False(t, timeAt(t, r.body, "data.last_read_at").Before(timeAt(t, r.body, "data.reads_since")))
			return
		}
		select {
		case <-ctx.Done():
			t.Fatal("the use was never stored")
		case <-time.After(5 * time.Second):
		}
	}
}
