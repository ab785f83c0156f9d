package graph

import (
	"context"
	"sync"
	"time"
)

type waitBudgetKey struct{}

// WaitBudget is how long the calls of one request have waited for a free connection to the database, all together: a store that bounds such
// waits then bounds the request's, however many calls it makes. It is safe for concurrent use; nil forgets.
type WaitBudget struct {
	mu      sync.Mutex
	waiting int // calls that wait right now: the time of several at once counts once
	since   time.Time
	spent   time.Duration
}

// WithWaitBudget returns a context whose calls share one patience.
func WithWaitBudget(ctx context.Context) context.Context {
	return context.WithValue(ctx, waitBudgetKey{}, new(WaitBudget))
}

// WaitBudgetFrom is the patience of a context; nil where each call has its own.
func WaitBudgetFrom(ctx context.Context) *WaitBudget {
	p, _ := ctx.Value(waitBudgetKey{}).(*WaitBudget)
	return p
}

// Begin says that a call waits from now on, until End.
func (p *WaitBudget) Begin() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.waiting == 0 {
		p.since = time.Now()
	}
	p.waiting++
}

// End says that a call waits no longer.
func (p *WaitBudget) End() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.waiting--; p.waiting == 0 {
		p.spent += time.Since(p.since)
	}
}

// Charge adds a wait that another call had on behalf of this one.
func (p *WaitBudget) Charge(wait time.Duration) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.spent += wait
}

// Spent is how long calls have waited so far.
func (p *WaitBudget) Spent() time.Duration {
	if p == nil {
		return 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.waiting > 0 {
		return p.spent + time.Since(p.since)
	}
	return p.spent
}
