package rules

import (
	"maps"
	"slices"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// State is the content of an entity at one moment: its labels or its type, and its properties.
type State struct {
	Names      []string
	Properties graph.Properties
}

// Transition is a change of one entity.
type Transition struct {
	Kind graph.Kind
	// Before is the state before a change or a delete, After that after a create or a change; nil if the entity does not exist.
	Before, After *State
	// Written are the properties that a create or a change writes, removed ones as nil.
	Written graph.Properties
	// SeesEnds is whether the user sees both ends of an edge that exists.
	SeesEnds bool
	// EndHiddenBy is what decided that an end is not seen, if it is known.
	EndHiddenBy []Decision
	// RefusedEdges are the edges of a node to be deleted that the user does not see or may not delete; RefusedBy is what decided about one of
	// them, if it is known.
	RefusedEdges int64
	RefusedBy    []Decision
}

// Judgement is what a view says about a transition.
type Judgement struct {
	// Err is nil if the view allows the transition; NOT_FOUND if the entity does not exist for the user, otherwise PERMISSION_DENIED. Its
	// cause is a Refusal.
	Err error
	// Rights are those that allow the transition.
	Rights Rights
}

// Check decides whether a view allows a transition. Every change of the graph by a user is decided here. A create needs, for each label of
// a node, a create grant for it that holds in the state after; a change an edit grant that holds before and one that holds after it; a
// delete a delete grant that holds before it, and the same for each edge that goes with a node.
func (v *View) Check(t Transition) Judgement {
	switch {
	case t.Before == nil:
		return v.checkCreate(t)
	case t.After == nil:
		return v.checkDelete(t)
	default:
		return v.checkEdit(t)
	}
}

func (v *View) checkCreate(t Transition) Judgement {
	rights := v.stateRights(Create, t.Kind, *t.After)
	if !rights.Granted() {
		return v.refuse(Create, t.Kind, *t.After, "no grant allows to create this "+string(t.Kind))
	}
	return Judgement{Err: rights.checkWritable(graph.Stored(t.Written)), Rights: rights}
}

func (v *View) checkEdit(t Transition) Judgement {
	now := v.checkNow(Edit, "change", t)
	if now.Err != nil || now.Rights.all {
		return now
	}
	after := v.stateRights(Edit, t.Kind, *t.After)
	either := now.Rights.Or(after)
	if err := either.checkWritable(t.Written); err != nil {
		return Judgement{Err: err}
	}
	if !after.Granted() {
		return v.refuse(Edit, t.Kind, *t.After, "no grant allows this "+string(t.Kind)+" as it would be after the change")
	}
	return Judgement{Rights: either}
}

func (v *View) checkDelete(t Transition) Judgement {
	now := v.checkNow(Delete, "delete", t)
	if now.Err == nil && !now.Rights.all && t.RefusedEdges > 0 {
		return Judgement{Err: denied(Refusal{Decided: t.RefusedBy}, "the node has edges that this user may not delete with it")}
	}
	return now
}

// checkNow decides about an action, which verb names, by the state before it.
func (v *View) checkNow(action Action, verb string, t Transition) Judgement {
	if v.AllowsAll(action) {
		return Judgement{Rights: Rights{all: true}}
	}
	seesEnds := t.Kind == graph.NodeKind || t.SeesEnds
	if !seesEnds && v.RequiresVisibleEnds(action) {
		return Judgement{Err: noSuch(t.Kind, Refusal{Decided: append([]Decision{{Reason: EndNotVisible}}, t.EndHiddenBy...)})}
	}
	rights := v.stateRights(action, t.Kind, *t.Before)
	switch {
	case rights.Granted():
		return Judgement{Rights: rights}
	case seesEnds && v.stateRights(Read, t.Kind, *t.Before).Granted():
		return v.refuse(action, t.Kind, *t.Before, "no grant allows to "+verb+" this "+string(t.Kind))
	default:
		_, decided := v.Decide(action, t.Kind, t.Before.Names, t.Before.Properties)
		return Judgement{Err: noSuch(t.Kind, Refusal{Decided: decided})}
	}
}

func (v *View) stateRights(action Action, kind graph.Kind, s State) Rights {
	return v.rights(kind, action, s.Names, s.Properties)
}

// refuse is the judgement of a transition that no grant allows in a state.
func (v *View) refuse(action Action, kind graph.Kind, s State, reason string) Judgement {
	_, decided := v.Decide(action, kind, s.Names, s.Properties)
	return Judgement{Err: denied(Refusal{Decided: decided}, reason)}
}

// checkWritable rejects properties that cannot be written.
func (r Rights) checkWritable(p graph.Properties) error {
	if r.all {
		return nil
	}
	var details []fault.Detail
	for _, key := range slices.Sorted(maps.Keys(p)) {
		if r.Protects(key) {
			details = append(details, fault.Detail{
				Field: graph.FieldPath("properties", key), Message: "may not be written by this user",
			})
		}
	}
	if len(details) > 0 {
		return denied(r.refusal(), "a property is hidden or read-only", details...)
	}
	return nil
}

// refusal is that of a write of a property which each grant hides or protects.
func (r Rights) refusal() Refusal {
	var refusal Refusal
	for _, g := range r.grants {
		d := Decision{Role: g.role, Grant: g.index, Holds: true, Reason: "it holds, and hides or protects the property"}
		if !slices.Contains(refusal.Decided, d) { // the rights before and after a change may be by one grant
			refusal.Decided = append(refusal.Decided, d)
		}
	}
	return refusal
}

// Decisions are the permission or the grants that give the rights to an action.
func (r Rights) Decisions(action Action) []Decision {
	if r.all {
		return []Decision{permissionDecision(action)}
	}
	var decided []Decision
	for _, g := range r.grants {
		if d := (Decision{Role: g.role, Grant: g.index, Holds: true, Reason: "it holds"}); !slices.Contains(decided, d) {
			decided = append(decided, d)
		}
	}
	return decided
}

func denied(cause Refusal, reason string, details ...fault.Detail) error {
	return fault.Wrap(cause, fault.PermissionDenied, "Permission denied: "+reason, details...)
}

func noSuch(kind graph.Kind, cause Refusal) error {
	return fault.Wrap(cause, fault.NotFound, "There is no such "+string(kind))
}
