package openapi

import (
	"net/http"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"
)

func TestParametersFollowFromTheRoute(t *testing.T) {
	operation := func(names ...string) *openapi3.Operation {
		o := &openapi3.Operation{}
		for _, name := range names {
			o.AddParameter(openapi3.NewQueryParameter(name).WithSchema(openapi3.NewStringSchema()))
		}
		return o
	}
	nodes := routeOf(t, http.MethodGet, "/api/nodes")
	o := operation("type")
	require.NoError(t, refineParameters(o, nodes))
	var shared []string
	for _, p := range o.Parameters[1:] {
		shared = append(shared, p.Ref)
	}
	require.Contains(t, shared, "#/components/parameters/cursor")
	require.Contains(t, shared, "#/components/parameters/bookmark")
	require.EqualError(t, refineParameters(operation("type", "cursor"), nodes),
		"remove the annotation of the parameter cursor: it is the same in every list")
	require.EqualError(t, refineParameters(operation(), nodes), "the parameter type is not annotated")

	// Only a list shares its limit: that of the neighbors is another one.
	neighbors := operation("direction", "edge_type", "node_type", "depth", "limit", "max_degree")
	require.NoError(t, refineParameters(neighbors, routeOf(t, http.MethodGet, "/api/nodes/{node_id}/neighbors")))
}
