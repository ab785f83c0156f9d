package auth

import (
	"context"
	"crypto/sha256"
	"net/netip"
	"strings"
	"sync"
	"time"

	"graphrest/internal/fault"
)

// Failed logins are counted over a sliding window, in three ways.
const (
	failureWindow   = 15 * time.Minute
	maxPairFailures = 5  // of one name from one address: rejected beyond
	maxAddrFailures = 50 // of one address, whatever the names: rejected beyond
	// Failures of one name from all addresses only delay its logins, so that no client can lock another user out.
	delayAfter      = 20
	delayStep       = 50 * time.Millisecond
	maxDelay        = time.Second
	maxNameFailures = delayAfter + int(maxDelay/delayStep)

	maxCounters = 1 << 15 // counters of each kind; see counters for the eviction order
)

// throttle limits password guessing. Its memory is bounded: every key is a hash of fixed size and the number of counters
// is limited; at most some 10 MB with every counter in use. The queue decides which password is checked next.
type throttle struct {
	now func() time.Time

	mu      sync.Mutex
	pairs   *counters
	addrs   *counters
	names   *counters
	changed chan struct{} // closed and replaced when an attempt ends
}

func newThrottle(now func() time.Time) *throttle {
	return &throttle{
		now: now, changed: make(chan struct{}), pairs: newCounters(maxCounters, maxPairFailures),
		addrs: newCounters(maxCounters, maxAddrFailures), names: newCounters(maxCounters, maxNameFailures),
	}
}

// attempt is a login whose password is being checked. Until it ends it counts as a failure, so that parallel guesses
// gain nothing.
type attempt struct {
	throttle         *throttle
	pair, addr, name *counter
}

// throttleKeys are the counter keys of a login: the hashes of a name, an address and both.
type throttleKeys struct{ pair, addr, name counterKey }

func throttleKeysOf(folded, address string) throttleKeys {
	from := networkOf(address)
	return throttleKeys{pair: hashKey(folded, from), addr: hashKey("", from), name: hashKey(folded, "")}
}

// check returns RATE_LIMITED, with the time until the window has moved on, if a login would be rejected now. It changes
// nothing, so that a rejected login costs no memory and evicts no counter.
func (t *throttle) check(who throttleKeys) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.checkLocked(who)
}

func (t *throttle) checkLocked(who throttleKeys) error {
	now := t.now()
	wait := max(t.pairs.get(who.pair).timeUntilBelow(now, maxPairFailures), t.addrs.get(who.addr).timeUntilBelow(now, maxAddrFailures))
	if wait > 0 {
		return fault.New(fault.RateLimited, "Too many failed logins; try again later").RetryAfter(wait)
	}
	return nil
}

// beginAttempt starts the check of a password, or rejects it as check does. A login that would be rejected only because
// of attempts in progress waits for their end. The caller must call finish.
func (t *throttle) beginAttempt(ctx context.Context, who throttleKeys) (*attempt, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for {
		if err := t.checkLocked(who); err != nil {
			return nil, err
		}
		if now := t.now(); t.pairs.hasRoom(who.pair, now) && t.addrs.hasRoom(who.addr, now) {
			return &attempt{
				throttle: t, pair: t.pairs.beginAttempt(who.pair), addr: t.addrs.beginAttempt(who.addr),
				name: t.names.beginAttempt(who.name),
			}, nil
		}
		if err := t.waitForAttemptEnd(ctx); err != nil {
			return nil, tooBusy()
		}
	}
}

// waitForAttemptEnd releases the lock until any attempt has ended.
func (t *throttle) waitForAttemptEnd(ctx context.Context) error {
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

// outcome is the result of an attempt.
type outcome int

const (
	notChecked outcome = iota // the password was not checked
	failed
	succeeded
)

// finish records the outcome of an attempt. A success clears the failures of the name at that address, and no others.
// The attempt ends even if recording panics: otherwise it would block all logins from its address.
func (a *attempt) finish(how outcome) {
	t := a.throttle
	t.mu.Lock()
	defer t.mu.Unlock()
	defer t.notifyWaiters()
	defer t.pairs.endAttempt(a.pair)
	defer t.addrs.endAttempt(a.addr)
	defer t.names.endAttempt(a.name)
	switch how {
	case notChecked:
	case succeeded:
		t.pairs.clearFailures(a.pair)
	case failed:
		now := t.now()
		t.pairs.recordFailure(a.pair, now)
		t.addrs.recordFailure(a.addr, now)
		t.names.recordFailure(a.name, now)
	}
}

// notifyWaiters wakes the attempts that wait for another one to end.
func (t *throttle) notifyWaiters() {
	close(t.changed)
	t.changed = make(chan struct{})
}

// delay returns how long a login is delayed because of the failures of its name.
func (t *throttle) delay(who throttleKeys) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	failures := len(t.names.get(who.name).recent(t.now()))
	return min(maxDelay, max(0, time.Duration(failures-delayAfter)*delayStep))
}

// networkOf returns what counts as one address: an IPv4 address, or the /64 of an IPv6 address, since one client can use
// a whole /64. A port is ignored; any other text is returned unchanged.
func networkOf(address string) string {
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

func hashKey(parts ...string) counterKey {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return counterKey(sum[:16])
}
