package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"

	"graphrest/internal/graph"
	"graphrest/internal/httpapi"
)

func (c *client) Degree(ctx context.Context, id string) (graph.Degree, error) {
	a, err := c.do(ctx, request{method: "GET", path: "/api/nodes/" + url.PathEscape(id) + "/degree"})
	if err != nil {
		return graph.Degree{}, err
	}
	var d httpapi.Degree
	if err := json.Unmarshal(a.Data, &d); err != nil {
		return graph.Degree{}, err
	}
	out := graph.Degree{ID: d.ID, Total: d.Total, Out: d.Out, In: d.In, Counts: []graph.DegreeCount{}}
	for _, n := range d.Counts {
		out.Counts = append(out.Counts, graph.DegreeCount{
			EdgeType: n.EdgeType, Direction: graph.Direction(n.Direction), NodeType: orEmpty(n.NodeType), Count: n.Count,
		})
	}
	return out, nil
}

func (c *client) Neighbors(ctx context.Context, q graph.NeighborQuery) (graph.Subgraph, error) {
	query := url.Values{
		"direction": {string(q.Direction)}, "depth": {strconv.Itoa(q.Depth)}, "limit": {strconv.Itoa(q.Limit)},
		"max_degree": {strconv.Itoa(q.MaxDegree)},
	}
	if q.EdgeType != "" {
		query.Set("edge_type", string(q.EdgeType))
	}
	if q.NodeType != "" {
		query.Set("node_type", string(q.NodeType))
	}
	return c.subgraph(ctx, "/api/nodes/"+url.PathEscape(q.NodeID)+"/neighbors", query)
}

func (c *client) Paths(ctx context.Context, q graph.PathQuery) (graph.Subgraph, error) {
	query := url.Values{
		"source_id": {q.SourceID}, "target_id": {q.TargetID}, "direction": {string(q.Direction)},
		"max_depth": {strconv.Itoa(q.MaxDepth)}, "all": {strconv.FormatBool(q.All)},
	}
	if q.EdgeType != "" {
		query.Set("edge_type", string(q.EdgeType))
	}
	return c.subgraph(ctx, "/api/paths", query)
}

func (c *client) Among(ctx context.Context, q graph.AmongQuery) (graph.AmongEdges, error) {
	body := map[string]any{"ids": q.NodeIDs, "limit": q.Limit}
	if q.Types != nil {
		body["types"] = q.Types
	}
	text, err := json.Marshal(body)
	if err != nil {
		return graph.AmongEdges{}, err
	}
	a, err := c.do(ctx, request{method: "POST", path: "/api/edges/among", body: text})
	if err != nil {
		return graph.AmongEdges{}, err
	}
	var list []entityJSON
	if err := json.Unmarshal(a.Data, &list); err != nil {
		return graph.AmongEdges{}, err
	}
	if list == nil {
		return graph.AmongEdges{}, fmt.Errorf("the list is null in %s", a.Data)
	}
	found := graph.AmongEdges{Edges: []graph.Edge{}, Truncated: a.Meta.Truncated}
	for _, e := range list {
		r, err := e.edge()
		if err != nil {
			return found, err
		}
		found.Edges = append(found.Edges, r)
	}
	return found, nil
}

func (c *client) subgraph(ctx context.Context, path string, query url.Values) (graph.Subgraph, error) {
	a, err := c.do(ctx, request{method: "GET", path: path, query: query})
	if err != nil {
		return graph.Subgraph{}, err
	}
	var d struct {
		Nodes, Edges []entityJSON
		Paths        [][]string
		Truncated    bool
	}
	if err := json.Unmarshal(a.Data, &d); err != nil {
		return graph.Subgraph{}, err
	}
	if d.Nodes == nil || d.Edges == nil || d.Paths == nil {
		return graph.Subgraph{}, fmt.Errorf("a list is null in %s", a.Data)
	}
	g := graph.Subgraph{Nodes: []graph.Node{}, Edges: []graph.Edge{}, Paths: d.Paths, Truncated: d.Truncated}
	for _, e := range d.Nodes {
		n, err := e.node()
		if err != nil {
			return g, err
		}
		g.Nodes = append(g.Nodes, n)
	}
	for _, e := range d.Edges {
		r, err := e.edge()
		if err != nil {
			return g, err
		}
		g.Edges = append(g.Edges, r)
	}
	return g, nil
}
