package cypher

// The statements on saved queries.
var (
	QueryStamps   = load("query/query_stamps")
	QueryList     = load("query/query_list")
	QueryVersions = load("query/query_versions")
	QuerySave     = load("query/query_save")
	QueryDelete   = load("query/query_delete")
)
