package neo4jstore

import (
	"graphrest/internal/bolt"
	"graphrest/internal/neo4jschema"
)

// entityReader reads nodes and edges one by one, and shows of them what the user of a request may see.
type entityReader struct {
	*entityFinder
	*recordDecoder
	*contentReader
	*entityResolver
	*edgeTypesInUse

	elements *elementReader
}

func newEntityReader(client *bolt.Client, finder *entityFinder, values *valueDecoder, schema neo4jschema.Stores) *entityReader {
	records := &recordDecoder{valueDecoder: values, types: schema.TypeStore}
	contents := &contentReader{config: finder.config, elements: finder.elements, decoder: records}
	return &entityReader{
		entityFinder: finder, recordDecoder: records, contentReader: contents,
		entityResolver: &entityResolver{config: finder.config, finder: finder, decoder: records, contents: contents},
		edgeTypesInUse: &edgeTypesInUse{client: client, counts: schema.Counts},
		elements:       finder.elements,
	}
}
