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
	ListNodesSoughtCount   = load("graph/list_nodes_sought_count")
	ListEdgesSorted        = load("graph/list_edges_sorted")
	ListEdgesOutSorted     = load("graph/list_edges_out_sorted")
	ListEdgesInSorted      = load("graph/list_edges_in_sorted")
	ListEdgesBothSorted    = load("graph/list_edges_both_sorted")
	ListEdgesBetweenSorted = load("graph/list_edges_between_sorted")

	ListNodesTop        = load("graph/list_nodes_top")
	ListEdgesTop        = load("graph/list_edges_top")
	ListEdgesAroundTop  = load("graph/list_edges_around_top")
	ListEdgesBetweenTop = load("graph/list_edges_between_top")
	ListNodesChosen     = load("graph/list_nodes_chosen")
	ListEdgesChosen     = load("graph/list_edges_chosen")
)

// Listed is which entities of a type a statement lists: all, if it is zero. Conditions that are not needed are left out of the text, since
// the database would evaluate them for each entity.
type Listed struct {
	Under     bool     // the nodes whose type is the label $first: their declared label, or else their first
	WithoutID bool     // the entities without an own id
	Visible   Fragment // the condition on what the user sees
}

// Nodes is a clause with the condition on a node, to which more conditions can be added by AND. In one WHERE with the conditions of a
// filter, the planner would read the labels of each node before it tests the filter.
func (l Listed) Nodes(id Fragment) Fragment {
	with, texts := withNode, l.conditions(NodeVariable, id)
	if l.Under {
		with, texts = withLabels, append([]Fragment{literal(listedUnder)}, texts...)
	}
	return with.fill(Slots{"condition": allOf(texts)})
}

// Edges is the condition on an edge.
func (l Listed) Edges(id Fragment) Fragment { return allOf(l.conditions(EdgeVariable, id)) }

func (l Listed) conditions(variable Variable, id Fragment) (texts []Fragment) {
	if l.WithoutID {
		texts = append(texts, withoutID.fill(Slots{"variable": variable.fragment(), "id": id}))
	}
	if l.Visible != (Fragment{}) {
		texts = append(texts, l.Visible)
	}
	return texts
}

const listedUnder constant = "CASE WHEN $declared IS NULL THEN labels[0] " +
	"ELSE coalesce([l IN labels WHERE l IN $declared][0], labels[0]) END = $first"

var (
	withoutID  = newTemplate("NOT coalesce({{variable}}.{{id}} > '', false)")
	withNode   = newTemplate("WITH n WHERE {{condition}}")
	withLabels = newTemplate("WITH n, labels(n) AS labels WHERE {{condition}}")
)

// LabelWith is the label expression of the nodes that have a label and at least one of others; without others, of all that have the label.
// The database finds such nodes in the index of labels, without reading nodes: it reads little if the nodes of the labels were not created
// in turns.
func LabelWith(label string, others []string) Fragment {
	if len(others) == 0 {
		return Quote(label)
	}
	return labelWith.fill(Slots{"label": Quote(label), "others": QuoteAny(others)})
}

// NodesWith matches the nodes of LabelWith for a page in the database's own order. It is a subquery, since a planner that sees the limit of
// the page prefers a test of each node with the label.
func NodesWith(label string, others []string) Fragment {
	match := matchNodes
	if len(others) > 0 {
		match = subqueryOfNodes
	}
	return match.fill(Slots{"labels": LabelWith(label, others)})
}

var (
	labelWith       = newTemplate("{{label}}&({{others}})")
	matchNodes      = newTemplate("MATCH (n:{{labels}})")
	subqueryOfNodes = newTemplate("CALL { MATCH (n:{{labels}}) RETURN n } WITH n")
)
