package neo4jstore

import (
	"graphrest/internal/bolt"
	"graphrest/internal/neo4jschema"
)

// entityWriter creates, changes and deletes nodes and edges one by one.
type entityWriter struct {
	client      *bolt.Client
	config      *Config
	texts       *statementTexts
	elements    *elementReader
	reads       *entityReader
	changes     *changeRecorder
	runner      *batchRunner
	names       *neo4jschema.Names
	constraints *neo4jschema.Constraints

	queues       writeQueueSet
	largeDeletes runningDeletes
}

func newEntityWriter(rd *entityReader, changes *changeRecorder, runner *batchRunner, schema neo4jschema.Stores) *entityWriter {
	wr := &entityWriter{
		client: rd.client, config: rd.config, texts: rd.texts, elements: rd.elements, reads: rd, changes: changes, runner: runner,
		names: schema.Names, constraints: schema.Constraints,
	}
	wr.queues = writeQueueSet{nodes: wr.newQueues(nodes), edges: wr.newQueues(edges), large: wr.newLargeDeletes()}
	return wr
}
