// Package snapshot keeps an in-memory copy of something small that is read elsewhere: its age, one read for all concurrent readers, and
// its expiry.
package snapshot

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Snapshot is an in-memory copy of something small, such as the set of managed types. A value is immutable once it was read. Concurrent
// readers share one read (single-flight). Create it with New. It is safe for concurrent use.
type Snapshot[T any] struct {
	read    func(context.Context) (*T, error)
	options Options

	latest  atomic.Pointer[version[T]]
	asked   atomic.Bool               // since the last call of KeepFresh
	expired atomic.Pointer[time.Time] // older values are not fresh
	mu      sync.Mutex
	running *sharedRead // the read under way, shared by all waiting callers
	failure *failedRead // the last read; nil unless it failed and there is a pause
}

// Options are how a snapshot is read. The zero value reads in a goroutine that nobody waits for.
type Options struct {
	// Spawn starts work, which it must not run itself; the owner waits for the work when it closes.
	Spawn func(work func())
	Now   func() time.Time // the clock of ages; nil is time.Now

	// Detach returns the context of a read that serves many callers, without the limits of the caller that begins it; nil is
	// context.WithoutCancel.
	Detach func(context.Context) context.Context
	// Waited is called for each caller that waited for the end of a read, with the contexts of both; it may be nil.
	Waited func(caller, read context.Context, wait time.Duration)

	// FailurePause is how long after the end of a failed read nothing is read; its error is then that of Fresh. It may call IsFresh. Nil
	// is no pause.
	FailurePause func() time.Duration
}

type version[T any] struct {
	value *T
	began time.Time
}

type failedRead struct {
	err   error
	ended time.Time
}

type sharedRead struct {
	began time.Time
	done  chan struct{}
	ctx   context.Context // separate: the read serves many callers
	err   error
}

// New creates a snapshot without a value. Only one call of read runs at a time.
func New[T any](read func(context.Context) (*T, error), o Options) *Snapshot[T] {
	if o.Spawn == nil {
		o.Spawn = func(work func()) { go work() }
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Detach == nil {
		o.Detach = context.WithoutCancel
	}
	return &Snapshot[T]{read: read, options: o}
}

// Current is the value as last read; nil before the first read.
func (s *Snapshot[T]) Current() *T {
	if v := s.latest.Load(); v != nil {
		return v.value
	}
	return nil
}

// Get is the value as last read. It reads the value if it was never read.
func (s *Snapshot[T]) Get(ctx context.Context) (*T, error) {
	s.markAsked()
	if value := s.Current(); value != nil {
		return value, nil
	}
	return s.fresh(ctx, 0)
}

// IsFresh reports whether the value is at most maxAge old.
func (s *Snapshot[T]) IsFresh(maxAge time.Duration) bool {
	v := s.latest.Load()
	return v != nil && !v.began.Before(s.oldest(s.options.Now(), maxAge))
}

// LastRead returns when the value was read, and when the last read ended if it failed. Each is zero otherwise. Failures are known only with
// a FailurePause.
func (s *Snapshot[T]) LastRead() (read, failed time.Time) {
	if v := s.latest.Load(); v != nil {
		read = v.began
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failure != nil {
		failed = s.failure.ended
	}
	return read, failed
}

// Expire makes all values read before the call stale, whatever their age, because the original has changed.
func (s *Snapshot[T]) Expire() {
	now := s.options.Now()
	s.expired.Store(&now)
}

// Put sets a value that another read has returned, unless one of a later read is known. began is when that read began.
func (s *Snapshot[T]) Put(value *T, began time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if v := s.latest.Load(); v == nil || v.began.Before(began) {
		s.latest.Store(&version[T]{value, began})
	}
}

// oldest is when a read must have begun for its value to be fresh.
func (s *Snapshot[T]) oldest(now time.Time, maxAge time.Duration) time.Time {
	oldest := now.Add(-maxAge)
	if e := s.expired.Load(); e != nil && e.After(oldest) {
		return *e
	}
	return oldest
}

// Refresh begins to read the value if it is older than maxAge, and does not wait for it (stale-while-revalidate). A failure leaves the last
// value.
func (s *Snapshot[T]) Refresh(ctx context.Context, maxAge time.Duration) {
	if !s.IsFresh(maxAge) {
		_, _ = s.join(ctx) // an error is that of an earlier read
	}
}

// Fresh is the value, at most maxAge old. It waits for a read if the value is older; one read serves all waiting callers. A read that began
// before this call may fail for a reason of another caller, such as its deadline: then the value is read again, unless there is a pause
// after a failure.
func (s *Snapshot[T]) Fresh(ctx context.Context, maxAge time.Duration) (*T, error) {
	s.markAsked()
	return s.fresh(ctx, maxAge)
}

// markAsked does not write if that changes nothing: many requests call it.
func (s *Snapshot[T]) markAsked() {
	if !s.asked.Load() {
		s.asked.Store(true)
	}
}

// KeepFresh is Fresh for the owner, who calls it periodically so that callers need not wait. If nobody has asked for the value since the
// last call, it is read only if it is older than idle: an idle process asks for little.
func (s *Snapshot[T]) KeepFresh(ctx context.Context, maxAge, idle time.Duration) (*T, error) {
	if !s.asked.Swap(false) {
		maxAge = idle
	}
	return s.fresh(ctx, maxAge)
}

func (s *Snapshot[T]) fresh(ctx context.Context, maxAge time.Duration) (*T, error) {
	called := s.options.Now()
	since := s.oldest(called, maxAge)
	for {
		if v := s.latest.Load(); v != nil && !v.began.Before(since) {
			return v.value, nil
		}
		r, err := s.join(ctx)
		if err != nil {
			return nil, err
		}
		joined := time.Now()
		select {
		case <-r.done:
			if s.options.Waited != nil {
				s.options.Waited(ctx, r.ctx, time.Since(joined))
			}
			if r.err != nil && !r.began.Before(called) {
				return nil, r.err
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// join returns the read under way, or begins one. In the pause after a failure it returns the error of that read.
func (s *Snapshot[T]) join(ctx context.Context) (*sharedRead, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running == nil {
		if s.failure != nil && s.options.Now().Sub(s.failure.ended) < s.options.FailurePause() {
			return nil, s.failure.err
		}
		r := &sharedRead{began: s.options.Now(), done: make(chan struct{}), ctx: s.options.Detach(ctx)}
		s.running = r
		s.options.Spawn(func() { s.run(r) })
	}
	return s.running, nil
}

func (s *Snapshot[T]) run(r *sharedRead) {
	value, err := s.read(r.ctx)
	if err == nil {
		s.Put(value, r.began)
	}
	s.mu.Lock()
	s.running, s.failure = nil, nil
	if err != nil && s.options.FailurePause != nil {
		s.failure = &failedRead{err, s.options.Now()}
	}
	s.mu.Unlock()
	r.err = err
	close(r.done)
}
