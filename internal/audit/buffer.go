package audit

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"
)

const (
	// flushEvery is how long a refusal is kept in memory at most.
	flushEvery = 5 * time.Second
	// flushTimeout bounds the writing of what was gathered.
	flushTimeout = 5 * time.Second
	// fullEvery and fullAtOnce bound what refusals can fill the database with, for each gateway: so many entries at once, and from
	// then on one more each time fullEvery has passed. What is beyond is counted in one entry for each code, every restEvery.
	refusalBurst  = 200
	refusalRefill = 20 * time.Second
	overflowEvery = time.Minute
	// loginsAtOnce and loginEvery bound what one user's logins can fill the database with: so many entries at once, and one more each
	// time loginEvery has passed. What is beyond is counted in one entry of that user, every restEvery.
	loginBurst  = 20
	loginRefill = time.Minute
)

// Buffer writes what no change of data carries: logins as they happen, and refusals gathered, so that nobody can fill the
// database with them. A user who logs in all the time has the logins beyond loginsAtOnce gathered too. A nil Buffer writes nothing.
type Buffer struct {
	recorder Recorder
	log      *slog.Logger
	now      func() time.Time

	flushMu sync.Mutex // held by who writes what is gathered

	mu                sync.Mutex
	pending           map[groupKey]*Entry
	order             []groupKey
	tokens            float64 // entries that may be written apart
	refilledAt        time.Time
	logins            map[string]*tokenBucket // by user id: of those who logged in lately
	overflowWrittenAt time.Time               // when the counts of the rest were written
}

// allowance is how many logins of a user may have an entry of their own.
type tokenBucket struct {
	tokens     float64
	refilledAt time.Time
}

// refusal is what refusals of the same kind have in common, or, with an outcome that says so, logins.
type groupKey struct {
	outcome             Outcome
	action              Action
	kind                Kind
	code, entity        string
	user, name, address string
}

// ofTheRest says whether it counts what there was no room for.
func (r groupKey) isOverflow() bool { return r.outcome == Done || r.address == "" && r.user == "" }

// NewBuffer makes a book. A nil clock is time.Now.
func NewBuffer(to Recorder, clock func() time.Time, log *slog.Logger) *Buffer {
	if clock == nil {
		clock = time.Now
	}
	return &Buffer{recorder: to, log: log, now: clock, pending: map[groupKey]*Entry{}, tokens: refusalBurst, refilledAt: clock(), logins: map[string]*tokenBucket{}}
}

// Write writes an entry before it returns. DATABASE_UNAVAILABLE.
func (b *Buffer) Write(ctx context.Context, e Entry) error {
	if b == nil {
		return nil
	}
	return b.recorder.Record(ctx, []Entry{e})
}

// WriteLogin writes a login before it returns, or, where its user logs in all the time, counts it in an entry that is written within
// restEvery. DATABASE_UNAVAILABLE.
func (b *Buffer) WriteLogin(ctx context.Context, e Entry) error {
	if b == nil {
		return nil
	}
	if b.takeLoginToken(e.Actor.UserID) {
		return b.recorder.Record(ctx, []Entry{e})
	}
	e.Outcome, e.Count, e.Entity = Done, 1, "" // several tokens
	b.mu.Lock()
	defer b.mu.Unlock()
	b.add(groupKey{outcome: Done, action: e.Action, kind: e.Kind, user: e.Actor.UserID}, e)
	return nil
}

// mayWriteLogin takes one of the entries that a user's logins may have, if there is one. It forgets users whose allowance is full
// again, so that the map holds those who logged in within the last loginsAtOnce times loginEvery.
func (b *Buffer) takeLoginToken(user string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	for id, a := range b.logins {
		a.tokens = min(loginBurst, a.tokens+float64(now.Sub(a.refilledAt))/float64(loginRefill))
		if a.refilledAt = now; a.tokens == loginBurst {
			delete(b.logins, id)
		}
	}
	a := b.logins[user]
	if a == nil {
		a = &tokenBucket{tokens: loginBurst, refilledAt: now}
		b.logins[user] = a
	}
	if a.tokens < 1 {
		return false
	}
	a.tokens--
	return true
}

// gather adds an entry to those of its kind; the lock is held.
func (b *Buffer) add(r groupKey, e Entry) {
	if known := b.pending[r]; known != nil {
		known.Count++
		return
	}
	b.pending[r] = &e
	b.order = append(b.order, r)
}

// Refuse notes a refusal; it is written within seconds. Those that have all but the request in common are one entry, with their count and
// the first one's request.
func (b *Buffer) AddRefusal(e Entry) {
	if b == nil {
		return
	}
	e.Outcome, e.Count = Refused, 1
	b.mu.Lock()
	defer b.mu.Unlock()
	r := groupKey{Refused, e.Action, e.Kind, e.Code, e.Entity, e.Actor.UserID, e.Name, e.Actor.Address}
	if b.pending[r] == nil && !b.takeToken() {
		// The rest of them, whoever they are from.
		r = groupKey{outcome: Refused, action: e.Action, kind: e.Kind, code: e.Code}
		e = Entry{Action: e.Action, Kind: e.Kind, Outcome: Refused, Code: e.Code, Count: 1}
	}
	b.add(r, e)
}

// room takes one of the entries that may be written apart, if there is one.
func (b *Buffer) takeToken() bool {
	now := b.now()
	b.tokens = min(refusalBurst, b.tokens+float64(now.Sub(b.refilledAt))/float64(refusalRefill))
	b.refilledAt = now
	if b.tokens < 1 {
		return false
	}
	b.tokens--
	return true
}

// Run writes what is gathered until the context ends, and once more then.
func (b *Buffer) Run(ctx context.Context) {
	if b == nil {
		return
	}
	ticker := time.NewTicker(flushEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			b.Flush(context.WithoutCancel(ctx))
			return
		case <-ticker.C:
			b.writeGroups(ctx, b.dueKeys())
		}
	}
}

// Flush writes all that is gathered. What cannot be written is kept for the next time.
func (b *Buffer) Flush(ctx context.Context) {
	if b == nil {
		return
	}
	b.mu.Lock()
	all := slices.Clone(b.order)
	b.mu.Unlock()
	b.writeGroups(ctx, all)
}

// due is what is gathered, but for the counts of the rest, which are written every restEvery only.
func (b *Buffer) dueKeys() []groupKey {
	b.mu.Lock()
	defer b.mu.Unlock()
	if now := b.now(); now.Sub(b.overflowWrittenAt) >= overflowEvery {
		b.overflowWrittenAt = now
		return slices.Clone(b.order)
	}
	return slices.DeleteFunc(slices.Clone(b.order), groupKey.isOverflow)
}

func (b *Buffer) writeGroups(ctx context.Context, chosen []groupKey) {
	b.flushMu.Lock()
	defer b.flushMu.Unlock()
	b.mu.Lock()
	chosen = slices.DeleteFunc(chosen, func(r groupKey) bool { return b.pending[r] == nil })
	entries := make([]Entry, len(chosen))
	for i, r := range chosen {
		entries[i] = *b.pending[r]
	}
	b.mu.Unlock()
	if len(entries) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, flushTimeout)
	defer cancel()
	if err := b.recorder.Record(ctx, entries); err != nil {
		b.log.Warn("refusals could not be written to the audit; the next try is soon", "entries", len(entries), "error", err)
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for i, r := range chosen {
		if b.pending[r].Count -= entries[i].Count; b.pending[r].Count == 0 { // others may have come meanwhile
			delete(b.pending, r)
		}
	}
	b.order = slices.DeleteFunc(b.order, func(r groupKey) bool { return b.pending[r] == nil })
}
