package neo4jview

import (
	"context"
	"slices"

	"graphrest/internal/declared"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/rules"
)

// ValidateChange validates an update against the declarations of all labels of its node, or of the type of its edge. Of a label whose nodes
// the user may not edit, it shows only that its declaration is violated, not which property does so.
func ValidateChange(
	ctx context.Context, types *declared.Types, k graph.Kind, names []string, before, after graph.Properties, ends declared.Ends,
) error {
	err := types.ValidateChange(k, names, before, after, ends)
	if err == nil || k == graph.EdgeKind {
		return err
	}
	granted := LabelsAllowed(rules.ViewOf(ctx), rules.Edit, names)
	if len(granted) == len(names) {
		return err
	}
	if shown := types.ValidateChange(k, granted, before, after, ends); shown != nil {
		return shown
	}
	return fault.Invalid("labels", "the node would violate the declaration of a label that this user may not edit")
}

// LabelsAllowed are the labels on which a view allows an action, on some nodes or all.
func LabelsAllowed[L ~string](v *rules.View, action rules.Action, labels []L) []L {
	names, all := v.Names(action, graph.NodeKind)
	if all {
		return labels
	}
	return slices.DeleteFunc(slices.Clone(labels), func(label L) bool { return !slices.Contains(names, string(label)) })
}

// ViolationsOf validates a new node against the declarations of some of its labels.
func ViolationsOf(types *declared.Types, labels []string, p graph.Properties) error {
	if len(labels) == 0 {
		return nil
	}
	return types.ValidateNewNode(labels, p)
}
