// Package neo4jentity finds, reads, judges and writes single nodes and edges, alone or merged with others into batches, and hides internal
// data. The packages of the store are built on its Core. It knows none of them.
package neo4jentity

import (
	"context"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/neo4jaudit"
	"graphrest/internal/neo4jschema"
)

// Core finds, reads, judges and writes the entities of the graph. All parts of the store are built on it.
type Core struct {
	Client     *bolt.Client
	Config     *Config
	Audit      *neo4jaudit.Store
	Schema     neo4jschema.Stores
	Texts      *Texts
	Catalog    *TypeCatalog
	Elements   *ElementReader
	Reads      *Reader
	Writes     *Writer
	runner     *rowRunner
	Exclusions *ExclusionCache
	Timeouts   *TimeoutExplainer
	Bounded    *BoundedReader
	Spawn      func(func()) // starts a goroutine that ends before the store is closed
}

// Sources are what a core is built from. Background runs work until it ends or the store is closed.
type Sources struct {
	Client     *bolt.Client
	Audit      *neo4jaudit.Store
	Config     *Config
	Spawn      func(func())
	Background func(func(context.Context))
}

// New creates a core. Close ends what it runs.
func New(p Sources) *Core {
	client, c := p.Client, p.Config
	texts := &Texts{IDName: cypher.Quote(c.IDProperty)}
	catalog := newTypeCatalog(client, c, texts, p.Spawn)
	values := &valueDecoder{client: client, config: c}
	ofTypes := &typeEntities{client: client, catalog: catalog, decoder: values}
	schema := neo4jschema.Open(neo4jschema.Config{
		Client: client, Audit: p.Audit, Background: p.Background, Managed: catalog.ManagedAsOf, Entities: ofTypes.forEachOfType,
		IDProperty: c.IDProperty, Limits: c.nameLimits(), OnlyDeclared: c.OnlyDeclared, Uncoalesced: c.Uncoalesced, Log: c.Log,
	})
	elements := newElementReader(client, c, texts)
	reads := newReader(client, texts, elements, catalog, values, schema)
	runner := &rowRunner{&changeRecorder{config: c, audit: p.Audit, catalog: catalog}, client, texts}
	core := &Core{
		Client: client, Config: c, Audit: p.Audit, Schema: schema, Texts: texts, Catalog: catalog, Elements: elements, Reads: reads,
		runner: runner, Exclusions: newExclusionCache(client, p.Spawn), Bounded: &BoundedReader{Client: client}, Spawn: p.Spawn,
		Timeouts: &TimeoutExplainer{client: client, Indexes: schema.IndexStore, log: c.Log},
	}
	core.Writes = newEntityWriter(core)
	return core
}

// NewTypeMaker creates what makes types managed. A patient one waits for constraints without a time limit.
func (c *Core) NewTypeMaker(patient bool) *TypeMaker {
	return &TypeMaker{Names: c.Schema.Names, constraints: c.Schema.Constraints, catalog: c.Catalog, patient: patient}
}

// Close finishes the running reads and writes.
func (c *Core) Close() {
	c.Writes.Close() // whose queues use the reader's
	c.Elements.Close()
}
