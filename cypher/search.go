package cypher

// SearchedShown is a condition on the entity of a hit that its search names by the member condition: the number of one of those given, from
// 1. Any other number is no condition. It belongs into the slot view.
func SearchedShown(conditions []Fragment) Fragment {
	if len(conditions) == 0 {
		return True
	}
	cases := make([]Fragment, len(conditions))
	for i, c := range conditions {
		cases[i] = searchedCase.fill(Slots{"number": number(i + 1), "condition": c})
	}
	return searchedShown.fill(Slots{"cases": join(" ", cases)})
}

var (
	searchedCase  = newTemplate("WHEN {{number}} THEN {{condition}}")
	searchedShown = newTemplate("CASE asked.condition {{cases}} ELSE true END")
)

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
