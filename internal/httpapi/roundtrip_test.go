package httpapi_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"graphrest/internal/graph"
	"graphrest/internal/graphgen"
	"graphrest/internal/httpapi"
)

// Any storable properties sent to POST come back from the create, the read and the list as they were; and what was read,
// sent to PUT byte for byte, changes nothing: same text, same entity tag, same values in the database. For nodes and edges,
// under types and keys with hostile names.
func TestValuesComeBackThroughHTTP(t *testing.T) {
	w := openWorld(t, func(o *httpapi.Options) { o.RateLimit = 1_000_000 })
	c := &client{base: w.url, token: func(string) string { return w.token(t, "root") }}
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
