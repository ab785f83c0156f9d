package cypher

// The statements that list nodes and edges, one page at a time. Those named Count say how many entities a list, or a part
// of it, has in all.
var (
	ListLabels            = load("graph/list_labels")
	ListRelationshipTypes = load("graph/list_relationship_types")

	ListNodesScan         = load("graph/list_nodes_scan")
	ListNodesIndexed      = load("graph/list_nodes_indexed")
	ListNodesUnidentified = load("graph/list_nodes_unidentified")
	ListNodesUnlabelled   = load("graph/list_nodes_unlabelled")
	ListNodesScanCount    = load("graph/list_nodes_scan_count")
	ListNodesIndexedCount = load("graph/list_nodes_indexed_count")
	ListNodesTotal        = load("graph/list_nodes_total")
	ListNodesTotalAll     = load("graph/list_nodes_total_all")

	ListEdgesScan         = load("graph/list_edges_scan")
	ListEdgesIndexed      = load("graph/list_edges_indexed")
	ListEdgesUnidentified = load("graph/list_edges_unidentified")
	ListEdgesScanCount    = load("graph/list_edges_scan_count")
	ListEdgesIndexedCount = load("graph/list_edges_indexed_count")
	ListEdgesTotal        = load("graph/list_edges_total")
	ListEdgesTotalAll     = load("graph/list_edges_total_all")

	ListEdgesOut          = load("graph/list_edges_out")
	ListEdgesOutCount     = load("graph/list_edges_out_count")
	ListEdgesIn           = load("graph/list_edges_in")
	ListEdgesInCount      = load("graph/list_edges_in_count")
	ListEdgesBoth         = load("graph/list_edges_both")
	ListEdgesBothCount    = load("graph/list_edges_both_count")
	ListEdgesBetween      = load("graph/list_edges_between")
	ListEdgesBetweenCount = load("graph/list_edges_between_count")

	ListNodesSorted        = load("graph/list_nodes_sorted")
	ListNodesSoughtCount   = load("graph/list_nodes_sought_count")
	ListEdgesSorted        = load("graph/list_edges_sorted")
	ListEdgesOutSorted     = load("graph/list_edges_out_sorted")
	ListEdgesInSorted      = load("graph/list_edges_in_sorted")
	ListEdgesBothSorted    = load("graph/list_edges_both_sorted")
	ListEdgesBetweenSorted = load("graph/list_edges_between_sorted")
)
