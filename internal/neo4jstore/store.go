// Package neo4jstore stores the graph in Neo4j. It decides which statements run, and what of them is cached
// or merged into batches.
package neo4jstore

import (
	"context"
	"sync"
	"time"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jaudit"
	"graphrest/internal/neo4jchangeset"
	"graphrest/internal/neo4jschema"
	"graphrest/internal/neo4jsearch"
)

// Store stores nodes and edges and describes them: the entityReader finds them, the entityWriter writes them, and a listReader of each kind
// lists them. Whatever else it does is a field. It is safe for concurrent use.
type Store struct {
	neo4jschema.Stores
	*neo4jsearch.Searcher
	*entityReader
	*entityWriter

	Walks      *Walks
	Aggregates *Aggregates
	Matches    *Matches
	Bulk       *Bulk
	Batches    *Batches
	ChangeSets *neo4jchangeset.Store
	Journal    *Journal
	Answers    *Answers

	core    *core
	lists   *lists
	planner planner

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
	c.defaults()
	s := &Store{}
	s.ctx, s.stop = context.WithCancel(context.Background())
	core := newCore(coreSources{client: client, audit: trail, config: &c, spawn: s.work.Go, background: s.background})
	s.core, s.Stores, s.entityReader, s.entityWriter = core, core.schema, core.reads, core.writes
	s.Searcher = neo4jsearch.New(neo4jsearch.Config{
		Client: client, Audit: trail, Names: s.Names, Managed: core.catalog.managedAsOf, ReadHits: s.readHits, Spawn: s.work.Go,
		IDProperty: c.IDProperty,
	})
	s.lists = newLists(core)
	s.Walks, s.Aggregates, s.Matches = newWalks(core), s.lists.newAggregates(), newMatches(core)
	s.Bulk, s.Batches, s.Answers = newBulk(core), newBatches(core), newAnswers(core)
	s.ChangeSets = &neo4jchangeset.Store{Config: neo4jchangeset.Config{
		Client: client, Audit: trail, Types: s.TypeStore, Nodes: s, Edges: s, Batches: s.Batches, ReadBounded: core.bounded.read,
		MaxDetach: c.MaxDetach, MaxPageBytes: c.MaxPageBytes, MaxBytes: c.ChangeSetsMaxBytes, Keep: max(c.ChangeSetsKeep, c.JournalKeep),
	}}
	s.Journal = newJournal(core, s.ChangeSets)
	s.planner = newPlanner(core, s.Journal.planUndo)
	s.background(s.runMaintenance)
	s.background(s.Journal.runPurge)
	return s
}

// Nodes lists nodes: see graph.NodeStore.
func (s *Store) Nodes(ctx context.Context, q graph.NodeQuery) (graph.Page[graph.Node], error) {
	return s.lists.nodes.read(ctx, graph.EdgeQuery{Type: q.Type, Filter: q.Filter, Sort: q.Sort, Paging: q.Paging})
}

// Edges lists edges: see graph.EdgeStore.
func (s *Store) Edges(ctx context.Context, q graph.EdgeQuery) (graph.Page[graph.Edge], error) {
	return s.lists.edges.read(ctx, q)
}

// Close finishes the running calls and ends the background work. The client remains open.
func (s *Store) Close(ctx context.Context) {
	s.entityWriter.close() // whose queues use the reader's
	s.core.elements.close()
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
	refresh, purge := time.NewTicker(catalogInterval), time.NewTicker(purgeInterval)
	defer refresh.Stop()
	defer purge.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-refresh.C:
			if m, err := s.core.catalog.KeepFresh(ctx, catalogInterval/2, idleInterval); err == nil { // a failure shows in the requests themselves
				s.planner.planAhead(ctx, m)
			}
			s.core.exclusions.keepFresh(ctx, catalogInterval/2, idleInterval)
			s.Names.Refresh(ctx)
		case <-purge.C:
			if err := s.purgeIdempotencyKeys(ctx); err != nil && ctx.Err() == nil {
				s.core.config.Log.Warn("expired idempotency keys were not removed", "error", err.Error())
			}
			if _, err := s.core.audit.Purge(ctx); err != nil && ctx.Err() == nil {
				s.core.config.Log.Warn("old entries of the audit were not removed", "error", err.Error())
			}
			if err := s.ChangeSets.Purge(ctx); err != nil && ctx.Err() == nil {
				s.core.config.Log.Warn("old change sets were not removed", "error", err.Error())
			}
			if _, err := s.core.client.Write(ctx, cypher.PurgeNameBudgets.Text(nil), nil); err != nil && ctx.Err() == nil {
				s.core.config.Log.Warn("old counts of new names were not removed", "error", err.Error())
			}
		}
	}
}

// idempotencyPurgeBatch is the number of keys that purge_idempotency_keys removes at most.
const idempotencyPurgeBatch = 10_000

// purgeIdempotencyKeys removes expired keys: each batch of operations leaves one, so there may be many.
func (s *Store) purgeIdempotencyKeys(ctx context.Context) error {
	for {
		found, err := s.core.client.Write(ctx, cypher.PurgeIdempotencyKeys.Text(nil), nil)
		if err != nil {
			return err
		}
		if removed, err := bolt.SingleInteger(found, "removed"); err != nil || removed < idempotencyPurgeBatch {
			return err
		}
	}
}
