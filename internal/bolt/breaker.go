package bolt

import (
	"errors"
	"sync"
	"time"
)

// errCircuitOpen means that the database was unreachable a moment ago: nothing was sent.
var errCircuitOpen = errors.New("the database was not reached a moment ago")

const (
	// ProbeInterval is the time between two probes while the database does not answer.
	ProbeInterval = 200 * time.Millisecond
	// probeTimeout bounds one probe.
	probeTimeout = 2 * time.Second
	// probeWait is how long a call waits for a running probe before it fails.
	probeWait = 500 * time.Millisecond
)

// breaker is a circuit breaker: it keeps callers from waiting for an unreachable database. A probe that changes nothing decides, never a
// call's own statement, whose outcome would then be unknown. Its zero value with a probe is ready for use.
type breaker struct {
	probe  func() error // reads no data
	probes sync.WaitGroup

	mu       sync.Mutex
	open     bool
	probing  chan struct{} // closed when the running probe has ended; nil if none runs
	probedAt time.Time
}

// allow lets a call pass, or returns errCircuitOpen. While the database is unreachable, calls start a probe if none runs, and wait briefly
// for its result.
func (b *breaker) allow() error { return b.check(false) }

// reportLost reports a call whose connection was lost. It returns an error if the database as a whole is unreachable.
func (b *breaker) reportLost() error { return b.check(true) }

func (b *breaker) check(lost bool) error {
	b.mu.Lock()
	if !b.open && !lost {
		b.mu.Unlock()
		return nil
	}
	if b.probing == nil {
		if b.open && time.Since(b.probedAt) < ProbeInterval {
			b.mu.Unlock()
			return errCircuitOpen
		}
		b.probing = make(chan struct{})
		done := b.probing
		b.probes.Go(func() { b.runProbe(done) })
	}
	running := b.probing
	b.mu.Unlock()
	timer := time.NewTimer(probeWait)
	defer timer.Stop()
	select {
	case <-running:
	case <-timer.C:
		return errCircuitOpen
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

func (b *breaker) runProbe(done chan struct{}) {
	err := b.probe()
	b.mu.Lock()
	b.open, b.probedAt, b.probing = err != nil, time.Now(), nil
	b.mu.Unlock()
	close(done)
}
