package graph

import "context"

// EdgeStore stores edges, with the same rules as NodeStore.
type EdgeStore interface {
	// CreateEdge creates an edge between two existing nodes. VALIDATION_ERROR naming source_id or target_id (or both)
	// when an end does not exist; otherwise as CreateNode.
	CreateEdge(ctx context.Context, e NewEdge) (Created[Edge], error)
	Edge(ctx context.Context, id string) (Edge, error)
	// EdgeWithEnds is Edge with Edge.Ends.
	EdgeWithEnds(ctx context.Context, id string) (Edge, error)
	UpdateEdge(ctx context.Context, id string, c Change) (Edge, error)
	DeleteEdge(ctx context.Context, id string, r Removal) (Deletion, error)
	// Edges lists edges as Nodes does. NOT_FOUND when q.Of names a node that does not exist (see EdgeQuery).
	Edges(ctx context.Context, q EdgeQuery) (Page[Edge], error)
}

// NewEdge is the input of a create. SourceID and TargetID are ids or element ids.
type NewEdge struct {
	Type       TypeName
	SourceID   string
	TargetID   string
	Properties Properties
	Key        *IdempotencyKey
}
