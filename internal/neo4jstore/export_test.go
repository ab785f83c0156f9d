package neo4jstore

import (
	"context"

	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jaudit"
	"graphrest/internal/neo4jentity"
)

// AuditOf is the audit of a store.
func AuditOf(s *Store) *neo4jaudit.Store { return s.core.Audit }

// ClientOf is the client of a store.
func ClientOf(s *Store) *bolt.Client { return s.core.Client }

// PlanTypeBatches makes the database plan every type batch, as the background work does for requested ones. It reports whether all are
// planned.
func PlanTypeBatches(ctx context.Context, s *Store) (planned bool) {
	m, err := s.core.Catalog.Fresh(ctx, 0)
	if err != nil {
		return false
	}
	planned = true
	for _, k := range []graph.Kind{graph.NodeKind, graph.EdgeKind} {
		for _, batch := range m.Of(k).Batches {
			batch.Requested.Store(true)
			planned = planned && batch.PlanCached.Load()
		}
	}
	return planned
}

// RefreshCaches reads the changes of others: which types are managed, as the background work does every second, and which properties are
// indexed, as a filter does after some seconds.
func RefreshCaches(ctx context.Context, s *Store) error {
	s.ExpireIndexedKeys()
	_, err := s.core.Catalog.Fresh(ctx, 0)
	return err
}

// The limits of a large delete, and of the names of an import in the audit.
const (
	EdgesPerDelete = neo4jentity.EdgesPerDelete
	MaxNamedEdges  = neo4jentity.MaxNamedEdges
)
