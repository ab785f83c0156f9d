package journal

import "graphrest/internal/graph"

// Rights are what a user may see of an entity in one state.
type Rights interface {
	Granted() bool // whether the entity is visible
	Hides(property string) bool
	Project(graph.Properties) graph.Properties // the properties that are shown
}

// A View gives the rights of one user to an entity in a state. Of an edge they depend on its ends too.
type View func(graph.Kind, *State) Rights

// State is what a user sees of a state; nil if the entity is not visible in it, or does not exist.
func (v View) State(kind graph.Kind, s *State) *State {
	if s == nil {
		return nil
	}
	rights := v(kind, s)
	if !rights.Granted() {
		return nil
	}
	seen := *s
	seen.Properties = rights.Project(s.Properties)
	return &seen
}

// sides says what a user sees of a change.
type sides struct {
	noBefore, noAfter bool // the entity is not visible before, after an update
	gap               bool
}

// In is the change as a user sees it: each of its states as far as it is visible in the view. It is false if the user sees neither state,
// or if the change touched hidden properties only. The result has no Previous; its gap is that of the states that are seen.
func (r *Record) In(view View) (Record, bool) {
	before, after := view.State(r.Kind, r.Before()), view.State(r.Kind, r.After())
	if before == nil && after == nil {
		return Record{}, false
	}
	seen := *r
	seen.seen = &sides{noBefore: before == nil, noAfter: after == nil}
	if r.Previous != nil {
		seen.seen.gap = !EqualStates(view.State(r.Kind, r.Previous.After()), before)
	}
	seen.Previous = nil
	switch r.Action {
	case Create:
		seen.Image = *after
	case Delete:
		seen.Image = *before
	default:
		changed, _ := r.Changed()
		seen.Image.Properties, seen.Set = graph.Properties{}, make(graph.Properties, len(changed))
		if before != nil {
			seen.Image.Properties = before.Properties
		}
		for key := range changed {
			if seen.Set[key] = nil; after != nil {
				seen.Set[key] = after.Properties[key]
			}
		}
		if before != nil && after != nil {
			changed, _ = seen.Changed()
			return seen, len(changed) > 0
		}
		return seen, r.touchesShown(view, changed)
	}
	return seen, true
}

// touchesShown reports whether one of the changed properties is not hidden in the state in which the user sees the entity.
func (r *Record) touchesShown(view View, changed graph.Properties) bool {
	for _, s := range []*State{r.Before(), r.After()} {
		rights := view(r.Kind, s)
		for key := range changed {
			if rights.Granted() && !rights.Hides(key) {
				return true
			}
		}
	}
	return false
}
