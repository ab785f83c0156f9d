package graph

import "context"

// A ByteBudget bounds the memory of responses, from decoding in a store until they are written to the client.
type ByteBudget interface {
	// Take reserves bytes for the request. DATABASE_UNAVAILABLE, with a retry time, if that would exceed a limit; the
	// bytes are then not reserved. Negative bytes are released.
	Take(bytes int64) error
}

type byteBudgetKey struct{}

// WithByteBudget returns a context whose reads reserve the bytes of their results in a budget.
func WithByteBudget(ctx context.Context, b ByteBudget) context.Context {
	return context.WithValue(ctx, byteBudgetKey{}, b)
}

// TakeBytes reserves bytes in the budget of a context. Without a budget there is no limit.
func TakeBytes(ctx context.Context, bytes int64) error {
	if b, limited := ctx.Value(byteBudgetKey{}).(ByteBudget); limited {
		return b.Take(bytes)
	}
	return nil
}
