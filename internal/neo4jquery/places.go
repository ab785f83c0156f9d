package neo4jquery

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	"graphrest/internal/fault"
)

const (
	// placeWait is how long a query waits for a place: at most, see waitOf.
	placeWait = 5 * time.Second
	// placeRetry is the Retry-After of a query that got none.
	placeRetry = 2 * time.Second
)

// Places are where queries and questions run, or are judged. One user has at most half of them while there are several, and at most as many
// as half of the processors of the database, so that the heavy queries of one user leave places and processors for the requests of
// others; who waits gets a place in the order of arrival, but for those whose user has too many.
type Places struct {
	full string // the message when all are taken, which says what would help

	limit, perUser int

	mu      sync.Mutex
	used    int
	ofUser  map[string]int
	waiting []*placeWaiter
}

// placeWaiter is a query that waits; granted is closed when it has a place.
type placeWaiter struct {
	user    string
	granted chan struct{}
}

func newPlaces(limit int, full string) *Places {
	p := &Places{full: full, limit: max(limit, 1), ofUser: map[string]int{}}
	p.share(math.MaxInt)
	return p
}

// share limits each user to half of the processors of the database.
func (p *Places) share(processors int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.perUser = max(min((p.limit+1)/2, processors/2), 1)
}

// take takes a place for a user, and returns what releases it. DATABASE_UNAVAILABLE with a retry time.
func (p *Places) take(ctx context.Context, user string) (release func(), err error) {
	release = sync.OnceFunc(func() { p.release(user) })
	waiter := p.join(user)
	if waiter == nil {
		return release, nil
	}
	timer := time.NewTimer(waitOf(ctx))
	defer timer.Stop()
	select {
	case <-waiter.granted:
		return release, nil
	case <-timer.C:
	case <-ctx.Done():
	}
	if !p.leave(waiter) { // it got a place meanwhile
		return release, nil
	}
	return nil, fault.New(fault.DatabaseUnavailable, p.refusal(user)).RetryAfter(placeRetry)
}

// refusal says why a user got no place, and what would help.
func (p *Places) refusal(user string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ofUser[user] < p.perUser {
		return p.full
	}
	return fmt.Sprintf("This user has as many queries under way as one user may have at a time (%d); try again when one has ended", p.perUser)
}

// waitOf is how long a query waits: at most half of the time that its request has left, so that the other half is for the query, whose
// timeout would blame it otherwise.
func waitOf(ctx context.Context) time.Duration {
	if end, limited := ctx.Deadline(); limited {
		return min(placeWait, time.Until(end)/2)
	}
	return placeWait
}

// join takes a place, or returns a waiter.
func (p *Places) join(user string) *placeWaiter {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.hasRoom(user) {
		p.used++
		p.ofUser[user]++
		return nil
	}
	w := &placeWaiter{user: user, granted: make(chan struct{})}
	p.waiting = append(p.waiting, w)
	return w
}

func (p *Places) hasRoom(user string) bool { return p.used < p.limit && p.ofUser[user] < p.perUser }

// leave removes a waiter. False: it has a place.
func (p *Places) leave(w *placeWaiter) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, other := range p.waiting {
		if other == w {
			p.waiting = append(p.waiting[:i:i], p.waiting[i+1:]...)
			return true
		}
	}
	return false
}

func (p *Places) release(user string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.used--
	if p.ofUser[user]--; p.ofUser[user] == 0 {
		delete(p.ofUser, user)
	}
	for i := 0; i < len(p.waiting); {
		w := p.waiting[i]
		if !p.hasRoom(w.user) {
			i++
			continue
		}
		p.used++
		p.ofUser[w.user]++
		p.waiting = append(p.waiting[:i:i], p.waiting[i+1:]...)
		close(w.granted)
	}
}
