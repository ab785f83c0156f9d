package neo4jstore

import (
	"errors"
	"sync"
	"time"
)

// errBroken means that the database was not reached a moment ago: nothing was sent.
var errCircuitOpen = errors.New("the database was not reached a moment ago")

const (
	// probeEvery is how often the database is tried while it does not answer.
	probeInterval = 200 * time.Millisecond
	// probeTimeout bounds one try.
	probeTimeout = 2 * time.Second
	// probePatience is how long a call waits for a try that is under way before it is refused.
	probeWait = 500 * time.Millisecond
)

// breaker keeps callers from waiting for a database that is away. What decides is a probe that changes nothing: never a
// call's own statement, whose outcome would then be unknown. Its zero value but for probe is ready for use.
type breaker struct {
	probe  func() error // asks the database for nothing much
	probes sync.WaitGroup

	mu       sync.Mutex
	open     bool
	probing  chan struct{} // closed when the probe that runs has ended; nil when none does
	probedAt time.Time
}

// enter lets a call through, or refuses it with errBroken. While the database is away, calls see to it that somebody asks
// whether it still is, and wait a moment for the answer.
func (b *breaker) allow() error { return b.check(false) }

// suspect is told of a call whose connection was lost, and says whether the database as a whole is away.
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
