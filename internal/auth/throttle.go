package auth

import (
	"container/list"
	"context"
	"crypto/sha256"
	"net/netip"
	"strings"
	"sync"
	"time"

	"graphrest/internal/fault"
)

// Failed logins are counted over a sliding window, three ways.
const (
	failureWindow   = 15 * time.Minute
	maxPairFailures = 5  // of one name from one address: refused beyond
	maxAddrFailures = 50 // of one address, whatever the names: refused beyond
	// Failures of one name from everywhere only slow it down, so that nobody can lock somebody else out.
	slowAfter     = 20
	slowStep      = 50 * time.Millisecond
	slowest       = time.Second
	maxNameStamps = slowAfter + int(slowest/slowStep)

	maxThrottled = 1 << 15 // counters of each sort; the longest unused goes first
	maxAttempts  = 256     // logins in progress or waiting
	maxAddrWaits = 64      // of which waiting for others of their own address
)

// throttle bounds guessing. Its memory is bounded: every key is a hash of fixed size, and so is the number of counters.
type throttle struct {
	now func() time.Time

	mu       sync.Mutex
	pairs    counters
	addrs    counters
	names    counters
	attempts int
	changed  chan struct{} // closed and replaced when an attempt ends
}

func newThrottle(now func() time.Time) *throttle {
	return &throttle{now: now, pairs: newCounters(maxThrottled), addrs: newCounters(maxThrottled), names: newCounters(maxThrottled), changed: make(chan struct{})}
}

// attempt is a login in progress. Until it ends it counts as a failure, so that parallel guesses gain nothing.
type attempt struct {
	throttle         *throttle
	pair, addr, name *counter
}

// begin lets a login go on, or refuses it: RATE_LIMITED with the time until the window has moved on. A login that would
// be refused only because of others still in progress waits for their end. The caller must call end.
func (t *throttle) begin(ctx context.Context, folded, address string) (*attempt, error) {
	pairKey, addrKey, nameKey := throttleKey(folded, network(address)), throttleKey("", network(address)), throttleKey(folded, "")
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.attempts >= maxAttempts {
		return nil, tooBusy()
	}
	t.attempts++
	for {
		now := t.now()
		pair, addr, name := t.pairs.get(pairKey), t.addrs.get(addrKey), t.names.get(nameKey)
		wait := max(pair.until(now, maxPairFailures), addr.until(now, maxAddrFailures))
		if wait > 0 {
			t.leave()
			return nil, fault.New(fault.RateLimited, "Too many failed logins; try again later").RetryAfter(wait)
		}
		if len(pair.stamps)+pair.pending < maxPairFailures && len(addr.stamps)+addr.pending < maxAddrFailures {
			pair.pending++
			addr.pending++
			return &attempt{throttle: t, pair: pair, addr: addr, name: name}, nil
		}
		if addr.waiting >= maxAddrWaits {
			t.leave()
			return nil, tooBusy()
		}
		addr.waiting++
		err := t.wait(ctx)
		addr.waiting--
		if err != nil {
			t.leave()
			return nil, tooBusy()
		}
	}
}

// wait lets go of the lock until some attempt has ended.
func (t *throttle) wait(ctx context.Context) error {
	changed := t.changed
	t.mu.Unlock()
	defer t.mu.Lock()
	select {
	case <-changed:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (t *throttle) leave() {
	t.attempts--
	close(t.changed)
	t.changed = make(chan struct{})
}

// outcome of an attempt.
type outcome int

const (
	undecided outcome = iota // the password was not looked at
	failed
	succeeded
)

// end records how an attempt went. A success forgives the failures of the name at that address, and no others.
func (a *attempt) end(how outcome) {
	t := a.throttle
	t.mu.Lock()
	defer t.mu.Unlock()
	a.pair.pending--
	a.addr.pending--
	switch how {
	case undecided:
	case succeeded:
		a.pair.stamps = nil
	case failed:
		now := t.now()
		a.pair.fail(now, maxPairFailures)
		a.addr.fail(now, maxAddrFailures)
		a.name.fail(now, maxNameStamps)
	}
	t.leave()
}

// delay is how long this login should be slowed down for the failures of its name.
func (a *attempt) delay() time.Duration {
	t := a.throttle
	t.mu.Lock()
	defer t.mu.Unlock()
	a.name.until(t.now(), maxNameStamps) // drops what has left the window
	return min(slowest, max(0, time.Duration(len(a.name.stamps)-slowAfter)*slowStep))
}

// network is what counts as one address: an IPv4 address, or the /64 of an IPv6 address, of which one client has as many
// as it likes. A port is ignored; any other text counts as it is.
func network(address string) string {
	parsed, err := netip.ParseAddr(address)
	if err != nil {
		withPort, err := netip.ParseAddrPort(address)
		if err != nil {
			return address
		}
		parsed = withPort.Addr()
	}
	parsed = parsed.Unmap().WithZone("")
	if parsed.Is6() {
		if prefix, err := parsed.Prefix(64); err == nil {
			return prefix.String()
		}
	}
	return parsed.String()
}

type counterKey [16]byte

func throttleKey(parts ...string) counterKey {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return counterKey(sum[:16])
}

// counter holds the times of the latest failures, oldest first, and how many attempts are in progress or wait for those.
type counter struct {
	key     counterKey
	stamps  []time.Time
	pending int
	waiting int
}

// until is how long it takes until fewer than limit failures are in the window; 0 if that is so now.
func (c *counter) until(now time.Time, limit int) time.Duration {
	for len(c.stamps) > 0 && now.Sub(c.stamps[0]) >= failureWindow {
		c.stamps = c.stamps[1:]
	}
	if len(c.stamps) < limit {
		return 0
	}
	return failureWindow - now.Sub(c.stamps[len(c.stamps)-limit])
}

func (c *counter) fail(now time.Time, limit int) {
	if len(c.stamps) >= limit {
		c.stamps = c.stamps[1:]
	}
	c.stamps = append(c.stamps, now)
}

// counters is a map of fixed size that forgets what was not asked for the longest.
type counters struct {
	size  int
	byKey map[counterKey]*list.Element
	order *list.List // most recent first
}

func newCounters(size int) counters {
	return counters{size: size, byKey: map[counterKey]*list.Element{}, order: list.New()}
}

func (c counters) get(key counterKey) *counter {
	if element, known := c.byKey[key]; known {
		c.order.MoveToFront(element)
		return element.Value.(*counter)
	}
	if c.order.Len() >= c.size {
		oldest := c.order.Back()
		delete(c.byKey, oldest.Value.(*counter).key)
		c.order.Remove(oldest)
	}
	added := &counter{key: key}
	c.byKey[key] = c.order.PushFront(added)
	return added
}
