package neo4jstore

import (
	"context"
	"maps"
	"slices"

	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/journal"
	"graphrest/internal/neo4jview"
	"graphrest/internal/rules"
)

// CheckUndo reports whether a user may undo changes: see journal.Undoer.
func (j *Journal) CheckUndo(ctx context.Context, r journal.UndoRequest) error {
	u := &undo{j: j, request: r, view: j.viewOf(ctx)}
	_, err := u.selectRecords(ctx)
	return bolt.Translate(err)
}

// checkRights rejects an undo of changes one of which the user may not reverse. Each reversal is a separate write, checked by the recorded
// states: an entity that is not as recorded is a conflict. The changes do not exist for a user who neither sees nor may reverse any of
// them.
func (u *undo) checkRights(ctx context.Context) error {
	v := rules.ViewOf(ctx)
	if !v.HasGrants() {
		return checkAllowed(u.request, u.records)
	}
	shown, err := u.view.showRecords(ctx, u.records)
	if err != nil {
		return err
	}
	known := false
	var refusal error
	for i := range u.records {
		r := &u.records[i]
		if !r.IsChange() {
			continue
		}
		err := u.checkReversal(v, r, shown[i])
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
func (u *undo) checkReversal(v *rules.View, r *journal.Record, shown *journal.Record) error {
	k, what, action := r.Kind, string(r.Kind), reversingAction(r.Action)
	seesEnds := k == nodes || u.view == nil || u.view.seesEndsOf(r)
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

// seesEndsOf reports whether the ends of a recorded edge are visible. They have been checked.
func (v *journalView) seesEndsOf(r *journal.Record) bool {
	return v.ends[v.endOf(r.Image.SourceID, r.ID)] && v.ends[v.endOf(r.Image.TargetID, r.ID)]
}

// visibleState is what the user sees of a state of a record's entity. The ends of edges have been checked.
func (u *undo) visibleState(r *journal.Record, s *journal.State) *journal.State {
	if u.view == nil {
		return s
	}
	return u.view.rightsAt(r.ID).State(r.Kind, s)
}

// hideDetails removes from the error of a validation what it says of properties that the user does not see.
func (u *undo) hideDetails(err error, v *journal.Reversal) error {
	f := fault.As(err)
	if u.view == nil || len(f.Details) == 0 {
		return err
	}
	shown := map[string]bool{}
	if seen := u.visibleState(v.Record, v.Target); seen != nil {
		for key := range seen.Properties {
			shown[graph.FieldPath("properties", key)] = true
		}
	}
	return neo4jview.KeepDetails(f, shown)
}
