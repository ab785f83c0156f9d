package neo4jschema

import (
	"context"
	"log/slog"
	"time"

	"graphrest/internal/bolt"
	"graphrest/internal/declared"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jaudit"
	"graphrest/internal/snapshot"
)

// ManagedTypes are the managed node types and edge types, at most maxAge old, in byte order.
type ManagedTypes func(ctx context.Context, maxAge time.Duration) (labels, types []string, err error)

// Background runs work that no request waits for, until it ends or the context is cancelled, because the gateway stops.
type Background func(work func(context.Context))

// EachEntity calls each for every visible entity of a type, with its id, its properties and the labels of its ends.
type EachEntity func(
	ctx context.Context, k graph.Kind, t graph.TypeName, each func(id string, properties graph.Properties, ends declared.Ends),
) error

// Config is what the stores of a database's schema are built from.
type Config struct {
	Client     *bolt.Client
	Audit      *neo4jaudit.Store
	Background Background
	Managed    ManagedTypes
	Entities   EachEntity

	IDProperty   string // the property of the ids
	Limits       NameLimits
	OnlyDeclared bool // rejects new entities of types that are not declared
	Uncoalesced  bool // requests for the schema at the same time do not share one read
	Log          *slog.Logger
}

// Stores are the stores of the schema of one database.
type Stores struct {
	Names       *Names
	Counts      *Counts
	Constraints *Constraints
	*IndexStore
	*TypeStore
	*StyleStore
	*SchemaReader
}

// ReadAge is the maximum age of the managed types and of the declarations in what is read: in lists, searches and the schema.
const ReadAge = 250 * time.Millisecond

// Open creates the stores and starts their background work.
func Open(c Config) Stores {
	spawn := func(work func()) { c.Background(func(context.Context) { work() }) }
	names := &Names{client: c.Client, managed: c.Managed, limits: c.Limits, adding: make(chan struct{}, 1)}
	counts := newCounts(c.Client, spawn)
	constraints := &Constraints{client: c.Client, managed: c.Managed, background: c.Background, idProperty: c.IDProperty, log: c.Log}
	indexes := &IndexStore{client: c.Client, audit: c.Audit, names: names, idProperty: c.IDProperty, log: c.Log}
	types := &TypeStore{
		client: c.Client, audit: c.Audit, names: names, constraints: constraints, entities: c.Entities, idProperty: c.IDProperty,
		onlyDeclared: c.OnlyDeclared, log: c.Log,
	}
	styles := &StyleStore{client: c.Client, audit: c.Audit}
	snapshots := bolt.SnapshotOptions(spawn)
	indexes.keys = snapshot.New(indexes.readIndexedKeys, snapshots)
	types.inForce = snapshot.New(types.readDeclarations, snapshots)
	styles.all = snapshot.New(styles.read, snapshots)
	schema := &SchemaReader{
		client: c.Client, counts: counts, indexes: indexes, types: types, styles: styles, managed: c.Managed,
		order: &typeOrder{client: c.Client, log: c.Log}, background: c.Background, idProperty: c.IDProperty,
	}
	schema.equal.Off = c.Uncoalesced
	types.schema = schema
	c.Background(indexes.runSlowListFlush)
	c.Background(types.runRefresh)
	return Stores{names, counts, constraints, indexes, types, styles, schema}
}
