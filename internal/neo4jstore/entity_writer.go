package neo4jstore

import (
	"graphrest/internal/bolt"
	"graphrest/internal/neo4jschema"
)

// entityWriter creates, changes and deletes nodes and edges one by one, with a separate type for each.
type entityWriter struct {
	*entityCreator
	*entityUpdater
	*entityDeleter
}

func newEntityWriter(
	client *bolt.Client, c *Config, texts *statementTexts, rd *entityReader, changes *changeRecorder, schema neo4jschema.Stores,
) *entityWriter {
	return &entityWriter{
		newEntityCreator(client, c, texts, rd, changes, schema), newEntityUpdater(client, c, texts, rd, changes, schema.Names),
		newEntityDeleter(client, c, texts, rd, changes),
	}
}

// close finishes the running writes.
func (wr *entityWriter) close() {
	wr.entityDeleter.close()
	wr.entityCreator.close()
	wr.entityUpdater.close()
}
