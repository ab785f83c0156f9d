package neo4jstore

import (
	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/neo4jschema"
)

// entityReader finds nodes and edges by their ids, reads them, and shows of them what the user of a request may see.
type entityReader struct {
	client *bolt.Client
	config *Config
	idName cypher.Fragment // the id property, quoted
	types  *neo4jschema.TypeStore
	counts *neo4jschema.Counts

	catalogue     bolt.Snapshot[managedTypes]
	idCaches      [2]idCache // of nodes and of edges
	queues        readQueueSet
	recordSizes   recordSizes
	subgraphSizes recordSizes // of the entities of neighbors and paths, which single reads must not make look small
}

// newEntityReader creates a reader. Its types and counts are set before it is used: their stores need the reader.
func newEntityReader(client *bolt.Client, c *Config, spawn func(func())) *entityReader {
	rd := &entityReader{client: client, config: c, idName: cypher.Quote(c.IDProperty), idCaches: [2]idCache{newIDCache(), newIDCache()}}
	rd.catalogue.Read, rd.catalogue.Spawn = rd.readCatalogue, spawn
	rd.queues = readQueueSet{nodes: rd.newQueues(nodes), edges: rd.newQueues(edges)}
	return rd
}
