// Package graph is the domain: nodes and edges with typed properties, their identities, lists and schema, and the
// contracts that a store of them keeps. It knows neither HTTP nor Neo4j's driver.
package graph

// ReservedPrefix starts every label, relationship type, constraint and index that the service keeps for itself. No type
// name may start with it in any letter case, and whatever carries it is never shown.
const ReservedPrefix = "_Graphrest"

// Node is one node as a client sees it.
type Node struct {
	ID         string   // opaque: the id property's value in a managed type, else the element id
	Type       string   // the first label the database reports; empty (JSON null) for a node without labels
	Labels     []string // all labels in the order the database reports them; never nil
	Properties Properties
}

// Edge is one edge as a client sees it. Its type and ends never change.
type Edge struct {
	ID         string
	Type       string
	SourceID   string
	TargetID   string
	Properties Properties
}

// Properties maps property keys to values. It never holds nil in what a store returns; in a change, nil removes the key.
type Properties map[string]Value

// NewNode is the input of a create. The store makes the id.
type NewNode struct {
	Type       TypeName
	Properties Properties
	Key        *IdempotencyKey // nil without the header
}

// NewEdge is the input of a create. SourceID and TargetID are ids or element ids.
type NewEdge struct {
	Type       TypeName
	SourceID   string
	TargetID   string
	Properties Properties
	Key        *IdempotencyKey
}

// Change is the input of an update: the properties given are set, those given as nil are removed, the others stay.
type Change struct {
	Properties Properties
	If         Precondition
	// Unchanged names properties that are over a size limit for new data and are accepted only where the entity already
	// holds exactly that value, so that writing back what was read always works.
	Unchanged []string
}

// Removal is the input of a delete.
type Removal struct {
	If Precondition
	// Detach says what happens to a node's edges: nil removes up to the configured number and refuses more with CONFLICT,
	// true removes any number, false refuses with CONFLICT while there is any. Edges ignore it.
	Detach *bool
}

// Deletion is the outcome of a delete. DeletedEdges counts the visible edges that went with a node.
type Deletion struct {
	ID           string
	DeletedEdges int64
}

// IdempotencyKey is an Idempotency-Key header in the name of a user. One key makes one entity within 24 hours.
type IdempotencyKey struct {
	UserID      string
	Key         string
	Fingerprint string // hash of method, path and body: the same key with another fingerprint is IDEMPOTENCY_KEY_REUSED
}

// Created is the outcome of a create.
type Created[T any] struct {
	Entity   T
	Replayed bool // an earlier request with the same Idempotency-Key made it
}

// Precondition is an If-Match header: absent (zero value), "*" (Any), or a list of revisions one of which must be
// the entity's current one (RFC 9110, section 13.1.1).
type Precondition struct {
	Any       bool
	Revisions []Revision
}

// Present says whether the client sent a precondition.
func (p Precondition) Present() bool { return p.Any || p.Revisions != nil }

// Allows says whether an entity that exists with this revision may be changed.
func (p Precondition) Allows(current Revision) bool {
	if !p.Present() || p.Any {
		return true
	}
	for _, r := range p.Revisions {
		if r == current {
			return true
		}
	}
	return false
}
