package graph

import "context"

type nameBudgetKey struct{}

// WithNameBudget returns a context whose new type names and property keys count against the daily budget of a user.
// Without it no budget applies: administrators and the gateway's commands are subject only to the limits of the
// database.
func WithNameBudget(ctx context.Context, userID string) context.Context {
	return context.WithValue(ctx, nameBudgetKey{}, userID)
}

// NameBudgetFrom returns the id of the user whose budget applies to new names; empty if none.
func NameBudgetFrom(ctx context.Context) string {
	userID, _ := ctx.Value(nameBudgetKey{}).(string)
	return userID
}

// NameUse states how many names of one kind a database contains, and how many the gateway allows.
type NameUse struct {
	Kind  string `json:"kind"` // node_type, edge_type or property_key
	Used  int    `json:"used"`
	Limit int    `json:"limit"`
}
