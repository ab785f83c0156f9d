package neo4jstore

import "context"

// PurgeAudit removes old entries of the audit as the work in the background does.
func PurgeAudit(ctx context.Context, s *Store) (int64, error) { return s.purgeAudit(ctx) }

// LookupsPlanned says whether ids of many types are looked up each in its own, for every managed type there is.
func (s *Store) LookupsPlanned() bool {
	m := s.catalogue.known()
	if m == nil {
		return false
	}
	for _, k := range []kind{nodes, edges} {
		for _, wide := range m.of(k).lookupSets() {
			if !wide.planned.Load() {
				return false
			}
		}
	}
	return true
}

// AcquireTimeout is how long a request may wait for connections.
const AcquireTimeout = acquireTimeout

// TakePlace takes one of the places for calls, as a call does, and Return gives it back.
func TakePlace(s *Store) { s.client.places <- struct{}{} }

func ReturnPlace(s *Store) { <-s.client.places }
