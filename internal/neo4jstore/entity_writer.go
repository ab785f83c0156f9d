package neo4jstore

import (
	"graphrest/internal/bolt"
	"graphrest/internal/neo4jschema"
)

// entityWriter creates, changes and deletes nodes and edges one by one, with a separate type for each.
type entityWriter struct {
	judged *judgedWriter

	*entityCreator
	*entityUpdater
	*entityDeleter
}

func newEntityWriter(
	client *bolt.Client, c *Config, texts *statementTexts, rd *entityReader, runner *rowRunner, schema neo4jschema.Stores,
) *entityWriter {
	judged := &judgedWriter{runner, rd.contentReader}
	return &entityWriter{
		judged, newEntityCreator(client, c, rd, runner, schema), newEntityUpdater(client, c, rd, judged, schema.Names),
		newEntityDeleter(client, c, texts, rd, judged),
	}
}

// close finishes the running writes.
func (wr *entityWriter) close() {
	wr.entityDeleter.close()
	wr.entityCreator.close()
	wr.entityUpdater.close()
}
