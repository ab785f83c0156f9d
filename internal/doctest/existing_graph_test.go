package doctest

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/gatewaytest"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

// caller is a signed-in client of a gateway.
type caller struct{ gatewaytest.Client }

func signIn(t *testing.T, g gateway) caller {
	t.Helper()
	c := gatewaytest.Client{URL: g.address}
	c.Token = c.Login(t, "admin", g.password)
	return caller{c}
}

// call sends a request, requires its status and reads the answer into out.
func (c caller) call(t *testing.T, method, path string, body []byte, status int, out any) {
	t.Helper()
	answer, err := c.Send(t.Context(), method, path, string(body))
	require.NoError(t, err)
	require.Equal(t, status, answer.Status, "%s %s: %s", method, path, answer.Body)
	if out != nil {
		require.NoError(t, json.Unmarshal([]byte(answer.Body), out))
	}
}

type entity struct {
	ID         string          `json:"id"`
	Type       *string         `json:"type"`
	Labels     []string        `json:"labels"`
	SourceID   string          `json:"source_id"`
	TargetID   string          `json:"target_id"`
	Properties json.RawMessage `json:"properties"`
}

type page struct {
	Data []entity `json:"data"`
	Meta struct {
		Page struct {
			NextCursor *string `json:"next_cursor"`
		} `json:"page"`
	} `json:"meta"`
}

// list reads a whole list, page by page.
func (c caller) list(t *testing.T, path string) []entity {
	t.Helper()
	var all []entity
	query := url.Values{"limit": {"700"}}
	for {
		var p page
		c.call(t, http.MethodGet, path+"?"+query.Encode(), nil, http.StatusOK, &p)
		all = append(all, p.Data...)
		if p.Meta.Page.NextCursor == nil {
			return all
		}
		query.Set("cursor", *p.Meta.Page.NextCursor)
	}
}

func ids(all []entity) []string {
	out := make([]string, len(all))
	for i := range all {
		out[i] = all[i].ID
	}
	slices.Sort(out)
	return out
}

// TestServingAnExistingGraph puts the gateway in front of 5,000 nodes and 10,000 edges that it did not make, reads all of it in
// every way there is, writes every hundredth entity back as it was read, and proves that nothing was written.
func TestServingAnExistingGraph(t *testing.T) {
	testmark.Long(t)
	db := neo4jtest.Open(t)
	made := db.SeedForeign(t, 0, 0)
	before, keysBefore := db.Checksum(t, neo4jtest.IgnoreInternal()), db.PropertyKeys(t)
	t.Setenv("GRAPHREST_RATE_LIMIT", "1000000")
	c := signIn(t, start(t, db, "docs/existing-graph.md"))

	began := time.Now()
	nodes, edges := c.list(t, "/api/nodes"), c.list(t, "/api/edges")
	t.Logf("%d nodes and %d edges listed in %s", len(nodes), len(edges), time.Since(began))
	slices.Sort(made.NodeIDs)
	slices.Sort(made.EdgeIDs)
	require.Equal(t, made.NodeIDs, ids(nodes), "each node once, under its element id")
	require.Equal(t, made.EdgeIDs, ids(edges), "each edge once, under its element id")

	unlabelled := slices.IndexFunc(nodes, func(n entity) bool { return n.Type == nil })
	require.Len(t, nodes[unlabelled:], made.Unlabelled, "nodes without labels come last")
	loops := 0
	for _, e := range edges {
		if e.SourceID == e.TargetID {
			loops++
		}
	}
	require.Equal(t, made.SelfLoops, loops)
	c.checkTypes(t, made)
	c.checkSchema(t, made)
	c.writeBack(t, "/api/nodes/", nodes)
	c.writeBack(t, "/api/edges/", edges)

	require.Equal(t, before, db.Checksum(t, neo4jtest.IgnoreInternal()), "serving the graph wrote to it")
	for _, key := range db.PropertyKeys(t) {
		if !slices.Contains(keysBefore, key) {
			require.Zero(t, db.Count(t,
				"MATCH (n) WHERE n[$key] IS NOT NULL AND none(l IN labels(n) WHERE l STARTS WITH '_Graphrest') RETURN count(n)",
				map[string]any{"key": key}), key)
		}
	}
}

// checkTypes lists by each type and by the edges of some nodes.
func (c caller) checkTypes(t *testing.T, made neo4jtest.Foreign) {
	t.Helper()
	for label, count := range made.Labels {
		var p page
		c.call(t, http.MethodGet, "/api/nodes?limit=1000&type="+url.QueryEscape(label), nil, http.StatusOK, &p)
		require.Len(t, p.Data, min(count, 1000), label)
		for _, n := range p.Data {
			require.Contains(t, n.Labels, label)
		}
	}
	for name, count := range made.Types {
		var p page
		c.call(t, http.MethodGet, "/api/edges?limit=1000&type="+url.QueryEscape(name), nil, http.StatusOK, &p)
		require.Len(t, p.Data, min(count, 1000), name)
	}
	for _, id := range made.NodeIDs[:20] {
		var p page
		c.call(t, http.MethodGet, "/api/nodes/"+url.PathEscape(id)+"/edges?limit=1000", nil, http.StatusOK, &p)
		for _, e := range p.Data {
			require.True(t, e.SourceID == id || e.TargetID == id)
		}
	}
}

func (c caller) checkSchema(t *testing.T, made neo4jtest.Foreign) {
	t.Helper()
	var schema struct {
		Data struct {
			NodeTypes []struct {
				Type    string
				Count   int
				Managed bool
			} `json:"node_types"`
			EdgeTypes []struct {
				Type        string
				Count       int
				Connections []struct{ Count int }
			} `json:"edge_types"`
		}
	}
	c.call(t, http.MethodGet, "/api/schema", nil, http.StatusOK, &schema)
	labels, types := map[string]int{}, map[string]int{}
	for _, n := range schema.Data.NodeTypes {
		labels[n.Type] = n.Count
		require.False(t, n.Managed, n.Type)
	}
	for _, e := range schema.Data.EdgeTypes {
		types[e.Type] = e.Count
		total := 0
		for _, pair := range e.Connections {
			total += pair.Count
		}
		require.Equal(t, e.Count, total, e.Type)
	}
	require.Equal(t, made.Labels, labels)
	require.Equal(t, made.Types, types)
}

// writeBack sends entities' own properties back and requires the answer, and the entity tag, to stay what they were. Every
// kind of value is among them: the generator's period is shorter than the stride allows to miss.
func (c caller) writeBack(t *testing.T, path string, all []entity) {
	t.Helper()
	for i := 0; i < len(all); i += 37 {
		var answer struct{ Data entity }
		body := append(append([]byte(`{"properties":`), all[i].Properties...), '}')
		c.call(t, http.MethodPut, path+url.PathEscape(all[i].ID), body, http.StatusOK, &answer)
		require.Equal(t, string(all[i].Properties), string(answer.Data.Properties), all[i].ID)
		require.Equal(t, all[i].ID, answer.Data.ID)
	}
}
