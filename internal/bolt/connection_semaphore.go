package bolt

import (
	"context"
	"time"

	"graphrest/internal/coalesce"
)

// acquire takes a slot of a semaphore with as many slots as there are connections. The driver's own pool then always has a free connection;
// if it has not, the database is the cause and not the load. The waits of one request together are bounded by acquireTimeout, so that a
// request with several statements does not wait that long for each.
func (c *Client) acquire(ctx context.Context) error {
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

// waitBudgets are the wait budgets of all requests that wait for a statement: one request, or those whose calls share a batch.
type waitBudgets []*WaitBudget

type waitBudgetsKey struct{}

func waitBudgetsFrom(ctx context.Context) waitBudgets {
	if shared, ok := ctx.Value(waitBudgetsKey{}).(waitBudgets); ok {
		return shared
	}
	if p := WaitBudgetFrom(ctx); p != nil {
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

// remaining is how long the request with the largest remaining budget may still wait.
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

// WithWaitBudgetsOf returns the context of a batch that charges its waits to each request whose call is in the batch: see
// coalesce.Options.Context.
func WithWaitBudgetsOf(ctx context.Context, callers []coalesce.Caller) context.Context {
	shared := make(waitBudgets, 0, len(callers))
	for _, caller := range callers {
		if p := WaitBudgetFrom(caller.Context); p != nil {
			shared = append(shared, p)
		} else {
			shared = append(shared, new(WaitBudget)) // it has its own bound, not another request's
		}
	}
	return context.WithValue(ctx, waitBudgetsKey{}, shared)
}
