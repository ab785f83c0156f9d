package neo4jstore

import (
	"context"
	"time"

	"graphrest/cypher"
	"graphrest/internal/audit"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
)

// planned is what was planned already. Only runMaintenance's goroutine accesses it.
type planned struct {
	shared bool
	seen   *managedTypes
	at     time.Time // when type batches were last planned
}

const (
	// maxPlannedBatches is for how many type batches of each kind the expensive statement is planned: a second or two of the database's
	// time.
	maxPlannedBatches = 10
	// planInterval is the minimum interval between plannings: after a new type the database plans everything again.
	planInterval = 10 * time.Second
)

// planAhead makes the database plan the statements of requests, so that no request waits for it: planning takes tens of milliseconds
// for a statement on one type and some hundred for one on a batch of types. It runs them on no rows, which reads and changes nothing.
// Statements on batches of types are planned after they were requested, once no new types are added. A failure shows in the requests
// themselves.
func (s *Store) planAhead(ctx context.Context, m *managedTypes) {
	if !s.config.PlanAhead {
		return
	}
	ctx = graph.WithStop(ctx, ctx) // nothing is lost when the store closes meanwhile
	if !s.planned.shared {
		s.planned.shared = true
		s.planBatches(ctx)
		if s.config.Journal {
			s.planUndo(ctx)
		}
	}
	settled := s.planned.seen == m
	s.planned.seen = m
	if !settled || time.Since(s.planned.at) < planInterval {
		return
	}
	for _, k := range []kind{nodes, edges} {
		batches := m.of(k).batches
		for _, shared := range batches[:min(len(batches), maxPlannedBatches)] {
			if ctx.Err() != nil || s.catalogue.Current() != m {
				return
			}
			if shared.requested.Load() && !shared.planCached.Load() {
				s.planned.at = time.Now()
				_, err := s.client.Read(ctx, s.perTypeLookup(k, shared, endColumns{}), map[string]any{"ids": shared.emptyIDs()})
				shared.planCached.Store(err == nil)
			}
		}
	}
}

// planBatches plans the statements that batches of all types share. Their parameters have the types of the requests' parameters.
func (s *Store) planBatches(ctx context.Context) {
	for _, text := range []cypher.Text{s.elementsText(nodes, endColumns{}), s.elementsText(edges, endColumns{})} {
		_, _ = s.client.Read(ctx, text, elementParams([]string{}, rowsPerPart))
	}
	for _, k := range []kind{nodes, edges} {
		params, err := s.changeParams(ctx, batchChange{action: audit.Create, kind: k, checked: []string{}})
		if err != nil {
			return
		}
		params = withRows(params, bolt.BatchRows{})
		params["managed"] = []string{}
		for _, statement := range []cypher.Statement{statementsOf[k].create, statementsOf[k].update, statementsOf[k].remove} {
			_, _ = s.client.Write(ctx, s.textOf(statement), params)
		}
	}
}

// planUndo plans the statements that bring a deleted node back with its edges: an undo runs them in one transaction, whose time is bounded.
func (s *Store) planUndo(ctx context.Context) {
	_, _ = s.client.Read(ctx, cypher.JournalWith.Text(nil), map[string]any{"node": "", "entity": "", "change_id": "", "limit": maxUndo + 1})
	for k, statements := range statementsOf {
		params, err := s.changeParams(ctx, batchChange{action: audit.Create, kind: k})
		if err != nil {
			return
		}
		_, _ = s.client.Write(ctx, s.textOf(statements.restore), withRows(params, bolt.BatchRows{}))
	}
	_, _ = s.client.Read(ctx, cypher.JournalMade.Text(nil), map[string]any{"request": "", "undo": "", "after": ""})
}
