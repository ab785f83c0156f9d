package neo4jstore

import "context"

// PurgeAudit removes old entries of the audit as the work in the background does.
func PurgeAudit(ctx context.Context, s *Store) (int64, error) { return s.purgeAudit(ctx) }
