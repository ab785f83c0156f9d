package neo4jstore

import "graphrest/internal/neo4jschema"

// entityWriter creates, changes and deletes nodes and edges one by one: each is done by a type of its own.
type entityWriter struct {
	*entityCreator
	*entityUpdater
	*entityDeleter
}

func newEntityWriter(rd *entityReader, changes *changeRecorder, schema neo4jschema.Stores) *entityWriter {
	return &entityWriter{newEntityCreator(rd, changes, schema), newEntityUpdater(rd, changes, schema.Names), newEntityDeleter(rd, changes)}
}

// close finishes the running writes.
func (wr *entityWriter) close() {
	wr.entityDeleter.close()
	wr.entityCreator.close()
	wr.entityUpdater.close()
}
