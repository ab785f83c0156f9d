package neo4jview

import (
	"context"

	"graphrest/internal/graph"
	"graphrest/internal/rules"
)

// ShowNode checks a node that was read, and removes what the user may not see of it. False: the user does not see it.
func ShowNode(ctx context.Context, n *graph.Node) bool {
	rights := rules.ViewOf(ctx).NodeRights(rules.Read, n.Labels, n.Properties)
	n.Properties = rights.Project(n.Properties)
	return rights.Granted()
}

// ShowEdge checks an edge that was read, without its ends, as ShowNode does.
func ShowEdge(ctx context.Context, e *graph.Edge) bool {
	rights := rules.ViewOf(ctx).EdgeRights(rules.Read, e.Type, e.Properties)
	e.Properties = rights.Project(e.Properties)
	return rights.Granted()
}

// ShowWrittenNode removes from the result of a write what its user may not see. Of a node that is not visible id and type remain, and its
// properties are nil.
func ShowWrittenNode(ctx context.Context, n graph.Node) graph.Node {
	if !ShowNode(ctx, &n) {
		return graph.Node{ID: n.ID, Type: n.Type}
	}
	return n
}

// ShowWrittenEdge is ShowWrittenNode for an edge whose ends the user sees or does not see.
func ShowWrittenEdge(ctx context.Context, e graph.Edge, seesEnds bool) graph.Edge {
	if !ShowEdge(ctx, &e) || !seesEnds {
		return graph.Edge{ID: e.ID, Type: e.Type, SourceID: e.SourceID, TargetID: e.TargetID}
	}
	return e
}
