package neo4jstore

import (
	"errors"
	"sync"
	"time"
)

// errBroken means that the database was not reached a moment ago: nothing was sent.
var errBroken = errors.New("the database was not reached a moment ago")

const (
	// probeEvery is how often the database is tried while it does not answer.
	probeEvery = 200 * time.Millisecond
	// probeTimeout bounds one try.
	probeTimeout = 2 * time.Second
	// probePatience is how long a call waits for a try that is under way before it is refused.
	probePatience = 500 * time.Millisecond
)

// breaker keeps callers from waiting for a database that is away. What decides is a probe that changes nothing: never a
// call's own statement, whose outcome would then be unknown. Its zero value but for probe is ready for use.
type breaker struct {
	probe  func() error // asks the database for nothing much
	asking sync.WaitGroup

	mu      sync.Mutex
	open    bool
	probing chan struct{} // closed when the probe that runs has ended; nil when none does
	tried   time.Time
}

// enter lets a call through, or refuses it with errBroken. While the database is away, calls see to it that somebody asks
// whether it still is, and wait a moment for the answer.
func (b *breaker) enter() error { return b.pass(false) }

// suspect is told of a call whose connection was lost, and says whether the database as a whole is away.
func (b *breaker) suspect() error { return b.pass(true) }

func (b *breaker) pass(suspicion bool) error {
	b.mu.Lock()
	if !b.open && !suspicion {
		b.mu.Unlock()
		return nil
	}
	if b.probing == nil {
		if b.open && time.Since(b.tried) < probeEvery {
			b.mu.Unlock()
			return errBroken
		}
		b.probing = make(chan struct{})
		done := b.probing
		b.asking.Go(func() { b.ask(done) })
	}
	running := b.probing
	b.mu.Unlock()
	patience := time.NewTimer(probePatience)
	defer patience.Stop()
	select {
	case <-running:
	case <-patience.C:
		return errBroken
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.open {
		return errBroken
	}
	return nil
}

func (b *breaker) isOpen() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.open
}

func (b *breaker) ask(done chan struct{}) {
	err := b.probe()
	b.mu.Lock()
	b.open, b.tried, b.probing = err != nil, time.Now(), nil
	b.mu.Unlock()
	close(done)
}
