package neo4jstore

import "context"

// PurgeAudit removes old entries of the audit as the work in the background does.
func PurgeAudit(ctx context.Context, s *Store) (int64, error) { return s.purgeAudit(ctx) }

// AcquireTimeout is how long a request may wait for connections.
const AcquireTimeout = acquireTimeout

// TakePlace takes one of the places for calls, as a call does, and Return gives it back.
func TakePlace(s *Store) { s.client.places <- struct{}{} }

func ReturnPlace(s *Store) { <-s.client.places }
