package neo4jstore

import (
	"context"
	"slices"
	"sync"

	"graphrest/cypher"
	"graphrest/internal/audit"
)

// maxOwed bounds the entries that are kept in memory. What is beyond stands in the log only.
const maxPendingEntries = 100

// owed are entries that could not be written after what they tell was done: a change of the database's schema, which no transaction can hold
// together with its entry. Its zero value is ready for use.
type pendingAudit struct {
	mu      sync.Mutex
	entries []audit.Entry // in the order in which things were done
}

// has says whether the entry of something is still to be written: then a request that asks for it again is a repetition.
func (o *pendingAudit) contains(action audit.Action, kind audit.Kind, entity string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.ContainsFunc(o.entries, func(e audit.Entry) bool { return e.Action == action && e.Kind == kind && e.Entity == entity })
}

// take empties it.
func (o *pendingAudit) drain() []audit.Entry {
	o.mu.Lock()
	defer o.mu.Unlock()
	entries := o.entries
	o.entries = nil
	return entries
}

func (o *pendingAudit) putBack(entries []audit.Entry) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.entries = slices.Concat(entries, o.entries)
	o.entries = o.entries[:min(len(o.entries), maxPendingEntries)]
}

// recordAfter writes the entry of what has just been done, and those that are owed. Where that fails, what was done stands all the same:
// the fault says so in the words given, and the log has the entry. A connection lost at the very end may leave it there twice.
func (s *Store) recordWithPending(ctx context.Context, e audit.Entry, done string) error {
	if !s.config.Audit.Records(e.Kind) {
		return nil
	}
	err := s.flushPending(ctx, done, e)
	if err != nil {
		s.config.Log.Warn("an entry of the audit could not be written", "action", string(e.Action), "kind", string(e.Kind), "entity", e.Entity,
			"user", e.Actor.User, "user_id", e.Actor.UserID, "request_id", e.Actor.RequestID, "address", e.Actor.Address, "error", err.Error())
	}
	return err
}

// recordOwed writes what is owed, and more.
func (s *Store) flushPending(ctx context.Context, done string, more ...audit.Entry) error {
	entries := append(s.pendingAudit.drain(), more...)
	if _, err := s.client.write(ctx, cypher.AuditRecord.Text(nil), entryParams(entries...)); err != nil {
		s.pendingAudit.putBack(entries)
		return unavailable(err, done+"; its entry in the audit could not be written yet. Send the request again to have it written")
	}
	return nil
}
