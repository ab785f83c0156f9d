package graph

import (
	"context"
	"sync/atomic"
)

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

// CountedBudget counts what is taken of the budget of a context.
type CountedBudget struct {
	ctx     context.Context
	taken   atomic.Int64
	refused atomic.Bool
}

// NewCountedBudget returns a budget that takes from that of a context.
func NewCountedBudget(ctx context.Context) *CountedBudget { return &CountedBudget{ctx: ctx} }

// Take implements ByteBudget.
func (b *CountedBudget) Take(bytes int64) error {
	err := TakeBytes(b.ctx, bytes)
	if err == nil {
		b.taken.Add(bytes)
	} else {
		b.refused.Store(true)
	}
	return err
}

// Taken returns how many bytes are taken.
func (b *CountedBudget) Taken() int64 { return b.taken.Load() }

// Refused reports whether the budget had too few bytes for a call of Take.
func (b *CountedBudget) Refused() bool { return b.refused.Load() }
