package neo4jstore

import (
	"graphrest/internal/bolt"
	"graphrest/internal/neo4jschema"
)

// writeCore is what creates, updates and deletes of single entities use.
type writeCore struct {
	client *bolt.Client
	config *Config
	reads  *entityReader
	judged *judgedWriter
	types  *typeMaker
}

// entityWriter creates, changes and deletes nodes and edges one by one, with a separate type for each.
type entityWriter struct {
	*writeCore

	*entityCreator
	*entityUpdater
	*entityDeleter
}

func newEntityWriter(
	client *bolt.Client, c *Config, rd *entityReader, runner *rowRunner, schema neo4jschema.Stores,
) *entityWriter {
	core := &writeCore{
		client: client, config: c, reads: rd, judged: &judgedWriter{runner, rd.contentReader},
		types: &typeMaker{names: schema.Names, constraints: schema.Constraints, catalog: rd.catalog},
	}
	return &entityWriter{core, newEntityCreator(core), newEntityUpdater(core), newEntityDeleter(core)}
}

// close finishes the running writes.
func (wr *entityWriter) close() {
	wr.entityDeleter.close()
	wr.entityCreator.close()
	wr.entityUpdater.close()
}
