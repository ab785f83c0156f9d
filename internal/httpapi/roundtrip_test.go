package httpapi_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"graphrest/internal/graph"
	"graphrest/internal/graphgen"
	"graphrest/internal/httpapi"
	"graphrest/internal/testmark"
)

// Properties sent to POST are returned unchanged by the create, the read and the list; and sending the text of a read to PUT
// changes nothing: same text, same entity tag, same values in the database. For nodes and edges,
// under types and keys with hostile names.
func TestValuesComeBackThroughHTTP(t *testing.T) {
	testmark.EveryRelease(t)
	testmark.Long(t)
	srv := newTestServer(t, func(o *httpapi.Options) { o.RateLimit = 1_000_000 })
	c := &client{base: srv.url, token: func(string) string { return srv.token(t, "root") }}
	ctx := t.Context()
	types := []graph.TypeName{"Plain", "Tick`s", `\u0060`, "with space", "数据"} // each new type costs a constraint
	fits := graphgen.Properties().Filter(func(p graph.Properties) bool { _, id := p["uuid"]; return !id })
	rapid.Check(t, func(t *rapid.T) {
		want, of := fits.Draw(t, "properties"), rapid.SampledFrom(types).Draw(t, "type")
		node, err := c.CreateNode(ctx, graph.NewNode{Type: of, Properties: want})
		require.NoError(t, err)
		require.True(t, graph.EqualProperties(want, node.Entity.Properties), "created node: %#v", node.Entity.Properties)
		edge, err := c.CreateEdge(ctx, graph.NewEdge{Type: of, SourceID: node.Entity.ID, TargetID: node.Entity.ID, Properties: want})
		require.NoError(t, err)
		require.True(t, graph.EqualProperties(want, edge.Entity.Properties), "created edge: %#v", edge.Entity.Properties)

		for _, path := range []string{"/api/nodes/" + node.Entity.ID, "/api/edges/" + edge.Entity.ID} {
			read, err := c.do(ctx, request{method: http.MethodGet, path: path})
			require.NoError(t, err)
			var entity entityJSON
			require.NoError(t, json.Unmarshal(read.Data, &entity))
			properties, err := entity.properties()
			require.NoError(t, err)
			require.True(t, graph.EqualProperties(want, properties), "%s: %#v", path, properties)
			back, err := c.do(ctx, request{method: http.MethodPut, path: path, body: []byte(`{"properties":` + string(entity.Properties) + `}`)})
			require.NoError(t, err)
			require.Equal(t, read.header.Get("ETag"), back.header.Get("ETag"), path)
			require.Equal(t, string(read.Data), string(back.Data), path)
		}
		listed, err := c.Edges(ctx, graph.EdgeQuery{SourceID: node.Entity.ID, Paging: graph.Paging{Limit: 10}})
		require.NoError(t, err)
		require.Len(t, listed.Items, 1)
		require.True(t, graph.EqualProperties(want, listed.Items[0].Properties), "listed edge")
	})
}

// A million random 64-bit integers, and the limits of their range, are sent as JSON and returned as the same text; Neo4j stores the
// same numbers. A conversion to a double would change those above 2^53.
func TestAMillionIntegersAreExact(t *testing.T) {
	testmark.Long(t)
	srv := newTestServer(t, func(o *httpapi.Options) { o.RateLimit = 1_000_000 })
	c := &client{base: srv.url, token: func(string) string { return srv.token(t, "root") }}
	const nodes, keys, each = 25, 40, 1_000
	seed := uint64(time.Now().UnixNano())
	t.Log("seed", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for range nodes {
		properties := map[string][]int64{}
		for key := range keys {
			numbers := []int64{math.MinInt64, math.MinInt64 + 1, -1<<53 - 1, 1<<53 + 1, math.MaxInt64 - 1, math.MaxInt64}
			for len(numbers) < each {
				numbers = append(numbers, int64(random.Uint64()))
			}
			properties[fmt.Sprintf("n%02d", key)] = numbers
		}
		text, err := json.Marshal(properties)
		require.NoError(t, err)
		made, err := c.do(t.Context(),
			request{method: http.MethodPost, path: "/api/nodes", body: []byte(`{"type":"Numbers","properties":` + string(text) + `}`)})
		require.NoError(t, err)
		var entity entityJSON
		require.NoError(t, json.Unmarshal(made.Data, &entity))
		read, err := c.do(t.Context(), request{method: http.MethodGet, path: "/api/nodes/" + entity.ID})
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(read.Data, &entity))
		require.True(t, string(entity.Properties) == string(text), "the text that was read differs from the one that was written")
		stored := srv.db.Query(t, "MATCH (n:Numbers {uuid: $id}) RETURN properties(n) AS n",
			map[string]any{"id": entity.ID})[0]["n"].(map[string]any)
		for key, numbers := range properties {
			require.Len(t, stored[key], each)
			for i, n := range numbers {
				if is := stored[key].([]any)[i]; is != n {
					t.Fatalf("%d was stored as %v", n, is)
				}
			}
		}
	}
}
