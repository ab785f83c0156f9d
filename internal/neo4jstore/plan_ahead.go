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

// planner makes the database plan the statements of requests before they are needed.
type planner struct {
	client  *bolt.Client
	config  *Config
	texts   *statementTexts
	reads   *entityReader
	changes *changeRecorder
	planned planned

	planUndo func(context.Context)
}

// newPlanner creates a planner. planUndo plans the statements of an undo.
func newPlanner(core *core, planUndo func(context.Context)) planner {
	return planner{
		client: core.client, config: core.config, texts: core.texts, reads: core.reads, changes: core.runner.changeRecorder, planUndo: planUndo,
	}
}

// planAhead makes the database plan the statements of requests, so that no request waits for it: planning takes tens of milliseconds
// for a statement on one type and some hundred for one on a batch of types. It runs them on no rows, which reads and changes nothing.
// Statements on batches of types are planned after they were requested, once no new types are added. A failure shows in the requests
// themselves.
func (p *planner) planAhead(ctx context.Context, m *managedTypes) {
	if !p.config.PlanAhead {
		return
	}
	ctx = graph.WithStop(ctx, ctx) // nothing is lost when the store closes meanwhile
	if !p.planned.shared {
		p.planned.shared = true
		p.planBatches(ctx)
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
		batches := m.of(k).batches
		for _, shared := range batches[:min(len(batches), maxPlannedBatches)] {
			if ctx.Err() != nil || p.reads.catalog.Current() != m {
				return
			}
			if shared.requested.Load() && !shared.planCached.Load() {
				p.planned.at = time.Now()
				_, err := p.client.Read(ctx, p.texts.perTypeLookup(k, shared, endColumns{}), map[string]any{"ids": shared.emptyIDs()})
				shared.planCached.Store(err == nil)
			}
		}
	}
}

// planBatches plans the statements that batches of all types share. Their parameters have the types of the requests' parameters.
func (p *planner) planBatches(ctx context.Context) {
	for _, text := range []cypher.Text{p.texts.elementsText(nodes, endColumns{}), p.texts.elementsText(edges, endColumns{})} {
		_, _ = p.client.Read(ctx, text, elementParams([]string{}, rowsPerPart))
	}
	for _, k := range []kind{nodes, edges} {
		params, err := p.changes.params(ctx, rowWrite{k: k, action: audit.Create, checked: []string{}})
		if err != nil {
			return
		}
		params = withRows(params, bolt.BatchRows{})
		params["managed"] = []string{}
		for _, statement := range []cypher.Statement{statementsOf[k].create, statementsOf[k].update, statementsOf[k].remove} {
			_, _ = p.client.Write(ctx, p.texts.textOf(statement), params)
		}
	}
}
