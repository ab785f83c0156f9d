package audit

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	// flushEvery is the maximum time a refusal stays in memory.
	flushEvery = 5 * time.Second
	// flushTimeout is the timeout of one write of pending entries.
	flushTimeout = 5 * time.Second
	// refusalBurst and refusalRefill are the token bucket of one gateway's refusal entries: refusalBurst first, then one more each
	// refusalRefill. Refusals beyond it are counted in one overflow entry per code, written each overflowEvery.
	refusalBurst  = 200
	refusalRefill = 20 * time.Second
	overflowEvery = time.Minute
	// loginBurst and loginRefill are the token bucket that bounds the login entries of one user. Logins beyond it are
	// counted in one overflow entry of that user, written each overflowEvery.
	loginBurst  = 20
	loginRefill = time.Minute
)

// Buffer writes the entries of events that change no data: logins immediately, refusals aggregated in batches, so that
// clients cannot fill the database with them. The logins of one user beyond loginBurst are aggregated too. A nil Buffer
// writes nothing.
type Buffer struct {
	recorder Recorder
	log      *slog.Logger
	now      func() time.Time

	flushMu sync.Mutex // held while pending entries are written

	mu                sync.Mutex
	pending           map[groupKey]*Entry
	order             []groupKey
	tokens            float64 // separate refusal entries that may still be written
	refilledAt        time.Time
	logins            map[string]*tokenBucket // by user id, of users who logged in recently
	overflowWrittenAt time.Time               // when the overflow entries were last written
}

// tokenBucket is the number of logins of a user that may have a separate entry.
type tokenBucket struct {
	tokens     float64
	refilledAt time.Time
}

// groupKey identifies refusals that are aggregated into one entry or, with the outcome Done, logins.
type groupKey struct {
	outcome             Outcome
	action              Action
	kind                Kind
	code, entity        string
	user, name, address string
	token, tool         string
}

// isOverflow reports whether the key belongs to an overflow entry.
func (r groupKey) isOverflow() bool {
	return r.outcome == Done && r.action != Run || r.address == "" && r.user == ""
}

// NewBuffer creates a Buffer. A nil clock is time.Now.
func NewBuffer(to Recorder, clock func() time.Time, log *slog.Logger) *Buffer {
	if clock == nil {
		clock = time.Now
	}
	return &Buffer{
		recorder: to, log: log, now: clock, pending: map[groupKey]*Entry{}, tokens: refusalBurst, refilledAt: clock(),
		logins: map[string]*tokenBucket{},
	}
}

// Write writes an entry before it returns. DATABASE_UNAVAILABLE.
func (b *Buffer) Write(ctx context.Context, e Entry) error {
	if b == nil {
		return nil
	}
	return b.recorder.Record(ctx, []Entry{e})
}

// WriteLogin writes a login before it returns or, if the user exceeds loginBurst, counts it in an overflow entry that is
// written within overflowEvery. DATABASE_UNAVAILABLE.
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

// takeLoginToken takes one token from a user's bucket, if there is one. It removes full buckets, so that the map
// contains only users who logged in within the last loginBurst times loginRefill.
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

// add adds an entry to its group; the caller holds the lock.
func (b *Buffer) add(r groupKey, e Entry) {
	if known := b.pending[r]; known != nil {
		known.Count++
		return
	}
	b.pending[r] = &e
	b.order = append(b.order, r)
}

// AddRefusal buffers a refusal, which is written within seconds. Refusals that differ only in their request share one
// entry with their count and the request of the first.
func (b *Buffer) AddRefusal(e Entry) {
	if b == nil {
		return
	}
	e.Outcome, e.Count = Refused, 1
	b.mu.Lock()
	defer b.mu.Unlock()
	r := groupKey{
		Refused, e.Action, e.Kind, e.Code, e.Entity, e.Actor.UserID, e.Name, e.Actor.Address,
		e.Actor.TokenID, e.Actor.Agent.Tool,
	}
	if b.pending[r] == nil && !b.takeToken() {
		// The overflow entry, for all users and addresses.
		r = groupKey{outcome: Refused, action: e.Action, kind: e.Kind, code: e.Code}
		e = Entry{Action: e.Action, Kind: e.Kind, Outcome: Refused, Code: e.Code, Count: 1}
	}
	b.add(r, e)
}

// AddRun buffers the run of a query, which is written within seconds. Runs of one query by one user meanwhile share an entry with their
// count, and the parameters and the request of the first.
func (b *Buffer) AddRun(e Entry) {
	if b == nil {
		return
	}
	e.Outcome, e.Count = Done, 1
	b.mu.Lock()
	defer b.mu.Unlock()
	b.add(groupKey{
		Done, e.Action, e.Kind, "", e.Entity, e.Actor.UserID, strings.Join(e.Fields, ","), e.Actor.Address,
		e.Actor.TokenID, e.Actor.Agent.Tool,
	}, e)
}

// takeToken takes one token for a separate refusal entry, if there is one.
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

// Run writes pending entries until the context ends, and once more then.
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

// Flush writes all pending entries. Entries that cannot be written stay pending.
func (b *Buffer) Flush(ctx context.Context) {
	if b == nil {
		return
	}
	b.mu.Lock()
	all := slices.Clone(b.order)
	b.mu.Unlock()
	b.writeGroups(ctx, all)
}

// dueKeys returns the keys of the pending entries to write now. Overflow entries are included only once each
// overflowEvery.
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
		b.log.Warn("refusals could not be written to the audit; the next attempt follows soon", "entries", len(entries), "error", err)
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for i, r := range chosen {
		if b.pending[r].Count -= entries[i].Count; b.pending[r].Count == 0 { // refusals may have been added since
			delete(b.pending, r)
		}
	}
	b.order = slices.DeleteFunc(b.order, func(r groupKey) bool { return b.pending[r] == nil })
}
