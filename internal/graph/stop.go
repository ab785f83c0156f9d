package graph

import "context"

type stopKey struct{}

// WithStop returns a context whose statements are aborted as soon as stop ends. Without it a statement in progress runs
// to its end even if its context is cancelled, because aborting it closes its connection.
func WithStop(ctx, stop context.Context) context.Context {
	return context.WithValue(ctx, stopKey{}, stop)
}

// WithoutStop returns a context whose statements are not aborted: those shared by several callers.
func WithoutStop(ctx context.Context) context.Context { return context.WithValue(ctx, stopKey{}, nil) }

// StopFrom returns the context whose end aborts the statements of a context, or nil.
func StopFrom(ctx context.Context) context.Context {
	stop, _ := ctx.Value(stopKey{}).(context.Context)
	return stop
}
