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
func (c *client) acquire(ctx context.Context) error {
	select {
	case c.sem <- struct{}{}:
		return nil
	default:
	}
	budgets := waitBudgetsFrom(ctx)
	timer := time.NewTimer(budgets.remaining())
	defer timer.Stop()
	budgets.begin()
	defer budgets.end()
	select {
	case c.sem <- struct{}{}:
		return nil
	case <-timer.C:
		return errPoolExhausted
	case <-ctx.Done():
		return errPoolExhausted
	}
}

// waits are the patiences of all who wait for a statement: one request, or those whose calls travel together.
type waitBudgets []*graph.WaitBudget

type waitBudgetsKey struct{}

func waitBudgetsFrom(ctx context.Context) waitBudgets {
	if shared, ok := ctx.Value(waitBudgetsKey{}).(waitBudgets); ok {
		return shared
	}
	if p := graph.WaitBudgetFrom(ctx); p != nil {
		return waitBudgets{p}
	}
	return nil
}

func (w waitBudgets) begin() {
	for _, p := range w {
		p.Begin()
	}
}

func (w waitBudgets) end() {
	for _, p := range w {
		p.End()
	}
}

// left is how long the most patient may still wait.
func (w waitBudgets) remaining() time.Duration {
	if len(w) == 0 {
		return acquireTimeout
	}
	spent := w[0].Spent()
	for _, p := range w[1:] {
		spent = min(spent, p.Spent())
	}
	return acquireTimeout - spent
}

// patientBatches makes what a batch waits count for each request whose call it carries. It is told of batches in the way of a tracer.
type waitBudgetTracer struct{ next coalesce.Tracer }

func (b waitBudgetTracer) Batch(ctx context.Context, group string, callers []coalesce.Caller) (context.Context, func()) {
	end := func() {}
	if b.next != nil {
		ctx, end = b.next.Batch(ctx, group, callers)
	}
	shared := make(waitBudgets, 0, len(callers))
	for _, caller := range callers {
		if p := graph.WaitBudgetFrom(caller.Context); p != nil {
			shared = append(shared, p)
		} else {
			shared = append(shared, new(graph.WaitBudget)) // it is held to its own bound, not to another's
		}
	}
	return context.WithValue(ctx, waitBudgetsKey{}, shared), end
}
