package httpapi

import (
	"context"
	"time"

	"graphrest/internal/graph"
)

// abandonedAfter is the age from which a request ends its statements in the database when its client leaves. Ending a statement costs its
// connection, so a short one runs to its end.
const abandonedAfter = 500 * time.Millisecond

// endWhenAbandoned returns a context whose statements end once the client has left and the request is abandonedAfter old. Release must be
// called when the request ends.
func endWhenAbandoned(ctx, client context.Context) (_ context.Context, release func()) {
	began := time.Now()
	stop, end := context.WithCancel(context.Background())
	forget := context.AfterFunc(client, func() {
		timer := time.AfterFunc(abandonedAfter-time.Since(began), end)
		context.AfterFunc(stop, func() { timer.Stop() })
	})
	return graph.WithStop(ctx, stop), func() {
		forget()
		end()
	}
}
