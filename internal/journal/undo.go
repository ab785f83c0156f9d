package journal

import "graphrest/internal/graph"

// Entity identifies a node or edge.
type Entity struct {
	Kind graph.Kind
	ID   string
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
// what it left is a conflict; older changes of that entity are not reversed either. see is what the caller sees of a state around a record,
// and revision its ETag.
func PlanUndo(
	records []Record, live map[Entity]*State, see func(*Record, *State) *State, revision func(graph.Kind, *State) string,
) Plan {
	plan := Plan{byEntity: map[Entity]*Reversal{}}
	blocked := map[Entity]bool{}
	for i := range records {
		r := &records[i]
		key := Entity{r.Kind, r.Entity}
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
