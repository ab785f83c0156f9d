package neo4jlist

import (
	"context"

	"graphrest/cypher"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jentity"
)

// endpointFilter is the ends requested by an EdgeQuery: all edges, none, or those of one or two nodes.
type endpointFilter struct {
	none           bool
	source, target *neo4jentity.StartNode // an edge from source, to target, or between both
	node           *neo4jentity.StartNode // either end
}

func (e endpointFilter) hasNodes() bool { return e.source != nil || e.target != nil || e.node != nil }

// statements are the statements for pages and counts, with the parameters of the ends.
func (e endpointFilter) statements() (page, count cypher.Statement, nodeParams map[string]any) {
	switch {
	case e.source != nil && e.target != nil:
		return cypher.ListEdgesBetween, cypher.ListEdgesBetweenCount, map[string]any{
			"source": e.source.ElementID, "source_id": e.source.ID, "target": e.target.ElementID, "target_id": e.target.ID,
		}
	case e.source != nil:
		return cypher.ListEdgesAround, cypher.ListEdgesOutCount, e.source.Params()
	case e.target != nil:
		return cypher.ListEdgesAround, cypher.ListEdgesInCount, e.target.Params()
	default:
		return cypher.ListEdgesAround, cypher.ListEdgesBothCount, e.node.Params()
	}
}

// direction fills the direction slots of the statements for pages, if they have them.
func (e endpointFilter) direction() cypher.Slots {
	switch {
	case e.source != nil && e.target != nil:
		return nil
	case e.source != nil:
		return cypher.EdgesOut()
	case e.target != nil:
		return cypher.EdgesIn()
	default:
		return cypher.EdgesBoth()
	}
}

// sortedStatements are the statements that list the edges of nodes ordered by properties, with the parameters of the ends.
func (e endpointFilter) sortedStatements() (exact, top cypher.Statement, nodeParams map[string]any) {
	switch {
	case e.source != nil && e.target != nil:
		_, _, nodeParams := e.statements()
		return cypher.ListEdgesBetweenSorted, cypher.ListEdgesBetweenTop, nodeParams
	case e.source != nil:
		return cypher.ListEdgesOutSorted, cypher.ListEdgesAroundTop, e.source.Params()
	case e.target != nil:
		return cypher.ListEdgesInSorted, cypher.ListEdgesAroundTop, e.target.Params()
	default:
		return cypher.ListEdgesBothSorted, cypher.ListEdgesAroundTop, e.node.Params()
	}
}

// endResolver finds the nodes of which a query wants the edges.
type endResolver struct{ reads *neo4jentity.Reader }

// speculativeNode returns the node whose edges a query wants, if the id cache has it and nothing else has to be looked up.
func (r *endResolver) speculativeNode(ctx context.Context, q graph.EdgeQuery) *neo4jentity.StartNode {
	if q.Of == nil || q.SourceID != "" || q.TargetID != "" || q.NodeID != "" {
		return nil
	}
	return r.reads.SpeculativeStart(ctx, q.Of.NodeID)
}

// resolveEnds looks up the nodes of a query. A missing node selects no edges; a missing node of q.Of is NOT_FOUND.
func (r *endResolver) resolveEnds(ctx context.Context, q graph.EdgeQuery) (endpointFilter, error) {
	var ends endpointFilter
	if q.Of != nil {
		of, err := r.reads.FindStartNode(ctx, q.Of.NodeID)
		if err != nil {
			return ends, err
		}
		ends = endsAround(*q.Of, of)
	}
	for _, end := range []struct {
		id  string
		set func(*neo4jentity.StartNode) bool
	}{{q.SourceID, ends.setSource}, {q.TargetID, ends.setTarget}, {q.NodeID, ends.setNode}} {
		if end.id == "" {
			continue
		}
		found, err := r.reads.FindStartNode(ctx, end.id)
		switch {
		case fault.CodeOf(err) == fault.NotFound:
			ends.none = true
		case err != nil:
			return ends, err
		case !end.set(found):
			ends.none = true
		}
		if ends.none {
			return endpointFilter{none: true}, nil
		}
	}
	ends.normalize()
	return ends, ctx.Err()
}

func (e *endpointFilter) setSource(a *neo4jentity.StartNode) bool { return setOnce(&e.source, a) }
func (e *endpointFilter) setTarget(a *neo4jentity.StartNode) bool { return setOnce(&e.target, a) }
func (e *endpointFilter) setNode(a *neo4jentity.StartNode) bool   { return setOnce(&e.node, a) }

// setOnce sets an end. Two different nodes for the same end select no edges.
func setOnce(end **neo4jentity.StartNode, a *neo4jentity.StartNode) bool {
	if *end != nil && (*end).ElementID != a.ElementID {
		return false
	}
	*end = a
	return true
}

// normalize converts "either end" to a source or target if the other is given: the edge's other end must be that node, unless the given one
// is that node already.
func (e *endpointFilter) normalize() {
	if e.node == nil || (e.source == nil && e.target == nil) {
		return
	}
	switch node := e.node; {
	case e.source != nil && e.source.ElementID == node.ElementID, e.target != nil && e.target.ElementID == node.ElementID:
	case e.source != nil && e.target != nil:
		*e = endpointFilter{none: true}
		return
	case e.source != nil:
		e.target = node
	default:
		e.source = node
	}
	e.node = nil
}

// endsAround is the ends of a query for the edges of a node.
func endsAround(q graph.Around, at *neo4jentity.StartNode) endpointFilter {
	switch q.Direction {
	case graph.Out:
		return endpointFilter{source: at}
	case graph.In:
		return endpointFilter{target: at}
	default:
		return endpointFilter{node: at}
	}
}
