package neo4jstore

import "graphrest/internal/bolt"

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

func newEntityWriter(core *core) *entityWriter {
	w := &writeCore{
		client: core.client, config: core.config, reads: core.reads, judged: &judgedWriter{core.runner, core.reads.contentReader},
		types: core.newTypeMaker(false),
	}
	return &entityWriter{w, newEntityCreator(w), newEntityUpdater(w), newEntityDeleter(w)}
}

// close finishes the running writes.
func (wr *entityWriter) close() {
	wr.entityDeleter.close()
	wr.entityCreator.close()
	wr.entityUpdater.close()
}
