// Package neo4jstore stores the graph, the users and the revocations in Neo4j. It is the only production package that uses the driver: it
// converts records to domain values, and the driver's errors to faults.
package neo4jstore

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"graphrest/cypher"
	"graphrest/internal/audit"
	"graphrest/internal/coalesce"
	"graphrest/internal/graph"
)

// Config says where the database is and how to use it. Zero values select the defaults given.
type Config struct {
	URI, Username, Password string
	Database                string        // default neo4j
	IDProperty              string        // default uuid
	QueryTimeout            time.Duration // of one operation, retries included; default 15 s
	PoolSize                int           // connections for the graph; default 50

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

	Audit     audit.Mode    // records all changes of the graph; default off
	AuditKeep time.Duration // how long entries are kept; default 90 days
	// OnlyDeclared rejects new entities of types that are not declared.
	OnlyDeclared bool

	Uncoalesced bool                // runs every call as a separate statement
	Observer    coalesce.Observer   // observes batches; may be nil
	Tracer      coalesce.Tracer     // creates spans of batches; may be nil
	Statements  []StatementObserver // observe statements
	Log         *slog.Logger        // default: discards
}

func (c *Config) defaults() {
	set(&c.Database, "neo4j")
	set(&c.IDProperty, "uuid")
	set(&c.QueryTimeout, 15*time.Second)
	set(&c.PoolSize, 50)
	set(&c.AuditKeep, 90*24*time.Hour)
	limit(&c.MaxDetach, 10_000)
	limit(&c.MaxNodeTypes, 1000)
	limit(&c.MaxEdgeTypes, 1000)
	limit(&c.MaxPropertyKeys, 10_000)
	set(&c.MaxPageBytes, 4<<20)
	limit(&c.MaxNewTypes, 100)
	limit(&c.MaxNewKeys, 1000)
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
}

// set gives a field its default if it has its zero value.
func set[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// limit gives a limit its default if it is not set, and sets a negative one to zero.
func limit[T int | int64](field *T, value T) {
	set(field, value)
	*field = max(*field, 0)
}

// kind distinguishes nodes from edges in code that serves both.
type kind string

const (
	nodes kind = "node"
	edges kind = "edge"
)

// Store stores nodes and edges and describes them. It is safe for concurrent use.
type Store struct {
	config Config
	client *client
	idName cypher.Fragment // the id property, quoted

	catalogue        snapshot[managedTypes]
	exclusions       snapshot[exclusion]
	declared         declarations
	names            nameLimiter
	constraintBuilds constraintBuilds
	extents          extentCache
	countCache       countCache
	sampleCache      sampleCache
	indexCache       indexCache
	recordSizes      recordSizes
	subgraphSizes    recordSizes // of the entities of neighbors and paths, which single reads must not make look small
	idCaches         [2]idCache  // of nodes and of edges
	queues           queueSet
	warmed           warmed
	pendingAudit     pendingAudit
	largeDeletes     runningDeletes
	slowLists        listCosts

	ctx  context.Context // cancelled when the store closes; for background work only
	stop context.CancelFunc
	work sync.WaitGroup
}

var (
	_ graph.NodeStore   = (*Store)(nil)
	_ graph.EdgeStore   = (*Store)(nil)
	_ graph.SchemaStore = (*Store)(nil)
	_ graph.TypeStore   = (*Store)(nil)
	_ graph.IndexStore  = (*Store)(nil)
	_ graph.Health      = (*Store)(nil)
	_ audit.Reader      = (*Store)(nil)
)

// Open creates a store. It does not connect: the database may start later. Accounts.Prepare must have run once on a database before
// anything is written to it.
func Open(c Config) (*Store, error) {
	c.defaults()
	client, err := newClient(c)
	if err != nil {
		return nil, err
	}
	s := &Store{config: c, client: client, idName: cypher.Quote(c.IDProperty)}
	s.ctx, s.stop = context.WithCancel(context.Background())
	s.catalogue.read, s.catalogue.spawn = s.readCatalogue, s.work.Go
	s.exclusions.read, s.exclusions.spawn = s.readExclusion, s.work.Go
	s.declared.read, s.declared.spawn = s.readDeclarations, s.work.Go
	s.names.read, s.names.charge, s.names.adding = s.readNames, s.chargeNames, make(chan struct{}, 1)
	s.idCaches = [2]idCache{newIDCache(), newIDCache()}
	s.queues = s.newQueues()
	s.background(s.runMaintenance)
	s.background(s.runDeclarationRefresh)
	s.background(s.runSlowListFlush)
	return s, nil
}

// Close finishes the running calls, ends the background work and closes the connections.
func (s *Store) Close(ctx context.Context) error {
	s.queues.close()
	s.stop()
	done := make(chan struct{})
	go func() {
		s.work.Wait()
		s.client.breaker.probes.Wait() // the driver must not be closed while a statement runs
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
	return s.client.close(ctx)
}

// background runs work that no request waits for, until it ends or the store is closed.
func (s *Store) background(work func(context.Context)) {
	s.work.Go(func() { work(s.ctx) })
}

const (
	catalogueInterval = time.Second
	purgeInterval     = 10 * time.Minute
)

// runMaintenance refreshes the catalogue of managed types periodically, and removes expired idempotency keys and old entries of the audit.
func (s *Store) runMaintenance(ctx context.Context) {
	refresh, purge := time.NewTicker(catalogueInterval), time.NewTicker(purgeInterval)
	defer refresh.Stop()
	defer purge.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-refresh.C:
			if m, err := s.catalogue.fresh(ctx, catalogueInterval/2); err == nil { // a failure shows in the requests themselves
				s.warmPlanCache(ctx, m)
			}
			_, _ = s.exclusions.fresh(ctx, catalogueInterval/2)
			s.names.refresh(ctx)
		case <-purge.C:
			if _, err := s.client.write(ctx, cypher.PurgeIdempotencyKeys.Text(nil), nil); err != nil && ctx.Err() == nil {
				s.config.Log.Warn("expired idempotency keys were not removed", "error", err.Error())
			}
			if _, err := s.purgeAudit(ctx); err != nil && ctx.Err() == nil {
				s.config.Log.Warn("old entries of the audit were not removed", "error", err.Error())
			}
			if _, err := s.client.write(ctx, cypher.PurgeNameBudgets.Text(nil), nil); err != nil && ctx.Err() == nil {
				s.config.Log.Warn("old counts of new names were not removed", "error", err.Error())
			}
		}
	}
}

// Ready runs a statement that reads no data.
func (s *Store) Ready(ctx context.Context) error {
	_, err := s.client.read(ctx, cypher.Ping.Text(nil), nil)
	return translate(err)
}

// readRows runs a statement of a list or of the schema.
func (s *Store) readRows(ctx context.Context, text cypher.Text, params map[string]any) ([]*neo4j.Record, error) {
	records, err := s.client.read(ctx, text, params)
	return records, listError(err)
}

// listError converts an error of a list's statement. An error that the database rejected the statement remains for filter.attributeError.
func listError(err error) error {
	if err != nil && !isForbidden(err) {
		err = translate(err)
	}
	return err
}

// readCount runs a statement that returns one number named total.
func (s *Store) readCount(ctx context.Context, text cypher.Text, params map[string]any) (int64, error) {
	records, err := s.readRows(ctx, text, params)
	if err != nil || len(records) == 0 {
		return 0, err
	}
	return column[int64](records[0], "total"), nil
}

// column is a record's value by name; the zero value if it is null.
func column[T any](record *neo4j.Record, name string) T {
	value, _ := record.Get(name)
	typed, _ := value.(T)
	return typed
}

// idProperty is the name of the property of the ids.
func (s *Store) idProperty() string { return s.config.IDProperty }
