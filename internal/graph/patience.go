package graph

import (
	"context"
	"sync"
	"time"
)

type patienceKey struct{}

// Patience is how long the calls of one request have waited for a free connection to the database, all together: a store that bounds such
// waits then bounds the request's, however many calls it makes. It is safe for concurrent use; nil forgets.
type Patience struct {
	mu      sync.Mutex
	waiting int // calls that wait right now: the time of several at once counts once
	since   time.Time
	spent   time.Duration
}

// WithPatience returns a context whose calls share one patience.
func WithPatience(ctx context.Context) context.Context {
	return context.WithValue(ctx, patienceKey{}, new(Patience))
}

// PatienceOf is the patience of a context; nil where each call has its own.
func PatienceOf(ctx context.Context) *Patience {
	p, _ := ctx.Value(patienceKey{}).(*Patience)
	return p
}

// Begin says that a call waits from now on, until End.
func (p *Patience) Begin() {
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
func (p *Patience) End() {
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
func (p *Patience) Charge(wait time.Duration) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.spent += wait
}

// Spent is how long calls have waited so far.
func (p *Patience) Spent() time.Duration {
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
