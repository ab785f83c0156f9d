package neo4jwalk

import (
	"cmp"
	"context"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/neo4jview"
)

// neighborFinder finds the nodes around a node.
type neighborFinder struct {
	client    *bolt.Client
	reads     *neo4jentity.Reader
	subgraphs *subgraphReader
	timeouts  *neo4jentity.TimeoutExplainer
}

// Neighbors finds the nodes around one: see graph.Explorer. It expands step by step and collects element ids only; the entities are read at
// the end.
func (f *neighborFinder) Neighbors(ctx context.Context, q graph.NeighborQuery) (graph.Subgraph, error) {
	ctx, recorder := bolt.WithTimeoutRecorder(ctx)
	found, err := f.neighbors(ctx, q)
	return found, f.timeouts.ExplainWalkTimeout(ctx, recorder, "depth", q.EdgeType, err)
}

func (f *neighborFinder) neighbors(ctx context.Context, q graph.NeighborQuery) (graph.Subgraph, error) {
	e, err := f.expandAround(ctx, q)
	if err != nil {
		return graph.Subgraph{}, err
	}
	found, err := f.subgraphs.read(ctx, wantedEntities{nodes: e.nodes, edges: e.edgeOrder})
	found.graph.Truncated = found.graph.Truncated || e.truncated
	return found.graph, err
}

// expandAround expands from the node of a query: from the node in the id cache beside its look-up, if there is one.
func (f *neighborFinder) expandAround(ctx context.Context, q graph.NeighborQuery) (*expansion, error) {
	if speculative := f.reads.SpeculativeStart(ctx, q.NodeID); speculative != nil {
		wait := f.reads.LookUpStart(ctx, q.NodeID)
		e, failed := f.expand(ctx, q, speculative)
		if found, err := wait(); err != nil || speculative.IsAt(found) {
			return e, cmp.Or(err, failed)
		}
	}
	at, err := f.reads.FindStartNode(ctx, q.NodeID)
	if err != nil {
		return nil, err
	}
	return f.expand(ctx, q, at)
}

func (f *neighborFinder) expand(ctx context.Context, q graph.NeighborQuery, at *neo4jentity.StartNode) (*expansion, error) {
	slot, known, err := f.reads.EdgeTypeSlot(ctx, q.EdgeType)
	if err != nil {
		return nil, err
	}
	view := neo4jview.PredicateOf(ctx, graph.EdgeKind)
	slots := DirectionSlots(q.Direction)
	slots["type"], slots["view"], slots["limit"] = slot, view.Text(""), cypher.Limit(view.Limits(""))
	text := cypher.Expand.Text(slots)
	e := &expansion{query: q, nodes: []string{at.ElementID}, seen: map[string]bool{at.ElementID: true}, edges: map[string]bool{}}
	for frontier := e.nodes; known && len(frontier) > 0 && e.depth < q.Depth; e.depth++ {
		rows, err := bolt.CollectTuples(f.client.ReadRows(ctx, text, view.With(e.params(frontier))))
		if err != nil {
			return nil, err
		}
		before := len(e.nodes)
		e.addRows(frontier, rows)
		frontier = e.nodes[before:]
	}
	return e, nil
}

// DirectionSlots fill the slots of a statement that follows edges in a direction.
func DirectionSlots(d graph.Direction) cypher.Slots {
	switch d {
	case graph.Out:
		return cypher.EdgesOut()
	case graph.In:
		return cypher.EdgesIn()
	default:
		return cypher.EdgesBoth()
	}
}

// expansion is a breadth-first expansion from a node, in element ids.
type expansion struct {
	query     graph.NeighborQuery
	depth     int
	nodes     []string // in the order found, the start node first
	seen      map[string]bool
	edges     map[string]bool
	edgeOrder []string
	truncated bool
}

// params requests one edge more than may be followed, so that a truncation is noticed.
func (e *expansion) params(frontier []string) map[string]any {
	var nodeType any
	if e.query.NodeType != "" {
		nodeType = string(e.query.NodeType)
	}
	return map[string]any{
		"from": frontier, "node_type": nodeType,
		"max_degree": e.query.MaxDegree + 1, "max_edges": 2*graph.MaxGraphEdges + 1,
	}
}

// addRows adds the rows of one step from a frontier, up to the limits. An edge is added only with both ends.
func (e *expansion) addRows(frontier []string, rows []bolt.Tuple) {
	followed := make([]int, len(frontier))
	if len(rows) > 2*graph.MaxGraphEdges {
		e.truncated = true
	}
	for _, row := range rows {
		source, edge, target := row.Integer(0), row.Text(1), row.Text(2)
		if followed[source]++; followed[source] > e.query.MaxDegree {
			e.truncated = true
			continue
		}
		if e.edges[edge] {
			continue
		}
		if len(e.edges) == graph.MaxGraphEdges || (!e.seen[target] && len(e.nodes) > e.query.Limit) {
			e.truncated = true
			continue
		}
		if !e.seen[target] {
			e.seen[target] = true
			e.nodes = append(e.nodes, target)
		}
		e.edges[edge] = true
		e.edgeOrder = append(e.edgeOrder, edge)
	}
}
