// Package graph is the domain: nodes and edges with typed properties, their identities, lists and schema, and the
// interfaces that a store of them implements. It depends neither on HTTP nor on the Neo4j driver.
package graph

import "maps"

// ReservedPrefix starts every label, relationship type, constraint and index that the service reserves for itself. No
// type name may start with it in any letter case, and reserved names are never shown.
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
	Ends       *Ends // nil unless they were requested
}

// Ends are the nodes at the ends of an edge, as far as a list of edges shows them.
type Ends struct{ Source, Target End }

// End is one end of an edge. Its caption is the value of the property that names the node: name, title, label, username, caption, email,
// code, key or id, in this order and any letter case, with a text or an integer; else the first by name of the texts whose name ends in
// name or title; else the first by name of all texts. Blank texts do not count. The web interface has the same rule in captionOf.
type End struct {
	Type    string // as Node.Type
	Caption string // at most MaxCaption characters; empty if no property names the node
}

// MaxCaption is the maximum length of a caption in characters. Of a longer one the end is replaced by three dots.
const MaxCaption = 120

// Properties maps property keys to values. A store never returns nil values; in a change, nil removes the key.
type Properties map[string]Value

// ApplyChange returns the properties that an entity has after a change; a nil value of the change removes the key.
func ApplyChange(current, change Properties) Properties {
	after := make(Properties, len(current)+len(change))
	maps.Copy(after, current)
	for key, value := range change {
		if value == nil {
			delete(after, key)
		} else {
			after[key] = value
		}
	}
	return after
}

// Stored are the properties that a create with these writes: those that are not null.
func Stored(created Properties) Properties { return ApplyChange(nil, created) }

// Change is the input of an update: the properties given are set, those given as nil are removed, the others are
// unchanged.
type Change struct {
	Properties Properties
	If         Precondition
	// Unchanged names properties that exceed a size limit for new data and are accepted only if the entity already has
	// exactly that value, so that writing back what was read always works.
	Unchanged []string
}

// Removal is the input of a delete.
type Removal struct {
	If Precondition
	// Detach selects what happens to a node's edges: nil removes up to the configured number and rejects more with CONFLICT,
	// true removes any number, false rejects the delete with CONFLICT if there is any. Edges ignore it.
	Detach *bool
}

// Deletion is the outcome of a delete. DeletedEdges counts the visible edges that went with a node.
type Deletion struct {
	ID           string
	DeletedEdges int64
}

// Created is the outcome of a create.
type Created[T any] struct {
	Entity   T
	Replayed bool // an earlier request with the same Idempotency-Key created it
}

// PreconditionMessage is the message of a precondition that does not hold.
const PreconditionMessage = "does not match the current version"

// Precondition is an If-Match header: absent (zero value), "*" (Any), or a list of revisions one of which must be
// the entity's current one (RFC 9110, section 13.1.1).
type Precondition struct {
	Any       bool
	Revisions []Revision
}

// Present reports whether the client sent a precondition.
func (p Precondition) Present() bool { return p.Any || p.Revisions != nil }

// Allows reports whether an existing entity with this revision may be changed.
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
