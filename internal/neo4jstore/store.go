// Package neo4jstore stores the graph in Neo4j. It builds the store from the packages that read and write, and runs what no request waits
// for.
package neo4jstore

import (
	"context"
	"sync"
	"time"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jaudit"
	"graphrest/internal/neo4jbatch"
	"graphrest/internal/neo4jbulk"
	"graphrest/internal/neo4jchangeset"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/neo4jjournal"
	"graphrest/internal/neo4jlist"
	"graphrest/internal/neo4jmatch"
	"graphrest/internal/neo4jschema"
	"graphrest/internal/neo4jsearch"
	"graphrest/internal/neo4jwalk"
)

// Config says how to store a graph: see neo4jentity.Config.
type Config = neo4jentity.Config

// Store stores nodes and edges and describes them: the Reader finds them, the Writer writes them, and Lists lists
// them. Whatever else it does is a field. It is safe for concurrent use.
type Store struct {
	neo4jschema.Stores
	*neo4jsearch.Searcher
	*neo4jentity.Reader
	*neo4jentity.Writer
	*neo4jlist.Lists

	Walks      *neo4jwalk.Walks
	Aggregates *neo4jlist.Aggregates
	Matches    *neo4jmatch.Matches
	Bulk       *neo4jbulk.Bulk
	Batches    *neo4jbatch.Batches
	ChangeSets *neo4jchangeset.Store
	Journal    *neo4jjournal.Journal
	Answers    *neo4jmatch.Answers

	core    *neo4jentity.Core
	planner neo4jentity.Planner

	ctx  context.Context // cancelled when the store closes; for background work only
	stop context.CancelFunc
	work sync.WaitGroup
}

var (
	_ graph.NodeStore = (*Store)(nil)
	_ graph.EdgeStore = (*Store)(nil)
)

// New creates a store whose statements a client runs, and whose changes an audit records. neo4jauth.Store.Prepare must have run once on a
// database before anything is written to it.
func New(client *bolt.Client, trail *neo4jaudit.Store, c Config) *Store {
	c.SetDefaults()
	s := &Store{}
	s.ctx, s.stop = context.WithCancel(context.Background())
	core := neo4jentity.New(neo4jentity.Sources{Client: client, Audit: trail, Config: &c, Spawn: s.work.Go, Background: s.background})
	s.core, s.Stores, s.Reader, s.Writer = core, core.Schema, core.Reads, core.Writes
	s.Searcher = neo4jsearch.New(neo4jsearch.Config{
		Client: client, Audit: trail, Names: s.Names, Managed: core.Catalog.ManagedAsOf, ReadHits: s.ReadHits, Spawn: s.work.Go,
		IDProperty: c.IDProperty,
	})
	s.Lists = neo4jlist.New(core)
	s.Walks, s.Aggregates, s.Matches = neo4jwalk.New(core), s.Lists.NewAggregates(), neo4jmatch.New(core)
	s.Bulk, s.Batches, s.Answers = neo4jbulk.New(core), neo4jbatch.New(core), neo4jmatch.NewAnswers(core)
	s.ChangeSets = &neo4jchangeset.Store{Config: neo4jchangeset.Config{
		Client: client, Audit: trail, Types: s.TypeStore, Nodes: s, Edges: s, Batches: s.Batches, ReadBounded: core.Bounded.Read,
		IDProperty: c.IDProperty, MaxDetach: c.MaxDetach, MaxPageBytes: c.MaxPageBytes,
		MaxBytes: c.ChangeSetsMaxBytes, Keep: max(c.ChangeSetsKeep, c.JournalKeep),
	}}
	s.Journal = neo4jjournal.New(core, s.ChangeSets)
	s.planner = neo4jentity.NewPlanner(core, s.Journal.PlanUndo)
	s.background(s.runMaintenance)
	s.background(s.Journal.RunPurge)
	return s
}

// Close finishes the running calls and ends the background work. The client remains open.
func (s *Store) Close(ctx context.Context) {
	s.core.Close()
	s.stop()
	done := make(chan struct{})
	go func() {
		s.work.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
}

// background runs work that no request waits for, until it ends or the store is closed.
func (s *Store) background(work func(context.Context)) {
	s.work.Go(func() { work(s.ctx) })
}

const (
	// idleInterval is how often the catalog and the names in use are read while no request needs them.
	idleInterval  = 10 * time.Second
	purgeInterval = 10 * time.Minute
)

// runMaintenance refreshes the catalog of managed types periodically, and removes expired idempotency keys and old entries of the audit.
func (s *Store) runMaintenance(ctx context.Context) {
	refresh, purge := time.NewTicker(neo4jentity.CatalogInterval), time.NewTicker(purgeInterval)
	defer refresh.Stop()
	defer purge.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-refresh.C:
			// A failure shows in the requests themselves.
			if m, err := s.core.Catalog.KeepFresh(ctx, neo4jentity.CatalogInterval/2, idleInterval); err == nil {
				s.planner.PlanAhead(ctx, m)
			}
			s.core.Exclusions.KeepFresh(ctx, neo4jentity.CatalogInterval/2, idleInterval)
			s.Names.Refresh(ctx)
		case <-purge.C:
			if err := s.purgeIdempotencyKeys(ctx); err != nil && ctx.Err() == nil {
				s.core.Config.Log.Warn("expired idempotency keys were not removed", "error", err.Error())
			}
			if _, err := s.core.Audit.Purge(ctx); err != nil && ctx.Err() == nil {
				s.core.Config.Log.Warn("old entries of the audit were not removed", "error", err.Error())
			}
			if err := s.ChangeSets.Purge(ctx); err != nil && ctx.Err() == nil {
				s.core.Config.Log.Warn("old change sets were not removed", "error", err.Error())
			}
			if _, err := s.core.Client.Write(ctx, cypher.PurgeNameBudgets.Text(nil), nil); err != nil && ctx.Err() == nil {
				s.core.Config.Log.Warn("old counts of new names were not removed", "error", err.Error())
			}
		}
	}
}

// idempotencyPurgeBatch is the number of keys that purge_idempotency_keys removes at most.
const idempotencyPurgeBatch = 10_000

// purgeIdempotencyKeys removes expired keys: each batch of operations leaves one, so there may be many.
func (s *Store) purgeIdempotencyKeys(ctx context.Context) error {
	for {
		found, err := s.core.Client.Write(ctx, cypher.PurgeIdempotencyKeys.Text(nil), nil)
		if err != nil {
			return err
		}
		if removed, err := bolt.SingleInteger(found, "removed"); err != nil || removed < idempotencyPurgeBatch {
			return err
		}
	}
}
