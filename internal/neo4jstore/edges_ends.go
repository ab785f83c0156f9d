package neo4jstore

import (
	"context"

	"graphrest/cypher"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// edgeEnds is what the ends asked for in an EdgeQuery come to: all edges, none, or those at one or two nodes.
type edgeEnds struct {
	none           bool
	source, target *anchor // an edge from source, to target, or from the one to the other
	node           *anchor // either end
}

// anchor is a node that an expansion starts from.
type anchor struct {
	element string
	id      any // its own id, checked by the statement since element ids are reused; nil if it has none
}

func (e edgeEnds) anchored() bool { return e.source != nil || e.target != nil || e.node != nil }

// statements are those that page and count, with the parameters that name the ends.
func (e edgeEnds) statements() (page, count cypher.Statement, anchors map[string]any) {
	switch {
	case e.source != nil && e.target != nil:
		return cypher.ListEdgesBetween, cypher.ListEdgesBetweenCount, map[string]any{
			"source": e.source.element, "source_id": e.source.id, "target": e.target.element, "target_id": e.target.id,
		}
	case e.source != nil:
		return cypher.ListEdgesAround, cypher.ListEdgesOutCount, e.source.params()
	case e.target != nil:
		return cypher.ListEdgesAround, cypher.ListEdgesInCount, e.target.params()
	default:
		return cypher.ListEdgesAround, cypher.ListEdgesBothCount, e.node.params()
	}
}

// direction fills the slots of the statement that pages, if it has a direction.
func (e edgeEnds) direction() cypher.Slots {
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

func (a anchor) params() map[string]any { return map[string]any{"node": a.element, "node_id": a.id} }

// resolveEnds looks the nodes of a query up. One that does not exist selects nothing, save that of q.Of: NOT_FOUND.
func (s *Store) resolveEnds(ctx context.Context, q graph.EdgeQuery) (edgeEnds, error) {
	var ends edgeEnds
	if q.Of != nil {
		of, err := s.anchor(ctx, q.Of.NodeID)
		if err != nil {
			return ends, err
		}
		switch q.Of.Direction {
		case graph.Out:
			ends.source = of
		case graph.In:
			ends.target = of
		default:
			ends.node = of
		}
	}
	for _, end := range []struct {
		id  string
		set func(*anchor) bool
	}{{q.SourceID, ends.from}, {q.TargetID, ends.to}, {q.NodeID, ends.at}} {
		if end.id == "" {
			continue
		}
		found, err := s.anchor(ctx, end.id)
		switch {
		case fault.CodeOf(err) == fault.NotFound:
			ends.none = true
		case err != nil:
			return ends, err
		case !end.set(found):
			ends.none = true
		}
		if ends.none {
			return edgeEnds{none: true}, nil
		}
	}
	ends.narrow()
	return ends, ctx.Err()
}

func (e *edgeEnds) from(a *anchor) bool { return fill(&e.source, a) }
func (e *edgeEnds) to(a *anchor) bool   { return fill(&e.target, a) }
func (e *edgeEnds) at(a *anchor) bool   { return fill(&e.node, a) }

// fill fills an end once; another node for the same end leaves nothing to list.
func fill(end **anchor, a *anchor) bool {
	if *end != nil && (*end).element != a.element {
		return false
	}
	*end = a
	return true
}

// narrow works "either end" into a source or target given as well: the edge's other end must be that node, unless the
// one given already is.
func (e *edgeEnds) narrow() {
	if e.node == nil || (e.source == nil && e.target == nil) {
		return
	}
	switch node := e.node; {
	case e.source != nil && e.source.element == node.element, e.target != nil && e.target.element == node.element:
	case e.source != nil && e.target != nil:
		*e = edgeEnds{none: true}
		return
	case e.source != nil:
		e.target = node
	default:
		e.source = node
	}
	e.node = nil
}
