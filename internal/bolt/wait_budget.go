package bolt

import (
	"context"
	"sync"
	"time"
)

type waitBudgetKey struct{}

// WaitBudget is the total time that the calls of one request have waited for a free connection to the database: a store
// that bounds such waits bounds that of the request, however many calls it makes. It is safe for concurrent use; nil is
// valid and stores nothing.
type WaitBudget struct {
	mu      sync.Mutex
	waiting int // calls that wait now: the time of concurrent waits counts once
	since   time.Time
	spent   time.Duration
}

// WithWaitBudget returns a context whose calls share one budget.
func WithWaitBudget(ctx context.Context) context.Context {
	return &waitBudgetContext{Context: ctx}
}

// waitBudgetContext is a context and its budget in one allocation.
type waitBudgetContext struct {
	context.Context
	budget WaitBudget
}

// Value implements context.Context.
func (c *waitBudgetContext) Value(key any) any {
	if key == (waitBudgetKey{}) {
		return &c.budget
	}
	return c.Context.Value(key)
}

// WaitBudgetFrom returns the budget of a context; nil if each call has its own.
func WaitBudgetFrom(ctx context.Context) *WaitBudget {
	p, _ := ctx.Value(waitBudgetKey{}).(*WaitBudget)
	return p
}

// Begin records that a call starts to wait, until End.
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

// End records that a call has stopped waiting.
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

// Charge adds a wait that another call made on behalf of this one.
func (p *WaitBudget) Charge(wait time.Duration) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.spent += wait
}

// Spent returns the total wait so far.
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
