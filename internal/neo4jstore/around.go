package neo4jstore

import (
	"cmp"
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jview"
)

// Walks follows edges from node to node. It is safe for concurrent use.
type Walks struct {
	client   *bolt.Client
	texts    *statementTexts
	elements *elementReader
	reads    *entityReader
	timeouts *timeoutExplainer
	equal    bolt.SharedReads[graph.Degree] // that requests for the same share
}

var _ graph.Explorer = (*Walks)(nil)

// Degree counts a node's edges: see graph.Explorer.
func (w *Walks) Degree(ctx context.Context, id string) (graph.Degree, error) {
	return readShared(ctx, &w.equal, id, ownDegree, func(ctx context.Context) (graph.Degree, error) { return w.degree(ctx, id) })
}

func ownDegree(d graph.Degree) graph.Degree {
	d.Counts = slices.Clone(d.Counts)
	return d
}

func (w *Walks) degree(ctx context.Context, id string) (graph.Degree, error) {
	at, err := w.reads.findStartNode(ctx, id)
	if err != nil {
		return graph.Degree{}, err
	}
	// A separate statement counts each direction, both concurrently: together they expand as many relationships as one statement for both
	// would.
	var out, in []*bolt.Record
	var counting errgroup.Group
	view := neo4jview.PredicateOf(ctx, edges)
	count := func(direction cypher.Slots, other cypher.Entity, into *[]*bolt.Record) {
		direction["id"], direction["view"] = w.texts.idName, view.TextWithEnds("", other) // the user sees the node itself
		counting.Go(func() (err error) {
			*into, err = w.client.ReadRows(ctx, cypher.Degree.Text(direction), view.With(at.params()))
			return err
		})
	}
	count(cypher.EdgesOut(), cypher.TargetEntity, &out)
	count(cypher.EdgesIn(), cypher.SourceEntity, &in)
	if err := counting.Wait(); err != nil {
		return graph.Degree{}, err
	}
	d := graph.Degree{ID: at.ownID(), Counts: []graph.DegreeCount{}}
	w.sumDegrees(&d, graph.Out, out)
	w.sumDegrees(&d, graph.In, in)
	slices.SortFunc(d.Counts, func(a, b graph.DegreeCount) int {
		return cmp.Or(cmp.Compare(b.Direction, a.Direction), cmp.Compare(a.EdgeType, b.EdgeType), cmp.Compare(a.NodeType, b.NodeType))
	})
	return d, nil
}

// sumDegrees sums the rows of one direction by the type of the other end, without those of internal data. Total counts a self-loop once.
func (w *Walks) sumDegrees(d *graph.Degree, direction graph.Direction, rows []*bolt.Record) {
	type pair struct{ edge, node string }
	counts := map[pair]int64{}
	declared := w.reads.types.CurrentTypes()
	for _, row := range rows {
		edgeType, labels := bolt.Column[string](row, "type"), bolt.TextColumn(row, "labels")
		if graph.Reserved(edgeType) || slices.ContainsFunc(labels, graph.Reserved) {
			continue
		}
		total := bolt.Column[int64](row, "total")
		counts[pair{edgeType, declared.NodeType(labels)}] += total
		d.Total += total
		if direction == graph.Out {
			d.Out += total
			d.Total -= bolt.Column[int64](row, "loops")
		} else {
			d.In += total
		}
	}
	for of, count := range counts {
		d.Counts = append(d.Counts, graph.DegreeCount{EdgeType: of.edge, Direction: direction, NodeType: of.node, Count: count})
	}
}

// Neighbors finds the nodes around one: see graph.Explorer. It expands step by step and collects element ids only; the entities are read at
// the end.
func (w *Walks) Neighbors(ctx context.Context, q graph.NeighborQuery) (graph.Subgraph, error) {
	ctx, recorder := bolt.WithTimeoutRecorder(ctx)
	found, err := w.neighbors(ctx, q)
	return found, w.timeouts.explainWalkTimeout(ctx, recorder, "depth", q.EdgeType, err)
}

func (w *Walks) neighbors(ctx context.Context, q graph.NeighborQuery) (graph.Subgraph, error) {
	e, err := w.expandAround(ctx, q)
	if err != nil {
		return graph.Subgraph{}, err
	}
	found, err := w.readSubgraph(ctx, wantedEntities{nodes: e.nodes, edges: e.edgeOrder})
	found.graph.Truncated = found.graph.Truncated || e.truncated
	return found.graph, err
}

// expandAround expands from the node of a query: from the node in the id cache beside its look-up, if there is one.
func (w *Walks) expandAround(ctx context.Context, q graph.NeighborQuery) (*expansion, error) {
	if speculative := w.reads.speculativeStart(ctx, q.NodeID); speculative != nil {
		wait := w.reads.lookUpStart(ctx, q.NodeID)
		e, failed := w.expand(ctx, q, speculative)
		if found, err := wait(); err != nil || speculative.isAt(found) {
			return e, cmp.Or(err, failed)
		}
	}
	at, err := w.reads.findStartNode(ctx, q.NodeID)
	if err != nil {
		return nil, err
	}
	return w.expand(ctx, q, at)
}

func (w *Walks) expand(ctx context.Context, q graph.NeighborQuery, at *startNode) (*expansion, error) {
	slot, known, err := w.reads.edgeTypeSlot(ctx, q.EdgeType)
	if err != nil {
		return nil, err
	}
	view := neo4jview.PredicateOf(ctx, edges)
	slots := directionSlots(q.Direction)
	slots["type"], slots["view"] = slot, view.Text("")
	text := cypher.Expand.Text(slots)
	e := &expansion{query: q, nodes: []string{at.elementID}, seen: map[string]bool{at.elementID: true}, edges: map[string]bool{}}
	for frontier := e.nodes; known && len(frontier) > 0 && e.depth < q.Depth; e.depth++ {
		rows, err := bolt.CollectTuples(w.client.ReadRows(ctx, text, view.With(e.params(frontier))))
		if err != nil {
			return nil, err
		}
		before := len(e.nodes)
		e.addRows(frontier, rows)
		frontier = e.nodes[before:]
	}
	return e, nil
}

func directionSlots(d graph.Direction) cypher.Slots {
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
