package neo4jaudit

import (
	"context"
	"slices"
	"sync"

	"graphrest/cypher"
	"graphrest/internal/audit"
	"graphrest/internal/bolt"
)

// maxPendingEntries bounds the entries kept in memory. Further ones are in the log only.
const maxPendingEntries = 100

// pendingAudit contains entries that could not be written after the change they describe: a change of the database's schema and its entry
// cannot be in one transaction. Its zero value is ready for use.
type pendingAudit struct {
	mu      sync.Mutex
	entries []audit.Entry // in the order of the changes
}

// contains reports whether an entry is still to be written: then a request for the same change is a repetition.
func (o *pendingAudit) contains(action audit.Action, kind audit.Kind, entity string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.ContainsFunc(o.entries, func(e audit.Entry) bool { return e.Action == action && e.Kind == kind && e.Entity == entity })
}

// drain returns all entries and removes them.
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

// IsPending reports whether the entry of a change is still to be written: then a request for the same change is a repetition.
func (s *Store) IsPending(action audit.Action, kind audit.Kind, entity string) bool {
	return s.pending.contains(action, kind, entity)
}

// RecordWithPending writes the entry of a change that was just made, and the pending ones. If that fails the change remains: the fault says
// so with the given text, and the log has the entry. If the connection is lost at the commit, the entry may be written twice.
func (s *Store) RecordWithPending(ctx context.Context, e audit.Entry, done string) error {
	if !s.Records(e.Kind) {
		return nil
	}
	err := s.FlushPending(ctx, done, e)
	if err != nil {
		s.config.Log.Warn("an entry of the audit could not be written", "action", string(e.Action), "kind", string(e.Kind), "entity", e.Entity,
			"user", e.Actor.User, "user_id", e.Actor.UserID, "request_id", e.Actor.RequestID, "address", e.Actor.Address, "error", err.Error())
	}
	return err
}

// FlushPending writes the pending entries and more.
func (s *Store) FlushPending(ctx context.Context, done string, more ...audit.Entry) error {
	entries := append(s.pending.drain(), more...)
	if _, err := s.client.Write(ctx, cypher.AuditRecord.Text(nil), EntryParameters(entries...)); err != nil {
		s.pending.putBack(entries)
		return bolt.Unavailable(err, done+"; its entry in the audit could not be written yet. Send the request again to write it")
	}
	return nil
}
