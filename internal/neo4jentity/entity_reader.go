package neo4jentity

import (
	"graphrest/internal/bolt"
	"graphrest/internal/neo4jschema"
)

// Reader reads nodes and edges one by one, and shows of them what the user of a request may see.
type Reader struct {
	*entityFinder
	*RecordDecoder
	*contentReader
	*entityResolver
	*edgeTypesInUse

	Elements *ElementReader
}

func newReader(client *bolt.Client, finder *entityFinder, values *valueDecoder, schema neo4jschema.Stores) *Reader {
	records := &RecordDecoder{valueDecoder: values, Types: schema.TypeStore}
	contents := &contentReader{config: finder.config, elements: finder.elements, decoder: records}
	return &Reader{
		entityFinder: finder, RecordDecoder: records, contentReader: contents,
		entityResolver: &entityResolver{config: finder.config, finder: finder, decoder: records, contents: contents},
		edgeTypesInUse: &edgeTypesInUse{client: client, counts: schema.Counts},
		Elements:       finder.elements,
	}
}
