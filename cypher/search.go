package cypher

// The statements that search with full-text indexes, and those that create and drop such indexes.
var (
	SearchNodes = load("graph/search_nodes")
	SearchEdges = load("graph/search_edges")

	SearchIndexes          = load("schema/search_indexes")
	SearchAnalyzers        = load("schema/search_analyzers")
	CreateSearchIndexNodes = load("schema/create_search_index_nodes")
	CreateSearchIndexEdges = load("schema/create_search_index_edges")
	DropSearchIndex        = load("schema/drop_search_index")
)
