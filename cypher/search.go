package cypher

import "strings"

// The statements that search with full-text indexes, and those that make and drop such indexes.
var (
	SearchNodes = load("graph/search_nodes")
	SearchEdges = load("graph/search_edges")

	SearchIndexes          = load("schema/search_indexes")
	SearchAnalyzers        = load("schema/search_analyzers")
	CreateSearchIndexNodes = load("schema/create_search_index_nodes")
	CreateSearchIndexEdges = load("schema/create_search_index_edges")
	DropSearchIndex        = load("schema/drop_search_index")
)

// PropertiesOf is the list of some properties of a variable, as ON EACH takes it. The variable is one of the statement's own.
func PropertiesOf(variable string, keys []string) Name {
	quoted := make([]string, len(keys))
	for i, key := range keys {
		quoted[i] = variable + "." + Quote(key).quoted
	}
	return Name{"[" + strings.Join(quoted, ", ") + "]"}
}
