package auth

import (
	"container/list"
	"context"
	"sync"
	"time"

	"graphrest/internal/fault"
)

// A password hash costs some 30 ms and 19 MiB, so only a few run concurrently and the rest are queued. One address must not
// starve the others:
//   - an address has at most maxQueuedPerAddress of the maxQueued entries;
//   - when the queue is full, an address with fewer entries evicts the latest pending entry of the address with the most;
//   - waiting entries are started round-robin by address, so that a login waits for one hash of each other address, not for all.
//
// The limit: maxQueued addresses with one entry each leave no capacity for another address, which gets 429 with Retry-After for
// as long as that lasts. networkOf defines what counts as one address.
const (
	maxConcurrentHashes = 4   // running concurrently
	maxQueued           = 256 // waiting or running, of all addresses
	maxQueuedPerAddress = 64
	busyRetryAfter      = time.Second
)

// queue runs password hashes round-robin by address.
type queue struct {
	mu        sync.Mutex
	free      int
	admitted  int
	waiting   int
	byAddress map[counterKey]*addressQueue
	rotation  *list.List // addresses with waiting entries; the front one is next
}

// addressQueue contains the entries of one address.
type addressQueue struct {
	key      counterKey
	admitted int
	pending  []*queueEntry // entries that do not run yet, oldest first
	waiters  []*queueEntry // pending entries that wait for their turn
}

// queueEntry is one login, or one other password hash, from beginning to end. Its context ends when another address
// evicts it.
type queueEntry struct {
	queue    *queue
	address  *addressQueue
	ctx      context.Context
	cancel   context.CancelFunc
	turn     chan struct{} // closed when the turn comes
	running  bool
	released bool
}

func newQueue(slots int) *queue {
	return &queue{free: slots, byAddress: map[counterKey]*addressQueue{}, rotation: list.New()}
}

// enqueue adds an entry for an address: RATE_LIMITED if there is no capacity. The caller must call release.
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

// evict removes a pending entry of the address with the most entries, if it has more than minimum.
func (q *queue) evict(minimum int) bool {
	var fullest *addressQueue
	for _, l := range q.byAddress {
		if l.admitted > minimum && len(l.pending) > 0 && (fullest == nil || l.admitted > fullest.admitted) {
			fullest = l
		}
	}
	if fullest == nil {
		return false
	}
	q.remove(fullest.pending[len(fullest.pending)-1])
	return true
}

// waitForTurn waits for the turn: RATE_LIMITED if the request ends or the entry is evicted before.
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
		return nil // the turn came at the same time
	}
	q.remove(p)
	return tooBusy()
}

// start gives an entry its turn.
func (p *queueEntry) start() {
	p.running = true
	p.address.pending = removeEntry(p.address.pending, p)
	close(p.turn)
}

// release removes an entry and starts the next one.
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

// startNext gives a free slot to the first waiting entry of the next address.
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
	return fault.New(fault.RateLimited, "Too many concurrent logins; try again shortly").RetryAfter(busyRetryAfter)
}
