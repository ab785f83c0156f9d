package graph

import "context"

type nameBudgetKey struct{}

// WithNameBudget returns a context whose new type names and property keys count against the daily budget of a user. Without it they
// count against nobody's: administrators and the gateway's own commands are bound by the database's limits only.
func WithNameBudget(ctx context.Context, userID string) context.Context {
	return context.WithValue(ctx, nameBudgetKey{}, userID)
}

// NameBudgetFrom is the id of the user whose budget a context's new names count against; empty for nobody.
func NameBudgetFrom(ctx context.Context) string {
	userID, _ := ctx.Value(nameBudgetKey{}).(string)
	return userID
}

// NameUse says how many names of one kind a database holds, and how many the gateway lets it hold.
type NameUse struct {
	Kind  string `json:"kind"` // node_type, edge_type or property_key
	Used  int    `json:"used"`
	Limit int    `json:"limit"`
}
