// Package neo4jsearch searches the graph by its full-text indexes, and creates, lists and deletes them.
package neo4jsearch

import (
	"context"
	"sync/atomic"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jaudit"
	"graphrest/internal/neo4jschema"
	"graphrest/internal/snapshot"
)

// ReadHits reads entities by element id, in order, until they fill a page, and passes those that the context's user sees to use, with their
// Kind and Node or Edge. done is how many were looked up.
type ReadHits func(
	ctx context.Context, k graph.Kind, elementIDs []string, use func(elementID string, hit graph.Hit),
) (done int, err error)

// Config is what a Searcher is built from.
type Config struct {
	Client     *bolt.Client
	Audit      *neo4jaudit.Store
	Names      *neo4jschema.Names
	Managed    neo4jschema.ManagedTypes
	ReadHits   ReadHits
	Spawn      func(func()) // runs work that the owner waits for when it closes
	IDProperty string       // the property of the ids, which is not searched
}

// Searcher searches one database. It is safe for concurrent use.
type Searcher struct {
	client     *bolt.Client
	audit      *neo4jaudit.Store
	names      *neo4jschema.Names
	managed    neo4jschema.ManagedTypes
	readHits   ReadHits
	idProperty string
	idName     cypher.Fragment // idProperty, quoted
	indexes    *snapshot.Snapshot[[]searchIndex]
	analyzers  atomic.Pointer[map[string][]string] // see stopWords
}

var _ graph.Searcher = (*Searcher)(nil)

// New creates a Searcher.
func New(c Config) *Searcher {
	s := &Searcher{
		client: c.Client, audit: c.Audit, names: c.Names, managed: c.Managed, readHits: c.ReadHits, idProperty: c.IDProperty,
		idName: cypher.Quote(c.IDProperty),
	}
	s.indexes = snapshot.New(func(ctx context.Context) (*[]searchIndex, error) {
		found, err := s.searchIndexes(ctx)
		return &found, err
	}, bolt.SnapshotOptions(c.Spawn))
	return s
}
