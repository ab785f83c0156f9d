package journal

import (
	"context"

	"graphrest/internal/graph"
)

// Undoer reverses changes.
type Undoer interface {
	// Undo reverses changes, newest first, in one transaction, and records that. NOT_FOUND: nothing is recorded under that id.
	// PERMISSION_DENIED: r.Allows or a grant of the user refuses a reverse operation. CONFLICT: an entity is not what its change left; the
	// error is a *ConflictError, nothing was changed. VALIDATION_ERROR and CONFLICT of declared types and constraints as for single writes.
	Undo(ctx context.Context, r UndoRequest) (UndoResult, error)
	// CheckUndo returns the NOT_FOUND or PERMISSION_DENIED that Undo would return, and reads only. CONFLICT: too many changes.
	CheckUndo(ctx context.Context, r UndoRequest) error
}

// UndoRequest selects what is undone: exactly one of Change, RequestID, Import and ChangeSet is set.
type UndoRequest struct {
	Change, RequestID, Import, ChangeSet string
	DryRun                               bool
	SkipConflicts                        bool // instead of failing on them
	// Allows reports whether the caller may do an operation on a kind; nil allows everything. It decides unless the caller has grants.
	Allows func(Action, graph.Kind) bool
}

// UndoResult is what an undo did, or would do.
type UndoResult struct {
	Undone  int               // changes reversed
	Skipped []Conflict        // never nil
	Changes []string          // ids of the new changes, in the order in which they were made; never nil, empty for a dry run
	IDs     map[string]string // from old to new element ids (a dry run: to "") of restored entities without their own id; never nil
}

// Conflict is an entity that is not what a change left.
type Conflict struct {
	ID       string // of the entity
	Expected string // ETag; empty if the entity should not exist
	Found    string // ETag; empty if the entity does not exist
	Message  string
}

// ConflictError is the error of an undo that met conflicts. Its fault has the code CONFLICT and a detail for each entity.
type ConflictError struct {
	Conflicts []Conflict
	Fault     error
}

func (e *ConflictError) Error() string { return e.Fault.Error() }

func (e *ConflictError) Unwrap() error { return e.Fault }

// Entity identifies a node or edge.
type Entity struct {
	Kind    graph.Kind
	ID      string
	Element string // one of its element ids, the same everywhere; it tells the entity from others with its id
}

// Reversal is what an undo does to one entity: from its live state to its target.
type Reversal struct {
	Entity Entity
	Live   *State  // nil: it does not exist
	Target *State  // nil: it is deleted
	Record *Record // the oldest of the undone changes, whose image is the target; nil if the target is nil
	Newest *Record // the newest of the undone changes; a delete if the entity does not exist
	Count  int     // changes that are reversed
}

// Plan is the result of PlanUndo.
type Plan struct {
	Conflicts []Conflict
	reversals []*Reversal // in the order of each entity's newest change, newest first
	byEntity  map[Entity]*Reversal
}

// PlanUndo simulates the reversal of changes, sorted from the newest, on the live states of their entities. A change whose entity is not
// what it left is a conflict; older changes of that entity are not reversed either. entityOf is the entity of a record, see what the caller
// sees of a state around a record, and revision its ETag.
func PlanUndo(
	records []Record, live map[Entity]*State, entityOf func(*Record) Entity, see func(*Record, *State) *State,
	revision func(graph.Kind, *State) string,
) Plan {
	plan := Plan{byEntity: map[Entity]*Reversal{}}
	blocked := map[Entity]bool{}
	for i := range records {
		r := &records[i]
		key := entityOf(r)
		if blocked[key] || !r.IsChange() {
			continue
		}
		v := plan.byEntity[key]
		current := live[key]
		if v != nil {
			current = v.Target
		}
		if !EqualStates(current, r.After()) || v == nil && r.Restored {
			blocked[key] = true
			expected, found := see(r, r.After()), see(r, current)
			if expected != nil { // else the caller may change what is not visible
				current = found
			}
			plan.Conflicts = append(plan.Conflicts, Conflict{
				ID: r.Entity, Expected: revision(r.Kind, expected), Found: revision(r.Kind, found), Message: conflictMessage(r.After(), current),
			})
			continue
		}
		if v == nil {
			v = &Reversal{Entity: key, Live: live[key], Newest: r}
			plan.byEntity[key] = v
			plan.reversals = append(plan.reversals, v)
		}
		v.Target, v.Record = r.Before(), r
		v.Count++
	}
	return plan
}

func conflictMessage(expected, found *State) string {
	switch {
	case expected == nil && found == nil:
		return "was restored already"
	case expected == nil:
		return "exists again; the id is taken"
	case found == nil:
		return "was deleted since"
	default:
		return "was changed since"
	}
}

// Drop removes the reversal of an entity from the plan as a conflict.
func (p *Plan) Drop(e Entity, c Conflict) {
	delete(p.byEntity, e)
	p.Conflicts = append(p.Conflicts, c)
}

// Kept are the reversals that were not dropped.
func (p *Plan) Kept() []*Reversal {
	kept := make([]*Reversal, 0, len(p.byEntity))
	for _, v := range p.reversals {
		if p.byEntity[v.Entity] == v {
			kept = append(kept, v)
		}
	}
	return kept
}

// Final is the state of an entity after the plan; known is false if the plan does not touch it.
func (p *Plan) Final(e Entity) (s *State, known bool) {
	v := p.byEntity[e]
	if v == nil {
		return nil, false
	}
	return v.Target, true
}

// Undone is the number of changes that the plan reverses.
func (p *Plan) Undone() int {
	n := 0
	for _, v := range p.byEntity {
		n += v.Count
	}
	return n
}
