package neo4jentity

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
	seen   *ManagedTypes
	at     time.Time // when type batches were last planned
}

const (
	// maxPlannedBatches is for how many type batches of each kind the expensive statement is planned: a second or two of the database's
	// time.
	maxPlannedBatches = 10
	// planInterval is the minimum interval between plannings: after a new type the database plans everything again.
	planInterval = 10 * time.Second
)

// Planner makes the database plan the statements of requests before they are needed.
type Planner struct {
	client     *bolt.Client
	config     *Config
	texts      *Texts
	reads      *Reader
	exclusions *ExclusionCache
	changes    *changeRecorder
	planned    planned

	planUndo func(context.Context)
}

// NewPlanner creates a planner. planUndo plans the statements of an undo.
func NewPlanner(core *Core, planUndo func(context.Context)) Planner {
	return Planner{
		client: core.Client, config: core.Config, texts: core.Texts, reads: core.Reads, exclusions: core.Exclusions,
		changes: core.runner.changeRecorder, planUndo: planUndo,
	}
}

// PlanAhead makes the database plan the statements of requests, so that no request waits for it: planning takes tens of milliseconds
// for a statement on one type and some hundred for one on a batch of types. It runs them on no rows, which reads and changes nothing.
// Statements on batches of types are planned after they were requested, once no new types are added. A failure shows in the requests
// themselves.
func (p *Planner) PlanAhead(ctx context.Context, m *ManagedTypes) {
	if !p.config.PlanAhead {
		return
	}
	ctx = graph.WithStop(ctx, ctx) // nothing is lost when the store closes meanwhile
	if !p.planned.shared {
		p.planned.shared = true
		p.planBatches(ctx)
		_, _ = p.exclusions.EndsAreVisible(ctx, nil, map[string]int64{"": manyEdges})
		if p.config.Journal {
			p.planUndo(ctx)
		}
	}
	settled := p.planned.seen == m
	p.planned.seen = m
	if !settled || time.Since(p.planned.at) < planInterval {
		return
	}
	for _, k := range []kind{nodes, edges} {
		batches := m.Of(k).Batches
		for _, shared := range batches[:min(len(batches), maxPlannedBatches)] {
			if ctx.Err() != nil || p.reads.Catalog.Current() != m {
				return
			}
			if shared.Requested.Load() && !shared.PlanCached.Load() {
				p.planned.at = time.Now()
				shared.PlanCached.Store(p.planLookups(ctx, k, shared) == nil)
			}
		}
	}
}

// planLookups plans the look-ups of a batch of types, of whole entities and of references to them.
func (p *Planner) planLookups(ctx context.Context, k kind, shared *typeBatch) error {
	for _, content := range []cypher.Fragment{whole(k), p.texts.referred(k)} {
		text := p.texts.perTypeLookup(k, shared, EndColumns{}, content)
		if _, err := p.client.Read(ctx, text, map[string]any{"ids": shared.emptyIDs()}); err != nil {
			return err
		}
	}
	return nil
}

// planBatches plans the statements that batches of all types share. Their parameters have the types of the requests' parameters.
func (p *Planner) planBatches(ctx context.Context) {
	for _, text := range []cypher.Text{p.texts.ElementsText(nodes, EndColumns{}), p.texts.ElementsText(edges, EndColumns{})} {
		_, _ = p.client.Read(ctx, text, ElementParams([]string{}, RowsPerPart))
	}
	for _, k := range []kind{nodes, edges} {
		params, err := p.changes.Params(ctx, RowWrite{Kind: k, Action: audit.Create, Checked: []string{}})
		if err != nil {
			return
		}
		params = WithRows(params, bolt.BatchRows{})
		params["managed"] = []string{}
		for _, statement := range []cypher.Statement{StatementsOf[k].create, StatementsOf[k].update, StatementsOf[k].Remove} {
			_, _ = p.client.Write(ctx, p.texts.TextOf(statement), params)
		}
	}
}
