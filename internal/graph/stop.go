package graph

import "context"

type stopKey struct{}

// WithStop returns a context whose statements end at once, in the middle, when stop ends. Without it a statement under way goes on to
// its end when its context is cancelled, because ending it costs its connection.
func WithStop(ctx, stop context.Context) context.Context {
	return context.WithValue(ctx, stopKey{}, stop)
}

// WithoutStop returns a context whose statements nothing ends early: those that several callers share.
func WithoutStop(ctx context.Context) context.Context { return context.WithValue(ctx, stopKey{}, nil) }

// StopFrom is what ends the statements of a context; nil where nothing does.
func StopFrom(ctx context.Context) context.Context {
	stop, _ := ctx.Value(stopKey{}).(context.Context)
	return stop
}
