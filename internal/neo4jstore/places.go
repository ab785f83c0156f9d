package neo4jstore

import (
	"context"
	"time"

	"graphrest/internal/coalesce"
	"graphrest/internal/graph"
)

// takePlace waits for one of as many places as there are connections. The driver's own pool then always has one to give: where it
// has not, the database is to blame and not the load. The waits of one request together are bounded by acquireTimeout, so that one
// that needs several statements is not kept waiting for each.
func (c *client) takePlace(ctx context.Context) error {
	select {
	case c.places <- struct{}{}:
		return nil
	default:
	}
	waits := waitsOf(ctx)
	wait := time.NewTimer(waits.left())
	defer wait.Stop()
	waits.begin()
	defer waits.end()
	select {
	case c.places <- struct{}{}:
		return nil
	case <-wait.C:
		return errBusy
	case <-ctx.Done():
		return errBusy
	}
}

// waits are the patiences of all who wait for a statement: one request, or those whose calls travel together.
type waits []*graph.WaitBudget

type waitsKey struct{}

func waitsOf(ctx context.Context) waits {
	if together, ok := ctx.Value(waitsKey{}).(waits); ok {
		return together
	}
	if p := graph.WaitBudgetFrom(ctx); p != nil {
		return waits{p}
	}
	return nil
}

func (w waits) begin() {
	for _, p := range w {
		p.Begin()
	}
}

func (w waits) end() {
	for _, p := range w {
		p.End()
	}
}

// left is how long the most patient may still wait.
func (w waits) left() time.Duration {
	if len(w) == 0 {
		return acquireTimeout
	}
	least := w[0].Spent()
	for _, p := range w[1:] {
		least = min(least, p.Spent())
	}
	return acquireTimeout - least
}

// patientBatches makes what a batch waits count for each request whose call it carries. It is told of batches in the way of a tracer.
type patientBatches struct{ next coalesce.Tracer }

func (b patientBatches) Batch(ctx context.Context, group string, callers []coalesce.Caller) (context.Context, func()) {
	end := func() {}
	if b.next != nil {
		ctx, end = b.next.Batch(ctx, group, callers)
	}
	together := make(waits, 0, len(callers))
	for _, caller := range callers {
		if p := graph.WaitBudgetFrom(caller.Context); p != nil {
			together = append(together, p)
		} else {
			together = append(together, new(graph.WaitBudget)) // it is held to its own bound, not to another's
		}
	}
	return context.WithValue(ctx, waitsKey{}, together), end
}
