package cypher

// The statements that list nodes and edges, one page at a time. Those named Count count the entities of a list or of a part of it.
var (
	ListLabels            = load("graph/list_labels")
	ListRelationshipTypes = load("graph/list_relationship_types")
	NamesInUse            = load("graph/names_in_use")

	ListNodesScan             = load("graph/list_nodes_scan")
	ListNodesFew              = load("graph/list_nodes_few")
	ListNodesIndexed          = load("graph/list_nodes_indexed")
	ListNodesWithin           = load("graph/list_nodes_within")
	ListNodesIDsBehind        = load("graph/list_nodes_ids_behind")
	ListNodesFirst            = load("graph/list_nodes_first")
	ListNodesBehind           = load("graph/list_nodes_behind")
	ListNodesWindow           = load("graph/list_nodes_window")
	ListNodesOnward           = load("graph/list_nodes_onward")
	ListNodesSkip             = load("graph/list_nodes_skip")
	ListNodesExtent           = load("graph/list_nodes_extent")
	ListNodesUnlabelled       = load("graph/list_nodes_unlabelled")
	ListNodesUnlabelledWindow = load("graph/list_nodes_unlabelled_window")
	ListNodesScanCount        = load("graph/list_nodes_scan_count")
	ListNodesIndexedCount     = load("graph/list_nodes_indexed_count")
	ListNodesTogether         = load("graph/list_nodes_together")
	ListNodesTotal            = load("graph/list_nodes_total")
	ListNodesTotalAll         = load("graph/list_nodes_total_all")

	ListEdgesScan         = load("graph/list_edges_scan")
	ListEdgesFew          = load("graph/list_edges_few")
	ListEdgesIndexed      = load("graph/list_edges_indexed")
	ListEdgesWithin       = load("graph/list_edges_within")
	ListEdgesIDsBehind    = load("graph/list_edges_ids_behind")
	ListEdgesFirst        = load("graph/list_edges_first")
	ListEdgesBehind       = load("graph/list_edges_behind")
	ListEdgesWindow       = load("graph/list_edges_window")
	ListEdgesOnward       = load("graph/list_edges_onward")
	ListEdgesSkip         = load("graph/list_edges_skip")
	ListEdgesExtent       = load("graph/list_edges_extent")
	ListEdgesScanCount    = load("graph/list_edges_scan_count")
	ListEdgesIndexedCount = load("graph/list_edges_indexed_count")
	ListEdgesTotal        = load("graph/list_edges_total")
	ListEdgesTotalAll     = load("graph/list_edges_total_all")

	ListEdgesOutCount     = load("graph/list_edges_out_count")
	ListEdgesInCount      = load("graph/list_edges_in_count")
	ListEdgesAround       = load("graph/list_edges_around")
	ListEdgesBothCount    = load("graph/list_edges_both_count")
	ListEdgesBetween      = load("graph/list_edges_between")
	ListEdgesBetweenCount = load("graph/list_edges_between_count")

	ListNodesSorted        = load("graph/list_nodes_sorted")
	ListNodesSortedAll     = load("graph/list_nodes_sorted_all")
	ListNodesSoughtCount   = load("graph/list_nodes_sought_count")
	ListEdgesSorted        = load("graph/list_edges_sorted")
	ListEdgesOutSorted     = load("graph/list_edges_out_sorted")
	ListEdgesInSorted      = load("graph/list_edges_in_sorted")
	ListEdgesBothSorted    = load("graph/list_edges_both_sorted")
	ListEdgesBetweenSorted = load("graph/list_edges_between_sorted")

	ListNodesTop        = load("graph/list_nodes_top")
	ListNodesTopAll     = load("graph/list_nodes_top_all")
	ListNodesNear       = load("graph/list_nodes_near")
	ListEdgesTop        = load("graph/list_edges_top")
	ListEdgesNear       = load("graph/list_edges_near")
	ListEdgesAroundTop  = load("graph/list_edges_around_top")
	ListEdgesBetweenTop = load("graph/list_edges_between_top")
	ListNodesChosen     = load("graph/list_nodes_chosen")
	ListEdgesChosen     = load("graph/list_edges_chosen")
)

// Listed is which entities of a type a statement lists: all, if it is zero. Conditions that are not needed are left out of the text, since
// the database would evaluate them for each entity.
type Listed struct {
	Under     bool // the nodes whose type is the label $first: their declared label, or else their first
	WithoutID bool // the entities without an own id
}

// Nodes is the condition on a node.
func (l Listed) Nodes(id Fragment) Fragment {
	var texts []Fragment
	if l.Under {
		texts = append(texts, literal(listedUnder))
	}
	if l.WithoutID {
		texts = append(texts, withoutID.fill(Slots{"variable": NodeVariable.fragment(), "id": id}))
	}
	return allOf(texts)
}

// Edges is the condition on an edge.
func (l Listed) Edges(id Fragment) Fragment {
	if l.WithoutID {
		return withoutID.fill(Slots{"variable": EdgeVariable.fragment(), "id": id})
	}
	return True
}

const listedUnder constant = "CASE WHEN $declared IS NULL THEN labels(n)[0] " +
	"ELSE coalesce([l IN labels(n) WHERE l IN $declared][0], labels(n)[0]) END = $first"

var withoutID = newTemplate("NOT coalesce({{variable}}.{{id}} > '', false)")
