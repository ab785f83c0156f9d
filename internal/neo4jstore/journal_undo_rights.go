package neo4jstore

import (
	"context"
	"maps"
	"slices"

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

// idsOf returns the ids of a kind that the records name: of entities and, for nodes, of the ends of edges to be restored. changed has those
// of entities only. ids has no element id of a deleted entity: Neo4j may have given it to another one.
func (s *undoSelection) idsOf(k kind) (ids []string, changed map[string]bool) {
	changed = map[string]bool{}
	seen := map[string]bool{}
	add := func(id string) {
		if !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	for i := range s.records {
		r := &s.records[i]
		if r.Kind == k {
			if r.Action == journal.Delete && isElementID(k, r.Entity) {
				seen[r.Entity] = true
			}
			add(r.Entity)
			changed[r.Entity] = true
		} else if k == nodes && r.Action == journal.Delete {
			add(r.Image.SourceID)
			add(r.Image.TargetID)
		}
	}
	return ids, changed
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
	k, what, action := r.Kind, string(r.Kind), reversingAction(r.Action)
	seesEnds := k == nodes || s.view == nil || s.view.seesEndsOf(r)
	if action != rules.Create && neo4jview.IsOutOfView(v, action, k, seesEnds) {
		return neo4jview.Denied("an end of this edge is not visible")
	}
	switch r.Action {
	case journal.Create:
		if !neo4jview.RightsOf(v, action, k, r.Image.Labels, r.Image.Properties).Granted() {
			return neo4jview.Denied("no grant allows to delete this " + what)
		}
		return nil
	case journal.Delete:
		rights := neo4jview.RightsOf(v, action, k, r.Image.Labels, r.Image.Properties)
		if !rights.Granted() || !seesEnds {
			return neo4jview.Denied("no grant allows to create this " + what)
		}
		return checkRestored(rights, r.Image.Properties, shown)
	}
	before, after := r.Before(), r.After()
	now := neo4jview.RightsOf(v, action, k, after.Labels, after.Properties)
	then := neo4jview.RightsOf(v, action, k, before.Labels, before.Properties)
	if !now.Granted() || !then.Granted() {
		return neo4jview.Denied("no grant allows to change this " + what)
	}
	changed, _ := r.Changed()
	return checkRestored(now.Or(then), changed, shown)
}

// reversingAction is what reverses a change.
func reversingAction(change journal.Action) rules.Action {
	switch change {
	case journal.Create:
		return rules.Delete
	case journal.Delete:
		return rules.Create
	default:
		return rules.Edit
	}
}

// checkRestored is checkWritable for properties that the caller did not name: the error names only those that the user sees.
func checkRestored(rights rules.Rights, p graph.Properties, shown *journal.Record) error {
	refused := false
	var details []fault.Detail
	for _, key := range slices.Sorted(maps.Keys(p)) {
		if !rights.Protects(key) {
			continue
		}
		refused = true
		if shown != nil && (shown.Image.Properties[key] != nil || shown.Set[key] != nil) {
			details = append(details, fault.Detail{Field: graph.FieldPath("properties", key), Message: "may not be written by this user"})
		}
	}
	if refused {
		return fault.Wrap(rules.Refusal{Grants: rights.Names()}, fault.PermissionDenied,
			"Permission denied: a property is hidden or read-only", details...)
	}
	return nil
}

// visibleState is what the user sees of a state of a record's entity. The ends of edges have been checked.
func (s *undoSelection) visibleState(r *journal.Record, state *journal.State) *journal.State {
	if s.view == nil {
		return state
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
