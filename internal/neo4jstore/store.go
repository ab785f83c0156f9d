// Package neo4jstore stores the graph in Neo4j. It decides which statements run, and what of them is cached
// or merged into batches.
package neo4jstore

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/coalesce"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jaudit"
	"graphrest/internal/neo4jchangeset"
	"graphrest/internal/neo4jschema"
	"graphrest/internal/neo4jsearch"
)

const defaultIDProperty = "uuid"

// Config says how to store a graph. Zero values select the defaults given.
type Config struct {
	IDProperty string // default uuid

	// Limits. A negative number means a limit of zero.
	MaxDetach       int64 // edges that a delete of a node removes without detach=true; default 10,000
	MaxNodeTypes    int   // names in the database; default 1,000
	MaxEdgeTypes    int   // default 1,000
	MaxPropertyKeys int   // default 10,000
	// MaxPageBytes bounds a page of a list, by the memory of its entities; default 4 MiB. A page has at least one entity.
	MaxPageBytes int64
	// New names that one user may add on one day (UTC); see graph.WithNameBudget.
	MaxNewTypes int // node and edge types together; default 100
	MaxNewKeys  int // property keys; default 1,000

	// Journal records each change of the graph with the values before and after: see package journal. JournalExclude are types whose
	// entities are never recorded.
	Journal        bool
	JournalExclude []string
	// JournalKeep is how long records are served and kept, default 30 days; JournalMaxBytes bounds their size, default 1 GiB. The
	// oldest are removed first.
	JournalKeep     time.Duration
	JournalMaxBytes int64
	// ChangeSetsMaxBytes bounds the stored change sets of one author, default 16 MiB; ChangeSetsKeep is how long closed ones are kept, default
	// 90 days, and at least as long as records of changes.
	ChangeSetsMaxBytes int64
	ChangeSetsKeep     time.Duration
	// OnlyDeclared rejects new entities of types that are not declared.
	OnlyDeclared bool

	// PlanAhead makes the database plan the statements of requests in the background, so that no request waits for it.
	PlanAhead   bool
	Uncoalesced bool                   // runs every call as a separate statement
	Observer    coalesce.BatchObserver // observes batches; may be nil
	Tracer      coalesce.Tracer        // creates spans of batches; may be nil
	Log         *slog.Logger           // default: discards
}

func (c *Config) defaults() {
	setDefault(&c.IDProperty, defaultIDProperty)
	setDefault(&c.JournalKeep, 30*24*time.Hour)
	setDefault(&c.JournalMaxBytes, 1<<30)
	setDefault(&c.ChangeSetsMaxBytes, 16<<20)
	setDefault(&c.ChangeSetsKeep, 90*24*time.Hour)
	if c.JournalExclude == nil {
		c.JournalExclude = []string{} // a parameter: null is not a list
	}
	applyLimit(&c.MaxDetach, 10_000)
	applyLimit(&c.MaxNodeTypes, 1000)
	applyLimit(&c.MaxEdgeTypes, 1000)
	applyLimit(&c.MaxPropertyKeys, 10_000)
	setDefault(&c.MaxPageBytes, 4<<20)
	applyLimit(&c.MaxNewTypes, 100)
	applyLimit(&c.MaxNewKeys, 1000)
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
}

func (c *Config) nameLimits() neo4jschema.NameLimits {
	return neo4jschema.NameLimits{
		NodeTypes: c.MaxNodeTypes, EdgeTypes: c.MaxEdgeTypes, PropertyKeys: c.MaxPropertyKeys, NewTypes: c.MaxNewTypes, NewKeys: c.MaxNewKeys,
	}
}

// setDefault gives a field its default if it has its zero value.
func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// applyLimit gives a limit its default if it is not set, and sets a negative one to zero.
func applyLimit[T int | int64](field *T, value T) {
	setDefault(field, value)
	*field = max(*field, 0)
}

// kind distinguishes nodes from edges in code that serves both.
type kind = graph.Kind

const (
	nodes = graph.NodeKind
	edges = graph.EdgeKind
)

// Store stores nodes and edges and describes them: the entityReader finds them, the entityWriter writes them, and a listReader of each kind
// lists them. Whatever else it does is a field. It is safe for concurrent use.
type Store struct {
	neo4jschema.Stores
	*neo4jsearch.Searcher
	*statementTexts
	*elementReader
	*entityReader
	*entityWriter
	*exclusionCache
	*timeoutExplainer

	Walks      *Walks
	Aggregates *Aggregates
	Matches    *Matches
	Bulk       *Bulk
	Batches    *Batches
	ChangeSets *neo4jchangeset.Store
	Journal    *Journal
	Answers    *Answers

	config  *Config
	client  *bolt.Client
	audit   *neo4jaudit.Store
	runner  *rowRunner
	catalog *typeCatalog

	nodeLists *listReader[graph.Node]
	edgeLists *listReader[graph.Edge]
	planner   planner

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
	s := &Store{config: &c, client: client, audit: trail}
	s.ctx, s.stop = context.WithCancel(context.Background())
	s.statementTexts = &statementTexts{idName: cypher.Quote(c.IDProperty)}
	s.catalog = newTypeCatalog(client, &c, s.statementTexts, s.work.Go)
	s.elementReader = newElementReader(client, &c, s.statementTexts)
	values := &valueDecoder{client: client, config: &c}
	ofTypes := &typeEntities{client: client, catalog: s.catalog, decoder: values}
	s.exclusionCache = newExclusionCache(client, s.work.Go)
	s.Stores = neo4jschema.Open(neo4jschema.Config{
		Client: client, Audit: trail, Background: s.background, Managed: s.catalog.managedAsOf, Entities: ofTypes.forEachOfType,
		IDProperty: c.IDProperty, Limits: c.nameLimits(), OnlyDeclared: c.OnlyDeclared, Uncoalesced: c.Uncoalesced, Log: c.Log,
	})
	s.entityReader = newEntityReader(client, newEntityFinder(&c, s.statementTexts, s.elementReader, s.catalog), values, s.Stores)
	s.runner = &rowRunner{&changeRecorder{config: &c, audit: trail, catalog: s.catalog}, client, s.statementTexts}
	s.entityWriter = newEntityWriter(client, &c, s.entityReader, s.runner, s.Stores)
	s.timeoutExplainer = &timeoutExplainer{client: client, indexes: s.IndexStore, log: c.Log}
	s.Searcher = neo4jsearch.New(neo4jsearch.Config{
		Client: client, Audit: trail, Names: s.Names, Managed: s.catalog.managedAsOf, ReadHits: s.readHits, Spawn: s.work.Go,
		IDProperty: c.IDProperty,
	})
	s.planner = planner{client: client, config: &c, texts: s.statementTexts, reads: s.entityReader, changes: s.runner.changeRecorder}
	s.openParts()
	s.background(s.runMaintenance)
	s.background(s.Journal.runPurge)
	return s
}

// openParts creates the parts that use what reads and writes entities.
func (s *Store) openParts() {
	c, client, texts, elements, reads := s.config, s.client, s.statementTexts, s.elementReader, s.entityReader
	filters := &filterBuilder{counts: s.Counts, names: s.Names, indexes: s.IndexStore}
	ends := &endResolver{reads: reads}
	sources := &listSources{
		client: client, texts: texts, elements: elements, reads: reads, exclusions: s.exclusionCache, timeouts: s.timeoutExplainer,
		types: s.TypeStore, counts: s.Counts, indexes: s.IndexStore,
		filters: filters, ends: ends, extents: &extentCache{client: client}, mixed: &mixedTypes{},
		exact: &exactCounter{client: client, exclusions: s.exclusionCache, counts: s.Counts},
	}
	s.nodeLists, s.edgeLists = newNodeLists(sources, c.Uncoalesced), newEdgeLists(sources, c.Uncoalesced)
	s.Walks = newWalks(client, texts, reads, s.timeoutExplainer, c.Uncoalesced)
	s.Aggregates = &Aggregates{
		client: client, texts: texts, elements: elements, exclusions: s.exclusionCache, timeouts: s.timeoutExplainer,
		counts: s.Counts, names: s.Names, filters: filters, ends: ends,
	}
	s.Aggregates.equal.Off = c.Uncoalesced
	s.Matches = &Matches{
		client: client, config: c, texts: texts, reads: reads, exclusions: s.exclusionCache, names: s.Names, timeouts: s.timeoutExplainer,
	}
	s.Bulk = &Bulk{
		client: client, config: c, audit: s.audit, exclusions: s.exclusionCache, texts: texts, reads: reads, writes: s.judged,
		types: &typeMaker{names: s.Names, constraints: s.Constraints, catalog: s.catalog, patient: true},
	}
	s.Batches = &Batches{client: client, config: c, texts: texts, reads: reads, writes: s.entityWriter}
	s.Answers = &Answers{client: client, texts: texts, catalog: s.catalog, decoder: reads.recordDecoder}
	bounded := &boundedReader{client: client}
	s.ChangeSets = &neo4jchangeset.Store{Config: neo4jchangeset.Config{
		Client: client, Audit: s.audit, Types: s.TypeStore, Nodes: s, Edges: s, Batches: s.Batches, ReadBounded: bounded.read,
		MaxDetach: c.MaxDetach, MaxPageBytes: c.MaxPageBytes, MaxBytes: c.ChangeSetsMaxBytes, Keep: max(c.ChangeSetsKeep, c.JournalKeep),
	}}
	s.Journal = newJournal(journalSources{
		client: client, config: c, audit: s.audit, types: s.TypeStore, texts: texts, elements: elements, reads: reads, writes: s.judged,
		bounded: bounded, changeSets: s.ChangeSets, spawn: s.work.Go,
	})
}

// Nodes lists nodes: see graph.NodeStore.
func (s *Store) Nodes(ctx context.Context, q graph.NodeQuery) (graph.Page[graph.Node], error) {
	return s.nodeLists.read(ctx, graph.EdgeQuery{Type: q.Type, Filter: q.Filter, Sort: q.Sort, Paging: q.Paging})
}

// Edges lists edges: see graph.EdgeStore.
func (s *Store) Edges(ctx context.Context, q graph.EdgeQuery) (graph.Page[graph.Edge], error) {
	return s.edgeLists.read(ctx, q)
}

// Close finishes the running calls and ends the background work. The client remains open.
func (s *Store) Close(ctx context.Context) {
	s.entityWriter.close() // whose queues use the reader's
	s.elementReader.close()
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
	catalogInterval = time.Second
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
			if m, err := s.catalog.KeepFresh(ctx, catalogInterval/2, idleInterval); err == nil { // a failure shows in the requests themselves
				s.planner.planAhead(ctx, m)
			}
			_, _ = s.exclusions.KeepFresh(ctx, catalogInterval/2, idleInterval)
			s.Names.Refresh(ctx)
		case <-purge.C:
			if err := s.purgeIdempotencyKeys(ctx); err != nil && ctx.Err() == nil {
				s.config.Log.Warn("expired idempotency keys were not removed", "error", err.Error())
			}
			if _, err := s.audit.Purge(ctx); err != nil && ctx.Err() == nil {
				s.config.Log.Warn("old entries of the audit were not removed", "error", err.Error())
			}
			if err := s.ChangeSets.Purge(ctx); err != nil && ctx.Err() == nil {
				s.config.Log.Warn("old change sets were not removed", "error", err.Error())
			}
			if _, err := s.client.Write(ctx, cypher.PurgeNameBudgets.Text(nil), nil); err != nil && ctx.Err() == nil {
				s.config.Log.Warn("old counts of new names were not removed", "error", err.Error())
			}
		}
	}
}

// idempotencyPurgeBatch is the number of keys that purge_idempotency_keys removes at most.
const idempotencyPurgeBatch = 10_000

// purgeIdempotencyKeys removes expired keys: each batch of operations leaves one, so there may be many.
func (s *Store) purgeIdempotencyKeys(ctx context.Context) error {
	for {
		found, err := s.client.Write(ctx, cypher.PurgeIdempotencyKeys.Text(nil), nil)
		if err != nil {
			return err
		}
		if removed, err := bolt.SingleInteger(found, "removed"); err != nil || removed < idempotencyPurgeBatch {
			return err
		}
	}
}
