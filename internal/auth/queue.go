package auth

import (
	"container/list"
	"context"
	"sync"
	"time"

	"graphrest/internal/fault"
)

// Password hashes cost some 30 ms and 19 MiB each, so that a few run at a time and the rest wait. What one address asks for must not
// keep the others out:
//   - an address holds at most maxOfAddress places of maxInside;
//   - when all are taken, an address that holds fewer takes one from the address that holds the most: its latest that does not run yet;
//   - places that wait get their turn address by address, so that a login waits for one hash of each other address, not for all.
//
// The limit: maxInside addresses that hold one place each leave none for a newcomer, who gets 429 with Retry-After for as long as
// that lasts. What counts as an address is what network says.
const (
	maxHashing      = 4   // at once, at most
	maxInside       = 256 // waiting or running
	maxOfAddress    = 64
	hashWaitAdvised = time.Second
)

// queue lets password hashes run in turn.
type queue struct {
	mu      sync.Mutex
	free    int
	inside  int
	waiting int
	lines   map[counterKey]*line
	turns   *list.List // the lines in which somebody waits; the next turn is the first one's
}

// line is what one address has inside.
type line struct {
	key     counterKey
	inside  int
	idle    []*place // those that do not run, in the order in which they came
	waiters []*place // those of them that wait for a turn
}

// place is one login, or one other password hash, from its beginning to its end. Its context ends when another address takes it.
type place struct {
	queue   *queue
	line    *line
	ctx     context.Context
	cancel  context.CancelFunc
	turn    chan struct{} // closed when the turn has come
	running bool
	left    bool
}

func newQueue(slots int) *queue {
	return &queue{free: slots, lines: map[counterKey]*line{}, turns: list.New()}
}

// enter takes a place for an address: RATE_LIMITED when there is none. The caller must call leave.
func (q *queue) enter(ctx context.Context, address counterKey) (*place, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	l := q.lines[address]
	if l == nil {
		l = &line{key: address}
	}
	if l.inside >= maxOfAddress || q.inside >= maxInside && !q.displace(l.inside+1) {
		return nil, tooBusy()
	}
	q.lines[address] = l
	p := &place{queue: q, line: l, turn: make(chan struct{})}
	p.ctx, p.cancel = context.WithCancel(ctx)
	l.inside++
	q.inside++
	l.idle = append(l.idle, p)
	return p, nil
}

// displace frees a place of the address that holds the most of them, if those are more than some.
func (q *queue) displace(some int) bool {
	var fullest *line
	for _, l := range q.lines {
		if l.inside > some && len(l.idle) > 0 && (fullest == nil || l.inside > fullest.inside) {
			fullest = l
		}
	}
	if fullest == nil {
		return false
	}
	q.remove(fullest.idle[len(fullest.idle)-1])
	return true
}

// wait waits for the turn: RATE_LIMITED when the request ends or its place was taken before.
func (p *place) wait() error {
	q := p.queue
	q.mu.Lock()
	switch {
	case p.left:
	case q.free > 0 && q.turns.Len() == 0:
		q.free--
		p.run()
	default:
		if p.line.waiters = append(p.line.waiters, p); len(p.line.waiters) == 1 {
			q.turns.PushBack(p.line)
		}
		q.waiting++
	}
	q.mu.Unlock()
	select {
	case <-p.turn:
		return nil
	case <-p.ctx.Done():
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if p.running {
		return nil // the turn came at the same moment
	}
	q.remove(p)
	return tooBusy()
}

// run gives a place its turn.
func (p *place) run() {
	p.running = true
	p.line.idle = without(p.line.idle, p)
	close(p.turn)
}

// leave ends a place, and gives its turn to the next.
func (p *place) leave() {
	q := p.queue
	q.mu.Lock()
	defer q.mu.Unlock()
	q.remove(p)
}

func (q *queue) remove(p *place) {
	if p.left {
		return
	}
	p.left = true
	p.cancel()
	l := p.line
	l.idle = without(l.idle, p)
	if waiting := len(l.waiters); waiting > 0 {
		l.waiters = without(l.waiters, p)
		q.waiting -= waiting - len(l.waiters)
		if len(l.waiters) == 0 {
			q.skip(l)
		}
	}
	q.inside--
	if l.inside--; l.inside == 0 {
		delete(q.lines, l.key)
	}
	if p.running {
		q.free++
		q.next()
	}
}

// next gives a free slot to the first of the line whose turn it is.
func (q *queue) next() {
	first := q.turns.Front()
	if first == nil || q.free == 0 {
		return
	}
	l := first.Value.(*line)
	p := l.waiters[0]
	if l.waiters = l.waiters[1:]; len(l.waiters) == 0 {
		q.turns.Remove(first)
	} else {
		q.turns.MoveToBack(first)
	}
	q.waiting--
	q.free--
	p.run()
}

func (q *queue) skip(l *line) {
	for e := q.turns.Front(); e != nil; e = e.Next() {
		if e.Value.(*line) == l {
			q.turns.Remove(e)
			return
		}
	}
}

func without(all []*place, p *place) []*place {
	for i := range all {
		if all[i] == p {
			return append(all[:i:i], all[i+1:]...)
		}
	}
	return all
}

func tooBusy() error {
	return fault.New(fault.RateLimited, "Too many logins at once; try again shortly").RetryAfter(hashWaitAdvised)
}
