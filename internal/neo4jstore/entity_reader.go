package neo4jstore

import (
	"graphrest/internal/bolt"
	"graphrest/internal/neo4jschema"
	"graphrest/internal/snapshot"
)

// entityReader finds nodes and edges by their ids, and shows of them what the user of a request may see.
type entityReader struct {
	client   *bolt.Client
	config   *Config
	texts    *statementTexts
	elements *elementReader
	types    *neo4jschema.TypeStore
	counts   *neo4jschema.Counts

	catalog  *snapshot.Snapshot[managedTypes]
	idCaches [2]idCache // of nodes and of edges
}

// newEntityReader creates a reader. Its types and counts are set before it is used: their stores need the reader.
func newEntityReader(client *bolt.Client, c *Config, texts *statementTexts, spawn func(func())) *entityReader {
	rd := &entityReader{client: client, config: c, texts: texts, idCaches: [2]idCache{newIDCache(), newIDCache()}}
	rd.catalog = snapshot.New(rd.readCatalog, bolt.SnapshotOptions(spawn))
	rd.elements = newElementReader(client, c, texts)
	return rd
}
