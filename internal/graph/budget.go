package graph

import "context"

// A ByteBudget bounds the bytes that answers hold in memory, from when a store decodes them until they are written to the client.
type ByteBudget interface {
	// Take adds bytes to what the request holds. DATABASE_UNAVAILABLE, with the time after which to try again, where that would
	// exceed a limit; the bytes are then not added. Negative bytes are given back.
	Take(bytes int64) error
}

type byteBudgetKey struct{}

// WithByteBudget returns a context whose reads take the bytes of what they return from a budget.
func WithByteBudget(ctx context.Context, b ByteBudget) context.Context {
	return context.WithValue(ctx, byteBudgetKey{}, b)
}

// TakeBytes takes bytes from the budget of a context. Without one there is no limit.
func TakeBytes(ctx context.Context, bytes int64) error {
	if b, limited := ctx.Value(byteBudgetKey{}).(ByteBudget); limited {
		return b.Take(bytes)
	}
	return nil
}
