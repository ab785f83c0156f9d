package neo4jview

import (
	"context"
	"slices"
	"strings"

	"graphrest/cypher"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/rules"
)

// Denied is the fault of a change that the user's grants do not allow.
func Denied(reason string) *fault.Error {
	return fault.New(fault.PermissionDenied, "Permission denied: "+reason)
}

// CheckCreate decides whether the user may create an entity: see rules.View.Check.
func CheckCreate(ctx context.Context, k graph.Kind, names []string, p graph.Properties) error {
	v := rules.ViewOf(ctx)
	if v.AllowsAll(rules.Create) {
		return nil
	}
	after := &rules.State{Names: names, Properties: graph.Stored(p)}
	return v.Check(rules.Transition{Kind: k, After: after, Written: p}).Err
}

// RightsOf are the rights to an action on an entity in one state.
func RightsOf(v *rules.View, action rules.Action, k graph.Kind, names []string, p graph.Properties) rules.Rights {
	if k == graph.EdgeKind {
		return v.EdgeRights(action, names[0], p)
	}
	return v.NodeRights(action, names, p)
}

// Content is an entity under its lock: everything in it, and what its user sees of it.
type Content struct {
	Properties graph.Properties
	Visible    bool
	SeesEnds   bool           // of an edge: whether the user sees both ends
	Revision   graph.Revision // of what is visible; empty if nothing is
}

// CheckEdit decides whether the user may change an entity: see rules.View.Check.
func CheckEdit(ctx context.Context, k graph.Kind, names []string, now Content, change graph.Properties) error {
	v := rules.ViewOf(ctx)
	if v.AllowsAll(rules.Edit) {
		return nil
	}
	return v.Check(rules.Transition{
		Kind: k, Before: &rules.State{Names: names, Properties: now.Properties},
		After:   &rules.State{Names: names, Properties: graph.ApplyChange(now.Properties, change)},
		Written: change, SeesEnds: now.SeesEnds,
	}).Err
}

// IsOutOfView reports whether an edge that is to be changed does not exist for a user: see rules.View.RequiresVisibleEnds.
func IsOutOfView(v *rules.View, action rules.Action, k graph.Kind, seesEnds bool) bool {
	return k == graph.EdgeKind && !seesEnds && v.RequiresVisibleEnds(action)
}

// IsKnown reports whether an entity exists for a user who wants to change it: the user sees it, or may change it unseen.
func IsKnown(v *rules.View, action rules.Action, k graph.Kind, names []string, now Content) bool {
	return now.Visible || !IsOutOfView(v, action, k, now.SeesEnds) && RightsOf(v, action, k, names, now.Properties).Granted()
}

// HideDetails removes from the error of a validation what it says of properties that the user neither sees in the state after a change nor
// writes.
func HideDetails(ctx context.Context, err error, k graph.Kind, names []string, after, written graph.Properties) error {
	v, f := rules.ViewOf(ctx), fault.As(err)
	if err == nil || v.ShowsAll() || len(f.Details) == 0 {
		return err
	}
	rights := RightsOf(v, rules.Read, k, names, after)
	shown := map[string]bool{}
	for key := range after {
		shown[graph.FieldPath("properties", key)] = rights.Granted() && !rights.Hides(key)
	}
	for key := range written {
		shown[graph.FieldPath("properties", key)] = true
	}
	return KeepDetails(f, shown)
}

// KeepDetails removes from an error what it says of properties other than those shown, by the paths of their fields.
func KeepDetails(f *fault.Error, shown map[string]bool) error {
	partly := *f
	partly.Details = slices.DeleteFunc(slices.Clone(f.Details), func(d fault.Detail) bool {
		return strings.HasPrefix(d.Field, "properties") && !shown[d.Field]
	})
	return &partly
}

// CheckDelete decides whether the user may delete an entity: see rules.View.Check. refusedEdges is how many RefusedEdgesStatement counts.
func CheckDelete(ctx context.Context, k graph.Kind, names []string, now Content, refusedEdges int64) error {
	return rules.ViewOf(ctx).Check(rules.Transition{
		Kind: k, Before: &rules.State{Names: names, Properties: now.Properties}, SeesEnds: now.SeesEnds, RefusedEdges: refusedEdges,
	}).Err
}

// RefusedEdgesStatement is the statement that counts the edges of nodes that their user does not see or may not delete, and its
// parameters. The caller adds the parameter elements, the nodes.
func RefusedEdgesStatement(ctx context.Context, v *rules.View) (cypher.Text, map[string]any) {
	view := PredicateOf(ctx, graph.EdgeKind)
	literals := map[string]any{}
	if view.view != nil {
		literals = view.literals()
	}
	scopes := v.Scopes(rules.Delete, graph.EdgeKind)
	deletable := cypher.InScopes(cypher.EdgeEntity, scopesFor(scopes, "", view.conditions()))
	addLiterals(literals, scopes, view.conditions())
	predicate := cypher.And([]cypher.Fragment{view.Text(""), deletable})
	return cypher.RefusedEdges.Text(cypher.Slots{"view": predicate}), map[string]any{"view": literals}
}

// Check is CheckEdit or CheckDelete with the user and the change, for an entity that is read later.
type Check func(names []string, now Content) error

// NewEditCheck returns CheckEdit for a change; nil if the user may change everything, or nothing is hidden from the user.
func NewEditCheck(ctx context.Context, k graph.Kind, change graph.Properties) Check {
	if v := rules.ViewOf(ctx); v.AllowsAll(rules.Edit) || v.ShowsAll() {
		return nil
	}
	return func(names []string, now Content) error { return CheckEdit(ctx, k, names, now, change) }
}

// NewDeleteCheck is NewEditCheck for a delete. It leaves out the edges of a node.
func NewDeleteCheck(ctx context.Context, k graph.Kind) Check {
	if v := rules.ViewOf(ctx); v.AllowsAll(rules.Delete) || v.ShowsAll() {
		return nil
	}
	return func(names []string, now Content) error { return CheckDelete(ctx, k, names, now, 0) }
}
