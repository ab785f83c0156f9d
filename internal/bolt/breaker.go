package bolt

import (
	"errors"
	"sync"
	"time"
)

// errCircuitOpen means that the database was unreachable a moment ago: nothing was sent.
var errCircuitOpen = errors.New("the database was not reached a moment ago")

const (
	// probeInterval is the time between two probes while the database does not answer.
	probeInterval = 200 * time.Millisecond
	// probeTimeout bounds one probe of a database that the last one did not reach.
	probeTimeout = 2 * time.Second
	// stallTimeout bounds the first probe. A database that answers later than this is unreachable; until then it may only be slow, as it is
	// on a machine with too little CPU time, and calls go on.
	stallTimeout = 5 * time.Second
	// probeWait is how long a call waits for a running probe. Then it fails if the last one did not reach the database, or else goes on.
	probeWait = 500 * time.Millisecond
)

// breaker is a circuit breaker: it keeps callers from waiting for an unreachable database. A probe that changes nothing decides, never a
// call's own statement, whose outcome would then be unknown. Its zero value with the two functions is ready for use.
type breaker struct {
	probe  func(timeout time.Duration) error // reads no data
	probes sync.WaitGroup
	// answeredSince reports whether any other call was answered since a moment: then a probe that ran out of time was only slow.
	answeredSince func(time.Time) bool

	mu       sync.Mutex
	open     bool
	probing  chan struct{} // closed when the running probe has ended; nil if none runs
	probedAt time.Time
}

// allow lets a call pass, or returns errCircuitOpen. While the database is unreachable, calls start a probe if none runs, and wait briefly
// for its result.
func (b *breaker) allow() error { return b.check(false) }

// reportLost reports a call whose connection was lost or gave no answer in time. It returns an error if the database as a whole is
// unreachable, as opposed to slow.
func (b *breaker) reportLost() error { return b.check(true) }

func (b *breaker) check(lost bool) error {
	b.mu.Lock()
	if !b.open && !lost {
		b.mu.Unlock()
		return nil
	}
	if b.probing == nil {
		if b.open && time.Since(b.probedAt) < probeInterval {
			b.mu.Unlock()
			return errCircuitOpen
		}
		b.probing = make(chan struct{})
		done, timeout := b.probing, stallTimeout
		if b.open {
			timeout = probeTimeout
		}
		b.probes.Go(func() { b.runProbe(done, timeout) })
	}
	running := b.probing
	b.mu.Unlock()
	timer := time.NewTimer(probeWait)
	defer timer.Stop()
	select {
	case <-running:
	case <-timer.C: // b.open is still what the last probe found
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.open {
		return errCircuitOpen
	}
	return nil
}

func (b *breaker) isOpen() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.open
}

func (b *breaker) runProbe(done chan struct{}, timeout time.Duration) {
	began := time.Now()
	err := b.probe(timeout)
	b.mu.Lock()
	b.open, b.probedAt, b.probing = err != nil && !b.answeredSince(began), time.Now(), nil
	b.mu.Unlock()
	close(done)
}
