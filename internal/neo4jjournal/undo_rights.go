package neo4jjournal

import (
	"context"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/journal"
	"graphrest/internal/neo4jview"
	"graphrest/internal/rules"
)

// undoSelection is the changes that one request reverses.
type undoSelection struct {
	request journal.UndoRequest
	view    *journalView     // of the user; nil shows everything
	cause   string           // the id that the records of the undo name as their cause
	records []journal.Record // newest first
}

// checkRights rejects an undo of changes one of which the user may not reverse. Each reversal is a separate write, checked by the recorded
// states: an entity that is not as recorded is a conflict. The changes do not exist for a user who neither sees nor may reverse any of
// them.
func (s *undoSelection) checkRights(ctx context.Context) error {
	v := rules.ViewOf(ctx)
	if !v.HasGrants() {
		return checkAllowed(s.request, s.records)
	}
	shown, err := s.view.showRecords(ctx, s.records)
	if err != nil {
		return err
	}
	known := false
	var refusal error
	for i := range s.records {
		r := &s.records[i]
		if !r.IsChange() {
			continue
		}
		err := s.checkReversal(v, r, shown[i])
		known = known || err == nil || shown[i] != nil
		if refusal == nil {
			refusal = err
		}
	}
	if !known {
		return errNoSuchChange()
	}
	return refusal
}

// checkReversal rejects the reversal of one change that the user's grants do not allow. shown is what the user sees of the change.
func (s *undoSelection) checkReversal(v *rules.View, r *journal.Record, shown *journal.Record) error {
	t := rules.Transition{
		Kind: r.Kind, Before: ruledState(r.After()), After: ruledState(r.Before()),
		SeesEnds: r.Kind == graph.NodeKind || s.view == nil || s.view.seesEndsOf(&r.Image, r.ID),
	}
	switch changed, _ := r.Changed(); {
	case t.Before == nil && !t.SeesEnds && neo4jview.RequiresVisibleNewEndsOf(v):
		return neo4jview.Denied("an end of this edge is not visible")
	case t.Before == nil:
		t.Written = t.After.Properties
	default:
		t.Written = changed
	}
	err := v.Check(t).Err
	switch f := fault.As(err); {
	case err == nil:
		return nil
	case f.Code == fault.NotFound: // the changes as a whole may exist for the user: see checkRights
		return fault.Wrap(f, fault.PermissionDenied, "Permission denied: a change of a "+string(r.Kind)+" that this user does not see")
	default:
		return keepShown(f, shown)
	}
}

// ruledState is a state as rules judge it; nil if the entity does not exist.
func ruledState(s *journal.State) *rules.State {
	if s == nil {
		return nil
	}
	return &rules.State{Names: s.Labels, Properties: s.Properties}
}

// keepShown removes from a refusal what it says of properties that the user does not see: the caller has not named them.
func keepShown(f *fault.Error, shown *journal.Record) error {
	fields := map[string]bool{}
	if shown != nil {
		for _, seen := range []graph.Properties{shown.Image.Properties, shown.Set} {
			for key, value := range seen {
				field := graph.FieldPath("properties", key)
				fields[field] = fields[field] || value != nil
			}
		}
	}
	return neo4jview.KeepDetails(f, fields)
}

// visibleState is what the user sees of a state of a record's entity. The ends of edges have been checked.
func (s *undoSelection) visibleState(r *journal.Record, state *journal.State) *journal.State {
	if s.view == nil || state == nil {
		return state
	}
	if state.SourceID == r.Image.SourceID && state.TargetID == r.Image.TargetID { // an end may have been deleted and restored since
		of := *state
		of.EndElements = r.Image.EndElements
		state = &of
	}
	return s.view.rightsAt(r.ID).State(r.Kind, state)
}

// hideDetails removes from the error of a validation what it says of properties that the user does not see.
func (s *undoSelection) hideDetails(err error, v *journal.Reversal) error {
	f := fault.As(err)
	if s.view == nil || len(f.Details) == 0 {
		return err
	}
	shown := map[string]bool{}
	if seen := s.visibleState(v.Record, v.Target); seen != nil {
		for key := range seen.Properties {
			shown[graph.FieldPath("properties", key)] = true
		}
	}
	return neo4jview.KeepDetails(f, shown)
}
