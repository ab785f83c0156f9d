package neo4jstore

import (
	"context"
	"time"
)

// PurgeAudit removes old entries of the audit as the work in the background does.
func PurgeAudit(ctx context.Context, s *Store) (int64, error) { return s.purgeAudit(ctx) }

// Notice takes up what others made: which types are managed, as the work in the background does every second, and which
// properties are indexed, as a filter does that comes seconds later.
func Notice(ctx context.Context, s *Store) error {
	s.indexCache.mu.Lock()
	s.indexCache.at = time.Time{}
	s.indexCache.mu.Unlock()
	_, err := s.catalogue.within(ctx, 0)
	return err
}
