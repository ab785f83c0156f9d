package graph

import "context"

// NodeStore stores nodes. Ids may be ids or element ids; results contain the entity's own id. Internal data is invisible
// to all methods. Besides the codes named, every method may return DATABASE_UNAVAILABLE (with a retry time),
// DATABASE_TIMEOUT and INTERNAL. A method that returns an error has changed nothing, with one exception: if the commit
// of a write could not be confirmed before the deadline, its outcome is unknown and the error is a DATABASE_UNAVAILABLE
// that reports it.
type NodeStore interface {
	// CreateNode creates a node with a new id, exactly once, even if the driver retries. The results of writes have nil properties if the
	// user does not see the entity. PERMISSION_DENIED, here and in updates and deletes: no grant of the user's roles allows the change.
	// VALIDATION_ERROR: the id property among the properties, or more new names than allowed.
	// CONFLICT: a constraint in the database. IDEMPOTENCY_KEY_REUSED: the key was used for another request.
	CreateNode(ctx context.Context, n NewNode) (Created[Node], error)
	// Node reads one node. NOT_FOUND. CONFLICT: more than one node has the id.
	Node(ctx context.Context, id string) (Node, error)
	// UpdateNode sets and removes the properties given, atomically.
	// NOT_FOUND, VALIDATION_ERROR as for creates, CONFLICT: a constraint, PRECONDITION_FAILED.
	UpdateNode(ctx context.Context, id string, c Change) (Node, error)
	// DeleteNode removes a node and its edges. Of concurrent deletes exactly one succeeds.
	// NOT_FOUND, CONFLICT: the node has edges (see Removal), PRECONDITION_FAILED. The edges of a node with many edges are deleted first, in
	// several transactions: an error then has a detail deleted_edges, the node exists with the remaining edges, and repeating the call
	// continues.
	DeleteNode(ctx context.Context, id string, r Removal) (Deletion, error)
	// Nodes lists nodes in the contract's order, or that of q.Sort. VALIDATION_ERROR: a position of another query, a condition
	// whose literal is in a time zone that the database does not know. DATABASE_TIMEOUT if filter or sort must read too much.
	Nodes(ctx context.Context, q NodeQuery) (Page[Node], error)
}

// NewNode is the input of a create. The store generates the id.
type NewNode struct {
	Type       TypeName
	Properties Properties
	Key        *IdempotencyKey // nil without the header
}
