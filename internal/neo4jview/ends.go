package neo4jview

import (
	"context"
	"slices"

	"graphrest/internal/graph"
	"graphrest/internal/rules"
)

// EndKeys are the properties of nodes on which it depends whether the user sees an end of an edge; nil if labels decide.
func EndKeys(ctx context.Context) []string {
	v := rules.ViewOf(ctx)
	if v.AllowsAll(rules.Read) {
		return nil
	}
	if slices.ContainsFunc(v.Scopes(rules.Read, graph.NodeKind), rules.Scope.HasAll) {
		return nil
	}
	return ConditionKeys(v, graph.NodeKind, rules.Read)
}

// CaptionKeys are the properties of nodes that the user may not see at every end of an edge, and those on which it depends; nil if no
// property of a node is hidden.
func CaptionKeys(ctx context.Context) (hidden, decisive []string) {
	v := rules.ViewOf(ctx)
	if hidden = v.MayHide(graph.NodeKind); len(hidden) == 0 {
		return nil, nil
	}
	return hidden, ConditionKeys(v, graph.NodeKind, rules.Read)
}

// ConditionKeys are the properties on which it depends whether a view grants actions on entities.
func ConditionKeys(v *rules.View, k graph.Kind, actions ...rules.Action) []string {
	var scopes []rules.Scope
	for _, action := range actions {
		scopes = slices.Concat(scopes, v.Scopes(action, k))
	}
	return conditionKeys(scopes)
}

// conditionKeys are the properties that conditions of scopes name.
func conditionKeys(scopes []rules.Scope) []string {
	var keys []string
	for _, scope := range scopes {
		for _, c := range scope.Conditions {
			if !slices.Contains(keys, c.Property) {
				keys = append(keys, c.Property)
			}
		}
	}
	return keys
}

// CaptionOfEnd is the caption of an end that the user sees, by the properties that may name it: see graph.End. Labels and decisive are its
// labels and the values of the properties that CaptionKeys calls decisive.
func CaptionOfEnd(ctx context.Context, labels []string, decisive, naming graph.Properties) string {
	rights := rules.ViewOf(ctx).NodeRights(rules.Read, labels, decisive)
	return rights.Project(naming).Caption()
}

// EndVisibility decides which ends of edges a user sees: both must be visible.
type EndVisibility struct {
	view        *rules.View
	all         bool     // every node is visible
	always      []string // labels whose nodes are visible whatever their properties
	conditional bool     // whether a node is visible may depend on its properties
}

// EndVisibilityOf returns that of a context's user.
func EndVisibilityOf(ctx context.Context) EndVisibility {
	e := EndVisibility{view: rules.ViewOf(ctx)}
	if e.all = e.view.AllowsAll(rules.Read); e.all {
		return e
	}
	for _, scope := range e.view.Scopes(rules.Read, graph.NodeKind) {
		e.all = e.all || scope.HasAll()
		if len(scope.Conditions) == 0 {
			e.always = append(e.always, scope.Types...)
		}
		e.conditional = e.conditional || len(scope.Conditions) > 0
	}
	return e
}

// SeeAll reports whether the user sees every node.
func (e EndVisibility) SeeAll() bool { return e.all }

// ByLabels reports whether the user sees a node with these labels; decided is false if that depends on its properties.
func (e EndVisibility) ByLabels(labels []string) (seen, decided bool) {
	if e.all || slices.ContainsFunc(labels, func(label string) bool { return slices.Contains(e.always, label) }) {
		return true, true
	}
	return false, !e.conditional
}

// ByValues reports whether the user sees a node with these labels and with these values of the properties of EndKeys.
func (e EndVisibility) ByValues(labels []string, values graph.Properties) bool {
	return e.view.NodeRights(rules.Read, labels, values).Granted()
}

// SeesNewEnds reports whether the user sees the ends of an edge that was created: see RequiresVisibleNewEnds.
func SeesNewEnds(ctx context.Context) bool {
	v := rules.ViewOf(ctx)
	return v.ShowsAll() || !v.AllowsAll(rules.Create)
}

// RequiresVisibleNewEnds reports whether the user must see the ends of a new edge: one who may create edges by grants only, and has no
// permission to read everything.
func RequiresVisibleNewEnds(ctx context.Context) bool {
	return RequiresVisibleNewEndsOf(rules.ViewOf(ctx))
}

// RequiresVisibleNewEndsOf is RequiresVisibleNewEnds for a view.
func RequiresVisibleNewEndsOf(v *rules.View) bool {
	return !v.AllowsAll(rules.Create) && !v.AllowsAll(rules.Read)
}
