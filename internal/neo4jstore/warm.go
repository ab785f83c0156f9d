package neo4jstore

import (
	"context"
	"time"

	"graphrest/cypher"
	"graphrest/internal/audit"
)

// warmed is what was planned already. Only follow's goroutine touches it.
type warmed struct {
	batches bool
	seen    *managedTypes
	at      time.Time // when sets of types were last planned
}

const (
	// setsPlanned is for how many sets of types of each kind the dear statement is planned: a second or two of the database's time.
	maxPlannedBatches = 10
	// planEvery is how long it is left at least until the next time: a new type has the database plan everything anew.
	planInterval = 10 * time.Second
)

// warm has the database plan the statements that requests will send, so that no request waits for it: planning takes tens of
// milliseconds for a statement on one type and some hundred for one that looks into a set of types. It runs them on no rows at all, which
// reads and changes nothing. The latter are planned where they were wanted, once no more types come. A failure shows in the requests
// themselves.
func (s *Store) warmPlanCache(ctx context.Context, m *managedTypes) {
	if !s.warmed.batches {
		s.warmed.batches = true
		s.warmBatches(ctx)
	}
	settled := s.warmed.seen == m
	s.warmed.seen = m
	if !settled || time.Since(s.warmed.at) < planInterval {
		return
	}
	for _, k := range []kind{nodes, edges} {
		sets := m.of(k).typeBatches()
		for _, shared := range sets[:min(len(sets), maxPlannedBatches)] {
			if ctx.Err() != nil || s.catalogue.current() != m {
				return
			}
			if shared.requested.Load() && !shared.planCached.Load() {
				s.warmed.at = time.Now()
				_, err := s.client.read(ctx, s.perTypeLookup(k, shared), map[string]any{"ids": shared.emptyIDs()})
				shared.planCached.Store(err == nil)
			}
		}
	}
}

// warmBatches has the statements planned that batches of all types share. Their parameters are of the kinds that requests give.
func (s *Store) warmBatches(ctx context.Context) {
	id := cypher.Slots{"id": s.idName}
	none := batched([]string{})
	for _, text := range []cypher.Text{cypher.NodesByElement.Text(nil), cypher.EdgesByElement.Text(id)} {
		_, _ = s.client.read(ctx, text, map[string]any{"elements": none})
	}
	for _, k := range []kind{nodes, edges} {
		params := s.auditParams(audit.Create, k)
		params["rows"], params["checked"] = batchRows{}.list(), none
		statements := []cypher.Statement{cypher.UpdateNodes, cypher.DeleteNodes}
		texts := []cypher.Text{cypher.CreateNodes.Text(nil)}
		if k == edges {
			statements, texts = []cypher.Statement{cypher.CreateEdges, cypher.UpdateEdges, cypher.DeleteEdges}, nil
		}
		for _, statement := range statements {
			texts = append(texts, statement.Text(id))
		}
		for _, text := range texts {
			_, _ = s.client.write(ctx, text, params)
		}
	}
}

// lookupSets are the sets of types that statements look ids up in.
func (t *typeSet) typeBatches() []*typeBatch {
	var sets []*typeBatch
	for _, name := range t.names {
		if shared := t.batches[name]; len(sets) == 0 || sets[len(sets)-1] != shared {
			sets = append(sets, shared)
		}
	}
	return sets
}
