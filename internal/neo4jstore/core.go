package neo4jstore

import (
	"context"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/neo4jaudit"
	"graphrest/internal/neo4jschema"
)

// core finds, reads, judges and writes the entities of the graph. All parts of the store are built on it.
type core struct {
	client     *bolt.Client
	config     *Config
	audit      *neo4jaudit.Store
	schema     neo4jschema.Stores
	texts      *statementTexts
	catalog    *typeCatalog
	elements   *elementReader
	reads      *entityReader
	writes     *entityWriter
	runner     *rowRunner
	exclusions *exclusionCache
	timeouts   *timeoutExplainer
	bounded    *boundedReader
	spawn      func(func()) // starts a goroutine that ends before the store is closed
}

// coreSources are what a core is built from. background runs work until it ends or the store is closed.
type coreSources struct {
	client     *bolt.Client
	audit      *neo4jaudit.Store
	config     *Config
	spawn      func(func())
	background func(func(context.Context))
}

func newCore(p coreSources) *core {
	client, c := p.client, p.config
	texts := &statementTexts{idName: cypher.Quote(c.IDProperty)}
	catalog := newTypeCatalog(client, c, texts, p.spawn)
	values := &valueDecoder{client: client, config: c}
	ofTypes := &typeEntities{client: client, catalog: catalog, decoder: values}
	schema := neo4jschema.Open(neo4jschema.Config{
		Client: client, Audit: p.audit, Background: p.background, Managed: catalog.managedAsOf, Entities: ofTypes.forEachOfType,
		IDProperty: c.IDProperty, Limits: c.nameLimits(), OnlyDeclared: c.OnlyDeclared, Uncoalesced: c.Uncoalesced, Log: c.Log,
	})
	elements := newElementReader(client, c, texts)
	reads := newEntityReader(client, newEntityFinder(c, texts, elements, catalog), values, schema)
	runner := &rowRunner{&changeRecorder{config: c, audit: p.audit, catalog: catalog}, client, texts}
	core := &core{
		client: client, config: c, audit: p.audit, schema: schema, texts: texts, catalog: catalog, elements: elements, reads: reads,
		runner: runner, exclusions: newExclusionCache(client, p.spawn), bounded: &boundedReader{client: client}, spawn: p.spawn,
		timeouts: &timeoutExplainer{client: client, indexes: schema.IndexStore, log: c.Log},
	}
	core.writes = newEntityWriter(core)
	return core
}

// newTypeMaker creates what makes types managed. A patient one waits for constraints without a time limit.
func (c *core) newTypeMaker(patient bool) *typeMaker {
	return &typeMaker{names: c.schema.Names, constraints: c.schema.Constraints, catalog: c.catalog, patient: patient}
}
