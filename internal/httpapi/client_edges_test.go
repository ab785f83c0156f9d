package httpapi_test

import (
	"context"
	"net/url"

	"graphrest/internal/graph"
)

func (e entityJSON) edge() (graph.Edge, error) {
	p, err := e.properties()
	edge := graph.Edge{ID: e.ID, Type: e.typeName(), SourceID: e.SourceID, TargetID: e.TargetID, Properties: p}
	if e.Source != nil && e.Target != nil {
		edge.Ends = &graph.Ends{Source: graph.End(*e.Source), Target: graph.End(*e.Target)}
	}
	return edge, err
}

// endJSON is an end of an edge; null is the empty string.
type endJSON struct{ Type, Caption string }

func (c *client) Edge(ctx context.Context, id string) (graph.Edge, error) {
	return c.edge(ctx, id, nil)
}

func (c *client) EdgeWithEnds(ctx context.Context, id string) (graph.Edge, error) {
	return c.edge(ctx, id, url.Values{"ends": {"caption"}})
}

func (c *client) edge(ctx context.Context, id string, query url.Values) (graph.Edge, error) {
	a, err := c.do(ctx, request{method: "GET", path: "/api/edges/" + url.PathEscape(id), query: query})
	if err != nil {
		return graph.Edge{}, err
	}
	return edgeOf(a)
}
