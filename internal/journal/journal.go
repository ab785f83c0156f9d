// Package journal is the record of changes: what one create, update or delete of one node or edge found and what it left. The store writes
// a record in the transaction of its change. History, reads of the past, the trash, undo and the feed are views of these records.
package journal

import (
	"context"
	"time"

	"graphrest/internal/graph"
)

// Action is what a change did.
type Action string

// The actions.
const (
	Create Action = "create"
	Update Action = "update"
	Delete Action = "delete"
)

// Actions lists every action.
func Actions() []string { return []string{string(Create), string(Update), string(Delete)} }

// Cause is what a change was part of, besides its request. At most one member is set; its zero value is no cause.
type Cause struct {
	Undo        string // id of the change, request or change set that was undone
	ChangeSet   string // id of the change set that was applied
	Import      string // id of the import's request
	DeletedWith string // id of the node that an edge was deleted with
}

type causeKey struct{}

// WithCause returns a context whose changes have a cause.
func WithCause(ctx context.Context, c Cause) context.Context {
	return context.WithValue(ctx, causeKey{}, c)
}

// CauseFrom returns the cause of a context's changes, or the zero value.
func CauseFrom(ctx context.Context) Cause {
	c, _ := ctx.Value(causeKey{}).(Cause)
	return c
}

// State is an entity at one moment.
type State struct {
	ID                 string
	Labels             []string  // of a node, in the order that the database reported; the only one of an edge is its type
	SourceID, TargetID string    // of an edge
	EndElements        [2]string // element ids of its ends at that time, which tell them from others with their ids; empty if not known
	Properties         graph.Properties
}

// Record is one change as it is stored.
type Record struct {
	// ID is unique and never reused. By bytes, ids sort in the order of commit for one entity, and for transactions that do not overlap.
	ID        string
	At        time.Time
	User      string // name
	UserID    string
	RequestID string
	Action    Action
	Kind      graph.Kind
	Entity    string // id of the node or edge: its own, or its element id
	Type      string // of an edge, or by the rules of the API of a node; empty for a node without labels
	Element   string // its element id then, which tells it from others with its id
	Cause     Cause
	Position  int64 // in the feed; 0 before the change has one
	Restored  bool  // of a delete: an undo gave the entity back

	// Image is the complete entity before an update or a delete, or after a create.
	Image State
	// Set is what an update set; a nil value removed the key.
	Set graph.Properties
	// Previous is the last record of the same entity before this one, if it is kept.
	Previous *Record

	seen *sides // of a change as a user sees it, see In; nil for the whole change
}

// Before is the state that the change found; nil for a create.
func (r *Record) Before() *State {
	if r.Action == Create || r.seen != nil && r.seen.noBefore {
		return nil
	}
	return &r.Image
}

// After is the state that the change left; nil for a delete.
func (r *Record) After() *State {
	switch {
	case r.Action == Delete, r.seen != nil && r.seen.noAfter:
		return nil
	case r.Action == Create:
		return &r.Image
	}
	after := r.Image
	after.Properties = graph.ApplyChange(r.Image.Properties, r.Set)
	return &after
}

// Changed returns the properties that an update changed, before and after; nil stands for an absent value. A property that was set to the
// value that it had is not among them.
func (r *Record) Changed() (before, after graph.Properties) {
	before, after = graph.Properties{}, graph.Properties{}
	for key, value := range r.Set {
		old, existed := r.Image.Properties[key]
		if existed == (value != nil) && (!existed || graph.EqualValues(old, value)) {
			continue
		}
		before[key], after[key] = old, value
	}
	return before, after
}

// IsChange reports whether the record describes a change: an update may have set what was there already.
func (r *Record) IsChange() bool {
	if r.Action != Update || r.seen != nil {
		return true
	}
	before, _ := r.Changed()
	return len(before) > 0
}

// HasGap reports whether the state that the change found is not the one that the previous recorded change left: the entity
// was changed outside the gateway in between. It is false if the previous record is not kept.
func (r *Record) HasGap() bool {
	if r.seen != nil {
		return r.seen.gap
	}
	if r.Previous == nil {
		return false
	}
	return !EqualStates(r.Previous.After(), r.Before())
}

// EqualStates reports whether two states of one entity are the same; nil is an entity that does not exist. The order of labels does not
// count.
func EqualStates(a, b *State) bool {
	if a == nil || b == nil {
		return a == b
	}
	if len(a.Labels) != len(b.Labels) || len(a.Properties) != len(b.Properties) || a.SourceID != b.SourceID || a.TargetID != b.TargetID {
		return false
	}
	labels := make(map[string]bool, len(a.Labels))
	for _, label := range a.Labels {
		labels[label] = true
	}
	for _, label := range b.Labels {
		if !labels[label] {
			return false
		}
	}
	for key, value := range a.Properties {
		other, exists := b.Properties[key]
		if !exists || !graph.EqualValues(value, other) {
			return false
		}
	}
	return true
}
