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

func newReader(
	client *bolt.Client, texts *Texts, elements *ElementReader, catalog *TypeCatalog, values *valueDecoder, schema neo4jschema.Stores,
) *Reader {
	records := &RecordDecoder{valueDecoder: values, Types: schema.TypeStore}
	contents := &contentReader{config: elements.Config, elements: elements, decoder: records}
	finder := newEntityFinder(texts, contents, catalog)
	return &Reader{
		entityFinder: finder, RecordDecoder: records, contentReader: contents,
		entityResolver: &entityResolver{config: finder.config, finder: finder, decoder: records, contents: contents},
		edgeTypesInUse: &edgeTypesInUse{client: client, counts: schema.Counts},
		Elements:       finder.elements,
	}
}
