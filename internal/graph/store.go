package graph

import "context"

// NodeStore keeps nodes. Ids may be ids or element ids; answers carry the entity's own id. Internal data does not
// exist for any method. Besides the codes named, every method may return DATABASE_UNAVAILABLE (with a retry time),
// DATABASE_TIMEOUT and INTERNAL. A method that returns an error has changed nothing, save that the outcome of a write whose
// commit could not be confirmed within the deadline is DATABASE_UNAVAILABLE and says so.
type NodeStore interface {
	// CreateNode makes a node with a new id, once, however often the driver retries.
	// VALIDATION_ERROR: the id property among the properties, or more new names than allowed.
	// CONFLICT: a constraint in the database. IDEMPOTENCY_KEY_REUSED: the key came with another request.
	CreateNode(ctx context.Context, n NewNode) (Created[Node], error)
	// Node reads one node. NOT_FOUND. CONFLICT: the id is held by more than one node.
	Node(ctx context.Context, id string) (Node, error)
	// UpdateNode sets and removes the properties given, all at once.
	// NOT_FOUND, VALIDATION_ERROR as for creates, CONFLICT: a constraint, PRECONDITION_FAILED.
	UpdateNode(ctx context.Context, id string, c Change) (Node, error)
	// DeleteNode removes a node and its edges. Of parallel deletes exactly one succeeds.
	// NOT_FOUND, CONFLICT: edges in the way (see Removal), PRECONDITION_FAILED. A node of many edges loses them first, in several
	// transactions: an error then has a detail deleted_edges, the node is there with the edges that are left, and the same call goes on.
	DeleteNode(ctx context.Context, id string, r Removal) (Deletion, error)
	// Nodes lists nodes in the contract's order, or that of q.Sort. VALIDATION_ERROR: a position of another query, a condition
	// whose literal is in a time zone that the database does not know. DATABASE_TIMEOUT where filter or sort have too much to look at.
	Nodes(ctx context.Context, q NodeQuery) (Page[Node], error)
}

// EdgeStore keeps edges, under the same rules as NodeStore.
type EdgeStore interface {
	// CreateEdge makes an edge between two nodes that exist. VALIDATION_ERROR naming source_id or target_id (or both)
	// when an end does not exist; otherwise as CreateNode.
	CreateEdge(ctx context.Context, e NewEdge) (Created[Edge], error)
	Edge(ctx context.Context, id string) (Edge, error)
	UpdateEdge(ctx context.Context, id string, c Change) (Edge, error)
	DeleteEdge(ctx context.Context, id string, r Removal) (Deletion, error)
	// Edges lists edges as Nodes does. NOT_FOUND when q.Of names a node that does not exist (see EdgeQuery).
	Edges(ctx context.Context, q EdgeQuery) (Page[Edge], error)
}

// SchemaStore describes what the database holds.
type SchemaStore interface {
	// Schema is the observed schema. It answers in well under a second on a graph of any size: from a cache that is
	// refreshed in the background, or fresh where that is quick.
	Schema(ctx context.Context) (Schema, error)
}

// Health tells whether the database answers.
type Health interface {
	// Ready asks the database, within the context's deadline. DATABASE_UNAVAILABLE when it does not answer.
	Ready(ctx context.Context) error
}
