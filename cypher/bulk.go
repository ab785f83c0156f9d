package cypher

// The statements of exports and imports. CreateEdges imports edges; the statements on single entities look existing entities up and change
// them.
var (
	ExportNodes           = load("graph/export_nodes")
	ExportNodesUnlabelled = load("graph/export_nodes_unlabelled")
	ExportEdges           = load("graph/export_edges")
	ImportNodes           = load("graph/import_nodes")
	MakeLabel             = load("graph/make_label")
)
