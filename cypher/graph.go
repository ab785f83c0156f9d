package cypher

// The statements on single nodes and edges, and those that keep their types managed.
var (
	Ping = load("graph/ping")

	NodesByElement = load("graph/nodes_by_element")
	NodesByID      = load("graph/nodes_by_id")
	NodesByIDEach  = load("graph/nodes_by_id_each")
	EdgesByElement = load("graph/edges_by_element")
	EdgesByID      = load("graph/edges_by_id")
	EdgesByIDEach  = load("graph/edges_by_id_each")

	CreateNodes      = load("graph/create_nodes")
	CreateEdges      = load("graph/create_edges")
	CreateNodesKeyed = load("graph/create_nodes_keyed")
	CreateEdgesKeyed = load("graph/create_edges_keyed")

	UpdateNodes = load("graph/update_nodes")
	UpdateEdges = load("graph/update_edges")
	DeleteNodes = load("graph/delete_nodes")
	DeleteEdges = load("graph/delete_edges")

	RefusedEdges      = load("graph/refused_edges")
	DeleteEdgesOfNode = load("graph/delete_edges_of_node")
	CountEdgesOfNode  = load("graph/count_edges_of_node")

	PurgeIdempotencyKeys = load("graph/purge_idempotency_keys")
	PurgeNameBudgets     = load("graph/purge_name_budgets")
	ChargeNames          = load("graph/charge_names")
	ManagedTypes         = load("graph/managed_types")
	ManageNodeType       = load("graph/manage_node_type")
	ManageEdgeType       = load("graph/manage_edge_type")
	KnownNames           = load("graph/known_names")

	ReadTexts     = load("graph/read_texts")
	ReadEdgeTexts = load("graph/read_edge_texts")

	EndIDs = load("graph/end_ids")
)
