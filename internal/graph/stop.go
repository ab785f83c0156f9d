package graph

import (
	"context"
	"errors"
	"time"
)

// abandonedAfter is the age from which a call ends its statements in the database when nobody waits for it any more. Ending a statement
// costs its connection, so a short one runs to its end.
const abandonedAfter = 500 * time.Millisecond

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

// StopWhenAbandoned returns a context whose statements are aborted once caller has been cancelled and the call is abandonedAfter old. The
// end of caller's deadline does not abort them: the database ends them itself then, and says why. Release must be called when the call
// ends.
func StopWhenAbandoned(ctx, caller context.Context) (_ context.Context, release func()) {
	began := time.Now()
	stop, end := context.WithCancel(context.Background())
	forget := context.AfterFunc(caller, func() {
		if !errors.Is(caller.Err(), context.Canceled) {
			return
		}
		timer := time.AfterFunc(abandonedAfter-time.Since(began), end)
		context.AfterFunc(stop, func() { timer.Stop() })
	})
	return WithStop(ctx, stop), func() {
		forget()
		end()
	}
}
