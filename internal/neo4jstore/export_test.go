package neo4jstore

import (
	"context"
	"time"
)

// PurgeAudit removes old entries of the audit as the work in the background does.
func PurgeAudit(ctx context.Context, s *Store) (int64, error) { return s.purgeAudit(ctx) }

// PlanLookups has every set of types planned, as the work in the background does for those that were wanted.
func PlanTypeBatches(ctx context.Context, s *Store) (planned bool) {
	m, err := s.catalogue.fresh(ctx, 0)
	if err != nil {
		return false
	}
	planned = true
	for _, k := range []kind{nodes, edges} {
		for _, wide := range m.of(k).typeBatches() {
			wide.requested.Store(true)
			planned = planned && wide.planCached.Load()
		}
	}
	return planned
}

// AcquireTimeout is how long a request may wait for connections.
const AcquireTimeout = acquireTimeout

// TakePlace takes one of the places for calls, as a call does, and Return gives it back.
func AcquireConnection(s *Store) { s.client.sem <- struct{}{} }

func ReleaseConnection(s *Store) { <-s.client.sem }

// Notice takes up what others made: which types are managed, as the work in the background does every second, and which
// properties are indexed, as a filter does that comes seconds later.
func RefreshCaches(ctx context.Context, s *Store) error {
	s.indexCache.mu.Lock()
	s.indexCache.at = time.Time{}
	s.indexCache.mu.Unlock()
	_, err := s.catalogue.fresh(ctx, 0)
	return err
}

// The bounds of a large delete, and of what an import names in the audit.
const (
	EdgesPerDelete = edgesPerDelete
	MaxNamedEdges  = maxNamedEdges

	MaxNamedCreates = maxNamedCreates
)

// Translate turns an error of the driver into a fault.
var Translate = translate

// HoldNames lets nobody else add names until it is released; what is known of them is recent.
func LockNames(s *Store) (release func()) {
	s.names.adding <- struct{}{}
	s.names.mu.Lock()
	s.names.at = time.Now()
	s.names.mu.Unlock()
	return func() { <-s.names.adding }
}

// ForgetNames makes what is known of the names too old to be relied on.
func ExpireNames(s *Store) {
	s.names.adding <- struct{}{}
	s.names.mu.Lock()
	s.names.at = time.Time{}
	s.names.mu.Unlock()
	<-s.names.adding
}
