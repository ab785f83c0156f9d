package coalesce

import (
	"context"
	"sync"
	"time"
)

// maxFollow is how long a read waits for an equal one that already runs. After that it begins beside it.
const maxFollow = 20 * time.Millisecond

// EqualReads runs equal reads once for all callers that wait for them. A read begins after each of its callers has called, so that a
// caller sees what it wrote before. Without an equal read in progress a caller's own begins at once. The zero value is ready for use.
type EqualReads[R any] struct {
	mu    sync.Mutex
	reads map[string]*sharedRead[R] // the last read of each key, while it waits or runs
}

// sharedRead is a read that several callers wait for. The fields above done are guarded by EqualReads.mu.
type sharedRead[R any] struct {
	began   bool
	callers int
	after   <-chan struct{} // closed when the equal read that it waits for has ended; nil if there is none
	due     time.Time       // the end of that wait
	until   time.Time       // the latest deadline of its callers; zero if one has none
	end     func()          // ends its context; set once it has begun for several callers, of whom the last may leave

	done   chan struct{} // closed when the read has ended; the rest is set before
	result R
	err    error
	own    bool // the failure concerns only the caller who ran the read
}

// Sharing is how many callers have a result, and which of them ran the read.
type Sharing int

// Values of Sharing.
const (
	Alone  Sharing = iota // this caller only
	Shared                // this caller ran the read, for others as well, who must not change the result
	Joined                // another caller ran the read
)

// Do returns the result of read, or that of an equal read that began after this call. All callers get the error of a failed read, unless
// own is true: then the error concerns only the caller who ran it, and each other caller runs read alone, so that none waits for more than
// one error of another caller. A read for several callers has a separate context, which ends when all of them have left, and whose deadline
// is the latest of theirs.
func (s *EqualReads[R]) Do(
	ctx context.Context, key string, read func(context.Context) (result R, own bool, err error),
) (result R, sharing Sharing, err error) {
	r := s.join(ctx, key)
	if r.after == nil || s.waitForTurn(ctx, r) {
		sharing := s.run(ctx, key, r, read)
		return r.result, sharing, r.err
	}
	select {
	case <-r.done:
	case <-ctx.Done():
		s.leave(key, r)
		return result, Joined, ctx.Err()
	}
	if r.own {
		result, _, err = read(ctx)
		return result, Alone, err
	}
	return r.result, Joined, r.err
}

// join returns the read that this caller waits for. If it has no read to wait for (after is nil), the caller runs it.
func (s *EqualReads[R]) join(ctx context.Context, key string) *sharedRead[R] {
	deadline, _ := ctx.Deadline()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.reads == nil {
		s.reads = map[string]*sharedRead[R]{}
	}
	last := s.reads[key]
	if last != nil && !last.began {
		last.callers++
		if !last.until.IsZero() && (deadline.IsZero() || deadline.After(last.until)) {
			last.until = deadline
		}
		return last
	}
	next := &sharedRead[R]{done: make(chan struct{}), callers: 1, began: last == nil, until: deadline}
	if last != nil {
		next.after, next.due = last.done, time.Now().Add(maxFollow)
	}
	s.reads[key] = next
	return next
}

// waitForTurn waits until the previous read has ended, or takes too long. It reports whether this caller is the one to run the read.
func (s *EqualReads[R]) waitForTurn(ctx context.Context, r *sharedRead[R]) bool {
	timer := time.NewTimer(time.Until(r.due))
	defer timer.Stop()
	select {
	case <-r.after:
	case <-timer.C:
	case <-r.done:
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if ctx.Err() == nil && !r.began {
		r.began = true
		return true
	}
	return false
}

// leave removes a caller from a read; when the last one leaves, the read is cancelled.
func (s *EqualReads[R]) leave(key string, r *sharedRead[R]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.callers--; r.callers > 0 {
		return
	}
	if r.began {
		r.end()
	} else if s.reads[key] == r {
		delete(s.reads, key)
	}
}

func (s *EqualReads[R]) run(ctx context.Context, key string, r *sharedRead[R], read func(context.Context) (R, bool, error)) Sharing {
	r.own = true // if read panics
	defer func() {
		s.mu.Lock()
		if s.reads[key] == r {
			delete(s.reads, key)
		}
		s.mu.Unlock()
		close(r.done)
	}()
	sharing, ctx, release := s.contextOf(ctx, key, r)
	defer release()
	result, own, err := read(ctx)
	r.result, r.own, r.err = result, err != nil && (own || ctx.Err() != nil), err
	return sharing
}

// contextOf returns the context of a read that begins. No caller joins it afterwards.
func (s *EqualReads[R]) contextOf(ctx context.Context, key string, r *sharedRead[R]) (Sharing, context.Context, func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.callers == 1 {
		return Alone, ctx, func() {}
	}
	shared := context.WithoutCancel(ctx)
	if r.until.IsZero() {
		shared, r.end = context.WithCancel(shared)
	} else {
		shared, r.end = context.WithDeadline(shared, r.until)
	}
	stay := context.AfterFunc(ctx, func() { s.leave(key, r) })
	return Shared, shared, func() { stay(); r.end() }
}
