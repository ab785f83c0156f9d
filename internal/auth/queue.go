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
	maxConcurrentHashes = 4   // at once, at most
	maxQueued           = 256 // waiting or running
	maxQueuedPerAddress = 64
	busyRetryAfter      = time.Second
)

// queue lets password hashes run in turn.
type queue struct {
	mu        sync.Mutex
	free      int
	admitted  int
	waiting   int
	byAddress map[counterKey]*addressQueue
	rotation  *list.List // the lines in which somebody waits; the next turn is the first one's
}

// line is what one address has inside.
type addressQueue struct {
	key      counterKey
	admitted int
	pending  []*queueEntry // those that do not run, in the order in which they came
	waiters  []*queueEntry // those of them that wait for a turn
}

// place is one login, or one other password hash, from its beginning to its end. Its context ends when another address takes it.
type queueEntry struct {
	queue    *queue
	address  *addressQueue
	ctx      context.Context
	cancel   context.CancelFunc
	turn     chan struct{} // closed when the turn has come
	running  bool
	released bool
}

func newQueue(slots int) *queue {
	return &queue{free: slots, byAddress: map[counterKey]*addressQueue{}, rotation: list.New()}
}

// enter takes a place for an address: RATE_LIMITED when there is none. The caller must call leave.
func (q *queue) enqueue(ctx context.Context, address counterKey) (*queueEntry, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	l := q.byAddress[address]
	if l == nil {
		l = &addressQueue{key: address}
	}
	if l.admitted >= maxQueuedPerAddress || q.admitted >= maxQueued && !q.evict(l.admitted+1) {
		return nil, tooBusy()
	}
	q.byAddress[address] = l
	p := &queueEntry{queue: q, address: l, turn: make(chan struct{})}
	p.ctx, p.cancel = context.WithCancel(ctx)
	l.admitted++
	q.admitted++
	l.pending = append(l.pending, p)
	return p, nil
}

// displace frees a place of the address that holds the most of them, if those are more than some.
func (q *queue) evict(some int) bool {
	var fullest *addressQueue
	for _, l := range q.byAddress {
		if l.admitted > some && len(l.pending) > 0 && (fullest == nil || l.admitted > fullest.admitted) {
			fullest = l
		}
	}
	if fullest == nil {
		return false
	}
	q.remove(fullest.pending[len(fullest.pending)-1])
	return true
}

// wait waits for the turn: RATE_LIMITED when the request ends or its place was taken before.
func (p *queueEntry) waitForTurn() error {
	q := p.queue
	q.mu.Lock()
	switch {
	case p.released:
	case q.free > 0 && q.rotation.Len() == 0:
		q.free--
		p.start()
	default:
		if p.address.waiters = append(p.address.waiters, p); len(p.address.waiters) == 1 {
			q.rotation.PushBack(p.address)
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
func (p *queueEntry) start() {
	p.running = true
	p.address.pending = removeEntry(p.address.pending, p)
	close(p.turn)
}

// leave ends a place, and gives its turn to the next.
func (p *queueEntry) release() {
	q := p.queue
	q.mu.Lock()
	defer q.mu.Unlock()
	q.remove(p)
}

func (q *queue) remove(p *queueEntry) {
	if p.released {
		return
	}
	p.released = true
	p.cancel()
	l := p.address
	l.pending = removeEntry(l.pending, p)
	if waiting := len(l.waiters); waiting > 0 {
		l.waiters = removeEntry(l.waiters, p)
		q.waiting -= waiting - len(l.waiters)
		if len(l.waiters) == 0 {
			q.removeFromRotation(l)
		}
	}
	q.admitted--
	if l.admitted--; l.admitted == 0 {
		delete(q.byAddress, l.key)
	}
	if p.running {
		q.free++
		q.startNext()
	}
}

// next gives a free slot to the first of the line whose turn it is.
func (q *queue) startNext() {
	first := q.rotation.Front()
	if first == nil || q.free == 0 {
		return
	}
	l := first.Value.(*addressQueue)
	p := l.waiters[0]
	if l.waiters = l.waiters[1:]; len(l.waiters) == 0 {
		q.rotation.Remove(first)
	} else {
		q.rotation.MoveToBack(first)
	}
	q.waiting--
	q.free--
	p.start()
}

func (q *queue) removeFromRotation(l *addressQueue) {
	for e := q.rotation.Front(); e != nil; e = e.Next() {
		if e.Value.(*addressQueue) == l {
			q.rotation.Remove(e)
			return
		}
	}
}

func removeEntry(all []*queueEntry, p *queueEntry) []*queueEntry {
	for i := range all {
		if all[i] == p {
			return append(all[:i:i], all[i+1:]...)
		}
	}
	return all
}

func tooBusy() error {
	return fault.New(fault.RateLimited, "Too many logins at once; try again shortly").RetryAfter(busyRetryAfter)
}
