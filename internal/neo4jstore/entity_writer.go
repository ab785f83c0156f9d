package neo4jstore

import (
	"graphrest/internal/bolt"
	"graphrest/internal/neo4jaudit"
	"graphrest/internal/neo4jschema"
)

// entityWriter creates, changes and deletes nodes and edges, and records it in the audit and the journal.
type entityWriter struct {
	client      *bolt.Client
	config      *Config
	reads       *entityReader
	audit       *neo4jaudit.Store
	names       *neo4jschema.Names
	constraints *neo4jschema.Constraints

	queues       writeQueueSet
	largeDeletes runningDeletes
}

func newEntityWriter(rd *entityReader, trail *neo4jaudit.Store, schema neo4jschema.Stores) *entityWriter {
	wr := &entityWriter{
		client: rd.client, config: rd.config, reads: rd, audit: trail, names: schema.Names, constraints: schema.Constraints,
	}
	wr.queues = writeQueueSet{nodes: wr.newQueues(nodes), edges: wr.newQueues(edges), large: wr.newLargeDeletes()}
	return wr
}
